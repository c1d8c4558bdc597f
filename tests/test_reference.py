"""The page about ruleset files: its reference is that of the code, and its examples are in order."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import Run

from solver.families import load_family, load_rules
from solver.parlour.games import GAMES, load_game
from solver.race.model import compile_race
from solver.reference import reference, toml
from solver.schema import Section
from solver.sheet.model import compile_sheet
from solver.sheet.rules import SheetGameRules
from solver.sheet.sections import RowRules

DOCS = Path(__file__).parent.parent / "docs"
PAGES = {
    family: (DOCS / name).read_text() for family, name in {"race": "rulesets.md", "sheet": "sheet-rulesets.md"}.items()
}
FILES, SHEETS = (re.findall(r"```toml\n([\s\S]+?)```", PAGES[family]) for family in ("race", "sheet"))


def keys_of(cls: type[Section]) -> Iterator[str]:
    for name, known in cls.keys.items():
        yield name
        if inner := known.section or (known.kind and known.kind.entry):
            yield from keys_of(inner)


@pytest.mark.parametrize("family", PAGES)
def test_a_page_ends_with_the_reference_of_the_code(family: str) -> None:
    assert PAGES[family].endswith("\n\n" + reference(family) + "\n"), "run: python docs/refresh.py"


@pytest.mark.parametrize("name", PAGES)
def test_every_section_and_key_is_explained(name: str) -> None:
    text, family = reference(name), load_family(name)
    assert family.EXAMPLE
    for known in (*keys_of(family.RULES), *keys_of(family.EXAMPLE)):
        assert f"`{known}`" in text or f".{known}`" in text, known


def test_the_reference_is_told_by_the_command(kosti: Run) -> None:
    assert kosti("rules", "reference").result == reference("race") + "\n"


def test_each_small_game_is_told_with_all_its_keys(kosti: Run) -> None:
    text = reference("parlour")
    assert kosti("rules", "reference", "--family", "parlour").result == text + "\n"
    parts = dict(re.findall(r'### `game = "(.+)"`\n([\s\S]+?)(?=\n### |$)', text))
    assert set(parts) == set(GAMES)
    for game, part in parts.items():
        for name, known in load_game(game).Rules.keys.items():
            (line,) = re.findall(rf"\| `{name}` \|.+", text.partition("\n### `")[0] + part)
            assert known.kind
            assert all(said.replace("|", r"\|") in line for said in (known.sentence, known.kind.allowed))
    assert "| dice-poker-showdown-low |" in parts["showdown"]
    page = (Path(__file__).parent.parent / "docs" / "parlour" / "rulesets.md").read_text()
    assert page.endswith("\n\n" + text + "\n"), "run: python docs/refresh_parlour.py"


def test_keys_are_told_with_default_and_the_rulesets_that_set_them() -> None:
    lines = reference("race").splitlines()
    section = lines.index("### `overshoot`")
    assert "thousand-classic-open-barrel" in lines[section + 2]
    (limit,) = [line for line in lines if line.startswith("| `limit` |")]
    assert limit.split(" | ")[2:4] == ["a whole number from 1 to 20", "`3`"]
    (finish,) = [line for line in lines if line.startswith("| `finish` |")]
    assert "thousand-classic-open-barrel" in finish
    assert "pig" not in finish


def test_keys_of_the_rows_of_a_sheet_are_told_with_the_rulesets_that_set_them_in_any_row() -> None:
    part = reference("sheet").partition("### `rows.NAME`")[2].partition("\n### ")[0]
    for name, known in RowRules.keys.items():
        (line,) = re.findall(rf"\| `{name}` \|.+", part)
        assert known.kind
        assert known.sentence in line
        assert known.kind.allowed in line
    (loose,) = re.findall(r"\| `loose` \|.+", part)
    assert loose.endswith("| `false` | dice-poker-raznoobrazie-even-odd-loose |")


@pytest.mark.parametrize("text", FILES, ids=["house variant", "from nothing"])
def test_the_rulesets_of_the_page_are_in_order(text: str, tmp_path: Path) -> None:
    (tmp_path / "yard.toml").write_text(text)
    assert compile_race(load_rules(str(tmp_path / "yard.toml")), 1).states


@pytest.mark.parametrize(
    ("text", "rows"), list(zip(SHEETS, (14, 6, 3), strict=True)), ids=["one row more", "fewer rows", "from nothing"]
)
def test_the_sheets_of_the_page_are_in_order(text: str, rows: int, tmp_path: Path) -> None:
    (tmp_path / "yard.toml").write_text(text)
    rules = load_rules(str(tmp_path / "yard.toml"))
    assert isinstance(rules, SheetGameRules)
    assert len(compile_sheet(rules).levels) == rows + 1


def test_the_house_variant_of_the_page_is_what_the_page_says(tmp_path: Path) -> None:
    (tmp_path / "yard.toml").write_text(FILES[0])
    rules, classic = load_rules(str(tmp_path / "yard.toml")), load_rules("thousand-classic")
    assert rules.dump_truck is None
    assert rules.combinations.straight == (((2, 6), 250),)
    assert rules.combinations.four == ((1, 400), *classic.combinations.four[1:])
    assert rules.bolts
    assert classic.bolts
    assert (rules.bolts.fine, rules.bolts.limit) == (50, classic.bolts.limit)


def test_a_value_is_told_as_a_file_states_it() -> None:
    assert toml(False) == "false"
    assert toml("at least") == '"at least"'
    assert toml([[200, 300]]) == "[[200, 300]]"
    assert toml({"1": 10, "1-5": 125}) == '{ 1 = 10, "1-5" = 125 }'
