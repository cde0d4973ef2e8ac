"""A tournament: schedule minus store, some matches at a time, to the ranked table.

The front owns schedule, store and progress; matches are played by an engine.  The same
command again goes on where the last one ended, however it ended.
"""

import contextlib
import os
from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import click

from arena import __version__
from arena.botspec import BotSpec
from arena.dealing import new_seed
from arena.errors import ArenaError, CannotGoOnError, Terminated
from arena.interrupts import held, look_up
from arena.link import Link
from arena.orders import (
    Broken,
    Checked,
    Finished,
    PlayOrder,
    Probed,
    Report,
    ResentReport,
    Started,
    Stepped,
    Told,
)
from arena.record import PART
from arena.result import MatchResult
from arena.sandbox import Level, Limits, Pondering
from arena.setup import MatchSetup
from protocol.messages import HelloLimits
from tournaments.audit import standings_from
from tournaments.config import Cup, load_cup
from tournaments.docket import Docket, Due, Settled
from tournaments.durable import Disk
from tournaments.field import find_field
from tournaments.folder import (
    BEGUN,
    RECORDS,
    RUNNING,
    VOID,
    bind,
    keep_cup,
    keep_seed,
    locked,
    make_folders,
    reveal,
)
from tournaments.hands import find_hands
from tournaments.probing import complaint, last_words, probe
from tournaments.progress import Progress, open_progress
from tournaments.proof import Proof, dealt_from, read_proof
from tournaments.reports import render
from tournaments.schedule import Plan, count, pairings
from tournaments.shards import (
    folder_of,
    keep_share,
    read_share,
    seed_for_all,
    share_of,
)
from tournaments.store import Store, file_of, number_of
from tournaments.tidy import FinishedMatches, settle, tidy_up

TICK_S: Final = 0.2
MAX_ATTEMPTS: Final = 5  # of one match whose failures are ours
SEED_IS_OPEN: Final = (
    "warning: this cup's seed was revealed when it was over before; who has read it "
    "knows the cards of what is played now"
)


def run_cup(
    cup: Path,
    jobs: int | None,
    allow_broken: bool,
    json_events: bool,
    as_json: bool,
    untrusted: bool,
    durable: bool,
    commit: bool,
    engine: str,
    shard: str | None,
) -> int:
    """Play the tournament of a cup file to its end; return the exit code."""
    share = None if shard is None else read_share(shard)
    loaded = load_cup(cup)
    if jobs is not None:
        loaded = loaded.model_copy(update={"jobs": jobs})
    hands = find_hands(engine, loaded, is_untrusted=untrusted)
    field = find_field(cup, loaded, hands.level, _say, is_built=hands.builds)
    folder = folder_of(loaded, share)
    draw = new_seed if share is None else partial(seed_for_all, cup, loaded)
    make_folders(folder)
    disk = Disk(durable)
    says: list[Callable[[str], None]] = [_say]  # whoever shows the progress takes over
    # Engines are forked before the store is opened: SQLite does not survive a fork.
    with (
        locked(folder) as lock,
        hands.open(loaded, lock, lambda line: says[-1](line)) as link,
        Store(folder, is_new=True, is_durable=durable) as store,
    ):
        keep_share(folder, share, store)
        proof = keep_seed(loaded, cup, folder, store, disk, draw)
        _say(f"commitment: {proof.commit}")  # before any bot is started
        specs, loaded = field.seated(link, store)
        keep_cup(folder, cup, loaded, store, disk)
        proof = bind(folder, proof, loaded, disk)
        if commit:
            click.echo(proof.commit)
            return 0
        progress = open_progress(json_events=json_events, is_quiet=as_json)
        with progress:
            says.append(progress.say)
            progress.whereabouts = link.whereabouts
            progress.say(hands.told(specs))
            tournament = _Tournament(
                loaded, specs, proof, folder, hands.level, store, disk
            )
            try:
                tournament.play(link, progress, allow_broken)
                if share is None:  # else others may still play
                    reveal(folder, proof, disk)
            except (KeyboardInterrupt, Terminated):
                progress.end()
                _print_table(store, loaded, json_events=json_events, as_json=as_json)
                raise
        _print_table(store, loaded, json_events=json_events, as_json=as_json)
    return 0


def _say(line: str) -> None:
    click.echo(line, err=True)


def _print_table(store: Store, cup: Cup, *, json_events: bool, as_json: bool) -> None:
    if not json_events:
        standings = standings_from(store, cup)
        click.echo(render(standings, "json" if as_json else "simple"))


class _Tournament:
    def __init__(
        self,
        cup: Cup,
        specs: list[BotSpec],
        proof: Proof,
        folder: Path,
        level: Level,
        store: Store,
        disk: Disk,
    ) -> None:
        self._cup = cup
        self._specs = {spec.name: spec for spec in specs}
        assert proof.seed is not None
        self._seed = seed = dealt_from(proof.seed, proof.public)
        self._disk = disk
        names = [bot.name or "" for bot in cup.bots]
        share = share_of(store)
        self._plan = Plan(cup.name, seed, names, cup.rounds, cup.schedule, share)
        self._folder = folder.absolute()
        self._level = level
        self._limits = Limits(**cup.limits.model_dump())
        self._hello = HelloLimits(
            hello_ms=cup.clock.hello_ms,
            start_ms=cup.clock.start_ms,
            end_ms=cup.clock.end_ms,
        )
        self._store = store
        self._in_flight: dict[str, Due] = {}
        self._started: set[str] = set()

    def play(self, link: Link, progress: Progress, allow_broken: bool) -> None:
        """Play all that is not finished yet."""
        records, running = self._folder / RECORDS, self._folder / RUNNING
        finished = tidy_up(self._store, records, running)
        self._benched_before = FinishedMatches(
            number_of(match) for match in self._store.benched_matches()
        )
        cup, plan, names = self._cup, self._plan, self._plan.names
        scheduled = count(len(names), plan.rounds, plan.kind, plan.share)
        progress.begin(cup, scheduled, self._store)
        if len(finished) + len(self._benched_before) < scheduled:
            self._probe(link, progress, allow_broken)
            self._store.set_note(BEGUN, "yes")
            told = read_proof(self._folder)
            if told is not None and told.seed is not None:
                progress.say(SEED_IS_OPEN)
        outs = self._store.outs()

        def outs_of(match: str) -> Collection[str] | None:
            look_up()  # a million finished matches take their time
            return outs.get(match, ()) if match in finished else None

        self._docket = Docket(
            pairings(plan),
            outs_of,
            names,
            cup.bench_after,
            link.jobs,
            self._benched_before.__contains__,
            is_share=not plan.share.is_whole,
        )
        with held():
            try:
                self._top_up(link, progress)
                while self._in_flight:
                    for report in link.reports(TICK_S):
                        self._take(report, progress)
                    self._top_up(link, progress)
                    progress.tick()
            except BaseException:
                # Whatever ends us, what is finished is kept.
                for report in link.stop():
                    self._take(report, progress)
                raise
        progress.done()

    # --- bots that cannot start ---

    def _probe(self, link: Link, progress: Progress, allow_broken: bool) -> None:
        specs = self._specs.values()
        game = self._cup.game
        failed = probe(link, specs, game, self._level, self._limits, self._hello)
        for probed in failed:
            for line in last_words(probed):
                progress.say(line)
        if failed and not allow_broken:
            raise ArenaError(
                f"{complaint(failed)}; mend it, or let it forfeit with --allow-broken"
            )

    # --- matches ---

    def _top_up(self, link: Link, progress: Progress) -> None:
        """Order matches, not many before there is a place: until then all may change.

        Some are over and their bots being buried; there is an end to those too.
        """
        while (
            len(self._in_flight) < 4 * link.jobs + 4 + link.ahead
            and len(self._in_flight) - len(self._started) < link.ahead
        ):
            due = self._docket.take()
            self._settle(self._docket.settled(), progress)
            if due is None:
                return
            self._in_flight[due.pairing.match] = due
            link.order(self._order(due))

    def _order(self, due: Due) -> PlayOrder:
        cup, pairing = self._cup, due.pairing
        setup = MatchSetup(
            game=cup.game,
            options=cup.match_options,
            match=pairing.match,
            names=pairing.players,
            deal_seed=pairing.deal_seed,
            seed=self._seed,
            arena=__version__,
            clock=cup.match_clock,
            strikes=cup.strikes,
            limits=self._hello,
        )
        first, second, third = (self._specs[name] for name in pairing.players)
        return PlayOrder(
            setup=setup,
            bots=(first, second, third),
            level=self._level,
            limits=self._limits,
            pondering=Pondering(cup.pondering),
            record=str(self._folder / RUNNING / file_of(pairing.match)),
            attempt=due.attempt,
        )

    def _take(self, report: Report, progress: Progress) -> None:
        match report:
            case Started(match=match):
                self._started.add(match)
                progress.started(match)
            case Finished():
                self._finish(report, progress)
            case Broken(text=text):
                raise CannotGoOnError(text)
            case Told() | Probed() | Stepped() | Checked() | ResentReport():
                pass

    def _finish(self, report: Finished, progress: Progress) -> None:
        match, result = report.match, report.result
        due = self._in_flight.pop(match)
        self._started.discard(match)
        name = file_of(match)
        part = self._folder / RUNNING / (name + PART)
        if result.reason == "void":
            self._void(due, part)
            return
        outs = {player.name for player in result.players if player.out is not None}
        times_ms = {player.name: player.time_ms for player in result.players}
        self._docket.played(match, outs, times_ms)
        settled = self._docket.settled()
        if any(item.losers and item.pairing.match == match for item in settled):
            part.unlink(missing_ok=True)  # it stands behind a benching
        else:
            self._keep(due, result, part, progress)
        self._settle(settled, progress)

    def _keep(
        self, due: Due, result: MatchResult, part: Path, progress: Progress
    ) -> None:
        record = self._folder / RECORDS / file_of(result.match)
        try:
            self._disk.put(part, record)
        except OSError as error:
            raise CannotGoOnError(
                f"{record}: {error.strerror}; see to the disk, and run the same "
                "command again"
            ) from error
        result = result.model_copy(update={"record": os.path.relpath(record)})
        self._store.save(result, due.pairing, record, due.attempt)
        progress.finished(result, self._store)

    def _settle(self, settled: Sequence[Settled], progress: Progress) -> None:
        """Note who is benched for which matches, and take back what was played."""
        if settle(self._store, self._folder / RECORDS, settled):
            progress.benched(self._store)

    def _void(self, due: Due, part: Path) -> None:
        match, attempt = due.pairing.match, due.attempt
        stem = file_of(match).removesuffix(".jsonl")
        with contextlib.suppress(FileNotFoundError):
            part.replace(self._folder / VOID / f"{stem}.{attempt}.jsonl")
        self._store.save_void(match, attempt)
        if attempt >= MAX_ATTEMPTS:
            raise CannotGoOnError(
                f"match {match} was void {attempt} times; this machine cannot play it"
            )
        self._docket.void(match)
