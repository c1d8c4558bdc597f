"""Plans of a turn, as the chances of all ways in which the turn can end.

With the plans fixed, the value of a match state is linear in those of the states that
may follow it: an expectation over a few dozen outcomes instead of thousands of throws.
Many waiters meet the same plan of a mover, so each plan is pushed forward only once.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.certify import Values
from solver.race.model import RaceModel

LEAST_CHANCE = 1e-3
"""Stops that are rarer than this are counted as a likely stop with about as many points."""


class Plans(NamedTuple):
    """The best plan of each match state, and what the plans of each mover lead to.

    An entry of a mover is one outcome with its chance under each of his plans. Chances add up to one for each plan,
    up to those that are too rare to matter: good enough to correct values, and never used to prove them.
    """

    entry_ptr: NDArray[np.int64]
    """[movers + 1], first entry of each mover."""
    entry_outcome: NDArray[np.int64]
    """[entries], an outcome of the model."""
    entry_chances: NDArray[np.int64]
    """[entries], where the chances of the entry begin."""
    chances: Values
    """By entry, and then by plan of the mover."""
    numbers: NDArray[np.int32]
    """[movers, waiters], the number of the plan among those of the mover; rows are padded."""
    returns: Values
    """[movers, waiters], the chance that both players end their turns without a change; with equal states, that one
    does."""


def chance_pointers(model: RaceModel, counts: NDArray[np.int32]) -> NDArray[np.int64]:
    """Where the chances ``[outcome, plan]`` of each mover begin when all are laid out in a row; [movers + 1].

    ``counts[mover]`` is the number of his plans.
    """
    outcomes = np.diff(model.total_ptr) * model.graph.stop_kinds + model.graph.ends
    return np.concatenate([[0], np.cumsum(outcomes * counts)]).astype(np.int64)


def gather_plans(model: RaceModel, numbers: NDArray[np.int32], counts: NDArray[np.int32], chances: Values) -> Plans:
    """The entries of all movers, from their chances laid out by ``chance_pointers``."""
    pointers = chance_pointers(model, counts)
    tables, outcomes = [], []
    first_end = int(model.total_ptr[-1]) * model.graph.stop_kinds
    for mover, count in enumerate(counts):
        start, end = model.total_ptr[mover : mover + 2] * model.graph.stop_kinds
        table = chances[pointers[mover] : pointers[mover + 1]].reshape(-1, count)
        live, table = _merged(table, end - start)
        ends = first_end + mover * model.graph.ends - (end - start)
        outcomes.append(np.where(live < end - start, start + live, ends + live))
        tables.append(table)
    starts = np.cumsum([0, *(table.size for table in tables)])[:-1]
    return Plans(
        entry_ptr=np.cumsum([0, *map(len, tables)], dtype=np.int64),
        entry_outcome=np.concatenate(outcomes).astype(np.int64),
        entry_chances=np.concatenate(
            [start + np.arange(len(table)) * table.shape[1] for start, table in zip(starts, tables, strict=True)]
        ),
        chances=np.concatenate([table.ravel() for table in tables]),
        numbers=numbers,
        returns=_returns(model, numbers, [table[-model.graph.ends :] for table in tables]),
    )


def _returns(model: RaceModel, numbers: NDArray[np.int32], bust_tables: list[Values]) -> Values:
    movers = len(numbers)
    returns = np.zeros(numbers.shape)
    if numbers.shape[1] < movers:
        return returns  # alone nobody waits
    rows = model.outcome_row[int(model.total_ptr[-1]) * model.graph.stop_kinds :].reshape(movers, -1)
    for mover, table in enumerate(bust_tables):
        stays = rows[mover] == mover
        if stays.any():
            returns[mover, :movers] = table[stays].sum(axis=0)[numbers[mover, :movers]]
    once = np.diag(returns).copy()
    returns[:, :movers] *= returns[:, :movers].T.copy()
    np.fill_diagonal(returns, once)
    return returns


def _merged(table: Values, stops: int) -> tuple[NDArray[np.int64], Values]:
    """Keep the likely ways to stop, and count each rare one as the likely one that is nearest in points.

    ``table[outcome, plan]`` holds chances, of which the first ``stops`` outcomes are stops in order of points.
    """
    chances = table[:stops].max(axis=1)
    live = np.flatnonzero(chances >= min(LEAST_CHANCE, float(chances.max())))
    edges = np.concatenate([[0], (live[1:] + live[:-1] + 1) // 2])
    merged = np.add.reduceat(table[:stops], edges, axis=0)
    return np.concatenate([live, np.arange(stops, len(table))]), np.concatenate([merged, table[stops:]])
