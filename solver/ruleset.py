"""Ruleset files: find, read, extend, and the identity of what they say.

A file is TOML and states only what differs from the one it extends:

    extends = "thousand-classic"    # a shipped ruleset, or "other.toml" beside this file
    remove = ["overtaking"]         # sections or keys that are not in force here

    [bolts]
    fine = 50

    [[example]]                     # a test of its own
    throw = "1 1 1 5 2"
    points = 105

Files are data from strangers: they are read within limits, name no code, and can
extend only shipped rulesets and files of their own folder.
"""

import hashlib
import json
import os
import re
import stat
import tomllib
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from solver.errors import RulesetError, UnplayableError
from solver.schema import Problem, Section, nearest, quoted, spelled, write_section
from solver.text import _

# Without pathlib, which takes some milliseconds to import: whoever asks for advice would wait for it.
SHIPPED = os.path.join(os.path.dirname(__file__), "rulesets")
LARGEST_FILE = 20_000
"""Bytes."""
LONGEST_CHAIN = 16
"""Files that extend one another."""
LONG_NUMBER = r"[0-9][0-9_]{1000,}"
REMARKS = ("title", "about")
"""Keys that say nothing about the game."""


class Rules(Section):
    """Base of all that a whole ruleset may say, checked. Each family has its own, with these keys among others."""

    family: str
    title: str
    about: str


class Ruleset(NamedTuple):
    """What a ruleset file says after following ``extends``, not yet checked for meaning."""

    name: str
    """The name of a shipped ruleset, or the path as given."""
    data: dict[str, Any]
    """The merged tables."""
    origins: dict[str, str]
    """From the dotted path of each value to the file that states it."""
    examples: object = ()
    """What the file itself states as ``[[example]]``, not yet checked."""
    removed: Mapping[str, str] = {}
    """From the dotted path of each value that was removed to the file that removed it last."""
    files: tuple[str, ...] = ()
    """The files that extend one another, the oldest first."""


def shipped_names() -> list[str]:
    """Names of the rulesets that come with the package, in alphabetical order."""
    return sorted(name.removesuffix(".toml") for name in os.listdir(SHIPPED) if name.endswith(".toml"))


def load_ruleset(name: str, option: str = "ruleset") -> Ruleset:
    """Read a shipped ruleset by name, or a file by path (anything that ends in .toml or has a folder).

    Raises RulesetError if there is no such ruleset, which ``option`` asked for, or if a file cannot be used.
    """
    loaded = _load(_find(name, option), [])
    examples = loaded.data.pop("example", ())
    return loaded._replace(name=_printable(name), examples=examples)


def report(ruleset: Ruleset, problems: list[Problem]) -> RulesetError:
    """All problems as one error: the first in one line, the others after it in ``error.problems``."""
    lines = [f"{_to_blame(ruleset, problem)}: {problem}" for problem in problems]
    more = _(" (and {count} more, listed by: kosti rules check)").format(count=len(lines) - 1) if lines[1:] else ""
    error = RulesetError(lines[0] + more)
    error.problems = lines  # type: ignore[attr-defined]
    return error


def _to_blame(ruleset: Ruleset, problem: Problem) -> str:
    """The file that brought a problem about: the youngest that states or removes something of what it is about."""
    touched: set[str] = set()
    for path in (problem.where.partition("[")[0], *problem.against):
        for known in (ruleset.origins, ruleset.removed):
            touched |= {file for name, file in known.items() if name == path or name.startswith(path + ".")}
        outer = path
        while outer and not {outer} & {*ruleset.origins, *ruleset.removed}:
            outer = outer.rpartition(".")[0]
        touched |= {known[outer] for known in (ruleset.origins, ruleset.removed) if outer in known}
    return max(touched, key=ruleset.files.index, default=ruleset.name) if ruleset.files else ruleset.name


@contextmanager
def told_of(name: str) -> Iterator[None]:
    """What shows only when a game is looked at as a whole is told of the ruleset, by name or path, that states it."""
    try:
        yield
    except UnplayableError as error:
        raise RulesetError(f"{_printable(name)}: {error}") from None


def canonical(rules: Section) -> str:
    """The text of checked rules that identifies them: every value in force, as JSON with sorted keys.

    Titles and remarks are left out, since they do not change the game, and so are keys that came later and have their
    default, since tables from before are still right. ``from_canonical`` reads it back.
    """
    data = write_section(rules, identity=True)
    return json.dumps({name: data[name] for name in data if name not in REMARKS}, sort_keys=True)


def digest(rules: Section) -> str:
    """SHA-256 of the canonical text, in hexadecimal."""
    return hashlib.sha256(canonical(rules).encode()).hexdigest()


def from_canonical(text: str, name: str) -> Ruleset:
    """The ruleset that a canonical text states."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise RulesetError(_("{name}: the ruleset is not a JSON object").format(name=name))
    return Ruleset(name, data, {})


def _find(name: str, option: str) -> str:
    if name.endswith(".toml") or "/" in name or "\\" in name:
        from pathlib import Path

        return str(Path(name))  # one file has one name
    if name not in shipped_names():
        hint = nearest(name, shipped_names(), _("all are listed by: kosti rules list"))
        raise RulesetError(
            _("{option}: {name} is not a ruleset; {hint}").format(option=option, name=quoted(name), hint=hint)
        )
    return os.path.join(SHIPPED, f"{name}.toml")


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def _label(path: str | os.PathLike[str]) -> str:
    folder, name = os.path.split(path)
    return name.removesuffix(".toml") if folder == SHIPPED else _printable(str(path))


def read_toml(path: str | os.PathLike[str]) -> dict[str, Any]:
    """What a TOML file of a moderate size says. RulesetError if it cannot be read, or is no such file."""
    label = _label(path)
    content = b""
    try:
        # Not blocking: a pipe would wait for a writer.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with open(handle, "rb") as file:
            status = os.fstat(handle)
            regular = stat.S_ISREG(status.st_mode)
            if regular and status.st_size <= LARGEST_FILE:
                content = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise RulesetError(_("{file}: cannot be read: {why}").format(file=label, why=error.strerror)) from None
    except ValueError:
        raise RulesetError(_("{file}: not the name of a file").format(file=label)) from None
    if not regular:
        raise RulesetError(_("{file}: not a regular file").format(file=label))
    if status.st_size > LARGEST_FILE:
        raise RulesetError(
            _("{file}: {size} bytes; allowed: at most {most}").format(
                file=label, size=status.st_size, most=LARGEST_FILE
            )
        )
    try:
        text = content.removeprefix(BOM_UTF8).decode()
    except UnicodeDecodeError:
        raise RulesetError(_("{file}: not valid UTF-8 text").format(file=label)) from None
    try:
        return _parsed(text)
    except (ValueError, RecursionError) as error:
        why = " ".join(str(error).split())[:200] if isinstance(error, ValueError) else _("nested too deep")
        raise RulesetError(_("{file}: not valid TOML: {why}").format(file=label, why=why)) from None


def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:  # more digits than Python reads; fewer are too many as well, and the key at fault can be named
        return tomllib.loads(re.sub(LONG_NUMBER, lambda number: number[0][:1000].rstrip("_"), text))


def _load(path: str, chain: list[str]) -> Ruleset:
    label = _label(path)
    if path in chain:
        names = " -> ".join(_label(link) for link in [*chain, path])
        raise RulesetError(_("{file}: extends goes in a circle: {names}").format(file=_label(chain[0]), names=names))
    if len(chain) >= LONGEST_CHAIN:
        raise RulesetError(
            _("{file}: extends: more than {most} files in a row").format(file=_label(chain[0]), most=LONGEST_CHAIN)
        )
    own = read_toml(path)
    loaded = Ruleset(label, {}, {})
    parent = own.pop("extends", None)
    if parent is not None:
        loaded = _load(_parent(path, parent), [*chain, path])
        family = loaded.data.get("family")
        if own.get("family", family) != family:
            allowed = _("{family}, as in {parent}").format(family=quoted(family), parent=quoted(parent))
            raise RulesetError(f"{label}: {Problem('family', quoted(own['family']), allowed)}")
        # What the file says of itself says nothing of the file that extends it.
        for word in (*REMARKS, "example"):
            loaded.data.pop(word, None)
            loaded.origins.pop(word, None)
    gone = _remove(own.pop("remove", []), loaded.data, loaded.origins, label)
    try:
        _merge(own, loaded.data, loaded.origins, label, "")
    except RecursionError:
        raise RulesetError(_("{file}: nested too deep").format(file=label)) from None
    removed = {**loaded.removed, **dict.fromkeys(gone, label)}
    return loaded._replace(removed=removed, files=(*loaded.files, label))


def _parent(path: str, parent: object) -> str:
    allowed = _('the name of a shipped ruleset, or "name.toml" of the same folder')
    problem = _("{file}: extends: {found}; allowed: {allowed}").format(
        file=_label(path), found=quoted(parent), allowed=allowed
    )
    if not isinstance(parent, str) or "/" in parent or "\\" in parent or "\0" in parent:
        raise RulesetError(problem)
    if parent.endswith(".toml"):
        beside = os.path.join(os.path.dirname(path), parent)
        if not os.path.exists(beside):
            raise RulesetError(problem)
        return beside
    if parent not in shipped_names():
        hint = nearest(parent, shipped_names(), _("all are listed by: kosti rules list"))
        raise RulesetError(f"{problem}; {hint}")
    return os.path.join(SHIPPED, f"{parent}.toml")


def _remove(paths: object, data: dict[str, Any], origins: dict[str, str], label: str) -> list[str]:
    """Take these paths out of the tables; gives those of all values that were there."""
    if not isinstance(paths, list) or not all(isinstance(path, str) for path in paths):
        allowed = _('a list of names, such as ["overtaking"]')
        raise RulesetError(
            _("{file}: remove: {found}; allowed: {allowed}").format(file=label, found=quoted(paths), allowed=allowed)
        )
    gone: list[str] = []
    for path in paths:
        *outer, last = path.split(".")
        table: Any = data
        for name in outer:
            table = table.get(name) if isinstance(table, Mapping) else None
        if not isinstance(table, dict) or last not in table:
            allowed = _("what the extended ruleset has")
            hint = "; " + nearest(last, map(spelled, table)) if isinstance(table, dict) and table else ""
            raise RulesetError(
                _("{file}: remove: {found}; allowed: {allowed}{hint}").format(
                    file=label, found=quoted(path), allowed=allowed, hint=hint
                )
            )
        del table[last]
        for origin in [known for known in origins if known == path or known.startswith(path + ".")]:
            del origins[origin]
            gone.append(origin)
    return gone


def _merge(own: dict[str, Any], data: dict[str, Any], origins: dict[str, str], label: str, prefix: str) -> None:
    for name, value in own.items():
        path = prefix + name
        origins[path] = label
        if isinstance(value, dict):
            if not isinstance(data.get(name), dict):
                data[name] = {}
            _merge(value, data[name], origins, label, path + ".")
        else:
            data[name] = value
