"""The values of liar: series by series, from the highest announcement down."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from solver.errors import ConvergenceError
from solver.parlour.liar import Rules, cup, doubt_worth, stake_pairs
from solver.parlour.signals import Equilibrium, Signals, conceded, guaranteed, solve
from solver.ruleset import canonical, digest
from solver.table import PLAIN, Table, TableInfo
from solver.text import _
from solver.unfinished import forget_unfinished, interrupted, read_unfinished, write_unfinished

FIELDS = ["stakes", "other_stakes", "dice", "claim"]
"""Stakes of who is to announce and of the other, number of the dice in the cup and of the announcement that stands;
-1 for both at the start of a series."""
OBJECTIVE = "win"
CLOSE = 1e-10
"""Bounds of a value that are as close as this need no linear program of their own."""
ROUNDING = 1e-14
"""More than the rounding of one game of one signal, whose values are averages of chances."""
LARGE = 4_000
"""Hands times announcements from which on linear programs take hours: five dice have 9,576, four have 3,528."""
FINE, COARSE, USUAL = 1e-9, 1e-5, 2e-3
"""Errors: usual for a small game; those of a large one that counterfactual regrets can do; and what is usual there."""
PARTS = 4.0
"""What best answers may gain in one game of one signal is the tolerance over this; later errors come on top."""
ROUNDS = 20_000
"""Most rounds of counterfactual regrets in one game of one signal."""
PAUSE = 30.0
"""Seconds after which what has been found is written to the cache."""

Progress = Callable[..., None]
Starts = dict[tuple[int, int], float]


class Method(NamedTuple):
    """How games of one signal are solved. What comes out is measured by best answers in any case."""

    solve: Callable[[Signals], Equilibrium]
    close: float
    """Bounds of a value that are as close as this need no solution of their own."""


class Bounds(NamedTuple):
    """What best answers to the strategies that were found make of every value; not-a-number where none were yet."""

    low: Any
    """``low[pair, dice, claim]``, by ``stake_pairs``; the highest announcement cannot be accepted and is left out."""
    high: Any
    starts: Any
    """``starts[pair]``, low and high, at the start of a series."""
    close: Any
    """That of the method, alone."""


class Views(NamedTuple):
    """One game of one signal, with the later values at the middle of their bounds, and as bad and good as can be."""

    middle: Signals
    worst: Signals
    best: Signals


def is_large(rules: Rules) -> bool:
    """Whether linear programs would take hours."""
    known = cup(rules)
    return len(known.hands) * len(known.announcements) >= LARGE


def usual_tolerance(rules: Rules) -> float:
    """The error bound that a solve is to prove if nothing else is said."""
    return USUAL if is_large(rules) else FINE


def method_for(rules: Rules, tolerance: float) -> Method:
    """Linear programs where they take no hours or nothing else is exact enough; else counterfactual regrets."""
    if not is_large(rules) or tolerance < COARSE:
        return Method(solve, CLOSE)
    return regrets(tolerance / PARTS)


def regrets(close: float) -> Method:
    """Counterfactual regrets, until best answers gain at most ``close`` in a game of one signal."""
    from solver.parlour import regret

    return Method(partial(regret.solve, close=close, rounds=ROUNDS), close)


def signals(rules: Rules, stakes: tuple[int, int], claim: int, following: Any, starts: Starts) -> Signals:
    """The game of one signal above ``claim``, with all keeps as sources; ``following`` are the other's values."""
    known = cup(rules)
    higher = np.arange(claim + 1, len(known.announcements))
    true, false = (doubt_worth(*stakes, starts, true=truth) for truth in (True, False))
    doubted = np.where(known.own[:, None] >= higher, true, false)
    accepted = np.zeros(doubted.shape)  # the highest must be doubted
    accepted[:, :-1] = 1.0 - following[:, claim + 1 :]
    return Signals(known.chances, doubted, accepted, higher == higher[-1])


def nothing_found(rules: Rules, close: float, pairs: Sequence[tuple[int, int]] = ()) -> Bounds:
    """Bounds of no value yet, for the stakes of the game or for ``pairs``."""
    known = cup(rules)
    shape = len(pairs or stake_pairs(rules)), len(known.hands), len(known.announcements) - 1
    return Bounds(np.full(shape, np.nan), np.full(shape, np.nan), np.full((shape[0], 2), np.nan), np.array([close]))


def solve_bounds(
    rules: Rules,
    method: Method,
    bounds: Bounds,
    step: Callable[[], None] | None = None,
    pairs: Sequence[tuple[int, int]] = (),
) -> None:
    """Find all bounds that are not known yet, from the fewest stakes and the highest announcement on.

    At each place the strategies are those of the game with middle values; low is what the announcer's win against the
    best answers here and later, high what the other's concede to them. ``step`` is called after each announcement.
    ``pairs`` are the stakes that ``bounds`` were made for, if not those of the game; none may rest on others.
    """
    pairs = pairs or stake_pairs(rules)
    size = bounds.low.shape[2]
    for pair in (pair for pair in pairs if pair[0] >= pair[1]):
        roles = list(dict.fromkeys((pair, pair[::-1])))
        for claim in reversed(range(-1, size)):
            for stakes in roles:
                here = pairs.index(stakes)
                if not np.isnan(bounds.starts[here, 0] if claim < 0 else bounds.low[here, 0, claim]):
                    continue
                views = _views(rules, bounds, stakes, claim, pairs)
                if claim < 0:
                    bounds.starts[here] = _start(views, method)
                else:
                    low, high = _positions(rules, views, method)
                    bounds.high[here, :, claim], bounds.low[here, :, claim] = high, low
            if step:
                step()


def _views(
    rules: Rules, bounds: Bounds, stakes: tuple[int, int], claim: int, pairs: Sequence[tuple[int, int]] = ()
) -> Views:
    pairs = pairs or stake_pairs(rules)
    other = pairs.index(stakes[::-1])
    low, high = (dict(zip(pairs, bounds.starts[:, side].tolist(), strict=True)) for side in (0, 1))
    middle = {pair: (low[pair] + high[pair]) / 2.0 for pair in pairs}
    return Views(
        signals(rules, stakes, claim, (bounds.low[other] + bounds.high[other]) / 2.0, middle),
        signals(rules, stakes, claim, bounds.high[other], high),  # what is good for the other is bad for the announcer
        signals(rules, stakes, claim, bounds.low[other], low),
    )


def _start(views: Views, method: Method) -> tuple[float, float]:
    """Bounds of the value at the start of a series, when all dice are thrown."""
    found = method.solve(views.middle._replace(chances=views.middle.chances[:1]))
    high = float(conceded(views.best, found.doubt)[0])
    return guaranteed(views.worst, found.sent) - ROUNDING, high + ROUNDING


def _positions(rules: Rules, views: Views, method: Method) -> tuple[Any, Any]:
    """Bounds of the value for each hand in the cup.

    Hands that let a player leave the same useful dice are worth the same. So doubts that were found for one hand bound
    the value of another from above, and keeps that were mixed for one bound it from below wherever they may be left.
    """
    known = cup(rules)
    low, high = np.full(len(known.hands), -np.inf), np.full(len(known.hands), np.inf)
    near_low, near_high = low.copy(), high.copy()  # the same for middle values, by which it is seen what is solved
    for hand in np.argsort(known.within.sum(axis=1), kind="stable").tolist():
        if near_high[hand] - near_low[hand] <= method.close:
            continue
        keeps = np.flatnonzero(known.within[hand])
        found = method.solve(views.middle._replace(chances=views.middle.chances[keeps]))
        can = known.within[:, keeps[found.sources > 0.0]].all(axis=1)
        near_low[can] = np.maximum(near_low[can], found.low)
        low[can] = np.maximum(low[can], guaranteed(views.worst, found.sent) - ROUNDING)
        for game, most in ((views.middle, near_high), (views.best, high)):
            each = np.where(known.within, conceded(game, found.doubt), -np.inf).max(axis=1)
            np.minimum(most, each + ROUNDING, out=most)
    return low, high


def make_table(
    rules: Rules,
    *,
    tolerance: float | None = None,
    method: Method | None = None,
    progress: Progress | None = None,
    resume: bool = False,
) -> Table:
    """All values as a table with a proven bound. ConvergenceError if that is above ``tolerance``.

    With ``resume`` an interrupted solve is kept in the cache and taken up again.
    """
    from solver import __version__

    known = cup(rules)
    tolerance = usual_tolerance(rules) if tolerance is None else tolerance
    method = method or method_for(rules, tolerance)
    bounds = _all_bounds(rules, method, progress, resume=resume)
    rows: list[list[int]] = []
    values: list[float] = []
    for pair, low, high, (start_low, start_high) in zip(
        stake_pairs(rules), bounds.low, bounds.high, bounds.starts.tolist(), strict=True
    ):
        rows += [[*pair, -1, -1], *([*pair, *place] for place in np.ndindex(low.shape))]
        values += [(start_low + start_high) / 2.0, *((low + high) / 2.0).ravel().tolist()]
    bound = float(max((bounds.high - bounds.low).max(), (bounds.starts[:, 1] - bounds.starts[:, 0]).max())) / 2.0
    if bound > tolerance:
        raise ConvergenceError(_("the values are proven to {bound:.1e} only").format(bound=bound))
    info = TableInfo(
        format=PLAIN,
        title=rules.title,
        family=rules.family,
        ruleset=canonical(rules),
        ruleset_sha256=digest(rules),
        objective=OBJECTIVE,
        players=2,
        fields=FIELDS,
        bound=bound,
        quality="certified",
        solver_version=__version__,
        positions=True,
    )
    assert len(rows) == len(stake_pairs(rules)) * (1 + len(known.hands) * (len(known.announcements) - 1))
    found: Any = np.array(values)
    return Table(info, np.array(rows, dtype=np.int32).data, found.data)


def _all_bounds(rules: Rules, method: Method, progress: Progress | None, *, resume: bool) -> Bounds:
    empty = nothing_found(rules, method.close)
    bounds = (read_unfinished(rules, OBJECTIVE, empty) if resume else None) or empty
    if bounds.close.tolist() != empty.close.tolist():
        bounds = empty  # found by another method
    tell = _counted(rules, progress or (lambda *_told: None))
    steps, saved = 0, time.monotonic()

    def step() -> None:
        nonlocal steps, saved
        steps += 1
        tell()
        if resume and time.monotonic() - saved > PAUSE:
            write_unfinished(rules, OBJECTIVE, bounds)
            saved = time.monotonic()

    try:
        solve_bounds(rules, method, bounds, step)
    except KeyboardInterrupt:
        if resume and steps:
            raise interrupted(rules, OBJECTIVE, bounds) from None
        raise
    if resume:
        forget_unfinished(rules, OBJECTIVE)
    return bounds


def _counted(rules: Rules, progress: Progress) -> Callable[[], None]:
    """A step of ``solve_bounds`` that tells how far it is."""
    total = len(cup(rules).announcements) * sum(one >= other for one, other in stake_pairs(rules))
    numbers = count(1)

    def step() -> None:
        number = next(numbers)
        progress(number, 0.0, number / total)

    return step


def report(rules: Rules, table: Table) -> tuple[dict[str, Any], str]:
    """What a solve has found, as plain data and as text."""
    value = Values(rules, table).starts[rules.stakes, rules.stakes]
    facts = {"objective": "win", "positions": len(table.values), "value": value, "bound": table.info.bound}
    text = _("{title}: {positions} positions; who begins wins with chance {value:.12f}, proven within {bound:.1e}")
    return facts, text.format(title=rules.title, **{name: fact for name, fact in facts.items() if name != "objective"})


class Values:
    """A table of liar, by stakes."""

    def __init__(self, rules: Rules, table: Table) -> None:
        known = cup(rules)
        shape = len(known.hands), len(known.announcements) - 1
        block = 1 + shape[0] * shape[1]
        states, values = np.asarray(table.states), np.asarray(table.values)
        self.bound = table.info.bound
        self.starts: Starts = {}
        self.series: dict[tuple[int, int], Any] = {}
        for begin in range(0, len(values), block):
            stakes = int(states[begin, 0]), int(states[begin, 1])
            self.starts[stakes] = float(values[begin])
            self.series[stakes] = values[begin + 1 : begin + block].reshape(shape)

    @classmethod
    def of(cls, pairs: Sequence[tuple[int, int]], bounds: Bounds) -> Values:
        """The same from bounds that were found for pairs of stakes."""
        found = cls.__new__(cls)
        low, high = bounds.starts.T
        found.bound = float(max((bounds.high - bounds.low).max(), (high - low).max())) / 2.0
        found.starts = dict(zip(pairs, ((low + high) / 2.0).tolist(), strict=True))
        found.series = dict(zip(pairs, (bounds.low + bounds.high) / 2.0, strict=True))
        return found

    def game(self, rules: Rules, stakes: tuple[int, int], claim: int) -> Signals:
        """The game of one signal above ``claim``, or with -1 at the start of a series."""
        return signals(rules, stakes, claim, self.series[stakes[::-1]], self.starts)

    def solved(self, rules: Rules, stakes: tuple[int, int], dice: int | None, claim: int) -> tuple[Equilibrium, Any]:
        """Strategies where these dice lie in the cup (None at the start of a series), and the keeps that are mixed."""
        known = cup(rules)
        keeps = np.flatnonzero(known.within[dice]) if dice is not None else np.array([0])
        game = self.game(rules, stakes, claim)
        return solve(game._replace(chances=game.chances[keeps])), keeps


def verify(rules: Rules, table: Table, progress: Progress | None = None) -> float | None:
    """How far the values may be from the truth, by bounds that are found anew; None beyond the bound of the table."""
    known = cup(rules)
    size = len(known.announcements) - 1
    block = 1 + len(known.hands) * size
    pairs = stake_pairs(rules)
    if table.info.fields != FIELDS or len(table.values) != block * len(pairs):
        return None
    wanted = [[*pair, *place] for pair in pairs for place in [(-1, -1), *np.ndindex(len(known.hands), size)]]
    if table.rows() != wanted or not np.isfinite(np.asarray(table.values)).all():
        return None
    method = method_for(rules, table.info.bound)
    bounds = nothing_found(rules, method.close)
    solve_bounds(rules, method, bounds, _counted(rules, progress) if progress else None)
    found = np.asarray(table.values).reshape(len(pairs), block)
    distances = (
        found[:, 0] - bounds.starts[:, 0],
        bounds.starts[:, 1] - found[:, 0],
        found[:, 1:] - bounds.low.reshape(len(pairs), -1),
        bounds.high.reshape(len(pairs), -1) - found[:, 1:],
    )
    distance = max(float(each.max()) for each in distances)
    # What is found anew may be a little wider than what was found when the table was made.
    return distance if distance <= 2.0 * table.info.bound else None
