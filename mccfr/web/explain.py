"""What each part of a method does and why, in a sentence, and the method as a whole."""

import inspect
from typing import Any, NamedTuple

from mccfr.kernel import averaging, estimators, minimisers, samplers
from mccfr.kernel.estimators import Plain, weighs_opponent_again
from mccfr.kernel.pruning import Prune
from mccfr.kernel.samplers import ALL, draws
from mccfr.solvers.method import FullWidth, Method, PublicChance, PublicOutcome, VectorSampling


class Words(NamedTuple):
    """A part of a method: its name on the page, and what it does and why."""

    title: str
    what: str


SAMPLERS: dict[type, Words] = {
    FullWidth: Words(
        "full width",
        "Every iteration visits the whole game, so every regret is exact and nothing is random.",
    ),
    samplers.External: Words(
        "external sampling",
        "The walker tries all of its own actions, but follows only one random action of chance and of the opponent. In "
        "balanced games a walk visits about the square root of all nodes, and it needs no importance weights.",
    ),
    Prune: Words(
        "external sampling with pruning",
        "The walker tries its own actions except most of those that it does not play and whose regret is far below 0. "
        "Skipped actions keep their regrets, which biases them.",
    ),
    samplers.Outcome: Words(
        "outcome sampling",
        "A walk plays one line from deal to showdown. The walker explores, and its result is divided by the "
        "probability of having played that line, which keeps the mean right but makes the variance large.",
    ),
    samplers.CountedOutcome: Words(
        "outcome sampling that counts",
        "A walk plays one line from deal to showdown. The walker mixes its strategy with actions that it has rarely "
        "drawn at this infoset, and its result is divided by the probability of having played that line.",
    ),
    samplers.Robust: Words(
        "robust sampling",
        "The walker tries a fixed number of its own actions, and every set of them is equally likely. The cost of a "
        "walk is known beforehand, and the weights do not depend on the strategy.",
    ),
    samplers.AverageStrategy: Words(
        "average strategy sampling",
        "The walker tosses a coin for each of its own actions. The coin favours what the average strategy plays, so "
        "the walk spends its time on promising actions, and a floor keeps every action possible.",
    ),
    samplers.Listed: Words(
        "inclusion lists",
        "Some own actions are always tried, and a coin with a fixed probability decides for each of the others.",
    ),
    samplers.Chance: Words(
        "chance sampling",
        "Only chance is drawn. All actions of both players are tried, so a walk is exact for its deal.",
    ),
    samplers.Uniform: Words(
        "uniform sampling",
        "One action is drawn everywhere, all with equal probability, whatever the strategies are. Weights correct for "
        "the difference.",
    ),
    samplers.OnPolicyOpponent: Words(
        "uniform sampling, opponent on policy",
        "The walker draws one of its own actions uniformly, and everybody else's from their own strategy.",
    ),
    samplers.Everything: Words(
        "a walk without sampling",
        "All actions of players and chance are tried: vanilla CFR, node by node.",
    ),
    PublicOutcome: Words(
        "public outcome sampling",
        "One line of public events is drawn, and all hands follow it together.",
    ),
    PublicChance: Words(
        "public chance sampling",
        "Some of the boards that can come are drawn; all hands and all actions follow them.",
    ),
    VectorSampling: Words(
        "sampling in vector form",
        "Actions are drawn for all hands at once, and whole vectors of values come back.",
    ),
}

ESTIMATORS: dict[type, Words] = {
    estimators.Plain: Words(
        "",
        "A visited action counts the value that came back, divided by the probability of the visit. An unvisited "
        "action counts 0. This is right on average.",
    ),
    estimators.Probe: Words(
        "with probing",
        "An unvisited action is probed by a cheap playout instead of counting 0, and a visited one is not divided by "
        "anything. This gives less variance for a few more nodes.",
    ),
    estimators.GeneralProbe: Words(
        "with probing by options",
        "Unvisited actions are probed by playouts, perhaps only some of them, away from the current strategies, or "
        "several at a time. Every value is divided by the probability of having one, which is right on average.",
    ),
    estimators.PageRule: Words(
        "with the opponent's reach counted twice (biased)",
        "An exhibit: the opponent's action is drawn from its strategy, and then the weight is multiplied by its "
        "probability again. Rare branches count too little, and play does not converge.",
    ),
    estimators.Static: Words(
        "with a fixed baseline",
        "The value that came back is compared with that under a fixed strategy, and only the difference is scaled.",
    ),
    estimators.History: Words(
        "with a learned baseline per history",
        "Every action of every history remembers the mean of what came back, and only the difference from it is "
        "scaled. The mean of the estimate does not change, and its variance falls.",
    ),
    estimators.Infoset: Words(
        "with a learned baseline per infoset",
        "The mean of what came back is shared by all histories that the walker cannot tell apart. It learns faster "
        "than a baseline per history, but is less accurate.",
    ),
    estimators.DealtInfoset: Words(
        "with a learned baseline per infoset",
        "The mean of what came back is kept for each public event and own hand.",
    ),
    estimators.Predictive: Words(
        "with the predictive baseline",
        "After each update, the baseline becomes the value under the new strategy, so the next walk is compared with "
        "the value it should find.",
    ),
}

NOTHING_MISSING = "All own actions are tried, so the values that come back are used unchanged: nothing is divided."

MINIMISERS: dict[type, Words] = {
    minimisers.RM: Words("regret matching", "Actions are played in proportion to their positive regrets."),
    minimisers.RMPlus: Words(
        "regret matching+", "Regrets never fall below 0, so an action is played as soon as it becomes good."
    ),
    minimisers.PredictiveRMPlus: Words(
        "predictive regret matching+",
        "The last regret serves as a forecast of the next one, and the strategy already responds to it.",
    ),
    minimisers.AsymmetricRMPlus: Words(
        "predictive regret matching+ with a shorter step",
        "A part of the last regret serves as a forecast of the next one, and the strategy already responds to it.",
    ),
    minimisers.PredictiveDiscounted: Words(
        "predictive and discounted regret matching+",
        "Old regrets are discounted, and the last one serves as a forecast of the next.",
    ),
    minimisers.Scheduled: Words(
        "discounted regrets", "Old regrets are discounted, by exponents that change in the course of the run."
    ),
    minimisers.Discounted: Words(
        "discounted regrets", "Old regrets are discounted, so that early mistakes are forgotten."
    ),
    minimisers.DiscountedAfter: Words(
        "discounted regrets", "Old and new regrets are discounted together after each update."
    ),
    minimisers.Weighted: Words("weighted regrets", "Later iterations count more in the regrets."),
}

AVERAGES: dict[type, Words] = {
    averaging.Average: Words(
        "", "The average grows where the walk reaches the other player's infosets, with the walk's weight."
    ),
    averaging.RestartedAverage: Words(
        "", "The average begins anew from time to time, so that early play is forgotten."
    ),
    averaging.ScheduledAverage: Words(
        "", "Early strategies fade from the average, fast at first and then more slowly."
    ),
    averaging.OwnAverage: Words(
        "averaging at own nodes",
        "The average grows at the walker's own nodes, divided by the probability of reaching them (with others=False "
        "of own draws only, which is biased).",
    ),
    averaging.OptimisticAverage: Words(
        "optimistic averaging (biased)",
        "The average grows at own nodes, as if the strategy had been the same in all iterations since the last visit.",
    ),
}


def words(known: dict[type, Words], part: Any) -> Words:
    """What is known about a part; of a user's own, what its docstring says."""
    doc = (inspect.getdoc(type(part)) or "Your own part.").partition("\n")[0]
    return known.get(type(part)) or Words(type(part).__name__, doc)


def about_method(method: Method) -> dict[str, Any]:
    """A method for the page's menus and headings."""
    parts = {
        "sampler": words(SAMPLERS, method.sampler if method.pruning is None else method.pruning),
        "estimator": words(ESTIMATORS, method.estimator),
        "minimiser": words(MINIMISERS, method.minimiser),
        "averaging": words(AVERAGES, method.averaging),
    }
    if method.samples and not method.public and draws(method.sampler) == ALL and isinstance(method.estimator, Plain):
        parts["estimator"] = Words("", NOTHING_MISSING)
    told = ["sampler", "estimator", "minimiser", "averaging"] if method.samples else ["sampler", "minimiser"]
    return {
        "method": str(method),
        "title": _title(method, parts),
        "about": " ".join(parts[role].what for role in told),
        "steps": {role: parts[role].what for role in told},
        "biased": weighs_opponent_again(method.estimator)
        or isinstance(method.averaging, averaging.OptimisticAverage)
        or not averaging.divides_by_others(method.averaging),
        "traced": not method.public,
    }


FULL_WIDTH = {
    "cfr": "Vanilla CFR",
    "cfr_plus": "CFR+",
    "lcfr": "Linear CFR",
    "dcfr": "Discounted CFR",
    "pcfr_plus": "Predictive CFR+",
    "pdcfr_plus": "Predictive discounted CFR+",
    "sapcfr_plus": "Simple asymmetric predictive CFR+",
    "hs_dcfr": "Discounted CFR with a schedule",
    "hs_pcfr_plus": "Predictive CFR+ with a schedule",
    "dcfr_restarts": "Discounted CFR with restarts",
}


def _title(method: Method, parts: dict[str, Words]) -> str:
    if not method.samples:
        name = str(method).partition("+")[0].partition("(")[0]
        return FULL_WIDTH.get(name, str(method)) + (", simultaneous" if "simultaneous" in str(method) else "")
    plain = isinstance(method.minimiser, minimisers.RM)
    pieces = [parts["sampler"].title, parts["estimator"].title, "" if plain else f"and {parts['minimiser'].title}"]
    text = " ".join(piece for piece in pieces if piece) + (
        f", {parts['averaging'].title}" if parts["averaging"].title else ""
    )
    return text[:1].upper() + text[1:]
