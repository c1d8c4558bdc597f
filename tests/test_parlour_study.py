"""Small games played with dice: their means are what is known exactly, for every ruleset."""

import json

import pytest
from processes import Run

from solver.families import load_rules
from solver.parlour import games
from solver.parlour.rules import ParlourRules
from solver.parlour.study.simulation import GAMES, play
from solver.ruleset import shipped_names

RULESETS = [name for name in shipped_names() if load_rules(name).family == "parlour"]
LONG = {"liar"}
"""A game of two dice is played in its place: with five, a table takes many minutes to make."""


def rules_of(name: str) -> ParlourRules:
    rules = load_rules(name)
    assert isinstance(rules, ParlourRules)
    return rules


def test_every_small_game_is_played() -> None:
    assert set(GAMES) == set(games.GAMES)
    assert {rules_of(name).game for name in RULESETS if name not in LONG} == set(GAMES)


@pytest.mark.parametrize("name", [name for name in RULESETS if name not in LONG])
def test_games_with_dice_bring_what_is_known_exactly(name: str) -> None:
    rules = rules_of(name)
    players = games.load_game(rules.game).SEATS.default
    compared = play(rules, players, 400, seed=11)
    assert compared
    for found in compared:
        assert found.distance < 4.0, (found.figure.name, found.mean, found.error, float(found.figure.value))


@pytest.mark.parametrize("name", ["aces", "buck-dice", "chicago-first-hit", "martinetti", "drop-dead"])
def test_so_do_games_of_three_players(name: str) -> None:
    assert all(found.distance < 4.0 for found in play(rules_of(name), 3, 500, seed=12))


def test_the_dice_fall_alike_from_the_same_seed(kosti: Run) -> None:
    one, other, third = (
        json.loads(kosti("simulate", "craps-standard", "--games", "500", "--seed", seed, "--json").result)
        for seed in ("1", "1", "2")
    )
    assert one == other != third
    assert one["figures"][0]["exact"] == pytest.approx(244 / 495)


def test_what_small_games_do_not_offer_is_refused_by_name(kosti: Run) -> None:
    assert "evaluate; allowed" in kosti("evaluate", "craps-standard", "--policy", "optimal").refusal
    assert "simplify; allowed" in kosti("simplify", "craps-standard").refusal
    assert "plot; allowed" in kosti("plot", "craps-standard", "totals", "--out", "a.png").refusal
    assert "--policy: stop at 50" in kosti("simulate", "craps-standard", "--policy", "stop at 50").refusal
