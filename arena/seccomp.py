"""The system calls that a bot has no use for, as a filter in BPF.  Pure: bytes.

A deny-list: language runtimes call so much that an allow-list would break honest bots
at each of their releases.  What is denied opens kernel surface or reaches beyond the
box; it fails with EPERM inside the bot, which plays on.  Numbers and constants are
those of the kernel's headers; only a probe inside the box tells whether a filter blocks
anything at all (``trianon doctor``).
"""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

# Codes of BPF instructions (linux/bpf_common.h).
_LOAD: Final = 0x20  # BPF_LD | BPF_W | BPF_ABS
_EQUAL: Final = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
_AT_LEAST: Final = 0x35  # BPF_JMP | BPF_JGE | BPF_K
_ANY_BIT: Final = 0x45  # BPF_JMP | BPF_JSET | BPF_K
_RETURN: Final = 0x06  # BPF_RET | BPF_K

# Where things are in struct seccomp_data, on a little-endian machine.
_NUMBER: Final = 0
_ARCH: Final = 4
_LOW_HALF_OF_ARG: Final = (16, 24)  # the kernel ignores the high half of these two

_ALLOW: Final = 0x7FFF0000
_KILL: Final = 0x80000000  # the whole process
_ERRNO: Final = 0x00050000
_EPERM: Final = 1
_ENOSYS: Final = 38

_X32: Final = 0x40000000
"""The bit of calls of the x32 interface, which has numbers of its own."""

_NEW_NAMESPACES: Final = (
    0x00020000  # CLONE_NEWNS
    | 0x02000000  # CLONE_NEWCGROUP
    | 0x04000000  # CLONE_NEWUTS
    | 0x08000000  # CLONE_NEWIPC
    | 0x10000000  # CLONE_NEWUSER
    | 0x20000000  # CLONE_NEWPID
    | 0x40000000  # CLONE_NEWNET
)
_IOCTLS: Final = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX: typing for the terminal's owner

_COMMON: Final[Mapping[str, int]] = {
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "pidfd_getfd": 438,
    "process_madvise": 440,
    "mount_setattr": 442,
    "quotactl_fd": 443,
    "memfd_secret": 447,
}
"""Calls that have one number everywhere (since 5.1)."""

_X86_64: Final[Mapping[str, int]] = {
    "add_key": 248,
    "request_key": 249,
    "keyctl": 250,
    "bpf": 321,
    "perf_event_open": 298,
    "ptrace": 101,
    "process_vm_readv": 310,
    "process_vm_writev": 311,
    "kcmp": 312,
    "userfaultfd": 323,
    "mount": 165,
    "umount2": 166,
    "pivot_root": 155,
    "chroot": 161,
    "unshare": 272,
    "setns": 308,
    "kexec_load": 246,
    "kexec_file_load": 320,
    "init_module": 175,
    "finit_module": 313,
    "delete_module": 176,
    "reboot": 169,
    "swapon": 167,
    "swapoff": 168,
    "name_to_handle_at": 303,
    "open_by_handle_at": 304,
    "settimeofday": 164,
    "clock_settime": 227,
    "clock_adjtime": 305,
    "adjtimex": 159,
    "acct": 163,
    "quotactl": 179,
    "syslog": 103,
    "fanotify_init": 300,
    "lookup_dcookie": 212,
    "vhangup": 153,
    "iopl": 172,
    "ioperm": 173,
    "uselib": 134,
    "create_module": 174,
    "nfsservctl": 180,
    "migrate_pages": 256,
    "move_pages": 279,
    "memfd_create": 319,
    "shmget": 29,
    "msgget": 68,
    "mq_open": 240,
}
_AARCH64: Final[Mapping[str, int]] = {
    "add_key": 217,
    "request_key": 218,
    "keyctl": 219,
    "bpf": 280,
    "perf_event_open": 241,
    "ptrace": 117,
    "process_vm_readv": 270,
    "process_vm_writev": 271,
    "kcmp": 272,
    "userfaultfd": 282,
    "mount": 40,
    "umount2": 39,
    "pivot_root": 41,
    "chroot": 51,
    "unshare": 97,
    "setns": 268,
    "kexec_load": 104,
    "kexec_file_load": 294,
    "init_module": 105,
    "finit_module": 273,
    "delete_module": 106,
    "reboot": 142,
    "swapon": 224,
    "swapoff": 225,
    "name_to_handle_at": 264,
    "open_by_handle_at": 265,
    "settimeofday": 170,
    "clock_settime": 112,
    "clock_adjtime": 266,
    "adjtimex": 171,
    "acct": 89,
    "quotactl": 60,
    "syslog": 116,
    "fanotify_init": 262,
    "lookup_dcookie": 18,
    "vhangup": 58,
    "nfsservctl": 42,
    "migrate_pages": 238,
    "move_pages": 239,
    "memfd_create": 279,
    "shmget": 194,
    "msgget": 186,
    "mq_open": 180,
}

UNCOUNTED: Final = ("memfd_create", "memfd_secret", "shmget", "msgget", "mq_open")
"""Memory that belongs to no process: no watch on resident sizes would see it."""
_MISSING: Final = (*UNCOUNTED, "clone3")
"""Refused as a kernel that has no such call would: runtimes then take another way."""


@dataclass(frozen=True, slots=True)
class Machine:
    """A kind of processor: its number in the kernel's audit, and its call numbers."""

    audit: int
    calls: Mapping[str, int]
    clone: int
    ioctl: int
    has_x32: bool = False

    @property
    def denied(self) -> Mapping[str, int]:
        """What is denied whatever its arguments are, by name."""
        return {**self.calls, **_COMMON, "clone3": 435}


MACHINES: Final[Mapping[str, Machine]] = {
    "x86_64": Machine(0xC000003E, _X86_64, clone=56, ioctl=16, has_x32=True),
    "aarch64": Machine(0xC00000B7, _AARCH64, clone=220, ioctl=29),
}
"""By the names that ``platform.machine`` has for them."""


def denial(name: str) -> int:
    """Return the errno with which a denied call fails."""
    return _ENOSYS if name in _MISSING else _EPERM


def build_filter(machine: Machine) -> bytes:
    """Return the filter for ``--seccomp`` of bubblewrap: an array of sock_filter.

    clone3 hides its flags in memory, where no filter can look: it does not exist, and
    libraries fall back to clone.
    """
    code = [
        (_LOAD, 0, 0, _ARCH),
        (_EQUAL, 1, 0, machine.audit),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if machine.has_x32:
        code += [(_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _KILL)]
    for name, number in sorted(machine.denied.items(), key=lambda item: item[1]):
        code += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ERRNO | denial(name))]
    eperm = (_RETURN, 0, 0, _ERRNO | _EPERM)
    first, second = _LOW_HALF_OF_ARG
    code += [
        (_EQUAL, 0, 4, machine.clone),
        (_LOAD, 0, 0, first),
        (_ANY_BIT, 0, 1, _NEW_NAMESPACES),
        eperm,
        (_RETURN, 0, 0, _ALLOW),
        (_EQUAL, 0, 3 + len(_IOCTLS), machine.ioctl),
        (_LOAD, 0, 0, second),
    ]
    for place, request in enumerate(_IOCTLS):
        code.append((_EQUAL, len(_IOCTLS) - place, 0, request))
    code += [(_RETURN, 0, 0, _ALLOW), eperm, (_RETURN, 0, 0, _ALLOW)]
    return _packed(code)


def _packed(code: Sequence[tuple[int, int, int, int]]) -> bytes:
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in code)
