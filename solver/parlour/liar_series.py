"""One series of liar for any number of players: the tree of announcements, strategies on it, and what they are worth.

With more than two players, who must doubt or believe has not seen the dice that were accepted just before. He knows the
dice that he passed on himself, a round ago, and all that has been announced since. So the series does not fall apart
into games of one signal. Here a strategy knows

* all announcements of the series, which everybody heard;
* when dice are left and thrown: the dice that were accepted;
* when something is announced: the dice that were accepted, and those after the throw;
* when it is doubted or believed: the dice that the player passed on last.

It forgets what its player saw before. A best answer may remember all of it (``liar_best_answer``), so what that gives
away is measured. For two players nothing is forgotten that matters: accepted dice are known to both.

The tree is cut into steps: step ``k`` has one node for each series of ``k`` announcements that were all accepted, and
one edge for each series of ``k + 1``. Remembered hands are axes of arrays, the oldest first; an axis of length 1 stands
for a time before the first throw. Seats count from the player who begins the series, 0, to the left.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from solver.parlour.liar import Rules, cup

TREMBLE = 1e-5
"""Chance with which a choice that is never made is thought of all the same, so that there is an answer to it."""


class Step(NamedTuple):
    """Series of so many announcements, and what may be announced next."""

    holder: int
    """Seat of the one who announces."""
    doubter: int
    """Seat of the one who doubts or believes it."""
    parent: Any
    """For each edge its node, ascending: int array."""
    first: Any
    """For each node its first edge: int array."""
    claim: Any
    """For each edge the number of what is announced: int array."""
    goes_on: Any
    """For each edge whether it may be accepted; those that may are the nodes of the next step: bool array."""
    chances: Any
    """Of each hand after the throw: keeps by hands."""
    within: Any
    """Whether dice may be left: accepted hands by keeps."""
    memory: int
    """Hands that the doubter may have passed on last, or 1 if he has had none."""
    state: tuple[int, ...]
    """Lengths of the axes ``Axes.state``."""


class Policy(NamedTuple):
    """What all players do in one series; each list has one array for each step."""

    keeps: list[Any]
    """How often each part is left: nodes by accepted hands by keeps."""
    announces: list[Any]
    """How often the last announcement is made: edges by accepted hands by hands after the throw."""
    doubts: list[Any]
    """How often it is doubted: edges by the hands that the doubter passed on last."""


class Axes(NamedTuple):
    """Names of the axes of remembered hands, as ``einsum`` takes them."""

    state: str
    """When dice have been accepted: hands of all others in the order of their throws; the last are in the cup."""
    oldest: str
    """The hand that the next doubter passed on."""
    cup: str
    thrown: str
    """The hand after the throw."""
    after: str
    """``state`` at the next step."""
    rest: str
    """What of ``state`` matters once the announcement is accepted."""


def axes(players: int) -> Axes:
    """The axes for so many players."""
    letters = "ABCDEFGHIJ"[:players]  # small letters name all other axes
    state, after = letters[:-1], letters[1:]
    return Axes(state, letters[0], letters[-2], letters[-1], after, after[:-1] or state)


@cache
def steps(rules: Rules, players: int) -> list[Step]:
    """The tree of announcements of one series."""
    known = cup(rules)
    top, hands = len(known.announcements) - 1, len(known.hands)
    found = []
    last = np.array([-1])
    for number in range(top + 1):
        counts = top - last
        first = np.concatenate([[0], np.cumsum(counts)[:-1]])
        parent = np.repeat(np.arange(len(last)), counts)
        claim = last[parent] + 1 + np.arange(len(parent)) - first[parent]
        state = tuple(hands if index > 0 else 1 for index in range(number - players + 2, number + 1))
        chances, within = (known.chances, known.within) if number else (known.chances[:1], known.within[:1, :1])
        holder, doubter = number % players, (number + 1) % players
        found.append(Step(holder, doubter, parent, first, claim, claim < top, chances, within, state[0], state))
        last = claim[claim < top]
    return found


def moves(step: Step, keeps: Any, announces: Any) -> Any:
    """How likely a hand is thrown and announced so: edges by accepted hands by hands after the throw."""
    return (keeps @ step.chances)[step.parent] * announces


def doubt_payoffs(rules: Rules, step: Step, payoffs: Any, seat: int) -> Any:
    """What doubts are worth to a seat: edges by hands after the throw.

    ``payoffs[holder, true, seat]`` is what a doubt of an announcement that is true or not is worth.
    """
    true = cup(rules).own[None, :] >= step.claim[:, None]
    return np.where(true, payoffs[step.holder, 1, seat], payoffs[step.holder, 0, seat])


def evaluate(rules: Rules, players: int, policy: Policy, payoffs: Any, seat: int) -> list[Any]:
    """What the series is worth to a seat once dice have been accepted: for each step, nodes by ``Axes.state``."""
    names = axes(players)
    worth: list[Any] = []
    for number, step in reversed(list(enumerate(steps(rules, players)))):
        moved = moves(step, policy.keeps[number], policy.announces[number])
        doubt = policy.doubts[number]
        doubted = np.einsum(
            f"e{names.cup}{names.thrown},e{names.thrown}->e{names.cup}",
            moved,
            doubt_payoffs(rules, step, payoffs, seat),
        )
        ones = np.ones(step.state)
        total = np.einsum(
            f"e{names.oldest},e{names.cup},{names.state}->e{names.state}", doubt, doubted, ones, optimize=False
        )
        if worth:
            on = step.goes_on
            later = np.einsum(f"e{names.cup}{names.thrown},e{names.after}->e{names.rest}", moved[on], worth[-1])
            total[on] += np.einsum(f"e{names.oldest},e{names.rest}->e{names.state}", 1.0 - doubt[on], later)
        worth.append(np.add.reduceat(total, step.first, axis=0))
    return worth[::-1]


def forward(players: int, step: Step, reach: Any, moved: Any, accepts: Any) -> Any:
    """How likely the nodes of the next step are: nodes by ``Axes.after``.

    ``reach`` has the same for this step; ``moved`` and ``accepts`` are of the edges that go on.
    """
    names = axes(players)
    parent = step.parent[step.goes_on]
    rest = np.einsum(f"e{names.state},e{names.oldest}->e{names.rest}", reach[parent], accepts)
    return np.einsum(f"e{names.rest},e{names.cup}{names.thrown}->e{names.after}", rest, moved)


def announce_values(players: int, step: Step, reach: Any, doubt: Any, doubted: Any, later: Any) -> Any:
    """What announcements are worth to the holder, times the weight of where he makes them.

    ``reach`` weighs nodes by ``Axes.state``; ``doubted`` has ``doubt_payoffs`` and ``later`` the values of the nodes of
    the next step, None after the last. Edges by accepted hands by hands after the throw.
    """
    names = axes(players)
    here = reach[step.parent]
    value = np.einsum(f"e{names.state},e{names.oldest}->e{names.cup}", here, doubt)[:, :, None] * doubted[:, None, :]
    if later is not None:
        on = step.goes_on
        rest = np.einsum(f"e{names.state},e{names.oldest}->e{names.rest}", here[on], 1.0 - doubt[on])
        value[on] += np.einsum(f"e{names.rest},e{names.after}->e{names.cup}{names.thrown}", rest, later)
    return value


class Replies(NamedTuple):
    """What the doubter's choices are worth, times the weight of where he has them; edges by hands he passed on last."""

    doubt: Any
    accept: Any
    """Of the edges that go on alone."""
    weight: Any


def replies(players: int, step: Step, reach: Any, moved: Any, doubted: Any, later: Any) -> Replies:
    """What the doubter's choices are worth; the arguments are those of ``forward`` and ``announce_values``."""
    names = axes(players)
    here = reach[step.parent]
    to_oldest = f"e{names.state},e{names.cup}->e{names.oldest}"
    doubt = np.einsum(
        to_oldest, here, np.einsum(f"e{names.cup}{names.thrown},e{names.thrown}->e{names.cup}", moved, doubted)
    )
    weight = np.einsum(to_oldest, here, moved.sum(axis=2))
    if later is None:
        return Replies(doubt, None, weight)
    on = step.goes_on
    then = np.einsum(f"e{names.cup}{names.thrown},e{names.after}->e{names.rest}", moved[on], later)
    accept = np.einsum(f"e{names.state},e{names.rest}->e{names.oldest}", here[on], then)
    return Replies(doubt, accept, weight)
