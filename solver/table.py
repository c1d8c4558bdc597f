"""Table files: the values of all match states of a game, with their proven bound.

A table is a safetensors file: eight bytes of header length, a JSON header, then raw
little-endian arrays. Readers exist in many languages, files can be mapped into memory,
and nothing in them can run. Two arrays:

* ``states``: int32 [states, fields], the player states; the fields are named in the header;
* ``values``: float64 [movers, waiters] for two players, [movers] alone, or one for each row where rows are positions.

Where the states follow from the rules in a known order, as those of score sheets do, the header names no fields and
there are no ``states``.

Where values could only be bracketed there is a third, shaped like the values:

* ``margins``: float64, how far each value may be from the truth.

Where dice and points may be left to the player who moves, there is

* ``offered``: float64 [movers, places times dice], the values with every such offer: each waiter has a place for each
  turn total from 0 up to his score, and within a place stand the numbers of dice, from 1 on.

A table may hold some match states only: those against the players named under ``against`` in the header, in its order,
as columns of ``values``; a last column is for the first of these to move against each other player.

The header's metadata has one entry, ``kosti``: a JSON object with the keys of
``TableInfo``. The checksum covers it and all arrays.
"""

import errno
import hashlib
import json
import mmap
import os
import stat
from collections.abc import Callable
from functools import cache
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple, cast, get_origin, get_type_hints

from solver.errors import TableError
from solver.schema import spelled
from solver.text import _

if TYPE_CHECKING:
    from pathlib import Path

PLAIN, PARTIAL, OFFERING = 1, 2, 3
FORMAT = OFFERING
"""Tables that hold every match state are of format 1 still, so that older versions read them, those that hold some only
of format 2, and those with offers of format 3."""
LARGEST_HEADER = 1 << 20
"""Bytes."""
ARRAYS = ("states", "values", "margins", "offered")
BRACKETED = "bracketed"
FileName = str | os.PathLike[str]
NO_STATES = memoryview(b"")
"""The states of a table that names no fields."""


class TableInfo(NamedTuple):
    """What a table file says about itself."""

    format: int
    """Version of this layout; readers refuse newer ones."""
    title: str
    """What people call the game."""
    family: str
    ruleset: str
    """The canonical text of the rules."""
    ruleset_sha256: str
    objective: str
    """``win``, ``stake``, ``turns`` or ``points``."""
    players: int
    fields: list[str]
    """Names of the columns of ``states``."""
    bound: float
    """No value is further from the truth than this, in the unit of the values."""
    quality: str
    """How the bound is known: ``certified``, or ``bracketed`` where a match may stand still."""
    solver_version: str
    sha256: str = ""
    """Of everything else in the file."""
    starts: list[list[int]] = []  # noqa: RUF012 (never changed)
    """For a part of the game, the states from which all of it follows; the key is absent where it is the whole."""
    against: list[list[int]] = []  # noqa: RUF012 (never changed)
    """The only waiters whose match states are held, see above; the key is absent where all are."""
    offers: bool = False
    """Whether there are values with offers, see above; the key is absent where not."""
    positions: bool = False
    """Whether a row of ``states`` is a whole position, of all players; the key is absent where it is of one player."""

    def described(self) -> dict[str, Any]:
        """What the file says, by key."""
        found = self._asdict()
        for name in ("starts", "against", "offers", "positions"):
            if not found[name]:
                del found[name]
        return found


class Table(NamedTuple):
    """A table in memory. Its arrays are plain buffers: NumPy takes them as they are, and can be done without."""

    info: TableInfo
    states: memoryview
    """int32 [states, fields]."""
    values: "memoryview[float]"
    """float64 [movers, waiters] for two players, [movers] alone; or as ``TableInfo.against`` says."""
    margins: "memoryview[float] | None" = None
    """Of bracketed values, shaped like them: no value is further from the truth than its margin."""
    offered: "memoryview[float] | None" = None
    """float64 [movers, places times dice], values with offers of dice and points."""

    def rows(self) -> list[list[int]]:
        """The player states, one list of numbers each."""
        return cast("list[list[int]]", self.states.tolist()) if self.info.fields else []


def write_table(path: "Path", table: Table) -> None:
    """Write a table in one step: either the whole file is there, or nothing has changed.

    TableError if the file cannot be written.
    """
    import numpy as np
    from safetensors.numpy import save

    info = table.info._replace(sha256=_checksum(table))
    arrays = {
        name: np.asarray(array)
        for name, array in table._asdict().items()
        if name in ARRAYS and array is not None and (name != "states" or info.fields)
    }
    content = save(arrays, {"kosti": json.dumps(info.described(), sort_keys=True)})
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TableError(_("{file}: cannot be written: {why}").format(file=path, why=error.strerror)) from None
    write_atomically(path, lambda file: file.write(content))


def check_writable(path: "Path", *, makes_folders: bool = False) -> None:
    """TableError if a file cannot be written there: to be told before long work, not after it.

    ``makes_folders`` where those that are missing will be made, as ``write_table`` does.
    """
    from pathlib import Path

    place = Path(os.path.realpath(path))
    folder = place.parent
    while makes_folders and not os.path.lexists(folder):
        folder = folder.parent
    why = ""
    if os.path.lexists(place) and not os.path.isfile(place):
        why = _("not a regular file")
    elif not os.path.isdir(folder):
        why = os.strerror(errno.ENOTDIR if os.path.lexists(folder) else errno.ENOENT)
    elif not os.access(folder, os.W_OK | os.X_OK):
        why = os.strerror(errno.EACCES)
    if why:
        raise TableError(_("{file}: cannot be written: {why}").format(file=path, why=why))


def write_atomically(path: "Path", write: Callable[[Any], Any]) -> None:
    """Let ``write`` fill a temporary file beside ``path``, then rename it. TableError if that fails."""
    import tempfile
    from pathlib import Path

    path = Path(os.path.realpath(path))
    check_writable(path)
    mask = os.umask(0)
    os.umask(mask)
    name = ""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
        with os.fdopen(handle, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o666 & ~mask)
        Path(name).replace(path)
        name = ""
    except OSError as error:
        raise TableError(_("{file}: cannot be written: {why}").format(file=path, why=error.strerror)) from None
    finally:
        if name:
            Path(name).unlink()


def read_info(path: FileName) -> TableInfo:
    """What a table file says about itself, from its header alone. TableError if it is not a table."""
    with _mapped(path) as content:
        return _header(path, content)[0]


def read_table(path: FileName) -> Table:
    """Map a table into memory and check it against its own checksum.

    TableError if it is damaged, foreign or too new.
    """
    content = memoryview(_mapped(path))
    info, arrays, begin = _header(path, content)
    wanted = {"states": info.fields, "margins": info.quality == BRACKETED, "offered": info.offers}
    names = [name for name in ARRAYS if wanted.get(name, True)]
    if set(arrays) != set(names):
        allowed = _("{file}: not a table: it must hold the arrays {names}").format(file=path, names=", ".join(names))
        raise TableError(allowed)
    numbers = {name: _array(path, content[begin:], arrays[name], "F64", "d", 8) for name in names if name != "states"}
    if info.fields:
        states, *spans = _array(path, content[begin:], arrays["states"], "I32", "i", 4)
        count = len(states)
    else:
        states, spans, count = NO_STATES, [], len(numbers["values"][0])
    shape: tuple[int, ...] = (count,)
    if info.players == 2 and not info.positions:
        shape = (count, len(info.against) + 1 if info.against else count)
    edges = [
        0,
        *(edge for span in sorted([*spans, *(span for _a, span in numbers.values())]) for edge in span),
        len(content) - begin,
    ]
    whole = edges[::2] == edges[1::2]
    fit = not info.fields or states.shape == (count, len(info.fields))
    fit = fit and all(
        array.shape == shape or (name == "offered" and array.shape[0] == count)
        for name, (array, _span) in numbers.items()
    )
    if not fit or not whole:
        raise TableError(_("{file}: damaged: its arrays are not what its header says").format(file=path))
    table = Table(info, states, **{name: array for name, (array, _span) in numbers.items()})
    if _checksum(table) != info.sha256:
        raise TableError(_("{file}: damaged: the checksum does not fit; make the table anew").format(file=path))
    return table


def _mapped(path: FileName) -> mmap.mmap:
    try:
        # Not blocking: a pipe would wait for a writer.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with open(handle, "rb") as file:
            status = os.fstat(handle)
            if stat.S_ISREG(status.st_mode) and status.st_size >= 8:
                return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        raise TableError(_("{file}: cannot be read: {why}").format(file=path, why=error.strerror)) from None
    except ValueError:
        raise TableError(_("{file}: not the name of a file").format(file=spelled(path))) from None
    raise TableError(_("{file}: not a table: not a regular file, or too short").format(file=path))


def _header(path: FileName, content: mmap.mmap | memoryview) -> tuple[TableInfo, dict[str, Any], int]:
    """The information, the descriptions of the arrays, and where the data begin."""
    length = int.from_bytes(content[:8], "little")
    if not 0 < length <= min(LARGEST_HEADER, len(content) - 8):
        raise TableError(_("{file}: not a table: its header has no sensible length").format(file=path))
    try:
        arrays = json.loads(bytes(content[8 : 8 + length]))
        found = json.loads(arrays.pop("__metadata__")["kosti"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise TableError(_("{file}: not a table: its header cannot be understood").format(file=path)) from None
    return _checked_info(path, found), arrays, 8 + length


def _array(
    path: FileName, data: memoryview, described: object, dtype: str, code: str, size: int
) -> tuple[Any, tuple[int, int]]:
    """One array as a view of the data, and the bytes that it covers."""
    shape: Any = described.get("shape") if isinstance(described, dict) else None
    offsets: Any = described.get("data_offsets") if isinstance(described, dict) else None
    if (
        not isinstance(described, dict)
        or described.get("dtype") != dtype
        or not _whole_numbers(shape, (1, 2), least=1)
        or not _whole_numbers(offsets, (2,), least=0)
        or not offsets[0] < offsets[1] <= len(data)
        or prod(shape) * size != offsets[1] - offsets[0]
    ):
        raise TableError(_("{file}: damaged: its arrays are not what its header says").format(file=path))
    view: Any = data[offsets[0] : offsets[1]]
    return view.cast(code, shape=shape), (offsets[0], offsets[1])


def _whole_numbers(found: Any, lengths: tuple[int, ...], least: int) -> bool:
    return (
        isinstance(found, list)
        and len(found) in lengths
        and all(type(number) is int and least <= number < 1 << 48 for number in found)
    )


def _numbers(found: object, count: int) -> bool:
    return isinstance(found, list) and len(found) == count and all(type(number) is int for number in found)


@cache
def _header_kinds() -> dict[str, Any]:
    """By key of a header, the type of its value."""
    return get_type_hints(TableInfo)


def _checked_info(path: FileName, found: object) -> TableInfo:
    kinds = _header_kinds()
    if not isinstance(found, dict) or type(found.get("format")) is not int:
        raise TableError(_("{file}: not a table: it names no format").format(file=path))
    if found["format"] > FORMAT:
        raise TableError(
            _("{file}: made by a newer version: format {found}; this version reads up to {known}").format(
                file=path, found=found["format"], known=FORMAT
            )
        )
    found.setdefault("starts", [])
    found.setdefault("against", [])
    found.setdefault("offers", False)
    found.setdefault("positions", False)
    for name, kind in kinds.items():
        if type(found.get(name)) is not (get_origin(kind) or kind):
            raise TableError(_("{file}: damaged: {key} in its header").format(file=path, key=name))
    texts = [found[name] for name, kind in kinds.items() if kind is str] + found["fields"]
    if (
        set(found) != set(kinds)
        or not all(isinstance(text, str) and text.isprintable() for text in texts)
        or found["players"] not in (1, 2)
        or not 0.0 < found["bound"] < 100.0
        or not all(_numbers(row, len(found["fields"])) for row in found["starts"] + found["against"])
        or bool(found["against"]) != (found["format"] == PARTIAL)
        or found["offers"] != (found["format"] == OFFERING)
    ):
        raise TableError(_("{file}: damaged: its header makes no sense").format(file=path))
    return TableInfo(**found)


def _checksum(table: Table) -> str:
    info = table.info._replace(sha256="").described()
    digest = hashlib.sha256(json.dumps(info, sort_keys=True).encode())
    arrays = (table.states, table.values, table.margins, table.offered)
    for array in (array for array in arrays if array is not None):
        digest.update(repr(array.shape).encode())
        digest.update(array)
    return digest.hexdigest()
