"""A long solve that was interrupted: what is kept of it in the cache, so that the next one goes on from there."""

import hashlib
import json
import os
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from solver.errors import TableError
from solver.library import cache_path
from solver.ruleset import Rules, digest
from solver.table import write_atomically
from solver.text import _

NAME = "kosti"

Kept = TypeVar("Kept", bound=tuple[Any, ...])
"""A named tuple of arrays."""


def unfinished_path(rules: Rules, objective: str) -> Path:
    """Where an unfinished solve is kept."""
    return cache_path(rules, objective, []).with_suffix(".unfinished")


def write_unfinished(rules: Rules, objective: str, kept: Any) -> None:
    """Keep what has been found, in one step. TableError if it cannot be written."""
    from safetensors.numpy import save

    path = unfinished_path(rules, objective)
    content = save(kept._asdict(), {NAME: _mark(rules, objective, kept)})
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TableError(f"{path}: {error.strerror}") from None
    write_atomically(path, lambda file: file.write(content))


def interrupted(rules: Rules, objective: str, kept: Any) -> KeyboardInterrupt:
    """Keep what has been found when the user stops a solve: an interrupt that tells him so. TableError as above."""
    write_unfinished(rules, objective, kept)
    return KeyboardInterrupt(_("stopped; what has been solved is kept, and the same command goes on from there"))


def read_unfinished(rules: Rules, objective: str, empty: Kept) -> Kept | None:
    """What has been found before, shaped like ``empty``; None if there is nothing, or nothing of use."""
    from safetensors import SafetensorError, safe_open

    path = unfinished_path(rules, objective)
    names: Any = empty._fields  # type: ignore[attr-defined]
    size = sum(array.nbytes for array in empty)
    try:
        # Larger than it can be: not ours, and not worth the memory.
        if not path.is_file() or not size < path.stat().st_size < size + (1 << 16):
            return None
        with safe_open(path, "numpy") as file:
            if set(file.keys()) != set(names):
                return None
            kept = type(empty)(*(file.get_tensor(name) for name in names))
            mark = (file.metadata() or {}).get(NAME)
    except (OSError, SafetensorError):
        return None
    shapes = ([(array.shape, array.dtype) for array in arrays] for arrays in (kept, empty))
    alike = next(shapes) == next(shapes)
    return kept if alike and mark == _mark(rules, objective, kept) else None


def forget_unfinished(rules: Rules, objective: str) -> None:
    """Remove what was kept, now that all is done."""
    unfinished_path(rules, objective).unlink(missing_ok=True)


def _mark(rules: Rules, objective: str, kept: tuple[Any, ...]) -> str:
    """Of which game and which version this is, and a checksum."""
    from solver import __version__

    found = hashlib.sha256()
    for array in kept:
        found.update(np.ascontiguousarray(array).data)
    return json.dumps([digest(rules), objective, __version__, os.name, found.hexdigest()])
