"""What each part of a method does and why, in a sentence: of the method as a whole, and of each step of a walk."""

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

from mccfr.kernel import averaging, estimators, minimisers, samplers
from mccfr.kernel.averaging import OTHERS, where
from mccfr.kernel.estimators import PageRule, Plain, Probe, weighs_opponent_again
from mccfr.kernel.play import Floor
from mccfr.kernel.samplers import ALL, ONE, draws, draws_others_uniformly, follows_all_others
from mccfr.solvers.method import FullWidth, Method, PublicOutcome, VectorSampling

Event = dict[str, Any]


class Words(NamedTuple):
    """A part of a method: its name on the page, and what it does and why."""

    title: str
    what: str


SAMPLERS: dict[type, Words] = {
    FullWidth: Words(
        "full width",
        "Every iteration looks at the whole game, so every regret is exact and nothing is left to luck.",
    ),
    samplers.External: Words(
        "external sampling",
        "The walker tries all of its own actions; chance and the opponent are followed along one drawn action each, so "
        "a walk costs, in balanced games, about the square root of the whole and needs no importance weights.",
    ),
    samplers.Outcome: Words(
        "outcome sampling",
        "One line is played from deal to showdown; the walker explores, and what is found is divided by the chance of "
        "having looked there, which keeps the mean right and makes the variance large.",
    ),
    samplers.Robust: Words(
        "robust sampling",
        "The walker tries a fixed number of its own actions, every set equally likely, so the cost of a walk is known "
        "beforehand and the weights do not depend on the strategy.",
    ),
    samplers.AverageStrategy: Words(
        "average strategy sampling",
        "Each own action is tried by a coin of its own that favours what the average strategy plays, so effort goes "
        "where the answer seems to be, and a floor keeps every action possible.",
    ),
    samplers.Listed: Words(
        "inclusion lists",
        "Some own actions are always tried and each other one by a coin with a fixed probability.",
    ),
    samplers.Chance: Words(
        "chance sampling",
        "Only the cards are drawn; all actions of both players are tried, so a walk is exact for its deal.",
    ),
    samplers.Uniform: Words(
        "uniform sampling",
        "One action everywhere, each as likely as the others whatever the strategies say; weights put right what the "
        "dice ignore.",
    ),
    samplers.OnPolicyOpponent: Words(
        "uniform sampling, opponent on policy",
        "The walker draws one of its own actions uniformly, and everybody else is followed by their own strategy.",
    ),
    samplers.Everything: Words(
        "a walk without sampling",
        "All actions of players and chance are tried: vanilla CFR, node by node.",
    ),
    PublicOutcome: Words(
        "public outcome sampling",
        "One line of public events is drawn, and all hands walk along it together.",
    ),
    VectorSampling: Words(
        "sampling in vector form",
        "Actions are drawn for all hands at once, and whole vectors of values come back.",
    ),
}

ESTIMATORS: dict[type, Words] = {
    estimators.Plain: Words(
        "",
        "An action that was tried counts as what came back divided by the chance of trying it, one that was not counts "
        "as 0: right on average.",
    ),
    estimators.Probe: Words(
        "with probing",
        "An action that was not tried is probed by a cheap playout instead of counting as 0, and what was tried is not "
        "divided by anything: less variance for a few more nodes.",
    ),
    estimators.PageRule: Words(
        "with the opponent's reach counted twice (biased)",
        "An exhibit: the opponent was drawn by its strategy, and then its probability is multiplied in once more, so "
        "rarely played branches teach almost nothing and play does not converge.",
    ),
    estimators.Static: Words(
        "with a fixed baseline",
        "What came back is compared with the value under a fixed strategy, and only the surprise is scaled up.",
    ),
    estimators.History: Words(
        "with a learned baseline per history",
        "Every action of every history remembers the mean of what came back, and only the surprise is scaled up: the "
        "mean of the estimate stays, its variance falls.",
    ),
    estimators.Infoset: Words(
        "with a learned baseline per infoset",
        "As with histories, but the memory is shared by all histories that the walker cannot tell apart: it learns "
        "faster and knows less.",
    ),
    estimators.DealtInfoset: Words(
        "with a learned baseline per infoset",
        "The memory of what came back is kept for each public event and own hand.",
    ),
    estimators.Predictive: Words(
        "with the predictive baseline",
        "After each update the baseline is set to the value under the new strategy, so the next walk compares with "
        "what it should find.",
    ),
}

NOTHING_MISSING = "All own actions are tried, so what comes back counts as it is: nothing is divided."

MINIMISERS: dict[type, Words] = {
    minimisers.RM: Words("regret matching", "Actions are played in proportion to their positive regrets."),
    minimisers.RMPlus: Words(
        "regret matching+", "Regrets are never allowed below 0, so an action that turns good is played at once."
    ),
    minimisers.PredictiveRMPlus: Words(
        "predictive regret matching+", "The last regret is taken as a forecast of the next and played against already."
    ),
    minimisers.Discounted: Words("discounted regrets", "Old regrets fade, so that early mistakes are forgotten."),
    minimisers.DiscountedAfter: Words("discounted regrets", "Old and new regrets fade together after each update."),
    minimisers.Weighted: Words("weighted regrets", "Later iterations count more in the regrets."),
}

AVERAGES: dict[type, Words] = {
    averaging.Average: Words(
        "", "The average is gathered where the walker meets the other player's strategy, with the walk's weight."
    ),
    averaging.OwnAverage: Words(
        "averaging at own nodes",
        "The average is gathered at the walker's own nodes, divided by the chance of being there.",
    ),
    averaging.OptimisticAverage: Words(
        "optimistic averaging (biased)",
        "The average is gathered at own nodes as if all iterations since the last visit had been played alike.",
    ),
}


def words(known: dict[type, Words], part: Any) -> Words:
    """What is known about a part; of a user's own, what its docstring says."""
    doc = (inspect.getdoc(type(part)) or "A part of your own.").partition("\n")[0]
    return known.get(type(part)) or Words(type(part).__name__, doc)


def about_method(method: Method) -> dict[str, Any]:
    """A method for the page's menus and headings."""
    parts = {
        "sampler": words(SAMPLERS, method.sampler),
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
        "biased": weighs_opponent_again(method.estimator) or isinstance(method.averaging, averaging.OptimisticAverage),
        "traced": not method.public,
    }


FULL_WIDTH = {
    "cfr": "Vanilla CFR",
    "cfr_plus": "CFR+",
    "lcfr": "Linear CFR",
    "dcfr": "Discounted CFR",
    "pcfr_plus": "Predictive CFR+",
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


class Narrator:
    """One sentence for every event of a walk of this method."""

    def __init__(self, method: Method) -> None:
        self.method, self.sampler, self.estimator = method, method.sampler, method.estimator
        self.sweeps = not method.samples
        self._tellers: dict[str, Callable[[Event, int], str]] = {
            "arrive": self._arrive,
            "choose": self._choose,
            "back": self._back,
            "probe": self._probe,
            "update": self._update,
            "remember": self._remember,
        }

    def sentence(self, event: Event, i: int) -> str:
        """What this step does and why. i: the walker."""
        return self._tellers[event["what"]](event, i)

    def _arrive(self, event: Event, i: int) -> str:
        if event["terminal"]:
            return f"The game ends here, and player {i} gets {_n(event['value'])}."
        if event["player"] is None:
            return "Chance moves here: its odds are part of the rules."
        if event["player"] != i:
            return (
                f"Player {event['player']} moves at {event['infoset']}; this walk is for player {i}, so it only needs "
                "to know what the other may do."
            )
        weight = "the chance that the others let this happen" if self.sweeps else "its importance weight"
        return (
            f"Player {i}, for whom this walk is made, moves at {event['infoset']}; {weight} is {_n(event['weight'])}."
        )

    def _choose(self, event: Event, i: int) -> str:
        names = [event["actions"][a] for a in event["chosen"]]
        if len(event["actions"]) == 1:
            return f"Only {names[0]} is possible, so it is taken."
        if self.sweeps:
            return "Everything is looked at: nothing is drawn and nothing is divided."
        return self._own_choice(event, names) if event["player"] == i else self._other_choice(event, names[0])

    def _own_choice(self, event: Event, names: list[str]) -> str:
        rest = len(event["actions"]) - len(names)
        unseen = "probed by a playout" if isinstance(self.estimator, Probe) else "not looked at"
        if draws(self.sampler) == ALL:
            return "The walker tries all of its actions, because it wants to know what each of them is worth."
        if not names:
            return f"The coins chose none of the actions: all {rest} are {unseen}."
        q = ", ".join(_n(event["q"][a]) for a in event["chosen"])
        left = f"; the other{'s are' if rest > 1 else ' is'} {unseen}" if rest else ""
        if draws(self.sampler) == ONE:
            law = "by strategy and exploration mixed" if isinstance(self.sampler, samplers.Outcome) else "uniformly"
            return f"The walker draws {names[0]} {law}, with probability {q}{left}."
        how = {
            samplers.Robust: "Equally likely sets of actions: the walker tries",
            samplers.AverageStrategy: "Coins that favour the average strategy chose",
        }.get(type(self.sampler), "Coins with listed probabilities chose")
        return f"{how} {_listed(names)}, included with probability {q}{left}."

    def _other_choice(self, event: Event, name: str) -> str:
        who = "Chance" if event["player"] is None else f"Player {event['player']}"
        if len(event["chosen"]) > 1:
            return f"{who}'s actions are all followed, each weighed by its own probability."
        a = event["chosen"][0]
        p = _n(event["law"][a])
        if draws_others_uniformly(self.sampler):
            return (
                f"{name} is drawn uniformly with probability {_n(event['q'][a])} though {who.lower()}'s own law says "
                f"{p}, so the weight is multiplied by their ratio."
            )
        if event["player"] is None:
            return f"Chance is drawn by its own odds: {name}, with probability {p}, so the weight stays as it is."
        if isinstance(self.estimator, PageRule):
            return (
                f"{name} is drawn from player {event['player']}'s strategy with probability {p}, and then, wrongly, "
                f"the weight is multiplied by {p} as well: the opponent is counted twice."
            )
        return (
            f"{name} is drawn from player {event['player']}'s own strategy with probability {p}: drawing it that often "
            "is already the right weight, so nothing is multiplied or divided."
        )

    def _back(self, event: Event, i: int) -> str:
        y, x = _n(event["returned"]), _n(event["corrected"])
        if event.get("through"):
            return f"{y} comes back and is handed on unchanged: the draw itself has weighed it."
        if event["player"] != i:
            return self._back_at_other(event, y, x)
        if self.sweeps or draws(self.sampler) == ALL:
            return f"The action is worth {y} to player {i} from here."
        if isinstance(self.estimator, Probe):
            return f"{y} comes back and counts as it is, because the untried actions will be probed."
        if event["baseline"] is None:
            return (
                f"{y} comes back and counts as {y} / {_n(event['q'])} = {x}: it stands for the times it is not tried."
            )
        b = _n(event["baseline"])
        return (
            f"{y} comes back where {b} was expected; the surprise divided by {_n(event['q'])}, added to {b}, gives {x}."
        )

    def _back_at_other(self, event: Event, y: str, x: str) -> str:
        if self.sweeps or follows_all_others(self.sampler):
            return f"{y} comes back; each action weighed by its own probability, the node is worth {x} so far."
        if event["baseline"] is not None:
            b = _n(event["baseline"])
            return (
                f"{y} comes back where {b} was expected; with what the other actions should bring, the node counts {x}."
            )
        return f"{y} comes back and counts as {x}: scaled by the action's own probability over that of the draw."

    def _probe(self, event: Event, i: int) -> str:
        return (
            f"The action that was not tried is probed: from there everybody plays on by the current strategies, which "
            f"brings {_n(event['value'])} and changes no table."
        )

    def _update(self, event: Event, i: int) -> str:
        best = max(range(len(event["values"])), key=lambda a: event["values"][a])
        text = (
            f"The node is worth {_n(event['value'])} with today's mix; {event['actions'][best]} looks best with "
            f"{_n(event['values'][best])}, and each action's regret moves by weight times its advantage"
        )
        if self.sweeps:
            return f"{text}, summed over all histories of the infoset."
        if self.method.batch > 1:
            return f"{text}; that is noted, and the strategy changes after {self.method.batch} iterations."
        if follows_all_others(self.sampler):
            return f"{text}; that is noted, and the strategy changes when both walks are over."
        return f"{text}."

    def _remember(self, event: Event, i: int) -> str:
        bent = " (with its floor)" if isinstance(self.method.play, Floor) else ""
        amount = "" if event["amount"] is None else f" with weight {_n(event['amount'])}"
        whose = "the other player's" if where(self.method.averaging) == OTHERS else "the walker's own"
        grown = f"{whose.capitalize()} strategy as it is now{bent} is added to its average{amount}"
        return f"{grown}: averages are what converges."


def _n(value: float) -> str:
    """A number in a sentence."""
    return f"{value:.4g}"


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
