"""The values of liar: series by series, from the highest announcement down."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from solver.errors import ConvergenceError
from solver.parlour.liar import Rules, cup, doubt_worth, stake_pairs
from solver.parlour.signals import Equilibrium, Signals, conceded, solve
from solver.ruleset import canonical, digest
from solver.table import FORMAT, Table, TableInfo
from solver.text import _

FIELDS = ["stakes", "other_stakes", "dice", "claim"]
"""Stakes of who is to announce and of the other, number of the dice in the cup and of the announcement that stands;
-1 for both at the start of a series."""
CLOSE = 1e-10
"""Bounds of a value that are as close as this need no linear program of their own."""
ROUNDING = 1e-14
"""More than the rounding of one game of one signal, whose values are averages of chances."""

Progress = Callable[[int, float], None]
Starts = dict[tuple[int, int], float]


class Series(NamedTuple):
    """Chances to win for who is to announce, with certain stakes."""

    values: Any
    """``values[dice, claim]``; the highest announcement cannot be accepted, so it has no column."""
    start: float
    """At the start of the series."""
    error: float
    """No value of this series is further from the truth, if those that it rests on are right."""


def signals(rules: Rules, stakes: tuple[int, int], claim: int, following: Any, starts: Starts) -> Signals:
    """The game of one signal above ``claim``, with all keeps as sources; ``following`` are the other's values."""
    known = cup(rules)
    higher = np.arange(claim + 1, len(known.announcements))
    true, false = (doubt_worth(*stakes, starts, true=truth) for truth in (True, False))
    doubted = np.where(known.own[:, None] >= higher, true, false)
    accepted = np.zeros(doubted.shape)  # the highest must be doubted
    accepted[:, :-1] = 1.0 - following[:, claim + 1 :]
    return Signals(known.chances, doubted, accepted, higher == higher[-1])


def solve_series(
    rules: Rules, stakes: tuple[int, int], starts: Starts, step: Callable[[], None] | None = None
) -> tuple[Series, Series]:
    """The series of a player with these stakes, and that of the other, which rest on one another.

    ``step`` is called after each announcement.
    """
    known = cup(rules)
    size = len(known.announcements) - 1
    pairs = (stakes, stakes[::-1])
    values = [np.zeros((len(known.hands), size)) for _role in pairs]
    errors = [0.0, 0.0]
    same = stakes[0] == stakes[1]
    for claim in reversed(range(size)):
        gaps = [0.0, 0.0]
        for role in (0,) if same else (0, 1):
            game = signals(rules, pairs[role], claim, values[0 if same else 1 - role], starts)
            values[role][:, claim], gaps[role] = _positions(rules, game)
        errors = [max(errors) + gap + ROUNDING for gap in gaps]
        if step:
            step()
    found = []
    for role in (0,) if same else (0, 1):
        game = signals(rules, pairs[role], -1, values[0 if same else 1 - role], starts)
        begun = solve(game._replace(chances=game.chances[:1]))
        error = max(errors) + (begun.high - begun.low) / 2.0 + ROUNDING
        found.append(Series(values[role], (begun.high + begun.low) / 2.0, error))
    return found[0], found[-1]


def _positions(rules: Rules, game: Signals) -> tuple[Any, float]:
    """The value for each hand in the cup, and a bound on the error of all.

    Hands that let a player leave the same useful dice are worth the same. So doubts that were found for one hand bound
    the value of another from above, and keeps that were mixed for one bound it from below wherever they may be left.
    """
    known = cup(rules)
    values = np.zeros(len(known.hands))
    gap = 0.0
    ceilings: list[Any] = []
    floors: list[tuple[Any, float]] = []
    for hand in np.argsort(known.within.sum(axis=1), kind="stable").tolist():
        keeps = np.flatnonzero(known.within[hand])
        high = min((float(ceiling[keeps].max()) for ceiling in ceilings), default=np.inf)
        low = max((floor for used, floor in floors if known.within[hand, used].all()), default=-np.inf)
        if high - low > CLOSE:
            found = solve(game._replace(chances=game.chances[keeps]))
            ceilings.append(conceded(game, found.doubt))
            # What the mix wins with all its keeps is a floor where all of them can be left.
            floors.append((keeps[found.sources > 0.0], found.low))
            high, low = min(high, found.high), max(low, found.low)
        values[hand] = (high + low) / 2.0
        gap = max(gap, (high - low) / 2.0)
    return values, gap


def make_table(rules: Rules, *, tolerance: float = 1e-6, progress: Progress | None = None) -> Table:
    """All values as a table with a proven bound. ConvergenceError if that is above ``tolerance``."""
    from solver import __version__

    known = cup(rules)
    starts: Starts = {}
    rows: list[list[int]] = []
    values: list[float] = []
    error = total = 0.0
    pairs = [pair for pair in stake_pairs(rules) if pair[0] >= pair[1]]
    by_stakes: dict[int, float] = {}
    steps = 0

    def step() -> None:
        nonlocal steps
        steps += 1
        if progress:
            # The bar is full at 1e-12.
            progress(steps, 10.0 ** (-12.0 * steps / (len(pairs) * (len(known.announcements) - 1))))

    for pair in pairs:
        for stakes, series in zip((pair, pair[::-1]), solve_series(rules, pair, starts, step), strict=True):
            if stakes in starts:
                continue
            starts[stakes] = series.start
            rows += [[*stakes, -1, -1], *([*stakes, *place] for place in np.ndindex(series.values.shape))]
            values += [series.start, *series.values.ravel().tolist()]
            # Errors of the values that these rest on come on top: those of one stake fewer on the table.
            error = series.error + by_stakes.get(sum(stakes) - 1, 0.0)
            by_stakes[sum(stakes)] = max(error, by_stakes.get(sum(stakes), 0.0))
            total = max(total, error)
    if total > tolerance:
        raise ConvergenceError(_("the values are proven to {bound:.1e} only").format(bound=total))
    info = TableInfo(
        format=FORMAT,
        title=rules.title,
        family=rules.family,
        ruleset=canonical(rules),
        ruleset_sha256=digest(rules),
        objective="win",
        players=2,
        fields=FIELDS,
        bound=total,
        quality="certified",
        solver_version=__version__,
        positions=True,
    )
    assert len(rows) == len(stake_pairs(rules)) * (1 + len(known.hands) * (len(known.announcements) - 1))
    found: Any = np.array(values)
    return Table(info, np.array(rows, dtype=np.int32).data, found.data)


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

    def game(self, rules: Rules, stakes: tuple[int, int], claim: int) -> Signals:
        """The game of one signal above ``claim``, or with -1 at the start of a series."""
        return signals(rules, stakes, claim, self.series[stakes[::-1]], self.starts)

    def solved(self, rules: Rules, stakes: tuple[int, int], dice: int | None, claim: int) -> tuple[Equilibrium, Any]:
        """Strategies where these dice lie in the cup (None at the start of a series), and the keeps that are mixed."""
        known = cup(rules)
        keeps = np.flatnonzero(known.within[dice]) if dice is not None else np.array([0])
        game = self.game(rules, stakes, claim)
        return solve(game._replace(chances=game.chances[keeps])), keeps


def verify(rules: Rules, table: Table) -> float | None:
    """How far the values are from what every game of one signal makes of them; None beyond the bound of the table.

    Each game is solved anew, upon the values of the table for all that follows.
    """
    known = cup(rules)
    size = len(known.announcements) - 1
    block = 1 + len(known.hands) * size
    pairs = stake_pairs(rules)
    if table.info.fields != FIELDS or len(table.values) != block * len(pairs):
        return None
    wanted = {
        pair: [[*pair, -1, -1], *([*pair, *place] for place in np.ndindex(len(known.hands), size))] for pair in pairs
    }
    rows = table.rows()
    if any(
        rows[begin : begin + block] != wanted.get((rows[begin][0], rows[begin][1]))
        for begin in range(0, len(rows), block)
    ):
        return None
    found = Values(rules, table)
    if set(found.series) != set(pairs) or not np.isfinite(np.asarray(table.values)).all():
        return None
    distance = 0.0
    for stakes, values in found.series.items():
        for claim in range(size):
            anew, gap = _positions(rules, found.game(rules, stakes, claim))
            distance = max(distance, float(np.abs(anew - values[:, claim]).max()) + gap)
        begun, _keeps = found.solved(rules, stakes, None, -1)
        distance = max(distance, abs((begun.high + begun.low) / 2.0 - found.starts[stakes]))
    # An error at one place is carried on at most once to each announcement and stake below it.
    longest = (size + 2) * (max(sum(pair) for pair in pairs))
    total = longest * (distance + ROUNDING)
    return total if total <= longest * table.info.bound else None
