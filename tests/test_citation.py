"""Whoever cites us finds the version that is installed."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
CITATION = (ROOT / "CITATION.cff").read_text("utf-8")


def field(name: str) -> str:
    found = re.search(rf"^{name}: *\"?([^\"\n]*)\"?$", CITATION, re.MULTILINE)
    assert found, name
    return found[1]


def test_the_citation_names_the_version_and_the_licence_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert field("version") == project["version"]
    assert field("license") == project["license"]
    assert f'- name: "{project["authors"][0]["name"]}"' in CITATION


def test_the_citation_has_what_its_format_asks_for_and_no_address_that_may_not_exist() -> None:
    assert field("cff-version") == "1.2.0"
    assert field("title")
    assert field("message")
    assert "authors:" in CITATION
    assert "://" not in CITATION
