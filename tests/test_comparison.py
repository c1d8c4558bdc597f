"""Two games side by side: what they are worth, and positions in which their best plans part."""

import json
from pathlib import Path
from typing import Any

import pytest
from games import Data, coin, pig, rules_from
from processes import Run

import solver
from solver.dice import throw_ways, to_faces
from solver.families import Rules, load_rules, solve_table
from solver.race.actions import Turn
from solver.race.comparison import Comparison, compare, describe
from solver.race.model import compile_race
from solver.race.player import Player
from solver.race.solve import solve
from solver.race.tables import make_table, match_length
from solver.race.worth import points_worth
from solver.schema import write_section

SHORT = 'extends = "pig"\n[match]\ntarget = {}\n'
ALONE = ("thousand-classic", "thousand-classic-barrel")


def compared(one: Rules, other: Rules, objective: str) -> Comparison:
    return compare((one, other), (solve_table(one, objective)[0], solve_table(other, objective)[0]))


@pytest.fixture
def pigs(tmp_path: Path) -> tuple[str, str]:
    """Two games of pig that are solved in no time."""
    paths = tmp_path / "30.toml", tmp_path / "50.toml"
    for path in paths:
        path.write_text(SHORT.format(path.stem))
    return str(paths[0]), str(paths[1])


def ask(kosti: Run, *words: object) -> dict[str, Any]:
    return dict(json.loads(kosti("compare", *words, "--json").result))


def stops_in(plan: list[dict[str, Any]], position: dict[str, Any]) -> bool:
    (rule,) = [rule for rule in plan if rule["dice"] == position["dice"]]
    return any(low <= position["turn_points"] <= (high or 10**6) for low, high in rule["stop"])


def stated(facts: dict[str, int | bool]) -> dict[str, str]:
    """Facts of a player as ``advise`` takes them."""
    score, others = facts["score"], [f"{name}={int(fact)}" for name, fact in facts.items() if name != "score"]
    return {"score": str(score), **({"state": ",".join(others)} if others else {})}


def test_every_position_is_one_in_which_advice_differs(kosti: Run) -> None:
    found = ask(kosti, *ALONE)
    assert (len(found["positions"]) > 20, found["same"]) == (True, False)
    for position in found["positions"][::7]:
        for name, best in zip(ALONE, position["best"], strict=True):
            fields = set(solver.advise(name).to_json()["state"])
            state = {fact: value for fact, value in position["state"].items() if fact in fields}
            plan = solver.advise(name, **stated(state)).to_json()["plan"]
            assert stops_in(plan, position) == (best == "stop")


def test_scores_at_which_nothing_is_told_have_the_same_plan(pigs: tuple[str, str], kosti: Run) -> None:
    found = ask(kosti, *pigs)
    told = {position["state"]["score"] for position in found["positions"]}
    assert found["looked_at"] == 30
    for score in set(range(30)) - told:
        plans = [solver.advise(path, score=str(score)).to_json()["plan"] for path in pigs]
        limit = 30 - score  # from here on a stop wins in the shorter game
        one, other = (
            [stops_in(plan, {"dice": 1, "turn_points": points}) for points in range(2, limit)] for plan in plans
        )
        differ = [points for points, stops in enumerate(one, 2) if stops != other[points - 2]]
        # Whoever stops at a lower total never comes to these.
        first = min([points for points, stops in enumerate(one, 2) if stops and other[points - 2]], default=limit)
        assert not [points for points in differ if points < first], score


def test_losses_are_those_of_advice(pigs: tuple[str, str], kosti: Run) -> None:
    found = ask(kosti, *pigs, "--players", 2)
    assert found["positions"]
    checked = 0
    for position in found["positions"]:
        points, score, vs = position["turn_points"], position["state"]["score"], position["opponents"][0]["score"]
        if points - 5 < 2:
            continue
        for path, best, loss in zip(pigs, position["best"], position["losses"], strict=True):
            advice = solver.advise(path, score=str(score), vs=str(vs), turn=str(points - 5), dice="5")
            good, bad = advice.choices
            assert (good.stop, bad.stop) == (best == "stop", best == "throw")
            assert good.value - bad.value == pytest.approx(loss, abs=1e-12)
            checked += 1
    assert checked > 10


def test_start_values_are_those_of_the_tables(kosti: Run) -> None:
    found = ask(kosti, "pig", "pig", "--players", 2)
    assert found["start"] == [pytest.approx(0.530592725274, abs=1e-9)] * 2
    assert (found["objective"], found["positions"], found["looked_at"]) == ("win", [], 196)
    assert (found["rulesets"], found["same"]) == (["pig", "pig"], True)
    assert all(0.0 < bound <= 1e-9 for bound in found["error_bounds"])


def test_the_order_of_the_games_is_that_of_the_words(pigs: tuple[str, str], kosti: Run) -> None:
    one, other = ask(kosti, *pigs), ask(kosti, *reversed(pigs))
    assert one["start"] == other["start"][::-1]
    assert one["start"][0] < one["start"][1]
    for ours, theirs in zip(one["positions"], other["positions"], strict=True):
        assert (ours["state"], ours["turn_points"]) == (theirs["state"], theirs["turn_points"])
        for name in ("best", "losses", "chances"):
            assert ours[name] == theirs[name][::-1]


def test_games_are_compared_in_words(pigs: tuple[str, str], kosti: Run) -> None:
    lines = kosti("compare", *pigs).result.splitlines()
    assert lines[0] == "Alone: the expected number of turns to the end, under best play."
    assert lines[1].startswith(f"  {pigs[0]}: ")
    assert lines[2].endswith(" turns longer")
    assert "Where it matters most:" in lines[4]
    assert {line.split(": ")[1].split(";")[0] for line in lines[6:8]} == {"stop", "throw"}
    assert "the chance to win for the player who moves first" in kosti("compare", *pigs, "--players", 2).result
    assert kosti("compare", "pig", "pig").result.endswith("These are the same rules.\n")


def test_other_rules_with_the_same_plan_are_told() -> None:
    game = pig(12)
    data = write_section(game)
    found = compared(game, rules_from({**data, "match": {**data["match"], "most_players": 7}}), "turns")
    assert describe(("one", "other"), found).splitlines()[-1] == "When to stop is the same at all 12 scores looked at."
    assert "other: the same" in describe(("one", "other"), found)


@pytest.mark.parametrize(
    "words",
    [
        ["pig", "pgi"],
        ["pgi", "pig"],
        ["pig"],
        ["pig", "no.toml"],
        ["pig", "pig", "--players", "3"],
        ["pig", "pig", "x"],
    ],
)
def test_what_cannot_be_compared_is_refused(words: list[str], kosti: Run) -> None:
    assert kosti("compare", *words).refusal


def test_a_game_for_one_is_not_compared_for_two(kosti: Run, tmp_path: Path) -> None:
    (tmp_path / "alone.toml").write_text(SHORT.format(20) + "most_players = 1\n")
    assert "--players" in kosti("compare", tmp_path / "alone.toml", "pig", "--players", 2).refusal
    assert kosti("compare", tmp_path / "alone.toml", "pig").result


def test_a_game_that_cannot_be_proven_is_named(kosti: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    # Nobody opens this game with less than the target, which takes thousands of turns: too long for the usual bound.
    monkeypatch.setattr("solver.race.solve.LOOSEST", 0.0)
    path = Path(__file__).parent / "rulesets" / "good" / "farkle-at-home.toml"
    assert kosti("compare", "pig", path).refusal.startswith(f"{path}: no error bound")


# ---- how likely a position is ----


def thrown(turn: Turn, slot: int, points: int) -> dict[tuple[int, int], float]:
    """Where one throw leads a player who holds what is best, whether he then stops or not."""
    found: dict[tuple[int, int], float] = {}
    dice = [turn.rules.dice_set()[0][0]] * turn.graph.slots[slot].dice
    for throw, ways in throw_ways(dice).items():
        choices = turn.choices(slot, to_faces(throw), points)
        if not choices:
            continue
        hold = max(choices, key=lambda choice: choice.value).hold
        (on,) = [choice for choice in choices if choice.hold == hold and not choice.stop]
        following = turn.slot_of(on.dice, on.turn_points)
        assert following is not None
        chance = ways / turn.rules.dice.faces ** len(dice)
        found[following, on.turn_points] = found.get((following, on.turn_points), 0.0) + chance
    return found


GAMES: list[tuple[Data, int]] = [
    ({**write_section(load_rules("pig"))}, 40),
    ({**write_section(load_rules("thousand-classic"))}, 640),
    ({**write_section(load_rules("thousand-classic"))}, 900),
]


@pytest.mark.parametrize(("data", "score"), GAMES, ids=["pig", "in a pit", "near the target"])
def test_chances_are_those_of_playing_throw_by_throw(data: Data, score: int) -> None:
    rules = rules_from(data)
    turn = Turn(rules, Player(score), points_worth(rules, Player(score)))
    chances = turn.chances(0.0)
    come: dict[tuple[int, int], float] = {(turn.graph.start, 0): 1.0}
    for (slot, points), chance in chances.items():
        stop = next(decision for decision in turn.decisions(slot) if decision.points == points).stop
        if turn.graph.slots[slot].may_stop and stop is not None and stop >= turn.throw_value(slot, points):
            continue
        for place, way in thrown(turn, slot, points).items():
            come[place] = come.get(place, 0.0) + chance * way
    assert chances == pytest.approx(
        {place: chance for place, chance in come.items() if place[1] < turn.highest * rules.match.step}, abs=1e-12
    )


@pytest.mark.parametrize(("rules", "turns"), [(rules_from(coin(1)), 2.0), (rules_from(coin(2)), 4.0)])
def test_a_match_of_independent_turns_takes_as_many_as_a_geometric_chance(rules: Rules, turns: float) -> None:
    model = compile_race(rules, 2)
    # Nobody stops before the goal, so every turn wins with the same chance.
    table = make_table(model, solve(model, "win"))
    assert match_length(rules, table) == pytest.approx(turns, rel=2e-3)
