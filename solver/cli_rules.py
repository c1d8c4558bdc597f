"""The commands ``kosti rules``."""

import json
from collections.abc import Iterator
from typing import Any

import click

from solver.console import Commands, as_json, complain, waiting
from solver.errors import RulesetError
from solver.text import _


@click.group(cls=Commands)
def rules() -> None:
    """List, show, compare and check rulesets."""


@rules.command("list")
@click.argument("beginning", default="")
def list_rules(beginning: str) -> None:
    """The shipped rulesets, one line each: all, or those whose names begin so."""
    from solver.families import load_rules
    from solver.ruleset import shipped_names

    names = [name for name in shipped_names() if name.startswith(beginning)]
    if not names:
        raise click.UsageError(_("{beginning}: no ruleset begins so").format(beginning=beginning))
    for name in names:
        click.echo(f"{name:{max(map(len, names))}}  {load_rules(name).title}")


@rules.command("show")
@click.argument("ruleset")
def show_rules(ruleset: str) -> None:
    """Every value in force, and the file that it comes from."""
    from solver.families import read_ruleset
    from solver.ruleset import load_ruleset
    from solver.schema import write_section

    loaded = load_ruleset(ruleset)
    values = dict(_flat(write_section(read_ruleset(loaded)), ""))
    for path, value in values.items():
        click.echo(f"{path} = {json.dumps(value)}  # {loaded.origins.get(path, _('default'))}")


@rules.command("diff")
@click.argument("one")
@click.argument("other")
@as_json
def diff_rules(one: str, other: str, as_json: bool) -> None:
    """What differs between two rulesets, in words."""
    from solver.difference import describe, differences
    from solver.families import load_rules

    ours, theirs = load_rules(one), load_rules(other)
    if as_json:
        found = [difference.to_json() for difference in differences(ours, theirs)]
        click.echo(json.dumps({"rulesets": [one, other], "same": not found, "differences": found}))
    else:
        click.echo(describe((one, other), ours, theirs))


@rules.command("check")
@click.argument("ruleset")
def check_rules(ruleset: str) -> None:
    """Check a ruleset, and list everything that is wrong with it."""
    from solver.families import family_of, load_rules
    from solver.ruleset import told_of

    try:
        loaded = load_rules(ruleset)
        looking = _("looking at every position of {title}").format(title=loaded.title or ruleset)
        with waiting(looking), told_of(ruleset):
            family_of(loaded).check(loaded)
    except RulesetError as error:
        for line in getattr(error, "problems", [str(error)]):
            complain(line)
        raise click.exceptions.Exit(2) from None
    click.echo(_("{ruleset}: in order").format(ruleset=ruleset))


@rules.command("reference")
@click.option("--family", default="race", show_default=True, help=_("The family of games."))
def rules_reference(family: str) -> None:
    """Every section and key that a ruleset file may have, in Markdown."""
    from solver.families import FAMILIES
    from solver.reference import reference
    from solver.schema import quoted

    if family not in FAMILIES:
        found, allowed = quoted(family), ", ".join(FAMILIES)
        raise click.UsageError(_("--family: {found}; allowed: {allowed}").format(found=found, allowed=allowed))
    click.echo(reference(family))


def _flat(data: dict[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for name, value in data.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value
