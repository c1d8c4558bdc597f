"""The commands ``kosti table``."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from solver.console import Commands, as_json, out_option, waiting, working
from solver.text import _


@click.group(cls=Commands)
def table() -> None:
    """Look into table files."""


@table.command("info")
@click.argument("file", type=click.Path(path_type=Path))
@as_json
def table_info(file: Path, as_json: bool) -> None:
    """What a table file says about itself."""
    from solver.table import read_table

    found = read_table(file)
    facts = {**found.info.described(), "player_states": len(found.states)}
    if as_json:
        click.echo(json.dumps(facts))
    else:
        for name, value in facts.items():
            click.echo(f"{name}: {value}")


@table.command("verify")
@click.argument("file", type=click.Path(path_type=Path))
def table_verify(file: Path) -> None:
    """Prove a table anew, from the file alone."""
    from solver.errors import TableError
    from solver.families import verify_table
    from solver.table import read_table

    found = read_table(file)
    with working(_("proving {file}").format(file=file)) as progress:
        certificate = verify_table(found, progress=progress)
    if certificate is None:
        raise TableError(
            _("{file}: its values could not be proven within {bound:.1e}").format(file=file, bound=found.info.bound)
        )
    click.echo(_("{file}: all values proven within {bound:.1e}").format(file=file, bound=certificate.bound))


@table.command("export")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--what",
    type=click.Choice(["values", "decisions"]),
    default="values",
    show_default=True,
    help=_("Values of all match states, or where to stop in them."),
)
@click.option("--format", "kind", type=click.Choice(["csv", "json"]), help=_("By default as the name of --out says."))
@out_option(_("By default standard output."))
def table_export(file: Path, what: str, kind: str | None, out: Path | None) -> None:
    """Write a table as CSV or JSON, for programs that want pure look-up."""
    from solver.export import suffix, write_rows
    from solver.families import family_of, rules_of
    from solver.table import read_table

    found = read_table(file)
    kind = kind or (suffix(out) if out else None) or "csv"
    total = len(found.states) ** found.info.players
    rules = rules_of(found)
    rows = family_of(rules).rows(rules, found, what)
    if out is None:
        write_rows(rows, sys.stdout, kind)
        return
    from io import TextIOWrapper

    from solver.table import write_atomically

    def write(stream: Any) -> None:
        text = TextIOWrapper(stream, "utf-8", newline="")
        with waiting(_("writing {count} match states").format(count=total)):
            write_rows(rows, text, kind)
        text.flush()
        text.detach()

    write_atomically(out, write)
    click.echo(_("{file}: written").format(file=out))
