"""Settings by KataGo's names: which of our options they are, and which mean nothing here.

``kata-set-param`` and the field ``overrideSettings`` of JSON queries take the same names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from montego.engine.options.option import InvalidOption
from montego.engine.options.table import find_option
from montego.go.vocabulary.errors import GoError
from montego.gtp.json.fields import InvalidQuery, read_number, read_whole

if TYPE_CHECKING:
    from montego.engine.options.options import Options

MOST_VISITS = 2**50
"""Of a limit, as KataGo has it. No search comes near; a larger number is a mistake."""

KATAGO_NAMES = {
    "maxvisits": "simulations",
    "maxplayouts": "simulations",
    "maxtime": "seconds",
    "numsearchthreads": "threads",
    "lagbuffer": "lag",
    "ponderingenabled": "ponder",
}
"""KataGo's names of what we have too, in small letters."""

UNSUPPORTED = {"playoutdoublingadvantage": "0.0", "analysiswiderootnoise": "0.0"}
"""Settings that programs ask KataGo for, with the only value they can have here."""

SENT_ALWAYS = frozenset(
    {"wideRootNoise", "antiMirror", "rootNumSymmetriesToSample", "nnPolicyTemperature"}
)
"""Settings that programs send with every query and that mean nothing here: not worth a word."""

OF_NO_USE = frozenset(
    """
    analysisWideRootNoise antiMirror chosenMoveTemperature chosenMoveTemperatureEarly
    conservativePass cpuctExploration cpuctExplorationLog cpuctUtilityStdevPrior
    cpuctUtilityStdevPriorWeight cpuctUtilityStdevScale drawEquivalentWinsForWhite
    dynamicScoreCenterScale dynamicScoreCenterZeroWeight dynamicScoreUtilityFactor fpuLossProp
    fpuParentWeightByVisitedPolicy fpuReductionMax humanSLProfile ignoreAllHistory
    ignorePreRootHistory lcbStdevs maxTimePondering maxVisitsPondering minVisitPropForLCB
    nnPolicyTemperature noResultUtilityForWhite playoutDoublingAdvantage
    playoutDoublingAdvantagePla rootDesiredPerChildVisitsCoeff rootDirichletNoiseWeight
    rootDirichletNoiseTotalConcentration rootEndingBonusPoints rootFpuLossProp
    rootFpuReductionMax rootNoiseEnabled rootNumSymmetriesToSample rootPolicyTemperature
    rootPolicyTemperatureEarly rootPruneUselessMoves rootSymmetryPruning
    staticScoreUtilityFactor subtreeValueBiasFactor useGraphSearch useLcbForSelection
    useUncertainty valueWeightExponent wideRootNoise winLossUtilityFactor
    """.lower().split()
)
"""KataGo's names, in small letters, of what a search without a network does not have."""

_SECTIONS = ("search", "playouts", "priors")
_PERSPECTIVES = {"sidetomove": "side-to-move", "black": "black", "white": "white"}


def option_name(name: str) -> str:
    """Return our name of a setting that may go by KataGo's. Whether we have it is not looked at.

    Raises:
        InvalidOption: If it is one of KataGo's that means nothing here.
    """
    key = name.strip().lower()
    if key in OF_NO_USE:
        raise InvalidOption(f"{name.strip()} is a setting of KataGo's, of no effect here")
    return KATAGO_NAMES.get(key, name)


def override(
    given: dict[str, Any], options: Options
) -> tuple[dict[str, Any], Options, list[tuple[str, str]]]:
    """Return the limits in a query's settings by KataGo's names, options with ours, and warnings.

    What is unknown, of no use or not to be set by a query brings a warning.

    Raises:
        InvalidQuery: If a limit or the perspective cannot have its value.
    """
    limits: dict[str, Any] = {}
    warnings = []
    for name, value in given.items():
        try:
            if name == "reportAnalysisWinratesAs":
                options = options.replace(perspective=_perspective(value))
            elif name in ("maxVisits", "maxPlayouts"):
                limits["maxVisits"] = read_whole(value, 1, MOST_VISITS)
            elif name == "maxTime":
                limits["maxTime"] = read_number(value, 0.001, 1e6)
            elif name == "analysisPVLen":
                limits["analysisPVLen"] = read_whole(value, 1, 1000)
            elif name not in SENT_ALWAYS:
                options = _with_option(options, option_name(name), value)
        except InvalidOption as error:
            warnings.append(("overrideSettings", f"{name[:60]}: {error}"))
        except GoError as error:
            raise InvalidQuery(f"{name}: {error}", "overrideSettings") from None
    return limits, options, warnings


def _perspective(value: Any) -> str:
    perspective = _PERSPECTIVES.get(str(value).lower())
    if perspective is None:
        raise GoError("must be BLACK, WHITE or SIDETOMOVE")
    return perspective


def _with_option(options: Options, name: str, value: Any) -> Options:
    option = find_option(name)
    # Whoever may ask for positions need not be trusted with files and programs.
    if option.name != "threads" and (option.section not in _SECTIONS or option.kind == "file"):
        raise InvalidOption("cannot be set for a query")
    if isinstance(value, (dict, list)):
        raise InvalidOption("a setting is a number, a word, true or false")
    text = option.format(value) if not isinstance(value, str) else value
    return options.set(name, text)
