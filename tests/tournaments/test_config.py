import re
from pathlib import Path

import pytest

from arena.errors import ArenaError
from protocol.messages import LoyataisOptions, MatchClock, TrianonOptions
from tournaments.changes import differences
from tournaments.config import check_names, keys_table, load_cup

PAGE = Path(__file__).parents[2] / "docs" / "cup.md"
TOP = 'name = "demo"\ngame = "trianon"\n'
BOTS = '[[bots]]\nsample = "a"\n[[bots]]\nsample = "b"\n[[bots]]\nsample = "c"\n'


@pytest.fixture
def load(tmp_path):
    """Load a cup from its text; the folder is cut out of what an error says."""
    path = tmp_path / "demo.toml"

    def load_text(text):
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        return load_cup(path)

    return load_text


@pytest.fixture
def refused(load, tmp_path):
    def refused_text(text):
        with pytest.raises(ArenaError) as caught:
            load(text)
        line = str(caught.value)
        assert line.isprintable()  # one line, nothing that steers a terminal
        return line.removeprefix(f"{tmp_path}/demo.toml:")

    return refused_text


def between(text, marker):
    start, end = f"<!-- {marker} -->\n", f"<!-- end of {marker} -->"
    return text[text.index(start) + len(start) : text.index(end)]


# -- what is taken ------------------------------------------------------------------


def test_the_shortest_cup_has_the_defaults(load):
    cup = load(TOP + BOTS)
    assert (cup.rounds, cup.seed, cup.jobs, cup.strikes) == (1, None, 1, 3)
    assert (cup.sandbox, cup.folder) == ("auto", Path("demo"))
    assert cup.match_options == TrianonOptions(target=500, max_deals=200)
    assert cup.match_clock == MatchClock(move_ms=1000, bank_ms=10000, deal_add_ms=0)
    assert cup.limits.model_dump() == {
        "memory_mb": 512,
        "processes": 64,
        "tmp_mb": 16,
        "file_mb": 16,
        "open_files": 256,
    }
    assert [bot.sample for bot in cup.bots] == ["a", "b", "c"]


def test_every_way_to_write_a_bot(load):
    cup = load(
        TOP + '[[bots]]\nname = "Zoé 2"\nbot = "python3 a.py"\n'
        '[[bots]]\ncommand = ["python3", "a b.py"]\ndir = "sub"\n'
        '[[bots]]\ncommand = "python3 \'a b.py\'"\n[[bots]]\nsample = "random"\n'
    )
    assert [bot.program for bot in cup.bots] == [
        ("command", ".", "python3", "a.py"),
        ("command", "sub", "python3", "a b.py"),
        ("command", ".", "python3", "a b.py"),
        ("bot", "random"),
    ]
    assert cup.bots[0].name == "Zoé 2"


def test_crlf_and_a_byte_order_mark_are_taken(load):
    text = (TOP + BOTS).replace("\n", "\r\n").encode()
    assert load(b"\xef\xbb\xbf" + text) == load(TOP + BOTS)


def test_no_clock(load):
    assert load(TOP + "[clock]\nnone = true\n" + BOTS).match_clock is None


def test_the_options_are_the_games(load):
    cup = load('name = "demo"\ngame = "loyatais"\n[options]\ndeals = 6\n' + BOTS)
    assert cup.match_options == LoyataisOptions(deals=6)


@pytest.mark.parametrize(
    ("text", "deals"),
    [
        (TOP, 12),
        (TOP + "[options]\ndeals = 9\n", 9),
        ('name = "demo"\ngame = "loyatais"\n', 12),
    ],
)
def test_the_format_deals_is_a_fixed_number_of_deals(load, text, deals):
    head, options, rest = text.partition("[options]")
    cup = load(head + 'format = "deals"\n' + options + rest + BOTS)
    assert cup.match_options.deals == cup.ranked_deals == deals
    assert load(text + BOTS).ranked_deals is None


def test_a_field_that_has_no_system_is_filled_up(load):
    assert load(TOP + BOTS).house == []
    four = TOP + 'schedule = "steiner"\n' + BOTS + '[[bots]]\nsample = "d"\n'
    assert load(four).house == ["house#1", "house#2", "house#3"]


def test_the_folder_of_results_may_be_another(load):
    assert load(TOP + 'out = "results/demo"\n' + BOTS).folder == Path("results/demo")


# -- what is refused: the line, the key, the remedy ----------------------------------


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("round = 2\n", "3: unknown key `round`; did you mean `rounds`?"),
        ("colour = 2\n", "3: unknown key `colour`; allowed here: name, game, rounds"),
        ("[clock]\njobs = 2\n", "4: unknown key `clock.jobs`; `jobs` stands above"),
        ("move_ms = 2\n", "3: unknown key `move_ms`; `move_ms` stands under [clock]"),
        ("[clok]\nmove_ms = 2\n", "3: unknown key `clok`; did you mean `clock`?"),
        ("[clock]\n\n# \nmove = 2\n", "6: unknown key `clock.move`; did you mean"),
        ("clock = {move = 2}\n", "3: unknown key `clock.move`; did you mean"),
        ("clock.move = 2\n", "3: unknown key `clock.move`; did you mean `move_ms`?"),
        ('"a\\nb" = 2\n', " unknown key `a\\x0ab`; allowed here: name"),
        ("rounds = 0\n", "3: `rounds` is 0; write a whole number: 1 to 1000000"),
        ("jobs = 257\n", "3: `jobs` is 257; write a whole number: 1 to 256"),
        ("jobs = 1.0\n", "3: `jobs` is 1.0; write a whole number: 1 to 256"),
        ("jobs = true\n", "3: `jobs` is true; write a whole number: 1 to 256"),
        ('jobs = "2"\n', '3: `jobs` is "2"; write a whole number: 1 to 256'),
        ("jobs = 1979-05-27\n", "3: `jobs` is 1979-05-27; write a whole number"),
        ("strikes = 1001\n", "3: `strikes` is 1001; write a whole number: 1 to 1000"),
        ("seed = 7\n", "3: `seed` is 7; write a text in quotes"),
        ('seed = ""\n', "3: `seed`: write a text, not empty"),
        ('seed = "a\\nb"\n', "3: `seed`: write a text, not empty, on one line"),
        ('schedule = "x"\n', '3: `schedule` is "x"; write `all` or `steiner`'),
        ('format = "x"\n', '3: `format` is "x"; write `match` or `deals`'),
        (
            'format = "deals"\n[options]\ntarget = 9\n',
            ' `format` is "deals", which knows no `target`; take it out, or write',
        ),
        ('sandbox = "on"\n', '3: `sandbox` is "on"; write `auto`, `bwrap`, `limits`'),
        ("[clock]\nnone = 1\n", "4: `clock.none` is 1; write true or false"),
        ("[clock]\nmove_ms = 0\nbank_ms = 0\n", "3: `clock`: `move_ms` and `bank_ms`"),
        ("clock = 5\n", "3: `clock` is 5; write its keys under [clock]"),
        ("[limits]\nmemory_mb = 1\n", "4: `limits.memory_mb` is 1; write a whole"),
        ("[options]\ntarget = 0\n", "4: `options.target` is 0; write a whole number"),
        ("[options]\ndeals = 1.5\n", "4: `options.deals` is 1.5; write a whole"),
        ("rounds = 0\njobs = 0\n", "3: `rounds` is 0; write a whole number: 1 to"),
    ],
)
def test_a_wrong_key_is_named_with_its_line_and_a_remedy(refused, text, says):
    assert refused(TOP + text + BOTS).startswith(says)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('name = "demo"\n', "`game` is missing; write  game = ...  (a text: `tri"),
        ('nam = "demo"\ngame = "trianon"\n', "1: unknown key `nam`; did you mean"),
        ('name = "a/b"\ngame = "trianon"\n', "1: `name`: a name has 1 to 64 letters"),
        ('name = ".."\ngame = "trianon"\n', '1: `name`: ".." is no name for a folder'),
        ('name = ""\ngame = "trianon"\n', "1: `name`: a name has 1 to 64 letters"),
        ('name = "a"\ngame = "chess"\n', '2: `game`: no game "chess"; write `trianon'),
    ],
)
def test_the_top_of_the_cup(refused, text, says):
    assert says in refused(text + BOTS)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("deals = 4", "4: `options.deals` is 4; write a multiple of 3"),
        ("deals = 0", "4: `options.deals` is 0; write a whole number: 1 to 100000"),
        ("target = 9", "4: unknown key `options.target`"),
    ],
)
def test_the_game_judges_its_options(refused, options, says):
    text = f'name = "a"\ngame = "loyatais"\n[options]\n{options}\n'
    assert refused(text + BOTS).strip().startswith(says)


@pytest.mark.parametrize(
    ("bot", "says"),
    [
        ("", "9: `bots.4`: a bot has one of `bot`, `command`, `sample`; this has none"),
        ('bot = "a"\nsample = "b"\n', "this has `bot` and `sample`"),
        ('bot = "human"\n', "10: `bots.4.bot`: nobody sits at a cup; `human` is for"),
        ('bot = ""\n', "10: `bots.4.bot`: write a text, not empty"),
        ("command = []\n", "10: `bots.4.command`: write the program and its arg"),
        ("command = [1]\n", "10: `bots.4.command`: write the program and its arg"),
        ('command = "\'"\n', "10: `bots.4.command`: No closing quotation; check"),
        ('bot = "a"\ndir = "b"\n', "9: `bots.4`: `dir` goes with `command` only"),
        ('bot = "a"\nname = "a/b"\n', "11: `bots.4.name`: a name has 1 to 64"),
        ('bot = "a"\nnmae = "a"\n', "11: unknown key `bots.4.nmae`; did you mean"),
    ],
)
def test_a_wrong_bot_is_counted_from_one(refused, bot, says):
    assert says in refused(TOP + BOTS + "[[bots]]\n" + bot)


@pytest.mark.parametrize(
    ("bots", "says"),
    [
        ("", "a match needs three bots, here are 0; add [[bots]]"),
        (BOTS[:44], "a match needs three bots, here are 2; add [[bots]]"),
        (
            '[bots]\nsample = "a"\n',
            "3: `bots` is a table; write its keys under [[bots]]",
        ),
    ],
)
def test_a_cup_has_three_bots(refused, bots, says):
    assert says in refused(TOP + bots)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name = demo\n", "1: not TOML: Invalid value; a text stands in quotes"),
        ("a = 1\na = 2\n", "2: not TOML: Cannot overwrite a value; the key stands"),
        ("[a]\n[a]\n", "2: not TOML: Cannot declare ('a',) twice; the table stands"),
        ("a = 1\nb = [1,\n", "2: not TOML: "),
        ("a = " + "[" * 5000, "nested too deep"),
        ("a = " + "9" * 5000, "write a smaller number"),
        (b"a = 1\nb = '\xff'\n", "2: not UTF-8; save the file as UTF-8"),
        (b"\x7fELF\0\0", "a binary file, or UTF-16; save it as text in UTF-8"),
        ("a = 1".encode("utf-16"), "a binary file, or UTF-16"),
        (b"# " + b"x" * 2**20, "larger than 1 MiB"),
        ("", "`name` is missing; write  name = ..."),
    ],
)
def test_what_is_no_cup_file_is_refused_in_one_line(refused, text, says):
    assert says in refused(text)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ArenaError, match=r"none\.toml: no such file; check the path"):
        load_cup(tmp_path / "none.toml")
    with pytest.raises(ArenaError, match="not a file"):
        load_cup(tmp_path)


# -- names ---------------------------------------------------------------------------


def test_two_bots_of_one_name_are_refused_with_a_free_one():
    with pytest.raises(ArenaError) as caught:
        check_names(Path("demo.toml"), ["a", "b", "a-2", "a"])
    assert str(caught.value) == (
        'demo.toml: bots 1 and 4 are both called "a"; '
        'give one of them another name:  name = "a-3"'
    )


def test_bots_of_different_names_are_fine():
    check_names(Path("demo.toml"), ["a", "A", "b"])


# -- a changed cup -------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        TOP + BOTS,
        TOP + "rounds = 5\n" + BOTS,
        TOP + 'jobs = 8\nout = "x"\nsandbox = "none"\n' + BOTS,
        TOP + "[options]\ntarget = 500\n" + BOTS,  # the default, written out
        TOP + '[[bots]]\nsample = "new"\n' + BOTS,
        TOP + BOTS.replace('sample = "b"', 'bot = "b"'),
    ],
)
def test_a_cup_may_grow(load, text):
    assert differences(load(TOP + BOTS), load(text)) is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (TOP + BOTS, "`rounds` was 2, is now 1; rounds can only be added"),
        (TOP + 'seed = "x"\nrounds = 2\n' + BOTS, '`seed` was not given, is now "x"'),
        (
            TOP + "rounds = 2\n[options]\ntarget = 9\n" + BOTS,
            "`options.target` was 500, is now 9",
        ),
        (
            TOP + "rounds = 2\n[clock]\nnone = true\n" + BOTS,
            "`clock.move_ms` was 1000, is now not given",
        ),
        (
            TOP + "rounds = 2\n" + BOTS.replace('"b"', '"d"'),
            '`bots` had "b", which is gone; bots can only be added',
        ),
    ],
)
def test_any_other_change_is_told(load, text, says):
    old = load(TOP + "rounds = 2\n" + BOTS)
    assert differences(old, load(text)) == says


def test_bots_cannot_be_added_to_a_system(load):
    text = TOP + 'schedule = "steiner"\n' + BOTS
    assert differences(load(text), load(text)) is None
    assert differences(load(text), load(text + '[[bots]]\nsample = "d"\n')) == (
        "`bots` were 3, are now 4; another field has other triples when `schedule` is "
        '"steiner"'
    )


def test_bots_are_known_by_their_names_where_they_have_them(load):
    old = load(TOP + BOTS).named(["a", "b", "c"])
    moved = load(
        TOP + BOTS.replace('sample = "b"', 'command = ["x", "1"]\ndir = "d"')
    ).named(["a", "b", "c"])
    assert differences(old, moved) == '`bots`: "b" was "b", is now "x 1" in "d"'
    gone = differences(old, old.named(["a", "b", "d"]))
    assert gone == '`bots` had "c", which is gone; bots can only be added'


# -- the page ------------------------------------------------------------------------


def test_the_page_has_every_key():
    page = PAGE.read_text(encoding="utf-8")
    assert between(page, "keys") == keys_table()


def test_the_example_on_the_page_is_a_cup(load):
    example = between(PAGE.read_text(encoding="utf-8"), "example")
    code = re.fullmatch(r"```toml\n(.*)```\n", example, re.DOTALL)
    assert code is not None
    cup = load(code[1])
    assert (cup.name, cup.rounds, len(cup.bots)) == ("demo", 2, 3)
