"""Pages as HTML: templates filled with views, the same for a server and a folder.

Everything is escaped by the templates; nothing here puts markup together.
"""

from functools import cache
from pathlib import Path
from typing import Any, Final

import jinja2
from markupsafe import Markup

from arena.naming import shown
from tournaments.web.places import up
from tournaments.web.words import LANGUAGES, NAMES, language

TEMPLATES: Final = Path(__file__).parent / "templates"
STATIC: Final = Path(__file__).parent / "static"
POLICY: Final = (
    "default-src 'self'; base-uri 'none'; form-action 'self'; object-src 'none'"
)
"""The Content-Security-Policy of every page: nothing from anywhere else, and nothing
within the page either, so that markup in a bot's name could do nothing."""


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["bot"] = _bot
    environment.filters["shown"] = shown
    return environment


def warm_up() -> None:
    """Read all templates, so that no page has to wait for its own."""
    environment = _environment()
    for name in environment.list_templates():
        environment.get_template(name)
    for code in LANGUAGES:
        language(code)


def _bot(name: str) -> Markup:
    """Return a bot's name, kept apart from what is around it whichever way it runs."""
    return Markup("<bdi>{}</bdi>").format(shown(name))


def render(template: str, path: str, **values: Any) -> str:
    """Return a page.

    Args:
        template: the name of its template.
        path: where it stands: ``LANG/...``, without a slash at its beginning.
        values: what the template needs beside ``words`` (the language), ``root`` (the
            way to the root), ``home`` (to the pages of this language) and ``others``
            (to this page in each other language, with its name).
    """
    code, _, rest = path.partition("/")
    words = language(code)
    root = up(path)
    others = [
        (other, NAMES[other], f"{root}{other}/{rest.removesuffix('index.html')}")
        for other in LANGUAGES
        if other != code
    ]
    return (
        _environment()
        .get_template(template)
        .render(
            words=words,
            t=words.text,
            n=words.count,
            root=root,
            home=f"{root}{code}/",
            others=others,
            policy=POLICY,
            **values,
        )
    )


def choose_page() -> str:
    """Return the entry of a folder, from where a reader's language is picked."""
    languages = [(code, NAMES[code]) for code in LANGUAGES]
    template = _environment().get_template("choose.html")
    words = language(LANGUAGES[0])
    return template.render(t=words.text, policy=POLICY, languages=languages)
