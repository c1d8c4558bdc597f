"""Rows as CSV or JSON, for programs that want pure look-up."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

Row = dict[str, Any]


def write_rows(rows: Iterator[Row], file: TextIO, kind: str) -> None:
    """Write rows as ``csv`` or ``json``, one at a time."""
    if kind == "json":
        for number, row in enumerate(rows):
            file.write("[\n" if number == 0 else ",\n")
            file.write(json.dumps(row))
        file.write("\n]\n")
        return
    writer = None
    for row in rows:
        if writer is None:
            writer = csv.DictWriter(file, row.keys(), lineterminator="\n")
            writer.writeheader()
        writer.writerow({name: _cell(value) for name, value in row.items()})


def _cell(value: object) -> object:
    if not isinstance(value, list):
        return repr(value) if isinstance(value, float) else value
    return " ".join(f"{low}-{'' if high is None else high}" for low, high in value)


def suffix(path: Path) -> str | None:
    """The kind of file that a name asks for, if it does."""
    return path.suffix.lower().lstrip(".") if path.suffix.lower() in (".csv", ".json") else None
