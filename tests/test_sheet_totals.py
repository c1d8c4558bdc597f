"""Play for a goal or against another sheet, compared with the slow solver; and how totals are spread."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from functools import cache
from typing import Any

import numpy as np
import pytest
from processes import Run
from reference import sheet as reference
from test_sheet_twin import GAMES

from solver.console import waiting
from solver.errors import PositionError
from solver.sheet.advice import advise
from solver.sheet.duel import win_turn
from solver.sheet.model import compile_sheet
from solver.sheet.position import read_sheet
from solver.sheet.rules import SheetGameRules
from solver.sheet.solve import solve
from solver.sheet.spread import deviation, spread_from
from solver.sheet.tables import make_table
from solver.sheet.totals import Utility, ahead, reached, total_turn
from solver.sheet.wording import describe

SMALL = {
    "school-with-a-negative-total-times-ten": 6,
    "faces-with-a-bonus": 40,
    "joker-forced": 40,
}
"""Small games, with a goal that may be reached or not."""
MORE = [*SMALL, "all-doubled", "saved-throws", "rounds"]
"""The same, and some in which the slow solver would have too many totals to tell apart."""


class SlowDuel(reference.Game):
    """Two sheets, the players taking turns; a tie counts half."""

    def __init__(self, rules: Any) -> None:
        super().__init__(rules, ending=float)
        self.win = cache(self._win)

    def _win(self, mover: reference.Sheet, waiter: reference.Sheet) -> float:
        if self.over(mover) and self.over(waiter):
            ahead = self.settle(mover) - self.settle(waiter)
            return 0.5 + 0.5 * (ahead > 0) - 0.5 * (ahead < 0)
        if self.over(mover):
            return 1.0 - self.win(waiter, mover)
        game = copy(self)
        game.value = lambda after: 1.0 - self.win(waiter, after)  # type: ignore[assignment]
        return game.turn(mover)[0](())


@pytest.mark.parametrize("name", SMALL)
def test_the_chance_to_reach_a_goal_is_that_of_the_slow_solver(name: str) -> None:
    rules = GAMES[name]
    model = compile_sheet(rules)
    start = read_sheet(model, "--sheet", None)
    goal = SMALL[name]
    turn, bound = total_turn(model, model.kernel(), start, Utility(goal - 1, np.array([0.0, 1.0])))
    slow = reference.Game(rules, ending=lambda total: float(total >= goal))
    assert turn.value == pytest.approx(slow.value(slow.start()), abs=1e-12)
    assert 0.001 < turn.value < 0.999
    assert bound < 1e-12


DUELS = [
    ("all-doubled", "pair=10,any=20", "any=24,four=0"),
    ("joker-forced", "five=50", "sixes=18,full=25"),
    ("joker-forced", "five=0,sixes=12", "five=0,full=25"),
    ("school-with-a-negative-total-times-ten", "ones=-1", "ones=-1,sixes=6"),
    ("saved-throws", "pair=6,ones=3,saved=1", "five=0,pair=8,saved=2"),
]
"""Games, and the sheets of both."""


def slow_sheet(rules: SheetGameRules, text: str) -> reference.Sheet:
    """A sheet as the slow solver takes it."""
    given = read_sheet(compile_sheet(rules), "--sheet", text)
    counts = tuple(int(name in given.written) for name, _row in rules.named_rows())
    school = sum(given.written.get(name, 0) for name, row in rules.named_rows() if row.combination in reference.FACES)
    made = rules.joker is not None and given.written.get(rules.joker.row, 0) > 0
    return reference.Sheet(counts, school, made, given.facts.get("saved", 0), sum(given.written.values()))


@pytest.mark.parametrize(("name", "mine", "other"), DUELS)
def test_the_chance_to_win_is_that_of_the_slow_solver(name: str, mine: str, other: str) -> None:
    rules = GAMES[name]
    model = compile_sheet(rules)
    sheets = [read_sheet(model, "--sheet", text) for text in (mine, other)]
    turn, bound, quality = win_turn(model, model.kernel(), *sheets, _no_table)
    slow = SlowDuel(rules).win(slow_sheet(rules, mine), slow_sheet(rules, other))
    assert turn.value == pytest.approx(slow, abs=1e-12)
    assert 0.0 < turn.value < 1.0
    assert quality == "certified"
    assert bound < 1e-12


def _no_table() -> Any:
    raise AssertionError("an exact duel needs no table")


def test_a_long_duel_is_estimated_from_the_spread_of_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = GAMES["all-doubled"]
    model = compile_sheet(rules)
    solution = solve(model)
    start = read_sheet(model, "--sheet", None)
    exact, _bound, _quality = win_turn(model, model.kernel(), start, start, _no_table)
    monkeypatch.setattr("solver.sheet.duel.MOST_PAIRS", 10)
    turn, _bound, quality = win_turn(model, model.kernel(), start, start, lambda: make_table(model, solution))
    assert quality == "estimated"
    # The mover knows best what to do against one who plays for points; that one can only do better than so.
    assert exact.value <= turn.value + 1e-12
    assert turn.value == pytest.approx(exact.value, abs=0.05)


@pytest.mark.parametrize("name", MORE)
def test_the_spread_has_the_expected_total_as_its_mean(name: str) -> None:
    model = compile_sheet(GAMES[name])
    solution, kernel = solve(model), model.kernel()
    start = read_sheet(model, "--sheet", None)
    spread = spread_from(model, kernel, solution.values, start)
    assert spread.chances.sum() == pytest.approx(1.0, abs=1e-12)
    assert spread.mean == pytest.approx(solution.values[0], abs=1e-10)
    assert spread.deviation == pytest.approx(deviation(model, kernel, solution.values), abs=1e-9)
    # No plan reaches a goal more often than the one that is made for it.
    goal = spread.quantile(0.75)
    turn, _bound = total_turn(model, kernel, start, Utility(goal - 1, np.array([0.0, 1.0])))
    assert spread.at_least(goal) <= turn.value + 1e-12


def test_odds_of_a_sheet_tell_how_totals_are_spread(kosti: Run) -> None:
    data = json.loads(kosti("odds", "dice-poker-pokerlaws-stage1", "--json").result)
    assert sum(data["totals"].values()) == pytest.approx(1.0, abs=1e-12)
    mean = sum(int(total) * chance for total, chance in data["totals"].items())
    assert mean == pytest.approx(data["mean"], abs=1e-9)
    assert "Standard deviation" in kosti("odds", "dice-poker-pokerlaws-stage1").result
    assert "totals do not depend on others" in kosti("odds", "yahtzee", "--players", "2").refusal


def test_an_estimated_duel_says_so_in_words_and_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.sheet.duel.MOST_PAIRS", 10)
    answer = advise(GAMES["all-doubled"], "three rows", sheet="any=20", vs="any=24", dice="1,1,2,3,4")
    data = answer.to_json()
    assert (data["quality"], data["error_bound"]) == ("estimated", None)
    text = describe(answer)
    assert "Estimated, without a proven bound" in text
    assert all("about" in line for line in text.splitlines() if "% to win" in line)
    monkeypatch.undo()
    answer = advise(GAMES["all-doubled"], "three rows", sheet="any=20", vs="any=24", dice="1,1,2,3,4")
    assert answer.to_json()["quality"] == "certified"
    assert "stimated" not in describe(answer)
    assert "about" not in describe(answer)


def test_play_for_a_goal_shows_how_far_it_is_and_can_be_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.sheet.totals.QUICK", 0)
    monkeypatch.setattr("solver.sheet.totals.AT_ONCE", 1)
    name, goal = next(iter(SMALL.items()))
    seen: list[float] = []

    @contextmanager
    def working(_what: str) -> Iterator[Any]:
        yield lambda _number, _residual, share: seen.append(share)

    quiet = advise(GAMES[name], name, goal=str(goal))
    assert advise(GAMES[name], name, goal=str(goal), working=working).value == quiet.value
    assert seen == sorted(seen)
    assert len(seen) > 1
    assert seen[-1] == 1.0

    @contextmanager
    def impatient(_what: str) -> Iterator[Any]:
        def stop(*_how_far: float) -> None:
            raise KeyboardInterrupt

        yield stop

    with pytest.raises(KeyboardInterrupt):
        advise(GAMES[name], name, goal=str(goal), working=impatient)


def test_an_exact_duel_shows_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.sheet.duel.QUICK", 0)
    seen: list[float] = []

    @contextmanager
    def working(_what: str) -> Iterator[Any]:
        yield lambda _number, _residual, share: seen.append(share)

    advise(GAMES["all-doubled"], "three rows", sheet="any=20", vs="any=24", working=working)
    assert seen == sorted(seen)
    assert len(seen) > 5
    assert seen[-1] > 0.9


def test_totals_that_no_lane_can_have_are_not_counted() -> None:
    model = compile_sheet(GAMES["joker-forced"])
    start = read_sheet(model, "--sheet", "five=0")
    made, to_come = reached(model, model.kernel(), start), ahead(model, model.kernel(), start.state)
    end = int(model.start[model.levels[-1][0]])
    at = int(model.start[start.state]) + start.lane
    # Without five alike no bonus is paid: 30 for sixes with the 35 for them, and 25 for the full house.
    assert (made.low[end], made.high[end]) == (0, 90)
    assert (to_come.low[at], to_come.high[at]) == (0, 90)


def test_too_long_a_search_is_refused_with_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.sheet.totals.MOST_TOTALS", 5)
    with pytest.raises(PositionError, match=r"too many rows are open .* \d+ states and totals, .* GB; allowed: 5"):
        advise(GAMES["joker-forced"], "three rows", goal="40")


def test_work_of_unknown_length_tells_of_itself_where_there_is_no_terminal(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.console.PATIENCE", 0.01)
    with waiting("measuring"):
        time.sleep(0.05)
    lines = capfd.readouterr().err.splitlines()
    assert lines
    assert set(lines) == {"measuring: 0 s"}


def test_work_that_takes_long_tells_of_itself_where_there_is_no_terminal(
    advise: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.sheet.totals.QUICK", 0)
    monkeypatch.setattr("solver.console.PATIENCE", 0.0)
    words = ("--ruleset", "dice-poker-combinations-only", "--goal", "120", "--sheet", "pair=4,full=0")
    lines = advise(*words).err.splitlines()
    assert lines[-1].endswith("100 %")
    assert all(line.startswith("looking at every total of ") for line in lines)
