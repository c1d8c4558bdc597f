"""Which sheets can be, compared with all that can be reached when every throw is tried."""

from itertools import product
from typing import Any

import pytest
from processes import Run
from reference import sheet as reference
from test_sheet_twin import FACES, FIVE, FOUR, GAMES, game

from solver.errors import PositionError
from solver.sheet.model import compile_sheet
from solver.sheet.position import read_sheet
from solver.sheet.rules import SheetGameRules

Facts = tuple[tuple[str, int], ...]
"""Rows with their points, and saved throws and bonuses, by name."""


def reachable(rules: SheetGameRules) -> set[Facts]:
    """All sheets that games come to, with what ``--sheet`` says of them."""
    game = reference.Game(rules)
    names = [name for name, _row in rules.named_rows()]
    todo: list[tuple[reference.Sheet, dict[str, int]]] = [(game.start(), {})]
    found: set[Facts] = {()}
    while todo:
        sheet, facts = todo.pop()
        most = game.most_throws(sheet) if rules.saved_throws else min(2, rules.turn.throws)
        for (dice, _chance), made in product(reference.throws(5), range(1, most + 1)):
            for after, said in _after(game, names, sheet, facts, dice, made):
                if (key := tuple(sorted(said.items()))) not in found:
                    found.add(key)
                    todo.append((after, said))
    return found


def _after(game: Any, names: list[str], sheet: reference.Sheet, facts: dict[str, int], dice: Any, made: int) -> Any:
    rules = game.rules
    further = rules.joker and len(set(dice)) == 1 and sheet.written[names.index(rules.joker.row)]
    bonus = rules.joker.bonus if further and sheet.made else 0
    for index, gained, school, made_row in game.allowed(sheet, dice, made == 1):
        written = tuple(count + (place == index) for place, count in enumerate(sheet.written))
        saved = sheet.saved + rules.turn.throws - made if rules.saved_throws else 0
        after = reference.Sheet(written, sheet.school + school, sheet.made or made_row, saved)
        said = {**facts, names[index]: gained - bonus}
        if bonus:
            said["bonus"] = said.get("bonus", 0) + bonus
        if rules.saved_throws:
            said["saved"] = saved
        yield after, {name: points for name, points in said.items() if points or name in names}


def around(rules: SheetGameRules, found: set[Facts]) -> set[Facts]:
    """These sheets, and all others with the same numbers in their places or a number that is none of them."""
    numbers: dict[str, set[int]] = {}
    zero = ("bonus", "saved")  # which may be left out
    for name, number in (fact for facts in found for fact in facts):
        numbers.setdefault(name, set()).update({number, number + 1})
    if rules.joker and rules.joker.bonus:
        numbers["bonus"] = {rules.joker.bonus * count for count in range(1, 4)} | {1}
    choices = [[None, *sorted(numbers[name])] for name in sorted(numbers)]
    return {
        tuple(
            (name, number)
            for name, number in zip(sorted(numbers), chosen, strict=True)
            if number is not None and (number or name not in zero)
        )
        for chosen in product(*choices)
    }


def accepted(model: Any, facts: Facts) -> bool:
    """Whether a sheet is taken for one that can be."""
    try:
        read_sheet(model, "--sheet", ",".join(f"{name}={points}" for name, points in facts))
    except PositionError:
        return False
    return True


FEW = {
    "one-throw": game({"four": FOUR, "ones": FACES["ones"]}, turn={"throws": 1}),
    "saved-throws": game({"four": {"combination": "four"}, "five": FIVE}, saved_throws={}, turn={"throws": 2}),
    **{name: GAMES[name] for name in ("faces-with-a-bonus", "joker-free", "joker-forced", "joker-with-faces-alone")},
}


@pytest.mark.parametrize("name", FEW)
def test_sheets_are_accepted_if_and_only_if_a_game_can_come_to_them(name: str) -> None:
    rules = FEW[name]
    model = compile_sheet(rules)
    found = reachable(rules)
    assert len(found) > 20
    assert [facts for facts in found if not accepted(model, facts)] == []
    assert [facts for facts in around(rules, found) - found if accepted(model, facts)] == []


YAHTZEE = [
    ("yahtzee=50,bonus=1300", "'bonus=1300'; allowed: 0, since five alike can have filled none of the other rows"),
    ("yahtzee=50,ones=3,bonus=100", "'bonus=100'; allowed: 0, since five alike can have filled none of the other rows"),
    ("yahtzee=50,fives=25,chance=22,bonus=200", "'bonus=200'; allowed: multiples of 100 from 0 to 100, one for each"),
    ("yahtzee=50,fives=25,chance=25,bonus=-100", "'bonus=-100'; allowed: multiples of 100 from 0 to 200, one for each"),
    ("yahtzee=0,fives=25,bonus=100", "'bonus=100'; allowed: multiples of 100, and only if yahtzee was made"),
    ("four-kind=4", "'four-kind=4'; allowed: 0, or 5 to 30"),
    ("chance=31", "'chance=31'; allowed: 5 to 30"),
    ("=,,=", "''; allowed: ones, twos, threes, fours, fives, sixes, three-kind, four-kind, full, small-straight"),
]


@pytest.mark.parametrize(("sheet", "message"), YAHTZEE)
def test_what_cannot_be_on_a_sheet_is_refused_with_what_can(sheet: str, message: str, advise: Run) -> None:
    assert advise("--ruleset", "yahtzee", "--sheet", sheet).refusal.startswith(f"--sheet: {message}")


def test_points_of_rounds_are_sums_that_throws_give(advise: Run) -> None:
    for sheet in ("points=1", "rounds=1,points=500"):
        assert "allowed: points of the rounds played: 0" in advise("--ruleset", "sea-dice", "--sheet", sheet).refusal


def test_a_row_that_a_later_throw_made_has_saved_fewer_throws() -> None:
    model = compile_sheet(GAMES["saved-throws"])
    assert accepted(model, (("pair", 24), ("saved", 1)))
    assert accepted(model, (("pair", 2), ("saved", 0)))
    assert not accepted(model, (("pair", 2), ("saved", 1)))  # a pair of ones in the first throw brings 4
