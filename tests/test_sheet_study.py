"""The study of sheets: human rules valued by a slow second way, use of rows, reviews, games with dice, pictures."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from processes import Run
from reference import sheet as reference
from test_sheet_twin import GAMES

from solver.errors import PolicyError, TranscriptError
from solver.families import load_rules
from solver.ruleset import shipped_names
from solver.sheet.lattice import lattice
from solver.sheet.model import SheetModel, compile_sheet
from solver.sheet.position import read_sheet
from solver.sheet.rules import SheetGameRules
from solver.sheet.solve import solve
from solver.sheet.spread import spread_from
from solver.sheet.study.evaluation import Evaluation, Player, evaluate
from solver.sheet.study.goals import win_spread
from solver.sheet.study.policy import load_sheet_policy
from solver.sheet.study.review import review
from solver.sheet.study.simulation import play
from solver.sheet.study.transcript import read_game
from solver.sheet.study.turns import Turns
from solver.sheet.study.uses import row_uses
from solver.sheet.totals import Utility, total_turn

Dice = tuple[int, ...]
SHEETS = [name for name in shipped_names() if load_rules(name).family == "sheet"]


@cache
def solved(name: str) -> tuple[SheetModel, Turns, Any]:
    rules = GAMES[name] if name in GAMES else load_rules(name)
    assert isinstance(rules, SheetGameRules)
    model = compile_sheet(rules)
    return model, Turns(model), solve(model)


def valued(name: str, policy: str) -> Evaluation:
    model, turns, solution = solved(name)
    start = read_sheet(model, "--sheet", None)
    return evaluate(turns, load_sheet_policy(policy, model, "--policy"), solution.values, solution.bound, start)


# Rules by a slow second way.


class SlowRule(reference.Game):
    """One who keeps a rule that is written in Python: the dice he keeps, or the row that he writes."""

    def __init__(self, rules: Any, rule: Callable[[dict[str, int], Dice, int, int], Dice | str]) -> None:
        super().__init__(rules)
        self.rule = rule
        self.thrown = cache(self._thrown)

    def _value(self, sheet: reference.Sheet) -> float:
        if self.over(sheet):
            return self.settle(sheet)
        return self._from(sheet, (), 1)

    def _from(self, sheet: reference.Sheet, kept: Dice, made: int) -> float:
        return sum(chance * self.thrown(sheet, dice, made) for dice, chance in reference.outcomes(kept))

    def _thrown(self, sheet: reference.Sheet, dice: Dice, made: int) -> float:
        left = self.most_throws(sheet) - made
        points = {self.rows[at][0]: gained for at, gained, _s, _m in self.allowed(sheet, dice, made == 1)}
        done = self.rule(points, dice, made, left)
        if isinstance(done, str):
            return dict(self.writes(sheet, dice, made))[done]
        return self._from(sheet, done, made + 1)


def equal_dice(dice: Dice) -> Dice:
    face = max(set(dice), key=lambda face: (dice.count(face), face))
    return (face,) * dice.count(face)


def most_points(points: dict[str, int]) -> str:
    return max(points, key=points.__getitem__)


def keeps_equal(points: dict[str, int], dice: Dice, _made: int, left: int) -> Dice | str:
    kept = equal_dice(dice)
    return kept if left and len(kept) < 5 else most_points(points)


def takes_sixes_at_once(points: dict[str, int], dice: Dice, made: int, left: int) -> Dice | str:
    if made == 1 and dice.count(6) >= 2 and "pair" in points:
        return "pair"
    if left and dice.count(6) < 5:
        return (6,) * dice.count(6)
    scoring = [row for row in ("four", "pair") if points.get(row, 0) > 0]
    return scoring[0] if scoring else most_points(points)


@pytest.mark.parametrize(
    ("name", "policy", "rule"),
    [
        ("all-doubled", "keep equal; write most", keeps_equal),
        ("school-first", "keep equal; write most", keeps_equal),
        ("saved-throws", "keep equal; write most", keeps_equal),
        ("joker-forced", "keep equal; write most", keeps_equal),
        ("all-doubled", "write pair if throw = 1 and sixes >= 2; keep 6; score four, pair", takes_sixes_at_once),
        ("school-with-a-negative-total-times-ten", "write pair if throw = 1 and sixes >= 2; keep 6; score pair",
         takes_sixes_at_once),
    ],
)  # fmt: skip
def test_a_rule_is_worth_what_the_slow_player_of_it_gets(name: str, policy: str, rule: Any) -> None:
    found = valued(name, policy)
    slow = SlowRule(GAMES[name], rule)
    assert found.value == pytest.approx(slow.value(slow.start()), abs=1e-10)
    assert found.bound < 1e-10


class Barred(reference.Game):
    """Best play that never writes a row while another may be written."""

    def __init__(self, rules: Any, row: str) -> None:
        super().__init__(rules)
        self.row = row

    def writes(self, sheet: reference.Sheet, dice: Dice, made: int) -> Any:
        every = dict(super().writes(sheet, dice, made))
        return iter([pair for pair in every.items() if pair[0] != self.row] or every.items())


@pytest.mark.parametrize(("name", "row"), [("all-doubled", "pair"), ("one-throw", "any")])
def test_the_best_play_without_a_row_is_that_of_the_slow_solver(name: str, row: str) -> None:
    slow = Barred(GAMES[name], row)
    # A throw may be made on where every row is barred; the slow solver has the same choice.
    assert valued(name, f"never write {row}; best").value == pytest.approx(slow.value(slow.start()), abs=1e-10)


@pytest.mark.parametrize("name", GAMES)
def test_best_play_as_a_rule_loses_nothing_and_every_other_loss_is_the_sum_of_its_departures(name: str) -> None:
    for policy in ("optimal", "best", "best if throw = 1; best"):
        found = valued(name, policy)
        assert abs(found.loss) < 1e-9
        assert not found.departures
    for policy in ("keep equal; write most", "optimal if throw = 1; keep pairs; score most"):
        found = valued(name, policy)
        assert found.loss > -1e-9
        assert sum(found.by_rule.values()) == pytest.approx(found.loss, abs=1e-7)
        assert found.departures == sorted(found.departures, key=lambda departure: -departure.cost)


@pytest.mark.parametrize(
    ("policy", "problem"),
    [
        ("write par", '"par"; allowed: did you mean pair?'),
        ("keep sevens", "keep"),
        ("keep 7", "allowed: equal, pairs, run, none, or faces"),
        ("stop at 50", "allowed:"),
        ("best 3", "allowed: nothing, or if"),
        ("write pair if sixs = 2", "sixes"),
        ("write pair if sixes", "a condition"),
        ("best; optimal if throw = 1", 'only one of them'),
        ("write pair if __import__", "allowed:"),
    ],
)  # fmt: skip
def test_a_rule_that_says_what_it_may_not_is_told_why(policy: str, problem: str) -> None:
    model, _turns, _solution = solved("all-doubled")
    with pytest.raises(PolicyError, match=r"--policy: ") as error:
        load_sheet_policy(policy, model, "--policy")
    assert problem in str(error.value) or "allowed" in str(error.value)


def test_a_policy_may_be_a_file(tmp_path: Path, kosti: Run) -> None:
    file = tmp_path / "careful.toml"
    file.write_text('title = "Equal dice"\nrules = ["keep equal", "score most", "write most"]\n')
    told = kosti("evaluate", "dice-poker-pokerlaws-stage1", "--policy", str(file)).result
    assert "Equal dice" in told
    assert "14.496131" in told
    file.write_text('rules = ["keep equal", 3]\n')
    assert "rules[1]" in kosti("evaluate", "dice-poker-pokerlaws-stage1", "--policy", str(file)).refusal


@pytest.mark.parametrize("words", [("--players", "2"), ("--against", "optimal"), ("--best-response",)])
def test_a_sheet_is_not_studied_for_two_and_the_option_that_asks_for_it_is_named(
    words: tuple[str, ...], kosti: Run
) -> None:
    refusal = kosti("evaluate", "dice-poker-pokerlaws-stage1", "--policy", "best", *words).refusal
    assert refusal.startswith(f"{words[0]}: ")
    assert "nobody changes the total" in refusal


# Use of rows, and play for a goal.


@pytest.mark.parametrize("name", ["all-doubled", "faces-with-a-bonus", "misere-and-pairs", "rounds", "joker-forced"])
def test_rows_are_written_as_often_as_they_can_be_and_bring_the_total(name: str) -> None:
    model, turns, solution = solved(name)
    start = read_sheet(model, "--sheet", None)
    uses = row_uses(Player(turns, None, solution.values, solution.values), start, least=0.0)
    for use, row in zip(uses, model.rows, strict=True):
        assert use.written == pytest.approx(row.times, abs=1e-9)
        assert 0.0 <= use.crossing <= 1.0
        assert 1.0 <= use.turn <= len(use.chances)
    assert sum(use.first_crossed for use in uses) <= 1.0 + 1e-9
    if name in ("all-doubled", "misere-and-pairs"):  # nothing else is paid there
        assert sum(use.mean for use in uses) == pytest.approx(solution.values[0], abs=1e-9)


def test_play_for_the_win_reaches_the_best_chance_and_gives_away_points() -> None:
    model, turns, solution = solved("all-doubled")
    start = read_sheet(model, "--sheet", None)
    other = spread_from(model, turns.kernel, solution.values, start)
    chance, own = win_spread(turns, start, other)
    below = np.cumsum(other.chances) - 0.5 * other.chances
    turn, _bound = total_turn(model, turns.kernel, start, Utility(other.low - 1, np.array([0.0, *below, 1.0])))
    assert chance == pytest.approx(turn.value, abs=1e-12)
    assert own.chances.sum() == pytest.approx(1.0, abs=1e-12)
    wins = np.arange(len(own.chances))[:, None] + own.low - other.low - np.arange(len(other.chances))
    worth = own.chances @ (0.5 + 0.5 * np.sign(wins)) @ other.chances
    assert worth == pytest.approx(chance, abs=1e-12)
    assert own.mean <= other.mean + 1e-12


# Reviews.


def perfect_record(name: str, seed: int) -> tuple[str, int]:
    """A game of best play, as people would write it down, and its final total."""
    model, turns, solution = solved(name)
    rng = np.random.default_rng(seed)
    slow = reference.Game(model.rules)
    sheet, total, lines = slow.start(), 0, []
    position = read_sheet(model, "--sheet", None)
    from solver.sheet.actions import Turn
    from solver.sheet.study.review import _written
    from solver.sheet.study.transcript import SheetTurn, Throw

    while not slow.over(sheet):
        worths = turns.kernel.worths(position.state, position.lane, solution.values)
        turn = Turn(model, turns.kernel, position.state, position.lane, worths)
        dice: Dice = tuple(sorted(rng.integers(1, 7, size=5).tolist()))
        parts, made = [], 1
        while True:
            node = lattice().number[tuple(dice.count(face) for face in range(1, 7))]
            choice = max(turn.choices(node, made), key=lambda choice: choice.value)
            if choice.write:
                break
            kept = choice.hold or ()
            parts.append(f"{' '.join(map(str, dice))} keep {' '.join(map(str, kept))}")
            dice = tuple(sorted([*kept, *rng.integers(1, 7, size=5 - len(kept)).tolist()]))
            made += 1
        lines.append("; ".join([*parts, " ".join(map(str, dice))]) + f" write {choice.write} = {choice.row_points}")
        record = SheetTurn(0, 0, [Throw(node, None)] * made, choice.write, None)
        position = _written(model, turns.kernel, turn, record, position)
        for at, gained, school, made_row in slow.allowed(sheet, dice, made == 1):
            if slow.rows[at][0] == choice.write:
                written = tuple(count + (place == at) for place, count in enumerate(sheet.written))
                saved = sheet.saved + model.rules.turn.throws - made if model.rules.saved_throws else 0
                sheet = reference.Sheet(written, sheet.school + school, sheet.made or made_row, saved)
                total += gained
                break
    return "\n".join(lines), total + round(slow.settle(sheet))


@pytest.mark.parametrize("name", ["yahtzee-forced-joker", "sea-dice-sheet", "dice-poker-series", "saved-throws"])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_perfect_record_loses_nothing_and_ends_with_its_points(name: str, seed: int, tmp_path: Path) -> None:
    model, _turns, solution = solved(name)
    text, total = perfect_record(name, seed)
    file = tmp_path / "game.txt"
    file.write_text(text)
    found = review(model, read_game(model, file), solution.values, solution.bound)
    assert sum(found.losses(0)) == 0.0
    assert found.full == [True]
    assert found.ends[0] == pytest.approx(total, abs=1e-9)
    assert found.begins[0] + found.luck(0) == pytest.approx(total, abs=1e-6)


GAME = """
players: Anna, Boris
start Boris: ones=3,chance=22
Anna: 1 3 3 4 6 keep 3 3; 2 3 6 keep 3 3 3; 5 5 write full = 25   # with the dice thrown again only
boris: 66612 keep 666 / 6 6 6 1 2 write sixes
Anna: 1 1 2 2 3 write chance = 9
"""


def test_a_review_tells_luck_from_skill(tmp_path: Path, kosti: Run) -> None:
    file = tmp_path / "game.txt"
    file.write_text(GAME)
    data = json.loads(kosti("review", "yahtzee-13", str(file), "--json").result)
    for player in data["players"]:
        assert player["end"] == pytest.approx(player["start"] + player["luck"] - player["lost"], abs=1e-6)
    assert [turn["player"] for turn in data["turns"]] == ["Anna", "Boris", "Anna"]
    assert data["turns"][2]["moves"][0]["mark"] == "??"
    told = kosti("review", "yahtzee-13", str(file)).result
    assert "writes chance for 9" in told
    assert "blunders" in told


def test_a_record_states_the_points_of_the_row_and_a_review_tells_the_bonus_beside_them(
    tmp_path: Path, kosti: Run
) -> None:
    file = tmp_path / "game.txt"
    upper = "start Anna: twos=6,threes=9,fours=12,fives=15,sixes=18"
    file.write_text(f"{upper}\nAnna: 1 1 1 2 3 write ones = 3")
    assert "writes ones for 3, with +35 on top" in kosti("review", "yahtzee-13", str(file)).result
    file.write_text(f"{upper}\nAnna: 1 1 1 2 3 write ones = 38")
    assert "ones = 38; allowed: 3" in kosti("review", "yahtzee-13", str(file)).refusal


@pytest.mark.parametrize("kept", ["keep none", "keep"])
def test_a_turn_may_keep_no_dice(kept: str, tmp_path: Path, kosti: Run) -> None:
    file = tmp_path / "game.txt"
    file.write_text(f"1 2 2 3 6 {kept}; 4 4 4 5 6 keep 4 4 4; 4 1 write fours = 16")
    moves = json.loads(kosti("review", "yahtzee-13", str(file), "--json").result)["turns"][0]["moves"]
    assert [move["done"].get("keep") for move in moves] == [[], [4, 4, 4], None]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("1 3 3 4 write ones", "line 1: "),
        ("1 3 3 4 6 keep 5; 1 2 3 4 write ones", "keep 5"),
        ("1 3 3 4 6 keep 3 3; 1 2 4 5 6 write ones", "dice with 3 3 among them"),
        ("1 3 3 4 6 write pairs", "write pairs"),
        ("1 3 3 4 6 write ones = 5", "ones = 5; allowed: 1"),
        ("1 3 3 4 6 write ones\n1 1 1 1 1 write ones", "line 2: write ones"),
        ("players: Ann, Bo\nAn: 1 3 3 4 6 write ones", "line 2: 'An'; allowed: Ann, Bo"),
        ("Ann: 1 3 3 4 6 write ones\nplayers: Ann, Bo", "line 2: players: stated; allowed: once"),
        ("1 3 3 4 6 keep 3; 1 2 3 4 keep 1; 1 2 3 4 keep 1; 1 2 3 4 write ones", "at most 3 throws"),
        ("1 3 3 4 6", "line 1: "),
        ("1 3 3 4 9 write ones", "faces from 1 to 6"),
        ("", "no turns"),
    ],
)
def test_a_record_of_what_cannot_be_is_told_by_its_line(text: str, problem: str, tmp_path: Path) -> None:
    model, _turns, solution = solved("yahtzee-13")
    file = tmp_path / "game.txt"
    file.write_text(text)
    with pytest.raises(TranscriptError) as error:
        review(model, read_game(model, file), solution.values, solution.bound)
    assert problem in str(error.value)


# Games with dice.


@pytest.mark.parametrize("name", SHEETS)
def test_games_with_dice_bring_what_is_expected(name: str) -> None:
    _model, turns, solution = solved(name)
    small = len(solution.values) < 10_000
    found = play(Player(turns, None, solution.values, solution.values), 2000 if small else 60, seed=5)
    solved.cache_clear()  # large ones are not kept
    assert abs(found.mean - solution.values[0]) < 4.0 * found.error


def test_a_rule_played_with_dice_brings_its_value(kosti: Run) -> None:
    policy = "keep equal; score most; write most"
    data = json.loads(
        kosti("simulate", "sea-dice", "--policy", policy, "--games", "3000", "--seed", "3", "--json").result
    )
    assert abs(data["mean"] - valued("sea-dice", policy).value) < 4.0 * data["error"]


# Pictures, and what there is not.


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_totals_are_drawn(kind: str, tmp_path: Path, kosti: Run) -> None:
    out = tmp_path / f"totals.{kind}"
    assert "written" in kosti("plot", "sea-dice", "totals", "--out", str(out)).result
    assert out.stat().st_size > 10_000
    assert out.read_bytes().startswith(b"\x89PNG" if kind == "png" else b"<?xml")


def test_what_sheets_do_not_offer_is_refused_by_name(tmp_path: Path, kosti: Run) -> None:
    assert "allowed: totals" in kosti("plot", "sea-dice", "wins", "--out", str(tmp_path / "a.png")).refusal
    assert "simplify; allowed" in kosti("simplify", "sea-dice").refusal
