"""Kosti: optimal play for dice games, solved exactly, with a proven error bound.

>>> import solver
>>> advice = solver.advise("thousand-classic", score="225", dice="1,5,3,3,4")
>>> advice.choices[0].hold
(1, 5)
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

__all__ = ["advise", "advisor", "load_rules", "read_table", "solve_table", "verify_table", "write_table"]

if TYPE_CHECKING:
    from solver.families import advise, load_rules, solve_table, verify_table
    from solver.race.lookup import advisor
    from solver.table import read_table, write_table

_HOMES = {
    "advise": "solver.families",
    "advisor": "solver.race.lookup",
    "load_rules": "solver.families",
    "solve_table": "solver.families",
    "verify_table": "solver.families",
    "read_table": "solver.table",
    "write_table": "solver.table",
}


def __getattr__(name: str) -> Any:
    # Parts are imported when they are asked for, so that a quick question stays quick.
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
