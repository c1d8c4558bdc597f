"""The games that claims are about, and best play of them alone: expected turns, proven to 1e-9."""

from functools import cache
from typing import Any

import numpy as np

from solver.families import load_rules, read_ruleset
from solver.policies.policy import load_policy
from solver.race.actions import Turn
from solver.race.model import RaceModel, compile_race
from solver.race.player import Player
from solver.race.rules import RaceRules
from solver.race.solve import solve
from solver.race.study.choices import NAMES
from solver.race.study.evaluation import Evaluation, evaluate_alone
from solver.race.study.measures import finished_within
from solver.race.sweep import sweeper
from solver.race.tables import make_table
from solver.race.worth import turns_worth
from solver.ruleset import Ruleset
from solver.schema import write_section
from solver.table import Table


@cache
def rules_of(name: str, **changes: Any) -> RaceRules:
    """A ruleset, with some keys changed: ``dice__hold="any"``; None takes a section away."""
    rules = load_rules(name)
    assert isinstance(rules, RaceRules)
    if not changes:
        return rules
    data = write_section(rules)
    for path, value in changes.items():
        *outer, last = path.split("__")
        part = data
        for section in outer:
            part = part[section]
        if value is None:
            part.pop(last, None)
        else:
            part[last] = value
    changed = read_ruleset(Ruleset(name, data, {}))
    assert isinstance(changed, RaceRules)
    return changed


@cache
def alone(rules: RaceRules) -> tuple[RaceModel, Table]:
    """Best play alone."""
    model = compile_race(rules, 1)
    return model, make_table(model, solve(model, "turns"))


def turns_at(rules: RaceRules, player: Player) -> float:
    """Expected turns to go from a state, alone."""
    model, table = alone(rules)
    return float(np.asarray(table.values)[model.numbers[player]])


@cache
def rule_alone(name: str, policy: str) -> Evaluation:
    """A rule valued alone."""
    rules = rules_of(name)
    return evaluate_alone(rules, load_policy(policy, NAMES[1], "policy"), alone(rules)[1], looked_at=0)


def turn_of(rules: RaceRules, player: Player) -> Turn:
    """The turn of a player alone."""
    model, table = alone(rules)
    return Turn(rules.alone(), player, turns_worth(model.numbers, table.values))


def chance_within(rules: RaceRules, player: Player, turns: int) -> float:
    """The best chance to win alone within so many turns."""
    model = compile_race(rules, 1)
    with sweeper(model, "turns") as sweep:
        return finished_within(sweep, model.numbers[player], turns)[turns]
