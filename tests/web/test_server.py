"""The server answers with pages, and with nothing that it should not."""

import pytest

from tests.browser import serving
from tests.command import cup, trianon


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    where = tmp_path_factory.mktemp("cup")
    code, _, err = trianon("run", cup(where, name="small"), cwd=where)
    assert code == 0, err
    return where / "small"


@pytest.mark.processes
def test_the_start_page_names_every_tournament(folder, page):
    with serving(folder) as address:
        page.goto(address)
        assert page.locator("html").get_attribute("lang") == "en"
        assert page.get_by_role("link", name="small").count() == 1
