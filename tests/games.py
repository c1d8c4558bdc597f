"""Games for the tests: rules from plain data, small changes of shipped ones, and the shipped tables."""

from pathlib import Path
from typing import Any

import numpy as np

from solver._relaxation import Equations
from solver.families import load_rules, read_ruleset
from solver.library import SHIPPED
from solver.race.actions import Turn
from solver.race.longrun import phase_values
from solver.race.model import compile_race
from solver.race.player import Player
from solver.race.rules import OBJECTIVES, RaceRules
from solver.race.solve import Solution, first_guess, solve
from solver.race.sweep import Sweep
from solver.race.worth import points_worth
from solver.ruleset import Ruleset
from solver.schema import write_section

Data = dict[str, Any]


def rules_from(data: Data) -> RaceRules:
    """Checked rules from plain data, as a ruleset file would state them."""
    return read_ruleset(Ruleset("test", {"family": "race", **data}, {}))


def changed(name: str, **sections: Data | None) -> RaceRules:
    """A shipped ruleset with other keys in some sections; None takes a section or a key away."""
    data = write_section(load_rules(name))
    for section, keys in sections.items():
        data[section] = None if keys is None else {**data.get(section, {}), **keys}
    return rules_from({key: value for key, value in data.items() if value is not None})


def pig(goal: int) -> RaceRules:
    """Pig to another goal."""
    return changed("pig", match={"target": goal})


def coin(goal: int, **sections: Any) -> Data:
    """A coin whose heads count one and whose tails end the turn; without further sections this is Piglet."""
    return {
        "dice": {"count": 1, "faces": 2, "hold": "all", "hot_dice": "may"},
        "combinations": {"single": {"2": 1}},
        "match": {"target": goal, "step": 1, "finish": "at least"},
        **sections,
    }


def solved(rules: RaceRules, objective: str, threads: int = 1) -> Solution:
    """The solution of a game, found by one thread."""
    return solve(compile_race(rules, OBJECTIVES[objective]), objective, threads=threads)


def equations_at_zero(game: Sweep) -> Equations:
    """Those of the best plans of a first guess, all numbers 0; for rules without attacks or kept dice."""
    _residual, plans = game.plan(first_guess(game.model, game.objective, 1), 1e-3)
    numbers = np.zeros(game.padded, dtype=np.float32)
    layers = np.zeros((1, len(numbers) + len(game.model.verdicts), game.padded[1]), dtype=np.float32)
    hits = np.zeros(1, dtype=np.int32)
    return Equations(game.machine, plans, -1.0, numbers, numbers, layers, hits, hits[:0])


def shipped_table(name: str) -> Path:
    """A table that comes with the package."""
    return next(path for folder in SHIPPED if (path := Path(folder, f"{name}.safetensors")).exists())


def turn_points(rules: RaceRules) -> float:
    """Most expected points of the first turn."""
    return Turn(rules.alone(), Player(), points_worth(rules, Player(), phase_values(rules))).value
