"""A hostile program: tries from inside of a box what a bot must not be able to do.

It imports nothing of ours; ``trianon doctor`` starts it as a bot is started, and judges
by its lines.  Each probe returns what it got hold of, or nothing.
"""

import contextlib
import ctypes
import json
import mmap
import os
import platform
import resource
import signal
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Bait = dict[str, Any]
MEGABYTE = 1024 * 1024
EPERM, ENOSYS = 1, 38
IS_ARM = platform.machine() == "aarch64"
CALLS = {  # x86_64, aarch64
    "add_key": (248, 217),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "mount": (165, 40),
    "fsopen": (430, 430),
    "open_tree": (428, 428),
    "setns": (308, 268),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "kexec_load": (246, 104),
    "init_module": (175, 105),
    "swapon": (167, 224),
    "pidfd_getfd": (438, 438),
    "memfd_create": (319, 279),
    "shmget": (29, 194),
    "clone3": (435, 435),
}
UNSHARE = (272, 97)
IOCTL = (16, 29)
NAMESPACES = {
    "mount": 0x00020000,
    "user": 0x10000000,
    "process": 0x20000000,
    "network": 0x40000000,
}
TIOCSTI = 0x5412

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long


def call(numbers: tuple[int, int], *args: int) -> int:
    """Make a system call, and return the errno; 0 when it went through."""
    ctypes.set_errno(0)
    words = [ctypes.c_long(arg) for arg in args]
    done = libc.syscall(ctypes.c_long(numbers[IS_ARM]), *words)
    return ctypes.get_errno() if done == -1 else 0


def readable(paths: list[str]) -> str:
    """Return which of the paths can be seen at all."""
    return ", ".join(path for path in paths if os.access(path, os.F_OK))


def opponents_files(bait: Bait) -> str:
    return readable([bait["opponent"]])


def arenas_files(bait: Bait) -> str:
    return readable(bait["arena"])


def systems_files(_bait: Bait) -> str:
    return readable(["/etc/passwd", "/etc/shadow", "/sys", "/run", "/var", "/home"])


def tmp_of_the_host(bait: Bait) -> str:
    return readable([bait["tmp"]])


def shm_of_the_host(bait: Bait) -> str:
    return readable([bait["shm"]])


def environment(bait: Bait) -> str:
    found = [name for name in os.environ if name in bait["environment"]]
    own = Path("/proc/self/environ").read_bytes()
    first = b""
    with contextlib.suppress(OSError):
        first = Path("/proc/1/environ").read_bytes()
    hidden = bait["secret"].encode()
    return ", ".join(found) or ("a secret" if hidden in own + first else "")


def network(_bait: Bait) -> str:
    names = [name for _, name in socket.if_nameindex() if name != "lo"]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        try:
            udp.connect(("192.0.2.1", 9))
        except OSError:
            return ", ".join(names)
    return "a way out"


def localhost(bait: Bait) -> str:
    try:
        socket.create_connection(("127.0.0.1", bait["port"]), timeout=1).close()
    except OSError:
        return ""
    return f"port {bait['port']}"


def abstract_sockets(bait: Bait) -> str:
    with socket.socket(socket.AF_UNIX) as one:
        try:
            one.connect("\0" + bait["abstract"])
        except OSError:
            return ""
    return "a socket of the arena"


def own_namespaces(bait: Bait) -> str:
    shared = []
    for name, number in bait["namespaces"].items():
        if os.stat(f"/proc/self/ns/{name}").st_ino == number:
            shared.append(name)
    return ", ".join(shared)


def shared_memory(bait: Bait) -> str:
    lines = Path("/proc/sysvipc/shm").read_text().splitlines()[1:]
    return f"{len(lines)} segments" if lines or "ipc" in own_namespaces(bait) else ""


def host_name(_bait: Bait) -> str:
    name = socket.gethostname()
    return "" if name == "bot" else name


def signals(bait: Bait) -> str:
    with contextlib.suppress(OSError):
        os.kill(bait["pid"], 0)
        return f"process {bait['pid']} of the arena"
    return readable([f"/proc/{bait['pid']}"])


def memory_of_others(bait: Bait) -> str:
    with contextlib.suppress(OSError), open(f"/proc/{bait['pid']}/mem", "rb"):
        return "the memory of the arena"
    return ""


def descriptors(_bait: Bait) -> str:
    found = []
    for fd in range(3, 4096):
        with contextlib.suppress(OSError):
            os.fstat(fd)
            found.append(str(fd))
    return ", ".join(found)


def capabilities(_bait: Bait) -> str:
    found = []
    for line in Path("/proc/self/status").read_text().splitlines():
        name, _, value = line.partition(":")
        if name in ("CapEff", "CapPrm", "CapBnd", "CapAmb") and int(value, 16):
            found.append(f"{name} {value.strip()}")
        if name == "NoNewPrivs" and value.strip() != "1":
            found.append("privileges to gain")
    return ", ".join(found)


def denied_calls(_bait: Bait) -> str:
    through = []
    for name, numbers in CALLS.items():
        # Arguments that no call takes: what is not denied complains of them.
        args = (16, -1, 0, 0, 0) if name == "ptrace" else (-1, 0, -1, 0, 0)
        if call(numbers, *args) not in (EPERM, ENOSYS):
            through.append(name)
    if call(IOCTL, 0, TIOCSTI | 1 << 32, 0) != EPERM:
        through.append("ioctl TIOCSTI")
    return ", ".join(through)


def other_calling_conventions(_bait: Bait) -> str:
    if IS_ARM:
        return ""
    pid = os.fork()
    if pid == 0:
        libc.syscall(ctypes.c_long(0x40000000 | 39))
        os._exit(0)
    status = os.waitpid(pid, 0)[1]
    return "" if os.waitstatus_to_exitcode(status) == -signal.SIGSYS else "x32"


def new_namespaces(_bait: Bait) -> str:
    made = []
    for name, flag in NAMESPACES.items():
        pid = os.fork()
        if pid == 0:
            os._exit(call(UNSHARE, flag) == 0)
        if os.waitpid(pid, 0)[1]:
            made.append(name)
    return ", ".join(made)


def root_written(_bait: Bait) -> str:
    places = ["/probe", "/usr/probe", "/bin/probe", str(Path.cwd() / "probe")]
    return ", ".join(path for path in places if written(path))


def dev_written(_bait: Bait) -> str:
    return "/dev" if written("/dev/probe") else ""


def kernel_settings(_bait: Bait) -> str:
    places = ("/proc/sys/kernel/hostname", "/proc/sysrq-trigger")
    found = []
    for path in places:
        with contextlib.suppress(OSError):
            os.close(os.open(path, os.O_WRONLY))
            found.append(path)
    return ", ".join(found)


def written(path: str) -> bool:
    try:
        fd = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    except OSError:
        return False
    os.close(fd)
    with contextlib.suppress(OSError):
        os.unlink(path)
    return True


def filled(folder: str, allowed_mb: int) -> str:
    """Fill a folder; return how much went in when it is more than is allowed."""
    data = b"x" * (MEGABYTE // 4)
    size, made = 0, []
    with contextlib.suppress(OSError):
        for number in range(4 * (allowed_mb + 8)):
            path = Path(folder) / f"fill-{number}"
            made.append(path)
            with path.open("wb", buffering=0) as file:
                size += file.write(data)
    for path in made:
        path.unlink(missing_ok=True)
    return f"{size // MEGABYTE} MiB" if size > allowed_mb * MEGABYTE else ""


def tmp_bounded(bait: Bait) -> str:
    return filled("/tmp", bait["tmp_mb"])


def shm_bounded(bait: Bait) -> str:
    return filled("/dev/shm", bait["shm_mb"])


def forks_bounded(bait: Bait) -> str:
    pids: list[int] = []
    with contextlib.suppress(OSError):
        while len(pids) < bait["processes"] + 32:
            pid = os.fork()
            if pid == 0:
                time.sleep(60)
                os._exit(0)
            pids.append(pid)
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    return f"{len(pids)} processes" if len(pids) > bait["processes"] else ""


def open_files_bounded(bait: Bait) -> str:
    fds: list[int] = []
    with contextlib.suppress(OSError):
        while len(fds) < bait["open_files"] + 32:
            fds.append(os.open("/dev/null", os.O_RDONLY))
    for fd in fds:
        os.close(fd)
    return f"{len(fds)} files" if len(fds) > bait["open_files"] else ""


def files_bounded(bait: Bait) -> str:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    path = Path("/tmp/large")
    with path.open("wb") as file:
        try:
            os.truncate(file.fileno(), bait["file_mb"] * MEGABYTE + 1)
        except OSError:
            return ""
        finally:
            path.unlink()
    return f"more than {bait['file_mb']} MiB"


def core_dumps(_bait: Bait) -> str:
    return "" if resource.getrlimit(resource.RLIMIT_CORE) == (0, 0) else "allowed"


def addresses_bounded(bait: Bait) -> str:
    size = bait["addresses_mb"] * MEGABYTE
    try:
        mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | 0x4000, prot=0).close()
    except OSError:
        return ""
    return f"{bait['addresses_mb']} MiB of addresses"


PROBES: dict[str, Callable[[Bait], str]] = {
    "opponents' files": opponents_files,
    "the arena's files": arenas_files,
    "the system's files": systems_files,
    "/tmp of the host": tmp_of_the_host,
    "/dev/shm of the host": shm_of_the_host,
    "environment and secrets": environment,
    "network": network,
    "services on localhost": localhost,
    "abstract sockets": abstract_sockets,
    "namespaces shared with the arena": own_namespaces,
    "shared memory": shared_memory,
    "host name": host_name,
    "signals to the arena": signals,
    "memory of the arena": memory_of_others,
    "inherited descriptors": descriptors,
    "capabilities": capabilities,
    "denied system calls": denied_calls,
    "other calling conventions": other_calling_conventions,
    "new namespaces": new_namespaces,
    "a root that can be written": root_written,
    "a /dev that can be written": dev_written,
    "settings of the kernel": kernel_settings,
    "/tmp without end": tmp_bounded,
    "/dev/shm without end": shm_bounded,
    "processes without end": forks_bounded,
    "open files without end": open_files_bounded,
    "files without end": files_bounded,
    "core dumps": core_dumps,
    "addresses without end": addresses_bounded,
}


def probe(bait: Bait) -> None:
    """Try everything, a line for each."""
    for name, attempt in PROBES.items():
        try:
            got = attempt(bait)
        except OSError as error:  # held off in a way we did not foresee
            got = ""
            print(f"{name}: {error}", file=sys.stderr)
        print(json.dumps({"probe": name, "got": got}), flush=True)
    print(json.dumps({"probe": "end", "got": ""}), flush=True)


def hog(bait: Bait) -> None:
    """Take memory, and say how much it has come to."""
    held = []
    for number in range(bait["memory_mb"] * 4):
        held.append(bytearray(b"x") * MEGABYTE)
        print(json.dumps({"probe": "hog", "got": str(number + 1)}), flush=True)
    print(json.dumps({"probe": "end", "got": ""}), flush=True)


def crowd(bait: Bait) -> None:
    """Leave daemons behind, deaf and in sessions of their own, as many as there can be.

    Then say so, and stay.
    """
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        for _ in range(bait["processes"] + 8):
            if os.fork() == 0:
                os.setsid()
                time.sleep(600)
                os._exit(0)
    print(json.dumps({"probe": "end", "got": ""}), flush=True)
    time.sleep(600)


if __name__ == "__main__":
    {"probe": probe, "hog": hog, "crowd": crowd}[sys.argv[1]](json.loads(sys.argv[2]))
