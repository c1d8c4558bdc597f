"""Human rules for sheets, as data: a short file or a line of rules, of which the first that applies counts.

    title = "Pairs of sixes at once, else as many equal dice as can be"
    rules = [
        "write pair if throw = 1 and sixes >= 2",
        "keep equal if left > 0",
        "score poker, four, full, triple, sum",
        "write school-1, school-2, small-road, big-road",
    ]

``write`` takes the first open row of its list, ``score`` the first with which the throw scores, ``most`` stands for the
open row that brings most. ``keep`` keeps dice while there are throws left: ``equal``, ``pairs``, ``run``, ``none`` or
faces such as ``6`` or ``5, 6``. ``best`` does what is best for whoever keeps the other rules, ``optimal`` what best
play does. ``never write`` and ``never throw`` bar rows, or further throws, from all rules below them; where nothing
else is left they are dropped. Where no rule applies, ``write most`` does.
"""

import re
from pathlib import Path
from typing import NamedTuple

from solver.errors import PolicyError, RulesetError
from solver.policies.expression import Node, parse
from solver.policies.policy import MOST_RULES, is_path, rule_list
from solver.ruleset import read_toml
from solver.schema import Problem, Section, key, one_of_names, quoted, read_section, words
from solver.sheet.model import SheetModel
from solver.sheet.study.seen import names_of
from solver.text import _

WRITE, SCORE, KEEP_DICE, BEST, OPTIMAL, NEVER_WRITE, NEVER_THROW = (
    "write",
    "score",
    "keep",
    "best",
    "optimal",
    "never write",
    "never throw",
)
VERBS = (NEVER_WRITE, NEVER_THROW, WRITE, SCORE, KEEP_DICE, BEST, OPTIMAL)
"""What a rule may begin with; of two that begin alike the longer one comes first."""
MOST = "most"
"""In place of rows: the open row that brings most, of equal ones the first."""
EQUAL, PAIRS, RUN, NONE = "equal", "pairs", "run", "none"
KEEPS = (EQUAL, PAIRS, RUN, NONE)

_RULE = re.compile(
    rf"\s*({'|'.join(VERBS)})\b(?:\s+(?!if\b)(.*?))?(?:\s+if\s+(.*\S))?\s*",
    re.DOTALL,
)


class SheetRule(NamedTuple):
    """What to do where a condition holds."""

    verb: str
    rows: tuple[int, ...]
    """Numbers of rows, in the order of the rule; empty for ``most``, and for other verbs."""
    keep: str
    """One of ``KEEPS``, or faces in a row such as ``56``; empty for other verbs."""
    condition: Node | None
    """None for always."""
    text: str


class SheetPolicy(NamedTuple):
    """A human rule for a sheet."""

    title: str
    rules: tuple[SheetRule, ...]

    @property
    def is_optimal(self) -> bool:
        """Whether it is best play itself."""
        return bool(self.rules) and self.rules[0].verb in (OPTIMAL, BEST) and self.rules[0].condition is None

    @property
    def guided(self) -> bool:
        """Whether it does somewhere as best play does."""
        return any(rule.verb == OPTIMAL for rule in self.rules)


_RULES = _('a list of at most {most} rules such as "write pair if sixes >= 2", "keep equal", "score most" or "best"')


class SheetPolicyFile(Section):
    """What a policy file for a sheet may say."""

    title: str = key(words(100), _("What people call the rule."), default="")
    about: str = key(words(), _("Anything worth knowing about it."), default="")
    rules: tuple[str, ...] = key(
        rule_list(_RULES.format(most=MOST_RULES)), _("Rules, of which the first that applies counts.")
    )


def load_sheet_policy(given: str, model: SheetModel, option: str) -> SheetPolicy:
    """The policy of a file, by path, or of a line of rules (``is_path`` tells them apart).

    Rules of a line stand between semicolons. PolicyError names ``option`` or the file, and what is wrong.
    """
    if not is_path(given, VERBS):
        texts = [text.strip() for text in given.split(";")]
        return _policy(given, texts, model, option)
    path = Path(given)
    try:
        data = read_toml(path)
    except RulesetError as error:
        raise PolicyError(str(error)) from None
    problems: list[Problem] = []
    file = read_section(SheetPolicyFile, data, problems)
    if file is None:
        raise PolicyError(f"{path}: {problems[0]}")
    return _policy(file.title or path.stem, list(file.rules), model, str(path))


def _policy(title: str, texts: list[str], model: SheetModel, where: str) -> SheetPolicy:
    if len(texts) > MOST_RULES:
        raise PolicyError(
            f"{where}: {len(texts)}; " + _("allowed: {allowed}").format(allowed=_RULES.format(most=MOST_RULES))
        )
    rules = []
    for number, text in enumerate(texts):
        try:
            rules.append(_rule(text, model))
        except PolicyError as error:
            raise PolicyError(f"{where}: rules[{number}]: {error}") from None
    if {BEST, OPTIMAL} <= {rule.verb for rule in rules}:
        raise PolicyError(f"{where}: " + _('rules: "best" and "optimal"; allowed: only one of them in a policy'))
    return SheetPolicy(title, tuple(rules))


def _rule(text: str, model: SheetModel) -> SheetRule:
    match = _RULE.fullmatch(text)
    if match is None:
        allowed = _('"write ROWS", "score ROWS", "keep DICE", "best", "optimal", "never write ROWS" or "never throw"')
        raise PolicyError(quoted(text) + "; " + _("allowed: {allowed}").format(allowed=allowed))
    verb, what, condition = match.groups()
    what = (what or "").strip()
    rows: tuple[int, ...] = ()
    keep = ""
    if verb in (WRITE, SCORE, NEVER_WRITE):
        rows = _rows(what, model, most=verb != NEVER_WRITE)
    elif verb == KEEP_DICE:
        keep = _keep(what)
    elif what:
        raise PolicyError(quoted(what) + "; " + _("allowed: nothing, or if with a condition"))
    return SheetRule(
        verb, rows, keep, parse(condition, names_of(model), match.start(3)) if condition else None, text.strip()
    )


def _rows(text: str, model: SheetModel, *, most: bool) -> tuple[int, ...]:
    names = [row.name for row in model.rows]
    if most and text == MOST:
        return ()
    found = []
    for name in (piece.strip() for piece in text.split(",")):
        if name not in names:
            raise PolicyError(quoted(name) + "; " + _("allowed: {allowed}").format(allowed=one_of_names(name, names)))
        found.append(names.index(name))
    return tuple(found)


def _keep(text: str) -> str:
    faces = re.sub(r"[\s,]+", "", text)
    if text not in KEEPS and not re.fullmatch(r"[1-6]{1,6}", faces):
        allowed = _("{words}, or faces such as 6 or 5, 6").format(words=", ".join(KEEPS))
        raise PolicyError(quoted(text) + "; " + _("allowed: {allowed}").format(allowed=allowed))
    return text if text in KEEPS else faces
