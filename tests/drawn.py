"""Random rulesets for properties: dice games with any of the rules that the race family knows."""

from games import Data
from hypothesis import strategies as st

STEP = 5


def multiples(low: int, high: int) -> st.SearchStrategy[int]:
    return st.integers(low // STEP, high // STEP).map(lambda steps: STEP * steps)


FINES = multiples(5, 30)
EVERY_SECTION = [
    "opening", "pits", "obstacles", "overtaking", "dump_truck", "bolts", "barrel", "overshoot", "second_try",
    "instant_win",
]  # fmt: skip


@st.composite
def dice_games(
    draw: st.DrawFn, top: int, finishes: list[str], *, any_total: bool, options: bool, least: int = 20
) -> Data:
    """Dice, combinations and a goal. With ``any_total`` every turn total can be made, and stopped at."""
    count = 1 if any_total else draw(st.integers(1, 2))
    faces = draw(st.sampled_from([2, 3, 4, 6]))
    # At least one face is blank, so that a throw of all dice can bring nothing, and one scores a single step.
    scoring = draw(st.permutations(range(1, faces + 1)))[: draw(st.integers(1, faces - 1))]
    single = {str(face): STEP if face == scoring[0] else draw(multiples(5, 15)) for face in scoring}
    # A single die that scores is always all dice: who must throw again could never stop.
    hot_dice = ["may"] if count == 1 else ["may", "must"]
    if options and not any_total:
        hot_dice += ["confirm only"] if count == 1 else ["confirm only", "confirm and end"]
    data: Data = {
        "dice": {
            "count": count,
            "faces": faces,
            "hold": draw(st.sampled_from(["all", "any"])),
            "hot_dice": draw(st.sampled_from(hot_dice)),
        },
        "combinations": {"single": single},
        "match": {"target": draw(multiples(least, top)), "step": STEP, "finish": draw(st.sampled_from(finishes))},
    }
    # With one blank face only, two blank dice would be a doublet.
    if count == 2 and len(scoring) + 2 <= faces and draw(st.booleans()):
        data["combinations"]["doublet"] = {"points": draw(multiples(0 if options else 5, 25))}
    if options:
        if data["dice"]["hold"] == "any":
            data["dice"]["stop_with"] = draw(st.sampled_from(["held dice", "all scoring dice"]))
        if data["dice"]["hot_dice"].startswith("confirm"):
            data["dice"]["confirmed_by"] = draw(st.sampled_from(["any scoring dice", "single dice"]))
        data["match"] |= {"win_at_once": draw(st.booleans()), "min_score": draw(st.sampled_from([0, 0, -10]))}
        if data["match"]["finish"] == "exactly":
            data["match"]["overshoot"] = draw(st.sampled_from(["at once", "on a stop"]))
    return data


@st.composite
def farkles(draw: st.DrawFn, top: int) -> Data:
    """Games with any of the rules of Farkle but last turns: openings, dice left over, toxic throws, gifts."""
    data = draw(dice_games(top, ["at least", "more than"], any_total=False, options=False))
    count, combinations, match = data["dice"]["count"], data["combinations"], data["match"]
    data["dice"]["hold"] = "any"
    match["least_turn"] = draw(st.sampled_from([0, 0, 5, 10]))
    if draw(st.integers(0, 4)) == 0:
        match |= {"finish": "exactly", "overshoot": "given away"}
    if draw(st.booleans()):
        data["opening"] = {"points": draw(multiples(5, 10)), "scope": draw(st.sampled_from(["turn", "first throw"]))}
    if draw(st.booleans()):
        data["bolts"] = {"limit": draw(st.integers(1, 3)), "fine": draw(FINES), "consecutive": True}
        data["bolts"] |= {"before_opening": draw(st.booleans())}
        match["min_score"] = draw(st.sampled_from([0, 0, -10]))
    if draw(st.booleans()) and match.get("overshoot") != "given away":
        data["inherited_dice"] = {"bonus": 5 * draw(st.integers(0, 3))}
        first_throw = data.get("opening", {}).get("scope") == "first throw"
        if count > 1 and "bolts" not in data and not first_throw and draw(st.booleans()):
            data["inherited_dice"] = {"bonus": 0, "points": True}
    if draw(st.booleans()):
        data["toxic"] = {"dice": draw(st.integers(1, count)), "face": draw(st.integers(1, data["dice"]["faces"]))}
        if draw(st.booleans()):  # without the toxic throw no throw of all dice would be lost
            combinations["nothing"] = draw(multiples(5, 15))
    return data


@st.composite
def rulesets(
    draw: st.DrawFn,
    top: int,
    counts: int,
    finishes: list[str],
    sections: list[str],
    *,
    any_total: bool = False,
    options: bool = False,
    least: int = 20,
) -> Data:
    """Dice games with any of the sections, whose counters go up to ``counts``; ``options`` states every key."""
    data = draw(dice_games(top, finishes, any_total=any_total, options=options, least=least))
    target = data["match"]["target"]
    for name in draw(st.sets(st.sampled_from(sections))):
        exact = data["match"]["finish"] == "exactly"
        possible = {
            "overshoot": exact and "barrel" not in data,
            "barrel": "overshoot" not in data if options else not exact,
            "instant_win": data["dice"]["count"] == 2,
        }
        if possible.get(name, True):
            data[name] = draw(_section(name, target, counts, data["dice"], options=options))
    if "opening" not in data and "overshoot" in data:
        data["overshoot"]["reopen"] = False
    barrel = data.get("barrel", {})
    if barrel.get("fall") == "admission" and data.get("opening", {}).get("points", target) >= barrel["start"]:
        barrel["fall"] = "fine"
    if not barrel.get("clamp", True):
        barrel["fine"] = max(barrel["fine"], target - barrel["start"])
    return data


@st.composite
def _section(draw: st.DrawFn, name: str, target: int, counts: int, dice: Data, *, options: bool) -> Data:
    below, number = multiples(5, target - STEP), st.integers(1, counts)
    unlimited = number | st.just("unlimited") if options else number
    low = draw(multiples(5, target - STEP))
    fines = {"fine": draw(FINES)}
    sides = st.sampled_from(["inside", "outside"]) if options else st.just("outside")
    flags = st.booleans() if options else st.just(False)
    match name:
        case "opening":
            points = draw(multiples(5, 15))
            debt = {**fines, "failures": draw(number), "min_score": -draw(multiples(5, 20))}
            return {"points": points, **({"debt": debt} if draw(flags) else {})}
        case "pits" | "obstacles":
            upper = draw(sides)
            high = draw(multiples(low + STEP, target))
            bounds = [[low, high - STEP if upper == "inside" else high]] if high > low + STEP else [[low, high]]
            part: Data = {"bounds": bounds, "upper": upper if high > low + STEP else "outside"}
            if name == "obstacles":
                part["extra_turn"] = draw(st.booleans())
                if options:
                    part["costs"] = draw(st.sampled_from(["every stop", "arrival", "every turn"]))
                if options and part["extra_turn"]:
                    part["extra_turn_comes"] = draw(st.sampled_from(["at once", "next round"]))
                if part["extra_turn"] and draw(st.booleans()):
                    part |= fines
            elif not options:
                del part["upper"]
            return part
        case "overtaking":
            return fines
        case "dump_truck":
            return {"score": draw(below), **({"mid_turn": draw(flags)} if options else {})}
        case "bolts":
            exempt = {flag: draw(st.booleans()) for flag in ("in_pits", "on_barrel", "before_opening")}
            more = {"given_for": draw(st.sampled_from(["turn", "first throw"])), "consecutive": draw(flags)}
            return {"limit": draw(number), **fines, **exempt, **(more if options else {})}
        case "barrel":
            part = {"start": draw(below), "attempts": draw(unlimited), **fines, "falls": draw(unlimited)}
            more = {"clamp": not draw(flags), "cumulative": draw(flags)}
            fall = {
                "fall": draw(st.sampled_from(["fine", "admission"])),
                "thrown_off": draw(st.sampled_from(["fall", "one step"])),
            }
            if options and part["attempts"] == "unlimited" and fall["thrown_off"] == "one step":
                part["falls"] = "unlimited"  # nobody falls
            return {**part, **({**more, **fall} if options else {})}
        case "overshoot":
            falls = draw(unlimited)
            return {"marks": draw(number), **fines, "falls": falls, "reopen": draw(flags) and falls != "unlimited"}
        case "second_try":
            return {"throws": draw(st.sampled_from(["first of the turn", "all dice"])), "retries": draw(number)}
        case "instant_win":
            assert options
            return {"dice": 2, "face": draw(st.integers(1, dice["faces"]) | st.just("any"))}
    raise ValueError(name)
