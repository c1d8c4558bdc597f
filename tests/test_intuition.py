"""The page of beliefs is what its checks say today: a sample is written anew."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent.parent))  # last, so that an installed package is the one that is tested

from docs.intuition.__main__ import CHECKS, PAGE, claims, section
from docs.intuition.findings import Case, verdict
from solver.ruleset import shipped_names

SAMPLE = [
    "thousand-classic-01",
    "thousand-classic-03",
    "thousand-classic-08",
    "thousand-classic-11",
    "thousand-general-02",
    "farkle-01",
    "farkle-06",
    "dice-poker-raznoobrazie-17",
    "dice-poker-series-01",
    "small-01",
    "small-02",
    "small-03",
    "small-06",
]


@pytest.mark.parametrize("name", SAMPLE)
def test_the_page_says_what_the_checks_find(name: str) -> None:
    (claim,) = (claim for claim in claims() if claim.id == name)
    assert section(claim) in PAGE.read_text(encoding="utf-8")


def test_every_claim_is_on_the_page_and_can_be_checked() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for claim in claims():
        assert f"## {claim.id}\n" in page
        assert bool(claim.untested) != bool(claim.checks), claim.id
        assert all(check["check"] in CHECKS for check in claim.checks), claim.id
        assert set(claim.rulesets) <= set(shipped_names()), claim.id
        assert " FILE" not in claim.shown, claim.id  # a reader has no such file


def test_a_verdict_follows_from_its_cases() -> None:
    yes, no = Case("here", True, ""), Case("there", False, "")
    assert [verdict(cases) for cases in ([yes], [no], [yes, no, yes])] == [
        "true",
        "false",
        "true in part. It holds: here; it fails: there",
    ]
