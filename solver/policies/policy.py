"""Policies as data: a short file or a line of rules, of which the first that applies counts.

    title = "Stop at 50, with one die at 30"
    rules = ["stop if turn >= 50", "stop if dice = 1 and turn >= 30", "throw"]
    hold = "most points"

What names the expressions may use depends on the family of the game.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from solver.errors import PolicyError, RulesetError
from solver.policies.expression import Names, Node, parse
from solver.ruleset import read_toml
from solver.schema import Kind, NotAllowedError, Problem, Section, key, one_of, quoted, read_section, words
from solver.text import _

STOP, THROW, BEST, OPTIMAL = "stop", "throw", "best", "optimal"
ACTIONS = (STOP, THROW, BEST, OPTIMAL)
"""What a rule says: stop, throw on, do what is best for whoever keeps the other rules, or do as optimal play does."""
MOST_POINTS, MOST_DICE = "most points", "most dice"
HOLDS = (MOST_POINTS, MOST_DICE, BEST, OPTIMAL)
"""What to hold: what scores most, what leaves most dice to throw, what is best for whoever keeps the rules, or what
optimal play holds."""
MOST_RULES = 100

_RULE = re.compile(rf"\s*({'|'.join(ACTIONS)})(?:\s+if\s+(.*\S)|\s+at\s+([0-9]+))?\s*", re.DOTALL)


class Rule(NamedTuple):
    """What to do where a condition holds."""

    action: str
    """One of ``ACTIONS``."""
    condition: Node | None
    """None for always."""
    text: str


class Policy(NamedTuple):
    """A human rule. Where no rule applies, its player throws on."""

    title: str
    rules: tuple[Rule, ...]
    hold: str
    """One of ``HOLDS``."""

    @property
    def is_optimal(self) -> bool:
        """Whether it is optimal play itself."""
        return self.hold == OPTIMAL and bool(self.rules) and self.rules[0][:2] == (OPTIMAL, None)

    @property
    def guided(self) -> bool:
        """Whether it does somewhere as optimal play does."""
        return self.hold == OPTIMAL or any(rule.action == OPTIMAL for rule in self.rules)

    def names(self) -> set[str]:
        """The names that its conditions use."""
        return set().union(*(rule.condition.names() for rule in self.rules if rule.condition))


BEST_PLAY = Policy("optimal", (Rule(OPTIMAL, None, "optimal"),), OPTIMAL)
"""Optimal play itself."""

_RULES = _('a list of at most {most} rules such as "stop if turn >= 50", "stop at 50", "throw", "best" or "optimal"')


def rule_list(allowed: str) -> Kind:
    """A list of rules as texts, which ``allowed`` describes to people."""

    def texts(value: object) -> tuple[str, ...]:
        if not isinstance(value, list) or not 1 <= len(value) <= MOST_RULES:
            raise NotAllowedError(allowed)
        for number, text in enumerate(value):
            if not isinstance(text, str):
                raise NotAllowedError(allowed, f"[{number}]", text)
        return tuple(value)

    return Kind(texts, allowed, list)


class PolicyFile(Section):
    """What a policy file may say."""

    title: str = key(words(100), _("What people call the rule."), default="")
    about: str = key(words(), _("Anything worth knowing about it."), default="")
    rules: tuple[str, ...] = key(
        rule_list(_RULES.format(most=MOST_RULES)), _("Rules, of which the first that applies counts.")
    )
    hold: str = key(one_of(*HOLDS), _("What to hold, where the rules leave a choice."), default="")


def load_policy(given: str, names: Names, option: str) -> Policy:
    """The policy of a file, by path, or of a line of rules (``is_path`` tells them apart).

    Such a line is ``stop at 50``, or rules with semicolons between them, such as ``stop if dice <= 2; optimal``, the
    last of which may be ``hold most dice``. PolicyError names ``option`` or the file, and what is wrong.
    """
    if is_path(given, ACTIONS):
        return _from_file(Path(given), names)
    texts = [text.strip() for text in given.split(";")]
    hold = ""
    if texts[-1].startswith("hold "):
        hold = texts.pop()[len("hold ") :].strip()
        if hold not in HOLDS:
            raise PolicyError(f"{option}: hold {hold}; " + _("allowed: {words}").format(words=", ".join(HOLDS)))
    try:
        return _policy(given, texts, hold, names)
    except PolicyError as error:
        raise PolicyError(f"{option}: {error}") from None


def is_path(given: str, verbs: Iterable[str]) -> bool:
    """Whether what is given for a policy is a file: it ends in .toml or has a folder, and does not begin as a rule.

    A rule with a division in it is told what is wrong with it, rather than that there is no such file.
    """
    if given.endswith(".toml"):
        return True
    begins_as_rule = re.match(rf"\s*(?:{'|'.join(verbs)})\s", given) is not None
    return ("/" in given or "\\" in given) and not begins_as_rule


def _from_file(path: Path, names: Names) -> Policy:
    try:
        data = read_toml(path)
    except RulesetError as error:
        raise PolicyError(str(error)) from None
    problems: list[Problem] = []
    file = read_section(PolicyFile, data, problems)
    if file is None:
        raise PolicyError(f"{path}: {problems[0]}")
    try:
        return _policy(file.title or path.stem, list(file.rules), file.hold, names)
    except PolicyError as error:
        raise PolicyError(f"{path}: {error}") from None


def _policy(title: str, texts: list[str], hold: str, names: Names) -> Policy:
    rules = []
    for number, text in enumerate(texts):
        match = _RULE.fullmatch(text)
        if match is None:
            allowed = _('"stop at 50", "stop if ...", "throw if ...", "stop", "throw", "best" or "optimal"')
            found = quoted(text)
            raise PolicyError(f"rules[{number}]: {found}; " + _("allowed: {allowed}").format(allowed=allowed))
        action, condition, least = match.groups()
        before = match.start(2)
        if least is not None:
            condition = f"turn >= {least}"
            before = match.start(3) - len("turn >= ")
        try:
            rules.append(Rule(action, parse(condition, names, before) if condition else None, text.strip()))
        except PolicyError as error:
            raise PolicyError(f"rules[{number}]: {error}") from None
    actions = {rule.action for rule in rules} | {hold}
    if {BEST, OPTIMAL} <= actions:
        raise PolicyError(_('rules: "best" and "optimal"; allowed: only one of them in a policy'))
    if not hold:
        hold = OPTIMAL if OPTIMAL in actions else BEST if BEST in actions else MOST_POINTS
    return Policy(title, tuple(rules), hold)
