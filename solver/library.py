"""Where tables come from: a file that the user names, the cache, the package, or a solve now."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from solver.errors import TableError
from solver.ruleset import Rules, digest
from solver.table import Table, TableInfo, read_info, read_table, write_table
from solver.text import _

if TYPE_CHECKING:
    from pathlib import Path

# Without pathlib, as in ``solver.ruleset``.
_PACKAGE = os.path.dirname(__file__)
SHIPPED = (os.path.join(_PACKAGE, "tables"), os.path.join(os.path.dirname(_PACKAGE), "tables"))
"""Inside the installed package, and in a checkout."""


Rows = list[list[int]]
"""Player states, as a table holds them."""


def find_table(
    rules: Rules,
    objective: str,
    *,
    file: "Path | None" = None,
    part: Callable[[], Rows] | None = None,
    suits: Callable[[TableInfo], bool] = lambda _info: True,
    solve: Callable[[], Table] | None = None,
    warn: Callable[[str], None] | None = None,
) -> Table:
    """The table of a game: from ``file`` if given, else from the package, the cache, or made by ``solve`` and cached.

    ``part`` tells where a part of the game begins that would do as well, and ``suits`` whether a table holds what is
    asked. TableError if the file is not a table of this
    game, or if there is none and no ``solve``. A new table that cannot be kept is an answer all the same; ``warn`` is
    told.
    """
    name = digest(rules)
    if file is not None:
        table = read_table(file)
        if table.info.ruleset_sha256 != name or table.info.objective != objective:
            raise TableError(_mismatch(file, table.info, rules, objective))
        return table
    for path in _shipped(objective):
        info = read_info(path)
        if info.ruleset_sha256 == name and not info.starts and suits(info):
            return read_table(path)
    known = _cached(rules, objective, [], damaged_is_none=solve is not None)
    if known is not None and not suits(known.info):
        known = None
    if known is None and part and (starts := part()):
        known = _cached(rules, objective, starts, damaged_is_none=solve is not None)
    if known is not None:
        return known
    if solve is None:
        raise TableError(_("there is no table of this game for the objective {objective}").format(objective=objective))
    table = solve()
    try:
        write_table(cache_path(rules, objective, table.info.starts), table)
    except TableError as error:
        if warn:
            warn(str(error))
    return table


def _cached(rules: Rules, objective: str, starts: Rows, *, damaged_is_none: bool) -> Table | None:
    path = cache_path(rules, objective, starts)
    if not path.exists():
        return None
    try:
        table = read_table(path)
    except TableError:
        if damaged_is_none:
            return None  # it is made anew
        raise
    found = table.info.ruleset_sha256, table.info.objective, table.info.starts
    return table if found == (digest(rules), objective, starts) else None


def cache_path(rules: Rules, objective: str, starts: Rows) -> "Path":
    """Where the table of a game is kept for the next time, or of the part of it that begins with ``starts``."""
    from platformdirs import user_cache_path

    part = "".join("." + "_".join(map(str, row)) for row in starts)
    return user_cache_path("kosti") / f"{digest(rules)[:32]}.{objective}{part}.safetensors"


def _shipped(objective: str) -> list[str]:
    ending = f".{objective}.safetensors"
    return [
        os.path.join(folder, name)
        for folder in SHIPPED
        if os.path.isdir(folder)
        for name in sorted(os.listdir(folder))
        if name.endswith(ending)
    ]


def _mismatch(file: "Path", info: TableInfo, rules: Rules, objective: str) -> str:
    if info.ruleset_sha256 != digest(rules):
        return _("{file}: a table of another ruleset ({found}), not of {wanted}").format(
            file=file, found=info.title or info.ruleset_sha256[:12], wanted=rules.title or digest(rules)[:12]
        )
    return _("{file}: a table for the objective {found}, not for {wanted}").format(
        file=file, found=info.objective, wanted=objective
    )
