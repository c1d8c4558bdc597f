"""Games in which a player may go on with the dice and the points with which the other one has just stopped.

An offer of d dice and t points is part of the match state, and there are hundreds of them for each pair of scores. But
none needs a turn of its own: whoever takes it over is where a turn of his is that has t points and throws d dice, and
what that is worth comes out anyway when his turn is solved. So a match state with an offer is worth the better of two
values of one turn, that of its beginning and that of (t, d), and solving the game takes no more turns than the same
game without offers; only memory.

Both bounds are found at once, each turn being charged a toll, as ``solver.race.bracket`` explains; one more turn proves
them. An offer leads on as the pair of scores does, and points are never more than the score of whoever left them.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver._ordered import Offers, solve_pairs
from solver.certify import Values
from solver.errors import ConvergenceError, UnplayableError
from solver.race.bracket import TOLL
from solver.race.held import places
from solver.race.leads import last_turns
from solver.race.model import RaceModel
from solver.race.ordered import Order, Pairs, order_of, ordered_pairs, pieces, solve_levels
from solver.race.rules import RaceRules, Start
from solver.race.stops import least_total
from solver.race.sweep import Progress, Sweep, check_memory
from solver.text import _

SLACK = 1e-11
"""More than bounds move from one machine to another."""


class Copied(NamedTuple):
    """Values of all match states, proven."""

    values: Values
    """[movers, waiters], without an offer."""
    offered: Values
    """[movers, places, dice], with one; places are those of ``solver.race.held``."""
    bound: float


def check_copying(rules: RaceRules) -> None:
    """UnplayableError if it is plain before a game is compiled that its turns have no order.

    Each turn without result adds a bolt or takes them all away, so that enough of them lead back.
    """
    if rules.points_are_left() and rules.bolts:
        raise _without_order()


def _without_order() -> UnplayableError:
    return UnplayableError(
        _("inherited_dice.points: true; allowed: for two only without rules by which a score may fall, as bolts")
    )


def solve_copying(sweep: Sweep, progress: Progress | None = None) -> Copied:
    """Values of a game for two in which points are left. UnplayableError if its turns have no order."""
    model, order = sweep.model, order_of(sweep.model)
    if order is None:
        raise _without_order()
    first = np.array(places(model.rules, (player.score for player in model.states)), dtype=np.int64)
    dice = model.rules.dice.count - 1
    states, size = len(model.states), int(first[-1]) * dice
    check_memory(3 * states * size * 8)
    lower, upper = np.zeros(sweep.padded), np.zeros(sweep.padded)
    offered_lower, offered_upper = (np.zeros((states, int(first[-1]), dice)) for _bound in range(2))
    offers = _offers(model, first, offered_lower, offered_upper)
    rounding = sweep.rounding(sweep.most + 1.0)
    pairs = ordered_pairs(sweep, order, *np.indices(sweep.shape).reshape(2, -1))
    unsettled = solve_levels(sweep, order, pairs, lower, upper, toll=TOLL * rounding, offers=offers, progress=progress)
    if unsettled or not _margin(sweep, order, pairs, lower, upper, offers) > rounding:
        raise ConvergenceError(_("no error bound could be proven; please report this ruleset"))
    gap = max(float((upper - lower).max()), float((offered_upper - offered_lower).max()))
    offered_lower += offered_upper
    offered_lower *= 0.5
    values = 0.5 * (lower + upper)[:, : sweep.shape[1]]
    return Copied(np.ascontiguousarray(values), offered_lower, 0.5 * gap + SLACK)


def _offers(model: RaceModel, first: NDArray[np.int64], lower: Values, upper: Values) -> Offers:
    rules, graph = model.rules, model.graph
    _check_places(model, first)
    step, dice = rules.match.step, range(1, rules.dice.count)
    last = last_turns(rules)
    slots = [graph.starts[Start(offered=count)] for count in dice]
    nothing: Any = np.zeros((int((model.states[-1].score - rules.least_score()) // step) + 2, len(graph.slots)))
    beyond, level = (np.asarray(part)[:, slots] for part in ((last.beyond, last.level) if last else (nothing, nothing)))
    return Offers(
        model.outcome_left, first, np.array(slots, dtype=np.int32),
        np.array([player.score // step for player in model.states], dtype=np.int32),
        np.array([least_total(rules, player) // step for player in model.states], dtype=np.int32),
        np.ascontiguousarray(beyond), np.ascontiguousarray(level), rules.match.ties == "shared", lower, upper,
    )  # fmt: skip


def _check_places(model: RaceModel, first: NDArray[np.int64]) -> None:
    """A last check before the kernel writes and reads without one: whatever is left has a place."""
    kinds, states = model.graph.stop_kinds, len(model.states)
    totals = np.repeat(
        np.arange(model.total_ptr[-1]) - np.repeat(model.total_ptr[:-1], np.diff(model.total_ptr)), kinds
    )
    left, after = model.outcome_left[: len(totals)] > 0, model.outcome_row[: len(totals)]
    offered = left & (after < states)
    if model.outcome_left[len(totals) :].any() or (totals[offered] >= np.diff(first)[after[offered]]).any():
        raise AssertionError("an offer of more points than whoever made it has")


def _margin(sweep: Sweep, order: Order, pairs: Pairs, lower: Values, upper: Values, offers: Offers) -> float:
    """The least distance of both bounds to what one more turn makes of them: F(upper) - lower, upper - F(lower)."""

    def margin(groups: NDArray[np.int64]) -> float:
        return solve_pairs(
            sweep.machine, sweep.model.attack_target, sweep.verdicts, order.near, pairs.movers, pairs.waiters, groups,
            lower, upper, sweep.both_win, sweep.most, 0.0, 0.0, 0, known=True, offers=offers,
        )[1]  # fmt: skip

    return min(sweep.threads.each(margin, pieces(0, len(pairs.movers), sweep.threads.count)))
