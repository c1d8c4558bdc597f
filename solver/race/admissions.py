"""Matches whose players fall back to the score of their admission: class by class, too many to be held together.

After his admission with score a, a player stays in a class: scores from a on, with a to fall back to. The match states
of two classes make a game of their own, in which only what it is worth to have been thrown back depends on the
classes. So games are the lanes of ``ext/admissions.pyx``: one class for the first player, a few dozen for the second.

    first[mover, waiter, game]    what the first player can make sure of when he is to move (a lower bound)
    second[waiter, mover, game]   what the second can hope for when he is (an upper bound)

Every game is played twice, for either of its players; tolls make the bounds proofs (see ``solver.race.bracket``). Of
each only what matters before is kept: the values of match states in which somebody has just been admitted. From these
follow all match states with somebody who is still to be admitted.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver._admissions import solve_games
from solver._sweep import padded
from solver.certify import Values
from solver.errors import ConvergenceError
from solver.race.model import RaceModel, compile_race
from solver.race.ordered import MOST_STEPS, Order, order_of
from solver.race.player import Player, fields_in_use, on_barrel, start
from solver.race.rules import RaceRules
from solver.race.sections import BarrelRules
from solver.race.sweep import Progress, Sweep
from solver.text import _

TOLL = 1e-9
"""What every turn costs: little beside what waiting leaves open, much beside rounding."""
SETTLED = 1.0 / 16.0
"""Of the toll, how far anything may be from settled."""
MOST_PASSES = 100
AT_ONCE = 500
"""Pairs that are solved between two looks whether somebody wants to stop: less than a second."""

Numbers = NDArray[np.int64]


class Classes(NamedTuple):
    """A game of classes, as it is for players who forget their admission."""

    model: RaceModel
    order: Order
    unopened: int
    """The state before the admission."""
    barrel: int
    """The state on the barrel."""
    admissions: Numbers
    """[classes], the state after the admission."""
    reached: NDArray[np.bool_]
    """[classes, states], whether a player of the class can be there."""

    @property
    def lowest(self) -> int:
        """The class of who climbs onto the barrel at once."""
        return 0

    def players(self) -> list[Player]:
        """All player states of the real game, in ascending order."""
        states = self.model.states
        classes = [
            states[state]._replace(admission=states[admission].score)
            for admission, reached in zip(self.admissions, self.reached, strict=True)
            for state in np.nonzero(reached)[0]
        ]
        return sorted([states[self.unopened], *classes])


class Kept(NamedTuple):
    """Bounds of match states in which the waiter has just been admitted, as far as they have been found."""

    lower: Values
    """[mover's class, waiter's class, mover's state]."""
    upper: Values
    """[waiter's class, mover's class, mover's state]."""
    lower_barrel: Values
    """[mover's class, mover's state], the same where the waiter has been admitted onto the barrel."""
    upper_barrel: Values
    """[mover's class, mover's state]."""
    done: NDArray[np.uint8]
    """[first class, second class], 1 where the game has been solved."""


class Before(NamedTuple):
    """Bounds of match states with somebody who is still to be admitted."""

    first_lower: Values
    """[class, state], an admitted player to move against one who is not."""
    first_upper: Values
    second_lower: Values
    """[class, state], a player to move who is not admitted, against one who is."""
    second_upper: Values
    start: tuple[float, float]
    """Nobody is admitted."""


def classes_of(rules: RaceRules) -> Classes | None:
    """The classes of a game; None if it is not one of these."""
    barrel, opening = rules.barrel, rules.opening
    if barrel is None or opening is None or barrel.fall != "admission" or rules.overtaking is not None:
        return None
    # What a fall leads to is told game by game, so here it may be anything that adds no state.
    forgetful = RaceRules(
        **{**vars(rules), "barrel": BarrelRules(**{**vars(barrel), "fall": "fine", "fine": rules.match.step})}
    )
    model = compile_race(forgetful, 2)
    order = order_of(model)
    unopened = model.numbers[start(rules)]
    seated = [number for number, state in enumerate(model.states) if on_barrel(rules, state)]
    if order is None or len(seated) != 1 or set(fields_in_use(forgetful)) != {"score", "opened"}:
        return None
    if sum(not state.opened for state in model.states) != 1:
        return None
    steps = order.steps[order.steps[:, 1] < len(model.states)]
    reached = np.eye(len(model.states), dtype=bool)
    for state in np.argsort(order.ranks):
        reached[state] |= reached[steps[steps[:, 0] == state, 1]].any(axis=0)
    entered = np.unique(steps[steps[:, 0] == unopened, 1])
    admissions = entered[entered != seated[0]].astype(np.int64)
    if not len(admissions) or model.states[admissions[0]].score != opening.points:
        return None
    return Classes(model, order, unopened, seated[0], admissions, reached[admissions])


def nothing_kept(classes: Classes) -> Kept:
    """What is kept of no games yet."""
    count, states = classes.reached.shape
    cube, square = (count, count, states), (count, states)
    return Kept(np.zeros(cube), np.zeros(cube), np.zeros(square), np.zeros(square), np.zeros((count, count), np.uint8))


def solve_classes(
    sweep: Sweep, classes: Classes, kept: Kept, pause: Callable[[], None], progress: Progress | None = None
) -> None:
    """Solve all games of two classes that are not done yet; ``pause`` is called now and then."""
    lanes = padded(2) // 2  # rows of double precision
    count = len(classes.admissions)
    units = [
        (first, slice(begin, min(begin + lanes, count))) for begin in range(0, count, lanes) for first in range(count)
    ]
    sizes = classes.reached.sum(axis=1)
    costs = np.array([float(sizes[first]) * sizes[seconds].max() for first, seconds in units])
    waiting = [(unit, cost) for unit, cost in zip(units, costs, strict=True) if not kept.done[unit[0], unit[1]].all()]
    left = sum(cost for _unit, cost in waiting)
    while waiting:
        batch, waiting = waiting[: sweep.threads.count], waiting[sweep.threads.count :]
        sweep.threads.each(lambda unit: _solve_unit(sweep, classes, kept, *unit), [unit for unit, _cost in batch])
        left -= sum(cost for _unit, cost in batch)
        pause()
        if progress:
            progress(int(kept.done.sum()), float(left / costs.sum()))


def _solve_unit(sweep: Sweep, classes: Classes, kept: Kept, first_class: int, seconds: slice) -> None:
    """Solve the games of one class for the first player and some for the second."""
    lanes = padded(2) // 2
    numbers = np.arange(*seconds.indices(len(classes.admissions)))
    games = np.concatenate([numbers, np.full(lanes - len(numbers), numbers[-1])])
    admission, others = classes.admissions[first_class], classes.admissions[games]
    lane = np.arange(lanes)
    states = len(classes.model.states)
    first, second = np.zeros((2, states, states, lanes))
    barrel = classes.barrel
    mine = [state for state in np.nonzero(classes.reached[first_class])[0].tolist() if state != barrel]
    theirs = [state for state in np.nonzero(classes.reached[numbers].any(axis=0))[0].tolist() if state != barrel]
    first_thrown = np.zeros(lanes)
    # Both on the barrel: that cannot be, but nothing in a table should be without a meaning.
    _solve(sweep, classes, [(barrel, barrel)], first, second, first_thrown, first_thrown)

    def back(second_thrown: Values) -> Values:
        """What it is worth to the second to have been thrown back, if it is worth so much."""
        _solve(sweep, classes, [(state, barrel) for state in mine], first, second, first_thrown, second_thrown)
        first_thrown[:] = first[admission, barrel]
        _solve(sweep, classes, [(barrel, state) for state in theirs], first, second, first_thrown, second_thrown)
        thrown: Values = second[others, barrel, lane]
        return thrown

    second_thrown = _zero(back, np.full(lanes, 0.5 * sweep.both_win), sweep.least - 1.0, sweep.most + 1.0)
    pairs = [(one, other) for one in mine for other in theirs]
    _solve(sweep, classes, pairs, first, second, first_thrown, second_thrown)
    used = lane[: len(numbers)]
    kept.lower[first_class, numbers] = first[:, others[used], used].T
    kept.upper[first_class, numbers] = second[:, admission, used].T
    if classes.lowest in numbers:
        kept.lower_barrel[first_class] = first[:, barrel, int(np.nonzero(numbers == classes.lowest)[0][0])]
    if first_class == classes.lowest:
        kept.upper_barrel[numbers] = second[:, barrel, used].T
    kept.done[first_class, numbers] = 1


def _solve(
    sweep: Sweep,
    classes: Classes,
    pairs: list[tuple[int, int]],
    first: Values,
    second: Values,
    first_thrown: Values,
    second_thrown: Values,
) -> None:
    """Solve pairs in all games. ConvergenceError if one does not settle."""
    ranks, known = classes.order.ranks, False
    pairs.sort(key=lambda pair: ranks[pair[0]] + ranks[pair[1]])
    for begin in range(0, len(pairs), AT_ONCE):
        sweep.threads.stop_if_interrupted()
        some = np.array(pairs[begin : begin + AT_ONCE], dtype=np.int32)
        _played, unsettled = solve_games(
            sweep.machine, sweep.payoffs, classes.order.near, some, first, second,
            first_thrown, second_thrown, sweep.both_win, sweep.most, TOLL, SETTLED * TOLL, MOST_STEPS, known,
        )  # fmt: skip
        if unsettled:
            raise ConvergenceError(_("{count} match states do not settle").format(count=unsettled))


def _zero(function: Callable[[Values], Values], guess: Values, low: float, high: float) -> Values:
    """Where ``function(x) = x``, for each x by itself, nearly; the function rises, by no more than its argument."""
    lows, highs = np.full_like(guess, low), np.full_like(guess, high)
    last = gain = np.zeros_like(guess)
    for number in range(MOST_PASSES):
        before, gain = gain, function(guess) - guess
        if np.abs(gain).max() <= SETTLED * TOLL:
            return guess
        lows, highs = np.where(gain > 0.0, guess, lows), np.where(gain > 0.0, highs, guess)
        moved = guess - last
        slope = np.zeros_like(guess)
        np.divide(gain - before, moved, out=slope, where=(moved != 0.0) & (number > 0))
        slope = np.clip(1.0 + slope, 0.0, 1.0 - 1e-9) if number else slope
        better = guess + gain / (1.0 - slope)
        middle = 0.5 * (lows + highs)
        wild = ~((lows < better) & (better < highs))
        last, guess = guess, np.where(np.abs(gain) <= SETTLED * TOLL, guess, np.where(wild, middle, better))
    raise ConvergenceError(_("what a fall from the barrel is worth does not settle"))


def solve_before(sweep: Sweep, classes: Classes, kept: Kept) -> Before:
    """Bounds of all match states with somebody who is still to be admitted, from those that are kept."""
    count, states = classes.reached.shape
    lanes = padded(2) // 2
    games = -(-count // lanes) * lanes
    numbers = np.arange(count)
    admissions, barrel, unopened = classes.admissions, classes.barrel, classes.unopened
    admitted = [state for state in range(states) if state != unopened]
    thrown = np.zeros(games)
    nobody = np.zeros(games)

    # The first is admitted: the second's stops lead to lower bounds of the first.
    first, second = np.zeros((2, states, states, games))
    first[:, admissions, :count] = kept.lower.transpose(2, 1, 0)
    first[:, barrel, :count] = kept.lower_barrel.T
    thrown[:count] = kept.lower_barrel[numbers, admissions]
    _solve(sweep, classes, [(state, unopened) for state in admitted], first, second, thrown, nobody)
    first_lower, second_upper = first[:, unopened, :count].T.copy(), second[unopened, :, :count].T.copy()

    # The second is admitted: the first's stops lead to upper bounds of the second.
    first, second = np.zeros((2, states, states, games))
    second[:, admissions, :count] = kept.upper.transpose(2, 0, 1)
    second[:, barrel, :count] = kept.upper_barrel.T
    thrown[:count] = kept.upper_barrel[numbers, admissions]
    _solve(sweep, classes, [(unopened, state) for state in admitted], first, second, nobody, thrown)
    second_lower, first_upper = first[unopened, :, :count].T.copy(), second[:, unopened, :count].T.copy()

    # Nobody is.
    first, second = np.zeros((2, states, states, lanes))
    first[unopened, admissions] = second_lower[numbers, admissions][:, None]
    first[unopened, barrel] = second_lower[classes.lowest, barrel]
    second[unopened, admissions] = second_upper[numbers, admissions][:, None]
    second[unopened, barrel] = second_upper[classes.lowest, barrel]
    _solve(sweep, classes, [(unopened, unopened)], first, second, nobody[:lanes], nobody[:lanes])
    both = float(first[unopened, unopened, 0]), float(second[unopened, unopened, 0])
    return Before(first_lower, first_upper, second_lower, second_upper, both)


def held_bounds(classes: Classes, kept: Kept, before: Before) -> tuple[list[Player], list[Player], Values, Values]:
    """All that was found, as a table holds it: players, the waiters of its columns, and lower and upper bounds.

    Columns are for who is not admitted, for who has just been admitted, by class, and for who has been admitted onto
    the barrel; the last one is for who is not admitted to move.
    """
    states = classes.model.states
    players = classes.players()
    index = {player: number for number, player in enumerate(players)}
    count = len(classes.admissions)

    def member(number: int, state: int) -> Player:
        return states[state]._replace(admission=states[classes.admissions[number]].score)

    nobody = states[classes.unopened]
    admitted = [member(number, state) for number, state in enumerate(classes.admissions)]
    against = [nobody, *admitted, member(classes.lowest, classes.barrel)]
    lower, upper = (np.zeros((len(players), count + 3)) for _bound in range(2))
    for number, reached in enumerate(classes.reached):
        there = np.nonzero(reached)[0].tolist()
        rows = [index[member(number, state)] for state in there]
        for bounds, first, just, barrel, second in (
            (lower, before.first_lower, kept.lower[number], kept.lower_barrel, before.second_lower),
            (upper, before.first_upper, kept.upper[:, number], kept.upper_barrel, before.second_upper),
        ):
            bounds[rows, 0] = first[number, there]
            bounds[rows, 1 : count + 1] = just[:, there].T
            bounds[rows, count + 1] = barrel[number, there]
            bounds[rows, count + 2] = second[number, there]
    row = index[nobody]
    for bounds, both, second in (
        (lower, before.start[0], before.second_lower),
        (upper, before.start[1], before.second_upper),
    ):
        bounds[row, [0, count + 2]] = both
        bounds[row, 1 : count + 1] = second[np.arange(count), classes.admissions]
        bounds[row, count + 1] = second[classes.lowest, classes.barrel]
    return players, against, lower, upper
