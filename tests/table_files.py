"""Table files for the tests: a small one taken apart, and what is said about those that must be refused."""

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from games import shipped_table

from solver.errors import TableError
from solver.table import Table, read_table

SMALL = shipped_table("pig.turns").read_bytes()
_BEGIN = 8 + int.from_bytes(SMALL[:8], "little")
HEADER: dict[str, Any] = json.loads(SMALL[8:_BEGIN])
INFO: dict[str, Any] = json.loads(HEADER["__metadata__"]["kosti"])
DATA = SMALL[_BEGIN:]


def raw(header: object, data: bytes = DATA) -> bytes:
    """A file in the layout of safetensors, whatever the header says."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def with_info(**changes: Any) -> bytes:
    """The small table with other words about itself, and its old checksum."""
    return raw({**HEADER, "__metadata__": {"kosti": json.dumps({**INFO, **changes})}})


def with_array(name: str, **changes: Any) -> bytes:
    """The small table with another description of an array."""
    return raw({**HEADER, name: {**HEADER[name], **changes}})


def refusal(path: Path, content: bytes | None = None, read: Callable[[Path], object] = read_table) -> str:
    """What is said about a file that must be refused."""
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(TableError) as caught:
        read(path)
    message = str(caught.value)
    assert str(path) in message
    assert "\n" not in message
    return message


def read_or_refuse(path: Path) -> Table | None:
    """The table in a file, or None if it is refused in one line."""
    try:
        return read_table(path)
    except TableError as error:
        message = str(error)
    assert "\n" not in message
    return None
