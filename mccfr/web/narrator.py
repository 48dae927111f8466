"""What happens in each step of a walk and why, in a sentence."""

from collections.abc import Callable
from typing import Any

from mccfr.kernel import samplers
from mccfr.kernel.averaging import OTHERS, where
from mccfr.kernel.estimators import GeneralProbe, PageRule, Probe
from mccfr.kernel.layout import CHANCE
from mccfr.kernel.play import Floor
from mccfr.kernel.pruning import Prune
from mccfr.kernel.rewards import AsPaid
from mccfr.kernel.samplers import ALL, ONE, draws, draws_others_uniformly, follows_all_others
from mccfr.kernel.walk_steps import off_policy
from mccfr.solvers.method import Method

Event = dict[str, Any]


class Narrator:
    """One sentence for every event of a walk of this method."""

    def __init__(self, method: Method) -> None:
        self.method, self.estimator = method, method.estimator
        self.sampler = method.sampler if method.pruning is None else method.pruning
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
            does = "gets" if isinstance(self.method.reward, AsPaid) else "feels"
            return f"The game ends here, and player {i} {does} {_n(event['value'])}."
        if event["player"] is None:
            return "Chance moves here: its probabilities are part of the rules."
        if event["player"] != i:
            return (
                f"Player {event['player']} moves at {event['infoset']}. This walk updates player {i}, so it only needs "
                "to know what the other player may do."
            )
        weight = "The probability that the others play to here" if self.sweeps else "The importance weight"
        return (
            f"Player {i}, whose regrets this walk updates, moves at {event['infoset']}. "
            f"{weight} is {_n(event['weight'])}."
        )

    def _choose(self, event: Event, i: int) -> str:
        names = [event["actions"][a] for a in event["chosen"]]
        if len(event["actions"]) == 1:
            return f"Only {names[0]} is possible, so it is taken."
        if self.sweeps:
            return "Every action is visited: nothing is drawn and nothing is divided."
        return self._own_choice(event, names) if event["player"] == i else self._other_choice(event, names[0])

    def _own_choice(self, event: Event, names: list[str]) -> str:
        rest = len(event["actions"]) - len(names)
        unseen = "probed by a playout" if isinstance(self.estimator, Probe | GeneralProbe) else "not visited"
        unseen += " if a coin says so" if self._leaves_some() else ""
        if draws(self.sampler) == ALL:
            return "The walker tries all of its actions, to find out what each of them is worth."
        if not names:
            return f"The coins chose none of the actions: all {rest} are {unseen}."
        q = ", ".join(_n(event["q"][a]) for a in event["chosen"])
        left = f"; the other{'s are' if rest > 1 else ' is'} {unseen}" if rest else ""
        if draws(self.sampler) == ONE:
            law = {
                samplers.Outcome: "from a mix of its strategy and exploration",
                samplers.CountedOutcome: "from a mix of its strategy and what was rarely drawn here",
            }.get(type(self.sampler), "uniformly")
            return f"The walker draws {names[0]} {law}, with probability {q}{left}."
        how = {
            samplers.Robust: "All sets of this size are equally likely, and the walker tries",
            samplers.AverageStrategy: "Coins that favour the average strategy chose",
            Prune: "All actions that are played or not hopeless, and the others by a coin:",
        }.get(type(self.sampler), "Coins with listed probabilities chose")
        return f"{how} {_listed(names)}, included with probability {q}{left}."

    def _other_choice(self, event: Event, name: str) -> str:
        who = "Chance" if event["player"] is None else f"Player {event['player']}"
        if len(event["chosen"]) > 1:
            return f"All of {who.lower()}'s actions are followed, each weighted by its own probability."
        a = event["chosen"][0]
        p = _n(event["law"][a])
        if off_policy(self.sampler, CHANCE if event["player"] is None else event["player"]):
            how = "uniformly" if draws_others_uniformly(self.sampler) else "to explore too,"
            return (
                f"{name} is drawn {how} with probability {_n(event['q'][a])}, but {who.lower()} takes it with "
                f"probability {p}, so the weight is multiplied by their ratio."
            )
        if event["player"] is None:
            return f"Chance is drawn by its own probabilities: {name}, with {p}, so the weight does not change."
        if isinstance(self.estimator, PageRule):
            return (
                f"{name} is drawn from player {event['player']}'s strategy with probability {p}. Then the weight is "
                f"wrongly multiplied by {p} as well, so the opponent is counted twice."
            )
        return (
            f"{name} is drawn from player {event['player']}'s own strategy with probability {p}. Drawing it that often "
            "already gives it the right weight, so nothing is multiplied or divided."
        )

    def _back(self, event: Event, i: int) -> str:
        y, x = _n(event["returned"]), _n(event["corrected"])
        if event.get("through"):
            return f"{y} comes back and is passed on unchanged: the draw has already weighted it."
        if event["player"] != i:
            return self._back_at_other(event, y, x)
        if self.sweeps or draws(self.sampler) == ALL:
            return f"The action is worth {y} to player {i} from here."
        if isinstance(self.estimator, Probe | GeneralProbe) and not self._leaves_some():
            return f"{y} comes back and counts unchanged, because the unvisited actions will be probed."
        if isinstance(self.estimator, GeneralProbe):
            return f"{y} comes back and counts as {x}, to make up for the times the action is neither tried nor probed."
        if event["baseline"] is None:
            return (
                f"{y} comes back and counts as {y} / {_n(event['q'])} = {x}, to make up for the times the action is "
                "not tried."
            )
        b = _n(event["baseline"])
        return (
            f"{y} comes back and {b} was expected. The difference divided by {_n(event['q'])}, added to {b}, gives {x}."
        )

    def _back_at_other(self, event: Event, y: str, x: str) -> str:
        if self.sweeps or follows_all_others(self.sampler):
            return f"{y} comes back. With each action weighted by its own probability, the node is worth {x} so far."
        if event["baseline"] is not None:
            b = _n(event["baseline"])
            return (
                f"{y} comes back and {b} was expected. With the expected values of the other actions, the node counts "
                f"{x}."
            )
        return f"{y} comes back and counts as {x}: it is scaled by the action's own probability over that of the draw."

    def _probe(self, event: Event, i: int) -> str:
        strays = isinstance(self.estimator, GeneralProbe) and self.estimator.epsilon > 0.0
        mixed = " mixed with random actions" if strays else ""
        gives = "; weighted for what was drawn, that gives" if strays or self._leaves_some() else ", which gives"
        return (
            f"The unvisited action is probed: from there everybody plays the current strategies{mixed}{gives} "
            f"{_n(event['value'])} and changes no table."
        )

    def _leaves_some(self) -> bool:
        """Whether some unvisited actions are not probed."""
        return isinstance(self.estimator, GeneralProbe) and self.estimator.share < 1.0

    def _update(self, event: Event, i: int) -> str:
        best = max(range(len(event["values"])), key=lambda a: event["values"][a])
        text = (
            f"The node is worth {_n(event['value'])} under the current strategy. {event['actions'][best]} looks best "
            f"with {_n(event['values'][best])}. Each action's regret changes by the weight times its advantage"
        )
        if self.sweeps:
            return f"{text}, summed over all histories of the infoset."
        if self.method.batch > 1:
            return (
                f"{text}. The changes are collected, and the strategy is updated after {self.method.batch} iterations."
            )
        if follows_all_others(self.sampler):
            return f"{text}. The changes are collected, and the strategy is updated when both walks are over."
        return f"{text}."

    def _remember(self, event: Event, i: int) -> str:
        bent = " (with its floor)" if isinstance(self.method.play, Floor) else ""
        amount = "" if event["amount"] is None else f" with weight {_n(event['amount'])}"
        whose = "the other player's" if where(self.method.averaging) == OTHERS else "the walker's own"
        grown = f"{whose.capitalize()} current strategy{bent} is added to its average{amount}"
        return f"{grown}. The average is what converges."


def _n(value: float) -> str:
    """A number in a sentence."""
    return f"{value:.4g}"


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
