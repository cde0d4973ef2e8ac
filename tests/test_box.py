"""What a bot's start looks like in the box: words and bytes, nothing is started."""

import struct
from dataclasses import replace
from pathlib import Path

import pytest

from arena import host, memory
from arena.botspec import BotSpec, keep_apart
from arena.box import Guard, Host, Mount, Runtime, box_argv, box_limits
from arena.host import diagnose
from arena.sandbox import Limits
from arena.seccomp import MACHINES, build_filter, denial

ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
SPEC = BotSpec("x", ("/usr/bin/python3", "bot.py"), Path("/cups/x"))
SYSTEM = (Mount("/usr", "/usr"), Mount("/bin", "usr/bin", is_link=True))
HOST = Host("/usr/bin/bwrap", MACHINES["x86_64"], SYSTEM)
NOTHING = Runtime()
PYENV = Mount("/home/u/.pyenv/versions/3.11.7", "/home/u/.pyenv/versions/3.11.7")


def argv(spec=SPEC, runtime=NOTHING, without=()):
    return box_argv(spec, Limits(), "mark", HOST, runtime, without)


def test_the_whole_command():
    runtime = Runtime((PYENV,), ("/home/u/.pyenv/versions/3.11.7/bin",))
    assert " ".join(argv(runtime=runtime)) == (
        "/usr/bin/bwrap --unshare-user --unshare-cgroup-try --new-session "
        "--die-with-parent --uid 1000 --gid 1000 --unshare-ipc --unshare-pid "
        "--unshare-net --unshare-uts --hostname bot --disable-userns --cap-drop ALL "
        "--clearenv --setenv PATH "
        "/home/u/.pyenv/versions/3.11.7/bin:/usr/local/bin:/usr/bin:/bin "
        "--setenv HOME /tmp --setenv LANG C.UTF-8 "
        "--setenv PYTHONDONTWRITEBYTECODE 1 --setenv PYTHONUNBUFFERED 1 "
        "--setenv TRIANON_BOT mark --ro-bind /usr /usr --symlink usr/bin /bin "
        "--proc /proc --dev /dev --perms 1777 --size 1048576 --tmpfs /dev/shm "
        "--perms 1777 --size 16777216 --tmpfs /tmp "
        "--ro-bind /home/u/.pyenv/versions/3.11.7 /home/u/.pyenv/versions/3.11.7 "
        "--ro-bind /cups/x /cups/x --remount-ro /proc --remount-ro /dev "
        "--remount-ro / --chdir /cups/x --seccomp 5 --block-fd 6 --json-status-fd 7 "
        '-- /bin/sh -c exec "$@" <&3 >&4 3<&- 4>&- 5<&- 6<&- 7>&- 8<&- 9<&- sh '
        "/usr/bin/python3 bot.py"
    )


def test_a_folder_that_cannot_be_at_its_own_place_moves():
    spec = replace(SPEC, argv=("/tmp/bot", "-x", "/tmp/y"), cwd=Path("/tmp"))
    words = argv(spec)
    assert words[-3:] == ("/bot/bot", "-x", "/bot/y")
    at = words.index("/bot")
    assert words[at - 2 : at] == ("--ro-bind", "/tmp")


def test_the_root_is_nobodys_own_folder():
    words = argv(replace(SPEC, cwd=Path("/")))
    assert "/" not in {words[at + 1] for at, w in enumerate(words) if w == "--ro-bind"}


def test_results_inside_a_bots_folder_are_hidden():
    inside, outside = Path("/cups/x/demo"), Path("/cups/demo")
    words = argv(replace(SPEC, hidden=(inside, outside, SPEC.cwd)))
    covered = [words[at + 1] for at, word in enumerate(words) if word == "--tmpfs"]
    assert covered == ["/dev/shm", "/tmp", "/cups/x/demo"]


def test_what_is_masked_inside_a_bots_folder_cannot_be_read():
    words = argv(replace(SPEC, masked=(Path("/cups/x/cup.toml"), Path("/cups/y"))))
    places = [words[at + 1] for at, word in enumerate(words) if word == "/dev/null"]
    assert places == ["/cups/x/cup.toml"]


def test_bots_and_the_arena_are_kept_apart():
    cups, inner = Path("/cups"), Path("/cups/inner")
    outer = replace(SPEC, cwd=cups)
    kin = replace(SPEC, cwd=cups, argv=("/usr/bin/python3", "inner/bot.py"))
    other = replace(SPEC, cwd=inner)
    found = keep_apart([outer, kin, other], [cups / "demo"], [cups / "cup.toml"])
    assert [spec.hidden for spec in found] == [
        (cups / "demo", inner),
        (cups / "demo",),
        (cups / "demo",),
    ]
    assert {spec.masked for spec in found} == {(cups / "cup.toml",)}


def test_the_author_of_a_bot_cannot_name_a_hidden_folder_into_view():
    cups, inner = Path("/cups"), Path("/cups/inner")
    stranger = replace(SPEC, cwd=cups, argv=(f"{inner}/bin/python",), is_folder=True)
    (found, _) = keep_apart([stranger, replace(SPEC, cwd=inner)])
    assert found.hidden == (inner,)


def test_what_is_hidden_is_hidden_in_the_folder_of_an_interpreter_too():
    """A cup may lie in the folder of a virtual environment, beside its interpreter."""
    venv = Path("/home/u/venv")
    results, other = venv / "demo", Path("/entries/other")
    runtime = Runtime(
        (Mount(str(venv), str(venv)), Mount(f"{other}/.venv", f"{other}/.venv"))
    )
    spec = replace(SPEC, hidden=(results, other), masked=(venv / "cup.toml",))
    words = argv(spec, runtime=runtime)
    assert str(results) in words[words.index("/tmp") :]
    covered = [words[at + 1] for at, word in enumerate(words) if word == "--tmpfs"]
    assert covered == ["/dev/shm", "/tmp", str(results)]
    assert words[words.index("/dev/null") + 1] == str(venv / "cup.toml")
    assert f"{other}/.venv" not in words


@pytest.mark.parametrize("guard", [g for g in Guard if g not in (
    Guard.DESCRIPTORS, Guard.MEMORY, Guard.KILL)])  # fmt: skip
def test_each_guard_can_be_left_out_alone(guard):
    whole = (argv(), dict(box_limits(Limits())))
    assert (argv(without={guard}), dict(box_limits(Limits(), {guard}))) != whole


def test_limits_leave_room_for_bubblewraps_own_process():
    assert box_limits(Limits(memory_mb=8192, processes=10)) == {
        "RLIMIT_AS": 8192 * 1024 * 1024,
        "RLIMIT_NPROC": 11,
        "RLIMIT_NOFILE": 256,
        "RLIMIT_FSIZE": 16 * 1024 * 1024,
        "RLIMIT_CORE": 0,
    }


# --- the filter ---


def verdict(program, arch, number, *args):
    """Run a filter as the kernel would."""
    data = struct.pack("<iIQ6Q", number, arch, 0, *args, *[0] * (6 - len(args)))
    code = list(struct.iter_unpack("=HBBI", program))
    held, at = 0, 0
    while True:
        what, yes, no, value = code[at]
        at += 1
        if what == 0x20:
            held = struct.unpack_from("<I", data, value)[0]
        elif what == 0x15:
            at += yes if held == value else no
        elif what == 0x35:
            at += yes if held >= value else no
        elif what == 0x45:
            at += yes if held & value else no
        else:
            assert what == 0x06
            return value


@pytest.fixture(params=MACHINES)
def machine(request):
    return MACHINES[request.param]


def test_what_is_denied_fails_and_what_is_not_goes_through(machine):
    program = build_filter(machine)
    for name, number in machine.denied.items():
        assert verdict(program, machine.audit, number) == ERRNO | denial(name), name
    for number in set(range(470)) - set(machine.denied.values()):
        assert verdict(program, machine.audit, number) == ALLOW


def test_clone_makes_threads_and_children_but_no_namespaces(machine):
    program = build_filter(machine)
    for flags, wanted in [
        (0x01200011, ALLOW),  # fork
        (0x003D0F00, ALLOW),  # a thread
        (0x10000011, ERRNO | 1),  # CLONE_NEWUSER
        (0x00020000 | 1 << 40, ERRNO | 1),  # CLONE_NEWNS, with noise above
    ]:
        assert verdict(program, machine.audit, machine.clone, flags) == wanted


@pytest.mark.parametrize("high", [0, 1 << 32, 0xFFFFFFFF << 32])
@pytest.mark.parametrize(
    ("request_", "wanted"), [(0x5412, ERRNO | 1), (0x541C, ERRNO | 1), (0x5401, ALLOW)]
)
def test_ioctls_are_compared_on_the_low_half(high, request_, wanted, machine):
    program = build_filter(machine)
    args = (0, request_ | high)
    assert verdict(program, machine.audit, machine.ioctl, *args) == wanted


def test_other_calling_conventions_are_killed():
    program = build_filter(MACHINES["x86_64"])
    assert verdict(program, 0x40000003, 1) == KILL  # i386
    assert verdict(program, MACHINES["x86_64"].audit, 0x40000000 | 1) == KILL  # x32


# --- what this machine has ---


@pytest.mark.parametrize(
    ("said", "files", "words"),
    [
        ("bwrap: Unknown option --size", {}, "older than 0.8"),
        (
            "No permissions to create a new namespace",
            {"/proc/sys/kernel/unprivileged_userns_clone": "0"},
            "sysctl -w kernel.unprivileged_userns_clone=1",
        ),
        (
            "Creating new namespace failed",
            {"/proc/sys/user/max_user_namespaces": "0"},
            "sysctl -w user.max_user_namespaces",
        ),
        (
            "setting up uid map: Permission denied",
            {"/proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1"},
            "AppArmor",
        ),
        ("Operation not permitted", {"/.dockerenv": ""}, "--security-opt seccomp"),
        ("something new", {}, "something new"),
    ],
)
def test_the_reason_and_its_mend(said, files, words):
    assert words in diagnose(said, files.get)


def program(path, text="\x7fELF"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture
def machine_here(monkeypatch):
    monkeypatch.setattr(host, "this_host", lambda: HOST)


def runtime_of(tmp_path, *words, is_folder=False):
    (tmp_path / "own").mkdir(exist_ok=True)
    spec = BotSpec("x", tuple(map(str, words)), tmp_path / "own", is_folder=is_folder)
    found = host.find_runtime(spec)
    return {
        (m.target.removeprefix(f"{tmp_path}/"), m.is_link) for m in found.mounts
    }, found.path


@pytest.mark.usefixtures("machine_here")
def test_an_interpreter_brings_its_prefix_and_no_more(tmp_path):
    python = program(tmp_path / "home/.pyenv/versions/3.11/bin/python3")
    (python.parent.parent / "lib/python3.11").mkdir(parents=True)
    mounts, path = runtime_of(tmp_path, python, "bot.py")
    assert mounts == {("home/.pyenv/versions/3.11", False)}
    assert path == (str(python.parent),)


@pytest.mark.usefixtures("machine_here")
def test_a_virtual_environment_brings_its_base(tmp_path):
    python = program(tmp_path / "uv/python/cpython-3.12.1/bin/python3.12")
    (python.parent.parent / "lib/python3.12").mkdir(parents=True)
    minor = tmp_path / "uv/python/cpython-3.12"
    minor.symlink_to("cpython-3.12.1")
    link = tmp_path / "project/.venv/bin/python"
    link.parent.mkdir(parents=True)
    link.symlink_to(minor / "bin/python3.12")
    (tmp_path / "project/.venv/pyvenv.cfg").write_text("")
    assert runtime_of(tmp_path, link, "bot.py")[0] == {
        ("project/.venv", False),
        ("uv/python/cpython-3.12.1", False),
        ("uv/python/cpython-3.12", True),
    }


@pytest.mark.usefixtures("machine_here")
def test_a_home_is_never_shown_for_a_program_in_its_bin(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    tool = program(tmp_path / "home/bin/tool")
    (tmp_path / "home/lib/python3.11").mkdir(parents=True)
    assert runtime_of(tmp_path, tool)[0] == {("home/bin/tool", False)}


@pytest.mark.usefixtures("machine_here")
def test_a_script_elsewhere_brings_its_folder_but_never_a_home(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    for name in ("bots/a.py", "home/b.py"):
        path = tmp_path / name
        path.parent.mkdir()
        path.write_text("")
    argv = ("/usr/bin/python3", tmp_path / "bots/a.py", tmp_path / "home/b.py")
    assert runtime_of(tmp_path, *argv)[0] == {("bots", False), ("home/b.py", False)}
    assert runtime_of(tmp_path, *argv, is_folder=True)[0] == set()
    relative = ("/usr/bin/python3", "../bots/a.py")
    assert runtime_of(tmp_path, *relative)[0] == {("bots", False)}


@pytest.mark.usefixtures("machine_here")
def test_a_bot_toml_opens_no_file_of_another(tmp_path):
    other = program(tmp_path / "other/bot")
    assert runtime_of(tmp_path, other)[0] == {("other/bot", False)}
    assert runtime_of(tmp_path, other, is_folder=True)[0] == set()


@pytest.mark.usefixtures("machine_here")
def test_the_interpreter_of_a_script_is_found(tmp_path):
    node = program(tmp_path / "opt/node/bin/node")
    (tmp_path / "opt/node/include/node").mkdir(parents=True)
    script = program(tmp_path / "own/bot.js", f"#!{node}\n")
    assert runtime_of(tmp_path, script)[0] == {("opt/node", False)}
    shell = ("/bin/sh", "-c", f"{node} bot.js; true")
    assert runtime_of(tmp_path, *shell)[0] == {("opt/node", False)}


# --- the watch on memory ---


def test_it_looks_the_more_often_the_nearer_the_limit_is():
    gib = 1024 * memory.MEGABYTE
    looks = [memory.next_look_s(used, gib) for used in (0, gib - gib // 16, gib)]
    assert looks == [memory.SLOW_LOOK_S, 1 / 64, memory.FAST_LOOK_S]
    # What can be written between two looks is less than the margin.
    for used in range(0, gib, gib // 64):
        written = memory.next_look_s(used, gib) * memory.GROWTH_A_S
        assert used + written <= gib + 64 * memory.MEGABYTE
