"""What a BOT is, and what is said of one that is none."""

import contextlib
import sys
from pathlib import Path

import pytest

from arena.botspec import command_bot, find_bot, samples
from arena.builds import built
from arena.errors import ArenaError
from arena.host import find_runtime
from arena.sandbox import Level
from tests.processes import needs_box


def folder(tmp_path, text):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "bot.toml").write_bytes(text.encode())
    return "mine"


@pytest.mark.parametrize("name", ["first", "random", "careful"])
def test_a_sample_is_known_by_its_name(name):
    spec = find_bot(name)
    assert spec.name == name
    assert Path(spec.argv[0]).is_file()
    assert (spec.cwd / spec.argv[1]).is_file()
    assert samples()[name].needs is None


def test_a_folder_says_what_it_is(tmp_path):
    text = 'name = "Mine"\ncommand = "python3 bot.py -x"\ngames = ["trianon"]\n'
    spec = find_bot(folder(tmp_path, text), tmp_path)
    assert (spec.name, spec.games, spec.argv[1:]) == (
        "Mine",
        ("trianon",),
        ("bot.py", "-x"),
    )
    assert spec.cwd == tmp_path / "mine"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('comand = "x"', "keys are name"),
        ("command = ", "write it as TOML"),
        ("# " + "x" * 70_000, "larger than"),
        ('command = ""', "empty"),
        ('command = "nosuchprogram"', "no program called"),
    ],
)
def test_a_wrong_folder_is_one_line(text, says, tmp_path):
    with pytest.raises(ArenaError, match=says):
        find_bot(folder(tmp_path, text), tmp_path)


def test_a_folder_without_a_file_is_said(tmp_path):
    with pytest.raises(ArenaError, match=r"no bot\.toml"):
        find_bot(".", tmp_path)


@pytest.mark.parametrize(
    ("script", "name"), [("greedy.py", "greedy"), ("bot.py", "mine"), ("", "sh")]
)
def test_a_command_line_is_called_after_its_script(script, name, tmp_path):
    home = tmp_path / "mine"
    home.mkdir()
    words = ["/bin/sh", "-u"]
    if script:
        (home / script).touch()
        words.append(script)
    assert command_bot(words, home).name == name


def test_the_interpreter_behind_a_shim_is_found(tmp_path, monkeypatch):
    shims, real = tmp_path / "shims", tmp_path / "real-python"
    shims.mkdir()
    real.write_text("#!/bin/sh\n")
    (tmp_path / "bin").mkdir()
    for path, text in (
        (shims / "python9", "#!/bin/sh\nexit 1\n"),
        (tmp_path / "bin" / "pyenv", f"#!/bin/sh\necho {real}\n"),
    ):
        path.write_text(text)
    for path in (real, shims / "python9", tmp_path / "bin" / "pyenv"):
        path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{shims}:/usr/bin:/bin")
    monkeypatch.setattr("arena.botspec.shutil.which", _which_in(shims))
    assert command_bot(["python9", "x.py"], tmp_path).argv == (str(real), "x.py")


def _which_in(shims):
    return lambda name, *_: str(shims / name) if (shims / name).exists() else None


@pytest.mark.parametrize(
    ("toml", "words"),
    [
        ('command = ["python3", "/x\\u0000"]', "has a NUL"),
        ('command = "x"\nbuild = ["make", "\\u0000"]', "has a NUL"),
        ('command = [""]', "'command' is empty"),
        ('command = "x"\nneeds = ' + "[" * 30_000, "nested too deep"),
        ('command = "x"\nname = ' + "1" * 6_000, "write it as TOML"),
        ('command = "~nobody-of-that-name/x"', "no such program"),
        (f'command = "./{"x" * 5_000}"', "no such program"),
    ],
    ids=["nul", "build", "empty", "nested", "digits", "home", "long"],
)
def test_what_no_bot_toml_should_say_is_refused_in_words(tmp_path, toml, words):
    with pytest.raises(ArenaError, match=words):
        find_bot(folder(tmp_path, toml), tmp_path)


def test_a_home_of_nobody_is_no_bot():
    with pytest.raises(ArenaError, match="no program"):
        find_bot("~nobody-of-that-name")


@needs_box
@pytest.mark.parametrize(
    "line", [b"#!/usr/bin/py\0thon3", b"#!bin/x", b"#!", b"#!\xff"]
)
def test_any_first_line_of_a_script_can_be_read(tmp_path, line, monkeypatch):
    name = folder(tmp_path, 'command = "./go"')
    (tmp_path / name / "go").write_bytes(line + b"\n")
    (tmp_path / name / "go").chmod(0o755)
    # A relative path would be looked for here, among what is the arena's.
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "x").symlink_to("/bin/true")
    (tmp_path / "pyvenv.cfg").touch()
    monkeypatch.chdir(tmp_path)
    assert find_runtime(find_bot(name, tmp_path)).mounts == ()


@pytest.mark.parametrize(
    ("toml", "script"),
    [
        ('command = "./shims/it"', "exec python3 bot.py"),
        ('command = "./it"\nbuild = "./shims/it"', "exit"),
    ],
    ids=["command", "build"],
)
@needs_box
def test_no_file_of_a_bot_is_run_outside_as_a_version_manager(
    tmp_path, toml, script, monkeypatch
):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder, ran = hostile_shim(tmp_path, f"#!/bin/sh\n{script}\n")
    (folder / "bot.toml").write_text(toml)
    with contextlib.suppress(ArenaError):
        spec = find_bot(str(folder))
        find_runtime(built(spec, Level.BWRAP, print))
    assert not ran.exists()


@needs_box
def test_no_file_behind_a_bots_script_is_run_outside(tmp_path):
    folder, ran = hostile_shim(tmp_path, "#!/bin/sh\n")
    (folder / "go").write_text(f"#!/usr/bin/env {folder}/shims/it\n")
    (folder / "go").chmod(0o755)
    (folder / "bot.toml").write_text('command = "./go"')
    find_runtime(find_bot(str(folder)))
    assert not ran.exists()


def hostile_shim(tmp_path, text):
    """Lay out a bot that looks like a version manager; return it, and its mark."""
    folder, ran = tmp_path / "bot", tmp_path / "ran"
    managers = ("pyenv", "asdf", "rbenv", "nodenv")
    for name, words in {
        "shims/it": text,
        **{f"bin/{name}": f"#!/bin/sh\ntouch {ran}\n" for name in managers},
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(words)
        (folder / name).chmod(0o755)
    return folder, ran


def test_python_is_there_even_where_the_path_has_none(tmp_path, monkeypatch):
    monkeypatch.setattr("arena.botspec.shutil.which", lambda *_: None)
    assert command_bot(["python3", "x.py"], tmp_path).argv[0] == sys.executable


@needs_box
def test_a_program_in_a_word_is_no_name_of_a_file(tmp_path):
    text = "import sys  # /etc/ a.b" + "x" * 5000
    spec = command_bot([sys.executable, "-c", text], tmp_path)
    assert spec.argv[-1] == text
    assert find_runtime(spec) == find_runtime(
        command_bot([sys.executable, "-c", "pass"], tmp_path)
    )
    with pytest.raises(ArenaError, match="no sample"):
        find_bot("x" * 5000, tmp_path)
