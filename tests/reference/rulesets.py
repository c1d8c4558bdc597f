"""Rulesets for the tests of the reference."""

from typing import Any

Rules = dict[str, Any]

CLASSIC: Rules = {
    "dice": {"count": 5, "faces": 6, "hold": "all", "hot_dice": "must"},
    "combinations": {
        "single": {"1": 10, "5": 5},
        "three": {"1": 100, "2": 20, "3": 30, "4": 40, "5": 50, "6": 60},
        "four": {"1": 200, "2": 40, "3": 60, "4": 80, "5": 100, "6": 120},
        "five": {"1": 1000, "2": 200, "3": 300, "4": 400, "5": 500, "6": 600},
        "straight": {"1-5": 125, "2-6": 250},
    },
    "match": {"target": 1000, "step": 5, "finish": "at least"},
    "opening": {"points": 50},
    "pits": {"bounds": [[200, 300], [600, 700]]},
    "overtaking": {"fine": 50},
    "dump_truck": {"score": 555},
    "bolts": {"limit": 3, "fine": 100},
}
BARREL = {**CLASSIC, "barrel": {"start": 880, "attempts": 3, "fine": 100, "falls": 3}}
BARREL_1005 = {**BARREL, "match": {"target": 1005, "step": 5, "finish": "at least"}}
OPEN_BARREL = {
    **CLASSIC,
    "match": {"target": 1000, "step": 5, "finish": "exactly"},
    "overshoot": {"marks": 6, "fine": 100, "falls": 1},
}
OPEN_BARREL_3 = {**OPEN_BARREL, "overshoot": {"marks": 6, "fine": 100, "falls": 3}}

FARKLE: Rules = {
    "dice": {"count": 6, "hold": "any", "hot_dice": "may"},
    "combinations": {
        "single": {"1": 100, "5": 50},
        "three": {"1": 1000, "2": 200, "3": 300, "4": 400, "5": 500, "6": 600},
    },
    "match": {"target": 50, "step": 50, "finish": "at least"},
}


def coin(target: int, finish: str = "at least", **sections: Any) -> Rules:
    """A die with one blank face and one worth a point; stopping is always allowed."""
    return {
        "dice": {"count": 1, "faces": 2, "hold": "all", "hot_dice": "may"},
        "combinations": {"single": {"2": 1}},
        "match": {"target": target, "step": 1, "finish": finish},
        **sections,
    }


def pig(target: int) -> Rules:
    """Pig: a 1 ends the turn, every other face counts its pips."""
    return {
        "dice": {"count": 1, "hold": "all", "hot_dice": "may"},
        "combinations": {"single": {str(face): face for face in range(2, 7)}},
        "match": {"target": target, "step": 1, "finish": "at least"},
    }


def three_faces(target: int, **sections: Any) -> Rules:
    """A die worth nothing, 1 or 2, and an exact finish."""
    return {
        "dice": {"count": 1, "faces": 3, "hold": "all", "hot_dice": "may"},
        "combinations": {"single": {"2": 1, "3": 2}},
        "match": {"target": target, "step": 1, "finish": "exactly"},
        **sections,
    }


def two_dice(faces: int, **combinations: Any) -> Rules:
    """Two dice whose highest face is worth the one point needed; hot dice must be thrown."""
    return {
        "dice": {"count": 2, "faces": faces, "hold": "all", "hot_dice": "must"},
        "combinations": {"single": {str(faces): 1}, **combinations},
        "match": {"target": 1, "step": 1, "finish": "at least"},
    }
