"""What a page of a replay shows, read off the cards as they are drawn."""

import json

# Ranks are read from the corner, suits from the drawing's colour and from its name: so
# the card is what is seen, and not what some attribute says.
READ = """
() => {
  const suits = {clubs: 'C', diamonds: 'D', hearts: 'H', spades: 'S'};
  const card = (svg) => {
    const index = svg.querySelector('text').textContent;
    const suit = suits[svg.getAttribute('aria-label').split(' of ')[1]];
    if (!svg.classList.contains('suit-' + suit.toLowerCase())) return 'two suits';
    return (index === '10' ? 'T' : index) + suit;
  };
  const read = () => {
    const table = {hands: [], trick: {}, won: [], scores: []};
    for (const seat of [0, 1, 2]) {
      const hand = document.querySelector(`[data-hand="${seat}"]`);
      const place = hand.closest('.place');
      table.hands.push([...hand.querySelectorAll('svg.face')].map(card).sort());
      const spot = document.querySelector(`[data-spot="${seat}"] svg.face`);
      if (spot) table.trick[seat] = card(spot);
      const number = (kind) =>
        Number(place.querySelector(kind).lastChild.data.replace(/[^0-9]/g, ''));
      table.won.push(number('.tricks'));
      table.scores.push(number('.score'));
    }
    return table;
  };
  const next = document.querySelector('[aria-label="One step forward"]');
  const tables = [read()];
  while (next.getAttribute('aria-disabled') !== 'true') {
    next.click();
    tables.push(read());
  }
  return tables;
}
"""


def all_steps(page):
    """Press the button for the next step until the end; return each table seen."""
    return page.evaluate(READ)


def open_record(page, path):
    """Open a record from a file; the page must be one of a replay."""
    page.locator("input[type=file]").set_input_files(path)
    page.locator(".table").wait_for()


def opened(page, address, path, place=""):
    """Open a record at a moment of it, such as ``#1/20``; nothing is seen moving."""
    page.set_viewport_size({"width": 1280, "height": 800})
    page.emulate_media(reduced_motion="reduce", color_scheme="light")
    page.goto("about:blank")  # another moment alone would not load the page anew
    page.goto(f"{address}en/replay.html{place}")
    open_record(page, path)
    return page


def saved(folder, name, played, change=lambda header, events: None):
    """Write a record of a match, changed on the way; return its path."""
    header, events = json.loads(played.lines[0]), played.events
    change(header, events)
    path = folder / f"{name}.jsonl"
    lines = [json.dumps(line) for line in (header, *events)]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
    return path


def events_of(path):
    """Return the events of a record, as plain data."""
    return [json.loads(line) for line in path.read_text().splitlines()[1:]]


def step_of(path, kind, nth=0):
    """Return where the nth event of a kind is, as an address has it."""
    deal, step, seen = 0, 0, 0
    for event in events_of(path):
        deal, step = (deal + 1, 0) if event["e"] == "deal" else (deal, step + 1)
        if event["e"] == kind:
            if seen == nth:
                return f"#{deal}/{step}"
            seen += 1
    raise AssertionError(kind)


def differences(shown, derived):
    """Return the steps at which a page shows another table than it should."""
    if len(shown) != len(derived):
        return [f"{len(shown)} steps where there are {len(derived)}"]
    pairs = enumerate(zip(shown, derived, strict=True))
    return [f"step {step}: {one} for {two}" for step, (one, two) in pairs if one != two]
