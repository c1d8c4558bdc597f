"""Checks of claims about races that need more than values: chances in time, turns lost, one bar for one place."""

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np

from docs.intuition.findings import Case, dice_left
from docs.intuition.games import alone, chance_within, rule_alone, rules_of, turn_of, turns_at
from solver.policies.expression import parse
from solver.policies.policy import BEST_PLAY, load_policy
from solver.race.model import compile_race
from solver.race.player import Player, start
from solver.race.solve import solve
from solver.race.study.choices import NAMES, choices_of
from solver.race.study.measures import BETWEEN_TURNS, measure
from solver.race.sweep import sweeper


def opening_chance(ruleset: str, once: float, long: int, outside: float) -> Iterator[Case]:
    """Whether one turn opens with at least this chance, and many may not suffice with at least that."""
    rules = rules_of(ruleset)
    assert rules.opening is not None
    only = rules_of(ruleset, match__target=rules.opening.points, barrel=None, obstacles=None)
    chance = chance_within(only, start(only), 1)
    left = (1.0 - chance) ** long
    yield Case("at once", chance >= once, f"a turn opens with {100 * chance:.3f} % at best, "
               f"so on average after {1 / chance:.2f} turns")  # fmt: skip
    yield Case(f"after {long} turns", left >= outside, f"still outside after {long} turns {100 * left:.2f} %, "
               f"after twice as many {100 * left**2:.3f} %")  # fmt: skip


def spread(ruleset: str, ratio: float, shares: list[float], most: int) -> Iterator[Case]:
    """Whether long games take at least so many times as long as short ones, of which each is so large a share."""
    rules = rules_of(ruleset)
    over = np.array(measure(rules, BEST_PLAY, alone(rules)[1], most, None, None).chances)
    for share in shares:
        short, long = int(np.argmax(over >= share)), int(np.argmax(over >= 1.0 - share))
        assert long > 0
        yield Case(f"the extreme {100 * share:g} %", long >= ratio * short,
                   f"{100 * share:g} % of games are over in {short} turns, "
                   f"{100 - 100 * share:g} % in {long}: {long / short:.1f} times as many")  # fmt: skip


def luck_outweighs(ruleset: str, policies: list[str], most: int) -> Iterator[Case]:
    """Whether a rule costs fewer turns, alone, than luck moves a game of best play: one standard deviation.

    Of games that take more than ``most`` turns there must be next to none.
    """
    rules = rules_of(ruleset)
    over = np.array(measure(rules, BEST_PLAY, alone(rules)[1], most, None, None).chances)
    turns, ending = np.arange(1, len(over)), np.diff(over)
    mean = float(turns @ ending)
    assert abs(mean - turns_at(rules, start(rules))) < 1e-3
    deviation = float(np.sqrt((turns - mean) ** 2 @ ending))
    for policy in policies:
        loss = rule_alone(ruleset, policy).loss
        yield Case(f'luck against "{policy}"', deviation > loss,
                   f"by luck a game of best play, of {mean:.1f} turns on average, differs from that by {deviation:.1f} "
                   f'(standard deviation); "{policy}" costs {loss:.1f}')  # fmt: skip


def wins_before(ruleset: str, falls: int, turns: int, least: float) -> Iterator[Case]:
    """Whether the best chance to win alone before the first fall, within many turns, is at least so large."""
    rules = rules_of(ruleset, overshoot__falls=falls)
    event = parse("falls > 0", BETWEEN_TURNS)
    chances = measure(rules, None, None, turns, event, None).chances
    told = ", ".join(f"{100 * chances[number]:.3f} % within {number}" for number in (turns // 4, turns // 2, turns))
    yield Case("alone", chances[turns] >= least, f"before the marks run out who plays for it wins with {told} turns")


def lost_turns(ruleset: str, policies: list[str]) -> Iterator[Case]:
    """Whether each rule loses more turns than the one before it; with all turns of a game."""
    rules = rules_of(ruleset)
    lost = parse("lost", BETWEEN_TURNS)
    found = []
    for text in policies:
        policy = load_policy(text, NAMES[1], "policy")
        counted = measure(rules, policy, alone(rules)[1], 1, None, lost).counted
        every = measure(rules, policy, alone(rules)[1], 1, None, parse("score >= 0", BETWEEN_TURNS)).counted
        assert counted is not None
        assert every is not None
        found.append((text, counted, every))
    for (text, fewer, whole), (other, more, every) in pairwise(found):
        yield Case(f'"{other}" after "{text}"', more > fewer,
                   f'"{text}" loses {fewer:.3f} of {whole:.2f} turns, "{other}" {more:.3f} of {every:.2f}')  # fmt: skip


def one_bar(ruleset: str, score: int, past: int, least: int, bars: list[int]) -> Iterator[Case]:
    """Whether of all bars from which to stop a turn from one place, on the way past a barrel, the best is so high."""
    rules = rules_of(ruleset)
    model = compile_race(rules, 1)
    turns = {}
    for bar in bars:
        text = f"throw if score = {score} and not extra and turn < {bar}; stop if score = {score} and not extra; best"
        own, choices = choices_of(model, load_policy(text, NAMES[1], "policy"))
        turns[bar] = float(solve(own, "turns", tolerance=1e-7, choices=choices).values[model.numbers[Player(score)]])
    best = min(turns, key=turns.__getitem__)
    plan = [rule for rule in turn_of(rules, Player(score)).plan(2e-9) if rule.totals]
    stops = ", ".join(f"{rule.totals[0][0]} with {dice_left(rule.dice)}" for rule in plan)
    told = ", ".join(f"{bar}: {turns[bar]:.4f}" for bar in bars)
    yield Case(f"from {score}", best >= least,
               f"from {score} the best bar is {best} ({max(0, past - score - best)} left); turns to go by bar: {told}; "
               f"best play, {turns_at(rules, Player(score)):.4f}, stops from {stops}")  # fmt: skip


def throws_off(ruleset: str, barrel: int, scores: list[int], least: float) -> Iterator[Case]:
    """Whether who is to move reaches the barrel, before the one who sits there wins, with at least this chance."""
    rules = rules_of(ruleset)
    sitter = next(state for state in alone(rules)[0].states if state.score == barrel)
    sits = chance_within(rules, sitter, 1)
    race = rules_of(ruleset, match__target=barrel, barrel=None)
    model = compile_race(race, 1)
    values = np.zeros((len(model.states), 1))
    with sweeper(model, "turns") as sweep:
        change = 1.0
        while change > 1e-12:
            before, values = values, sweep.chance_within((1.0 - sits) * values)
            change = float(np.abs(values - before).max())
    for score in scores:
        chance = float(values[model.numbers[Player(score)], 0])
        yield Case(f"from {score}", chance >= least,
                   f"who sits at {barrel} wins a turn with {100 * sits:.3f} %; from {score} he is caught up with, and "
                   f"thrown back, with {100 * chance:.2f} % at best")  # fmt: skip


CHECKS: dict[str, Callable[..., Iterator[Case]]] = {
    check.__name__: check
    for check in (opening_chance, spread, luck_outweighs, wins_before, lost_turns, one_bar, throws_off)
}
"""By name, as ``claims.toml`` has them."""
