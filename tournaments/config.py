"""The cup file: which bots play what, how often, under which limits.

Parsed once, here; what leaves is frozen and valid in itself.  Whether the bots exist,
and what they are called when the file does not say, is for those who start them.
"""

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final, Literal, Self, TypeAlias

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from arena.botspec import HUMAN
from arena.games import GAMES
from arena.naming import clean_name, is_name
from protocol.messages import MatchClock, Options
from tournaments.cup_keys import Says, explain, markdown
from tournaments.schedule import Kind, house_names
from tournaments.toml_text import error_at, read_toml, spelt

PLAYERS: Final = 3
DEALS: Final = 12
"""Deals of a Trianon match in the format ``deals``, as in Loyatais (rule L12): every
bot deals four times."""


def _valid_name(text: str) -> str:
    if not is_name(text):
        raise ValueError(
            "a name has 1 to 64 letters, digits, single blanks, `.`, `_`, `-`; "
            f"write {spelt(clean_name(text))}"
        )
    return text


def _folder_name(text: str) -> str:
    if text.startswith((".", "-")):
        raise ValueError(f"{spelt(text)} is no name for a folder; begin with a letter")
    return _valid_name(text)


def _text(text: str) -> str:
    if not text.strip() or not text.isprintable():
        raise ValueError("write a text, not empty, on one line")
    return text


def _game(text: str) -> str:
    if text not in GAMES:
        raise ValueError(f"no game {spelt(text)}; write {_names_of_games()}")
    return text


def _bot(text: str) -> str:
    if text == HUMAN:
        raise ValueError("nobody sits at a cup; `human` is for  trianon play")
    return _text(text)


def _command(value: object) -> object:
    try:
        words = shlex.split(value) if isinstance(value, str) else value
    except ValueError as error:
        raise ValueError(f"{error}; check its quotes") from None
    if (
        not isinstance(words, list)
        or not all(isinstance(word, str) and word.isprintable() for word in words)
        or not (words and words[0])
    ):
        raise ValueError('write the program and its arguments: ["python3", "bot.py"]')
    return tuple(words)


def _names_of_games() -> str:
    return " or ".join(f"`{name}`" for name in GAMES)


Text: TypeAlias = Annotated[str, AfterValidator(_text)]
NameText: TypeAlias = Annotated[
    str, AfterValidator(_valid_name), Says("1 to 64 letters, digits, blanks, `._-`")
]
Ms: TypeAlias = Annotated[int, Field(ge=0, le=2**31 - 1)]


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class OptionsTable(_Table):
    """How long a match lasts; the game knows the ranges."""

    target: Annotated[int, Says("1 or more")] | None = Field(
        None,
        description="Trianon: points that end a match; 500 when absent (rule T17)",
    )
    max_deals: Annotated[int, Says("1 to 100000")] | None = Field(
        None, description="Trianon: deals after which a match ends; 200 (rule T18)"
    )
    deals: Annotated[int, Says("1 to 100000; in Loyatais a multiple of 3")] | None = (
        Field(
            None,
            description="a match is so many deals: Trianon without target or cap "
            "(rule T19); Loyatais 12 when absent (rule L12)",
        )
    )


class ClockTable(_Table):
    """The time control and the limits around a match, in milliseconds."""

    move_ms: Ms = Field(1000, description="free time of each decision")
    bank_ms: Ms = Field(10_000, description="time of a match for what takes longer")
    deal_add_ms: Ms = Field(0, description="what each deal gives back to the bank")
    hello_ms: Ms = Field(10_000, description="for a bot to start and say hello")
    start_ms: Ms = Field(10_000, description="for a bot to get ready for a match")
    end_ms: Ms = Field(2_000, description="for a bot to take in the end of a match")
    none: bool = Field(False, description="no clock: decisions take what they take")

    @model_validator(mode="after")
    def _leaves_time(self) -> Self:
        if self.move_ms + self.bank_ms == 0:
            raise ValueError(
                "`move_ms` and `bank_ms` are both 0, which leaves no time at all; "
                "write  none = true  for no clock"
            )
        return self


class LimitsTable(_Table):
    """What one bot may use of the machine."""

    memory_mb: Annotated[int, Field(ge=16, le=1_048_576)] = Field(
        512, description="memory of a bot and its children, in MiB"
    )
    processes: Annotated[int, Field(ge=1, le=32_768)] = Field(
        64, description="processes and threads at a time"
    )
    tmp_mb: Annotated[int, Field(ge=1, le=65_536)] = Field(
        16, description="what it may write into its `/tmp`, in MiB"
    )
    file_mb: Annotated[int, Field(ge=1, le=65_536)] = Field(
        16, description="the largest file it may write, in MiB"
    )
    open_files: Annotated[int, Field(ge=16, le=65_536)] = Field(
        256, description="files open at a time"
    )


class BotEntry(_Table):
    """One bot: exactly one of ``bot``, ``command`` and ``sample``."""

    name: NameText | None = Field(
        None, description="what it is called; else as `bot.toml` or its program says"
    )
    bot: Annotated[str, AfterValidator(_bot)] | None = Field(
        None,
        description="a BOT: a sample, a folder with a `bot.toml`, a command line; "
        "paths are relative to the cup file",
    )
    command: (
        Annotated[
            tuple[str, ...], BeforeValidator(_command), Says("a list, or one text")
        ]
        | None
    ) = Field(None, description="the program and its arguments")
    dir: Text | None = Field(
        None, description="with `command`: the folder it runs in; the cup file's folder"
    )
    sample: Text | None = Field(
        None, description="the name of a shipped sample (`trianon bots` lists them)"
    )

    @model_validator(mode="after")
    def _is_one_bot(self) -> Self:
        ways = [
            key
            for key in ("bot", "command", "sample")
            if getattr(self, key) is not None
        ]
        if len(ways) != 1:
            given = " and ".join(f"`{key}`" for key in ways) or "none"
            raise ValueError(
                f"a bot has one of `bot`, `command`, `sample`; this has {given}"
            )
        if self.dir is not None and self.command is None:
            raise ValueError("`dir` goes with `command` only; take it out")
        return self

    @property
    def program(self) -> tuple[str, ...]:
        """What is started, the same for every way to write it."""
        if self.command is not None:
            return ("command", os.path.normpath(self.dir or "."), *self.command)
        text = self.bot or self.sample or ""
        try:
            words = shlex.split(text)
        except ValueError:
            words = [text]  # an error when it comes to be started
        if self.sample is None and len(words) > 1:
            return ("command", ".", *words)
        return ("bot", text)


class Cup(_Table):
    """A tournament as its file describes it."""

    name: Annotated[
        str,
        AfterValidator(_folder_name),
        Says("as a bot's name; begins with no `.` or `-`"),
    ] = Field(description="the cup's name, and its folder of results")
    game: Annotated[str, AfterValidator(_game), Says(_names_of_games())] = Field(
        description="what is played"
    )
    rounds: Annotated[int, Field(ge=1, le=1_000_000)] = Field(
        1,
        description="blocks for each three bots, or in `steiner` for each two: "
        "six matches, all seat orders, on the same deals",
    )
    schedule: Kind = Field(
        "all",
        description="who meets: all triples; or in each round a set of triples in "
        "which every two bots meet once, for large fields (below)",
    )
    format: Literal["match", "deals"] = Field(
        "match",
        description="`match`: to the target, ranked by wins; `deals`: a fixed number "
        "of deals, ranked by points a deal (below)",
    )
    seed: Text | None = Field(
        None, description="what all deals come from; drawn and kept when absent"
    )
    public: Text | None = Field(
        None,
        description="what was drawn in public after the commitment was told; it is "
        "mixed into the seed (the page of proofs)",
    )
    jobs: Annotated[int, Field(ge=1, le=256)] = Field(
        1, description="matches at a time"
    )
    cores: Literal["auto", "one", "all"] = Field(
        "auto",
        description="which processors a table has, that is its three bots and what "
        "serves them: `one`; an equal share of its own, where there are enough for "
        "every job (`auto`); or `all`, wherever the system puts it (below)",
    )
    out: Text | None = Field(
        None, description="the folder of results; `name` in the current folder"
    )
    strikes: Annotated[int, Field(ge=1, le=1000)] = Field(
        3, description="faults in a match after which a bot is out"
    )
    bench_after: Annotated[int, Field(ge=0, le=1000)] = Field(
        3,
        description="outs in a row after which a bot plays no more: what is left "
        "counts as lost for it, and not at all for the others; 0: never",
    )
    sandbox: Literal["auto", "bwrap", "limits", "none"] = Field(
        "auto", description="how bots are kept from the machine"
    )
    pondering: Literal["allowed", "frozen"] = Field(
        "allowed",
        description="what bots may do while it is not their turn; frozen, they and all "
        "that they have started are stopped",
    )
    runtimes: Annotated[tuple[Text, ...], Field(strict=False)] = Field(
        (),
        description="folders that every bot may read beside the system's, such as a "
        "JDK; paths relative to the cup file",
    )
    options: OptionsTable = OptionsTable()
    clock: ClockTable = ClockTable()
    limits: LimitsTable = LimitsTable()
    submissions: Text | None = Field(
        None,
        description="a folder of entrants: each subfolder, .zip or .tar.gz is one, "
        "called as it is; path relative to the cup file",
    )
    bots: Annotated[tuple[BotEntry, ...], Field(strict=False)] = Field(
        (), description="the bots; with `submissions` some, or none"
    )

    @model_validator(mode="after")
    def _has_three_bots(self) -> Self:
        if self.submissions is None and len(self.bots) < PLAYERS:
            raise ValueError(
                f"a match needs three bots, here are {len(self.bots)}; add [[bots]]"
            )
        return self

    @model_validator(mode="after")
    def _has_no_target_in_deals(self) -> Self:
        for key in ("target", "max_deals"):
            if self.format == "deals" and getattr(self.options, key) is not None:
                raise ValueError(
                    f'`format` is "deals", which knows no `{key}`; take it out, or '
                    "write  deals  under [options]"
                )
        return self

    @property
    def folder(self) -> Path:
        """The folder of results."""
        return Path(self.out or self.name)

    @property
    def match_options(self) -> Options:
        """The options of each match, the game's defaults filled in."""
        given = self.options.model_dump(exclude_none=True)
        if self.format == "deals":
            given.setdefault("deals", DEALS)
        return GAMES[self.game].options(given)

    @property
    def ranked_deals(self) -> int | None:
        """The deals of a match where points a deal rank; None where wins do."""
        return self.match_options.deals if self.format == "deals" else None

    @property
    def house(self) -> list[str]:
        """The names of the house bots that fill up the field."""
        return house_names(len(self.bots), self.schedule)

    @property
    def match_clock(self) -> MatchClock | None:
        """The time control of each match."""
        clock = self.clock
        if clock.none:
            return None
        return MatchClock(
            move_ms=clock.move_ms,
            bank_ms=clock.bank_ms,
            deal_add_ms=clock.deal_add_ms,
        )

    def with_entrants(self, names: Sequence[str]) -> "Cup":
        """Return the cup with the entrants of its folder of submissions as bots."""
        folder = self.submissions or ""
        entries = [
            BotEntry(name=name, bot=os.path.join(folder, name))  # noqa: PTH118
            for name in names
        ]
        return self.model_copy(update={"bots": (*self.bots, *entries)})

    def named(self, names: Sequence[str]) -> "Cup":
        """Return the cup with the names that its bots turned out to have."""
        entries = zip(self.bots, names, strict=True)
        bots = tuple(bot.model_copy(update={"name": name}) for bot, name in entries)
        return self.model_copy(update={"bots": bots})


TABLES: Final[dict[str, type[BaseModel]]] = {
    "": Cup,
    "options": OptionsTable,
    "clock": ClockTable,
    "limits": LimitsTable,
    "bots": BotEntry,
}


def load_cup(path: Path) -> Cup:
    """Return the cup that the file describes.

    Raises:
        ArenaError: if it cannot be read or says something wrong: one line with the
            line of the key, the key, what is wrong and what to write.
    """
    source = read_toml(path)
    try:
        cup = Cup.model_validate(source.values)
    except ValidationError as error:
        raise explain(source, TABLES, error) from None
    try:
        _ = cup.match_options
    except ValidationError as error:
        raise explain(source, TABLES, error, within=("options",)) from None
    return cup


def keys_table() -> str:
    """Return a Markdown table of every key: type, range, default, meaning."""
    return markdown(TABLES)


def check_names(path: Path, names: Sequence[str]) -> None:
    """Check that no two bots of the cup file are called the same.

    Args:
        path: the cup file.
        names: what each entry is called, in the order of the file.

    Raises:
        ArenaError: if two are; it names both.
    """
    seen: dict[str, int] = {}
    for number, name in enumerate(names, 1):
        first = seen.setdefault(name, number)
        if first != number:
            other = next(n for i in range(2, 999) if (n := f"{name}-{i}") not in names)
            raise error_at(
                path,
                None,
                f"bots {first} and {number} are both called {spelt(name)}; "
                f"give one of them another name:  name = {spelt(clean_name(other))}",
            )
