"""Checks of claims about races between two, who play for the win (or the stakes); proven to 1e-9 where not said."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from docs.intuition.findings import Case, dice_left
from docs.intuition.games import rules_of, turn_of
from solver.library import find_table
from solver.policies.policy import BEST_PLAY, load_policy
from solver.race.actions import StopRule, Turn
from solver.race.advice import advise
from solver.race.held import match_values
from solver.race.model import compile_race
from solver.race.player import Player, start, starting
from solver.race.position import state_index
from solver.race.rules import RaceRules
from solver.race.study.choices import NAMES
from solver.race.study.evaluation import Evaluation, evaluate_duel
from solver.race.tables import solve_table
from solver.race.worth import stake_worth, win_worth
from solver.table import Table


def table_of(rules: RaceRules) -> Table:
    """Best play of two: shipped, kept from last time, or solved now."""
    objective = "stake" if rules.stakes else "win"
    return find_table(rules, objective, solve=lambda: solve_table(rules, objective)[0])


@cache
def chances(rules: RaceRules) -> tuple[dict[Player, int], np.ndarray[Any, np.dtype[np.float64]]]:
    """By player its number; and what each match state is worth, [mover, waiter]."""
    table = table_of(rules)
    return state_index(rules, table), np.asarray(table.values)


def waiting(rules: RaceRules, player: Player, opponent: Player) -> float:
    """The chance to win of a player whose opponent is to move."""
    index, values = chances(rules)
    return 1.0 - float(values[index[opponent], index[player]])


def against(rules: RaceRules, player: Player, opponent: Player) -> Turn:
    """The turn of a player against another."""
    table = table_of(rules)
    worth_of = stake_worth if rules.stakes else win_worth
    return Turn(rules, player, worth_of(rules, opponent, state_index(rules, table), match_values(table)))


def _places(rules: RaceRules, low: int, high: int, opponent: int) -> dict[int, float]:
    index, _values = chances(rules)
    scores = range(low, high + 1, rules.match.step)
    return {score: waiting(rules, Player(score), Player(opponent)) for score in scores if Player(score) in index}


def worst_place(ruleset: str, low: int, high: int, place: int, opponents: list[int]) -> Iterator[Case]:
    """Whether a place is the worst of a stretch for who has just stopped there, and worse than the one before it."""
    rules = rules_of(ruleset)
    for other in opponents:
        worth = _places(rules, low, high, other)
        worst, before = min(worth, key=worth.__getitem__), place - rules.match.step
        even = max((score for score in worth if score < place and worth[score] <= worth[place]), default=low)
        numbers = (f"against {other}, at {place} {100 * worth[place]:.2f} % to win, at {before} "
                   f"{100 * worth[before]:.2f} %, at {even} {100 * worth[even]:.2f} %; the worst place is {worst} with "
                   f"{100 * worth[worst]:.2f} %")  # fmt: skip
        yield Case(f"worse than {before} against {other}", worth[place] < worth[before], numbers)
        yield Case(f"the worst place against {other}", worst == place, "")


def best_place_for_two(ruleset: str, low: int, high: int, place: int, opponents: list[int]) -> Iterator[Case]:
    """Whether a place of a stretch is the best for who has just stopped there."""
    rules = rules_of(ruleset)
    for other in opponents:
        worth = _places(rules, low, high, other)
        best = max(worth, key=worth.__getitem__)
        near = ", ".join(f"{score}: {100 * worth[score]:.2f} %" for score in sorted(worth)[-6:])
        yield Case(f"for two against {other}", best == place, f"against {other} it is best to stop at {best}; {near}")


@cache
def duel(ruleset: str, policy: str) -> Evaluation:
    """A rule against best play."""
    rules = rules_of(ruleset)
    return evaluate_duel(rules, load_policy(policy, NAMES[2], "policy"), BEST_PLAY, table_of(rules))


def holds_its_own(ruleset: str, policies: list[str], least: float) -> Iterator[Case]:
    """Whether rules win at least this share of matches against best play, half of them moving first."""
    for policy in policies:
        first, second = duel(ruleset, policy).values
        share = (first + second) / 2.0
        yield Case(f'"{policy}" for two', share >= least,
                   f'"{policy}" wins {100 * share:.2f} % against best play')  # fmt: skip


def small_comfort_for_two(ruleset: str, most: float, opponents: list[int]) -> Iterator[Case]:
    """Whether having opened adds little at 0 to the chance of the player to move."""
    rules = rules_of(ruleset)
    index, values = chances(rules)
    for other in opponents:
        opened, closed = (
            100 * float(values[index[player], index[Player(other)]]) for player in (Player(0), start(rules))
        )
        yield Case(f"for two against {other}", opened - closed <= 100 * most,
                   f"against {other}, at 0 opened {opened:.3f} % to win, not opened {closed:.3f} %")  # fmt: skip


def stops_for_two(
    ruleset: str, totals: list[int], dice: list[int], opponents: list[int], score: int | None = None
) -> Iterator[Case]:
    """Whether best play stops with these totals against each opponent; without a score before opening."""
    rules = rules_of(ruleset)
    player = start(rules) if score is None else Player(score)
    for other in opponents:
        turn = against(rules, player, Player(other))
        costs = {}
        for total in totals:
            for left in dice:
                slot = turn.nearest_slot(left, total)
                assert slot is not None
                place = min(total, turn.highest * turn.step)
                stop = next(found.stop for found in turn.decisions(slot) if found.points == place)
                assert stop is not None
                costs[total, left] = 100 * (turn.throw_value(slot, total) - stop)
        wrong = [
            f"{total} with {dice_left(left)}, by {cost:.3f} %" for (total, left), cost in costs.items() if cost > 2e-7
        ]
        told = "best play throws on with " + "; ".join(wrong) if wrong else "best play stops with all of these"
        yield Case(f"for two against {other}", not wrong, f"against {other}, {told}")


def catches_up(loose: str, strict: str, pairs: list[list[int]]) -> Iterator[Case]:
    """Whether who is behind wins more often in the strict game, on average of being to move and waiting."""
    for leader, behind in pairs:
        found = []
        for name in (loose, strict):
            index, values = chances(rules_of(name))
            ahead, after = index[Player(leader)], index[Player(behind)]
            found.append((float(values[after, ahead]) + 1.0 - float(values[ahead, after])) / 2.0)
        yield Case(f"{behind} against {leader}", found[1] > found[0],
                   f"at {behind} against {leader} {100 * found[0]:.2f} % in {loose}, "
                   f"{100 * found[1]:.2f} % in {strict}")  # fmt: skip


def careful_entry(plain: str, doubled: str, opponents: list[int]) -> Iterator[Case]:
    """Whether the doubled stake makes who has not entered stop in more cases, and never in fewer."""
    for other in opponents:
        plans = [_stops(rules_of(name), other) for name in (plain, doubled)]
        more, fewer = len(plans[1] - plans[0]), len(plans[0] - plans[1])
        example = min(plans[1] - plans[0], default=None)
        told = f", as {example[1]} with {dice_left(example[0])} left" if example else ""
        yield Case(f"against {other}", more > 0 and not fewer,
                   f"against {other}, stops with {more} totals more for stakes{told}, with {fewer} fewer")  # fmt: skip


def _stops(rules: RaceRules, other: int) -> set[tuple[int, int]]:
    """With how many dice and which totals who has not entered stops."""
    turn = against(rules, start(rules), Player(other))
    most = turn.highest * turn.step
    return {
        (rule.dice, total)
        for rule in turn.plan(2e-9)
        for first, last in rule.totals
        for total in range(first, (most if last is None else last) + 1, turn.step)
    }


def runs_for(ruleset: str, target: int, scores: list[int], admission: int) -> Iterator[Case]:
    """Whether who is behind stops wherever he reaches the other one's barrel, and else later than alone."""
    rules = rules_of(ruleset)
    state, later = f"admission={admission}", []
    for score in scores:
        found = advise(rules, ruleset, score=str(score), state=state, vs=f"score={target},{state}")
        assert found.interval is None  # else its bounds would prove no plan
        alone = advise(rules, ruleset, score=str(score), state=state)
        climbs = all(_holds(rule, target - score) for rule in found.plan)
        bars, usual = _first_stops(found.plan, target - score), _first_stops(alone.plan, target - score)
        yield Case(f"climbing from {score}", climbs,
                   f"from {score} {100 * found.value:.2f} % to win; stops with {target - score} or more: "
                   f"{'always' if climbs else 'not always'}")  # fmt: skip
        told = ", ".join(f"{bars[dice]} with {dice_left(dice)} (alone {usual[dice]})" for dice in sorted(bars))
        later.append(bars != usual)
        no_sooner = all(bars[dice] >= usual[dice] for dice in bars)
        yield Case(f"no sooner from {score}", no_sooner, f"from {score} stops from {told}")
    yield Case("sometimes later", any(later), "")


def _holds(rule: StopRule, total: int) -> bool:
    """Whether a plan stops with this total and all above."""
    return any(first <= total and last is None for first, last in rule.totals)


def _first_stops(plan: list[StopRule], most: int) -> dict[int, int]:
    return {rule.dice: min([most, *(first for first, _last in rule.totals)]) for rule in plan}


def best_choice(
    ruleset: str,
    scores: list[int],
    throw: list[int],
    turn: int,
    dice: int,
    hold: list[int],
    *,
    stop: bool,
    two: bool = False,
) -> Iterator[Case]:
    """Whether a choice is the best one at each score, alone and perhaps against an opponent with the same score."""
    rules = rules_of(ruleset)
    for score in scores:
        player = Player(score)
        turns = {"alone": turn_of(rules, player)}
        if two:
            turns["for two"] = against(rules, player, player)
        for name, here in turns.items():
            slot = here.nearest_slot(dice, turn) if turn else here.graph.start
            assert slot is not None
            choices = here.choices(slot, tuple(sorted(throw)), turn)
            best = max(choices, key=lambda choice: choice.value)
            wanted = max(
                choice.value for choice in choices if choice.hold == tuple(sorted(hold)) and choice.stop == stop
            )
            done = "stop with" if best.stop else "throw on with"
            loss = f"{100 * (best.value - wanted):.2f} %" if name == "for two" else f"{best.value - wanted:.4f} turns"
            yield Case(
                f"{name} at {score}",
                best.value - wanted <= 2e-9,
                f"{name} at {score}: best is to hold {' '.join(map(str, best.hold))} and {done} {best.turn_points}; "
                f"the choice of the claim costs {loss}",
            )


def first_move_counts(ruleset: str, least: float) -> Iterator[Case]:
    """Whether moving first instead of second changes the chance to win by at least so much."""
    rules = rules_of(ruleset)
    index, values = chances(rules)
    first, second = (index[player] for player in starting(rules, 2))
    chance = float(values[first, second])
    assert len(index) == len(compile_race(rules, 2).states)
    yield Case("for two", abs(2.0 * chance - 1.0) >= least, f"who moves first wins {100 * chance:.3f} %")


CHECKS: dict[str, Callable[..., Iterator[Case]]] = {
    check.__name__: check
    for check in (
        worst_place, best_place_for_two, holds_its_own, small_comfort_for_two, stops_for_two, catches_up,
        careful_entry, runs_for, best_choice, first_move_counts,
    )
}  # fmt: skip
"""By name, as ``claims.toml`` has them."""
