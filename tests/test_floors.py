"""The table of floors: imports point down, and each power lives in one place."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
OURS = ("protocol", "arena", "tournaments")

# From the bottom up.  A new module needs a floor: write it where its imports allow.
FLOORS = [
    """
    protocol
    protocol.notation protocol.model protocol.events protocol.snapshots
    protocol.messages protocol.records protocol.schema protocol.codec protocol.hints
    protocol.judge
    """,
    """
    arena arena.errors arena.naming arena.result arena.clock arena.ledger
    arena.games arena.games.base arena.games.tricks arena.games.trianon
    arena.games.loyatais arena.games.rollouts arena.dealing arena.setup arena.effects
    arena.desk arena.interrupts
    arena.greeting arena.lateness arena.referee arena.toolchains arena.botspec
    arena.sandbox arena.seccomp arena.box arena.diagnosis arena.diagnosis_start
    arena.check_report
    """,
    """
    arena.archives arena.record arena.verify arena.replay arena.burial arena.memory
    arena.cgroups arena.spawn arena.host arena.boxed arena.process arena.errand
    arena.builds arena.readiness
    arena.bots arena.witness arena.stopwatch arena.match arena.probe arena.doctor
    arena.orders arena.vitals arena.check_talk arena.check_bout arena.check_notes
    arena.check_terms arena.check_first arena.check_oddities arena.check_steps
    arena.check_probe arena.check_exam arena.starter
    arena.resend arena.engine arena.relay arena.link arena.engines arena.human_words
    arena.human arena.check arena.again arena.play arena.cli
    """,
    """
    tournaments tournaments.steiner tournaments.schedule tournaments.toml_text
    tournaments.cup_keys tournaments.config tournaments.changes tournaments.docket
    tournaments.sums tournaments.store_tables tournaments.rows tournaments.store_file
    tournaments.store tournaments.shards tournaments.proof tournaments.durable
    """,
    """
    tournaments.opponents
    tournaments.intervals tournaments.table tournaments.ratings tournaments.meetings
    tournaments.standings tournaments.compare tournaments.audit tournaments.reports
    tournaments.events tournaments.probing tournaments.duel tournaments.progress
    tournaments.submissions tournaments.field tournaments.tidy tournaments.folder
    tournaments.cluster tournaments.cluster.parcels tournaments.cluster.wire
    tournaments.cluster.station tournaments.cluster.worker tournaments.cluster.evidence
    tournaments.cluster.address tournaments.cluster.posts tournaments.cluster.outcome
    tournaments.cluster.front
    tournaments.hands tournaments.parts tournaments.merge tournaments.run
    tournaments.reading
    """,
    """
    tournaments.web tournaments.web.words tournaments.web.places tournaments.web.pages
    tournaments.web.shelf tournaments.web.shown tournaments.web.curve
    tournaments.web.history tournaments.web.look tournaments.web.draw
    tournaments.web.views tournaments.web.match_view tournaments.web.bot_view
    tournaments.web.book tournaments.web.live tournaments.web.hub tournaments.web.server
    tournaments.web.site
    tournaments.web.seat_line
    tournaments.web.seat_match tournaments.web.seat_table tournaments.web.seat_door
    tournaments.web.seat_routes tournaments.web.seat_options
    tournaments.web.seat_command tournaments.web.commands
    tournaments.cli
    """,
]
FLOOR = {
    name: height
    for height, names in enumerate(FLOORS, start=1)
    for name in names.split()
}


def name_of(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def trees(*packages):
    return {
        name_of(path): ast.parse(path.read_text(encoding="utf-8"))
        for package in packages
        for path in sorted((ROOT / package).rglob("*.py"))
    }


TREES = trees(*OURS)


def imports_of(name):
    """Yield every module that ``name`` imports, also inside its functions."""
    for node in ast.walk(TREES[name]):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(module), level=0, names=names):
                for alias in names:
                    full = f"{module}.{alias.name}"
                    yield full if full in TREES else module
            case ast.ImportFrom():
                pytest.fail(f"{name}: a relative import; write it out")
            case _:
                pass


def ours(name):
    return {module for module in imports_of(name) if module.split(".")[0] in OURS}


@pytest.mark.parametrize("name", TREES)
def test_imports_point_down(name):
    assert name in FLOOR, f"{name} has no floor: write it into the table of this test"
    for module in ours(name):
        assert FLOOR[module] <= FLOOR[name], f"{name} imports {module}, from above it"


def test_no_import_leads_back():
    seen: set[str] = set()

    def visit(name, path):
        assert name not in path, f"a circle: {' -> '.join([*path, name])}"
        if name not in seen:
            for module in sorted(ours(name) - {"arena", "protocol"}):
                visit(module, [*path, name])
            seen.add(name)

    for name in TREES:
        visit(name, [])


def test_nothing_is_imported_for_the_types_alone():
    for name, tree in TREES.items():
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        assert "TYPE_CHECKING" not in names, f"{name}: a name lives on the wrong floor"


@pytest.mark.parametrize(
    ("package", "allowed"),
    [("protocol", {"pydantic", "typing_extensions"}), ("sample_bots", set())],
)
def test_what_the_lowest_floor_needs_from_outside(package, allowed):
    for name, tree in trees(package).items():
        # A bot may have several files; its folder is where it runs.
        folder = (ROOT / name.replace(".", "/")).parent
        beside = {path.stem for path in folder.glob("*.py")}
        inside = {package} if package == "protocol" else beside
        for node in ast.walk(tree):
            modules = []
            if isinstance(node, ast.Import):
                modules = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                modules = [node.module or ""]
            for module in modules:
                top = module.split(".")[0]
                known = sys.stdlib_module_names | allowed | inside
                assert top in known, f"{name} imports {module}"


def test_notation_needs_the_standard_library_alone():
    assert {m.split(".")[0] for m in imports_of("protocol.notation")} <= (
        sys.stdlib_module_names
    )


# --- powers -------------------------------------------------------------------------


def uses(tree):
    """Yield every ``module.name`` that is spoken of, ``from`` imports included."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=module), attr=attr):
                yield f"{module}.{attr}"
            case ast.Attribute(value=ast.Attribute(attr=module), attr=attr):
                yield f"{module}.{attr}"
            case ast.ImportFrom(module=str(module), names=names):
                yield from (f"{module}.{alias.name}" for alias in names)
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case _:
                pass


def who_uses(wanted, *packages):
    return {
        (name, used)
        for name, tree in TREES.items()
        if name.split(".")[0] in (packages or OURS)
        for used in uses(tree)
        if wanted(used)
    }


def starts_a_process(used):
    module, _, name = used.rpartition(".")
    match module:
        case "subprocess":
            return name in ("Popen", "run", "call", "check_call", "check_output")
        case "os":
            return name.startswith(("fork", "exec", "spawn", "posix_spawn", "popen"))
        case "pty" | "asyncio" | "lowlevel" | "trio":
            return name in ("spawn", "fork", "open_process", "run_process")
        case _:
            return used.split(".")[0] in ("multiprocessing", "concurrent")


def test_who_starts_processes():
    assert who_uses(starts_a_process) == {
        ("arena.process", "subprocess.Popen"),  # a bot without a box
        ("arena.spawn", "os.posix_spawn"),  # a bot in its box
        ("arena.probe", "os.fork"),  # a bot itself, which tries its box
        ("arena.botspec", "subprocess.run"),  # asks a version manager for a path
        ("arena.link", "os.fork"),  # the engine and its warden
        ("tournaments.cluster.worker", "subprocess.Popen"),  # a station, which does
        ("tournaments.cluster.worker", "subprocess.run"),  # asks it what the box holds
        ("tournaments.cluster.front", "concurrent.futures.CancelledError"),  # no start
    }


def test_who_reads_the_clock():
    clocks = {
        "time.monotonic",
        "time.monotonic_ns",
        "time.time",
        "time.time_ns",
        "time.perf_counter",
        "time.perf_counter_ns",
        "time.process_time",
        "trio.current_time",
        "datetime.now",
        "datetime.utcnow",
        "datetime.today",
    }
    assert who_uses(clocks.__contains__, "arena", "protocol") == {
        ("arena.match", "trio.current_time"),
        ("arena.check_talk", "trio.current_time"),  # when lines came, for the report
        ("arena.check_probe", "trio.current_time"),  # how long a silence lasts
        ("arena.link", "time.monotonic"),  # how long a dying engine is waited for
        ("arena.host", "time.monotonic"),  # how long the box may take, to be tried
        ("arena.boxed", "time.monotonic"),  # and to start
        ("arena.doctor", "time.monotonic"),  # how soon the box is gone
        ("arena.errand", "time.monotonic"),  # how long a build may take
        ("arena.builds", "time.time"),  # what was built long ago is thrown away
        ("arena.record", "datetime.now"),  # the date in a header
    }


def test_who_rolls_dice():
    def is_chance(used):
        return used.split(".")[0] in ("random", "secrets", "hashlib", "uuid")

    found = {name for name, _ in who_uses(is_chance, "arena", "protocol")}
    # A bot's processes are known by a random mark; it is no card.  The doctor hides
    # secrets for a bot to look for; what is built is known by the hash of its folder;
    # the seats that a check plays itself play by a seed.
    assert found == {
        "arena.dealing",
        "arena.process",
        "arena.doctor",
        "arena.builds",
        "arena.check_bout",
    }
