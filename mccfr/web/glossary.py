"""The glossary of the page: what its words mean. The page links the words where they stand, and shows all of them."""

from typing import Any, NamedTuple


class Term(NamedTuple):
    """An entry: its key in addresses, its title, the forms in which texts use it, and what it means."""

    key: str
    title: str
    forms: tuple[str, ...]
    meaning: str


TERMS = (
    Term(
        "audit",
        "Audit",
        ("audit",),
        "A check of a sampled method with a frozen strategy: all outcomes of the dice are met one by one, and the mean "
        "of what they add to every regret is compared with the true regret. The command is mccfr audit.",
    ),
    Term(
        "average-strategy",
        "Average strategy",
        ("average strategy", "average strategies", "average of all iterations"),
        "What was played over all iterations, weighted by the player's own reach. It is the result: in two-player "
        "zero-sum games it approaches an equilibrium.",
    ),
    Term(
        "baseline",
        "Baseline b",
        ("baseline", "baselines"),
        "A value expected beforehand. Only the difference from it is divided by q, so a good baseline takes noise "
        "away; the mean does not change.",
    ),
    Term(
        "best-response",
        "Best response",
        ("best response", "best responses"),
        "The strategy that wins most against a given one. It takes one action for each infoset, since it does not see "
        "the other player's cards.",
    ),
    Term(
        "bias",
        "Bias",
        ("bias", "biased", "unbiased", "right on average"),
        "A method is biased if the mean of its sampled regrets differs from the true regret. Noise averages out, bias "
        "does not.",
    ),
    Term(
        "blueprint",
        "Blueprint",
        ("blueprint", "blueprints"),
        "A strategy for a whole large game, solved once in a simplified form and stored. Players may re-solve "
        "positions on top of it.",
    ),
    Term(
        "bucket",
        "Bucket",
        ("bucket", "buckets"),
        "A group of similar hands that share one strategy, so that the tables of a large game become smaller.",
    ),
    Term(
        "chance",
        "Chance",
        ("chance",),
        "What nobody decides: deals and dice. Its probabilities are part of the rules.",
    ),
    Term(
        "clairvoyant",
        "Clairvoyant",
        ("clairvoyant",),
        "A responder that chooses for each history instead of each infoset, and so sees the other player's cards. Its "
        "winnings are no exploitability.",
    ),
    Term(
        "counterfactual",
        "Counterfactual",
        ("counterfactual",),
        "“As if I had tried to get here”: weighted by chance and the opponent, not by the player's own strategy.",
    ),
    Term(
        "current-strategy",
        "Current strategy σ",
        ("current strategy", "current strategies"),
        "What regret matching plays now. It keeps changing; the average strategy is the result.",
    ),
    Term(
        "dealt-game",
        "Dealt game",
        ("dealt game", "dealt games", "dealt form"),
        "A game kept as public states with a vector of hands in each, instead of one node for every combination of "
        "hands. Its name begins with dealt:, as in dealt:leduc.",
    ),
    Term(
        "discount",
        "Discount",
        ("discount", "discounts", "discounted", "discounting"),
        "A factor below 1 by which old regrets are multiplied, so that early mistakes are forgotten.",
    ),
    Term(
        "enumerated",
        "Enumerated, skipped",
        ("enumerated", "skipped"),
        "Where all actions are visited, they are enumerated; an action that a walk does not visit is skipped.",
    ),
    Term(
        "equilibrium",
        "Equilibrium",
        ("equilibrium", "equilibria"),
        "Two strategies that are best responses to each other. Kuhn has a line of them, with a parameter α between 0 "
        "and 1/3: how often player 0 bluffs with the jack.",
    ),
    Term(
        "exhibit",
        "Exhibit",
        ("exhibit", "exhibits"),
        "A method that is wrong on purpose, to show how a common mistake fails. It is always marked.",
    ),
    Term(
        "exploitability",
        "Exploitability",
        ("exploitability", "exploitable"),
        "What a best response wins per game against the average strategy, as the mean over both seats. At an "
        "equilibrium it is 0, and nowhere else.",
    ),
    Term(
        "exploration",
        "Exploration",
        ("exploration", "explore", "explores"),
        "Drawing actions that the strategy itself hardly plays, so that every action is tried now and then.",
    ),
    Term(
        "gadget",
        "Gadget",
        ("gadget", "gadgets"),
        "A choice of the opponent that is put before a position, so that re-solving it cannot make the whole strategy "
        "more exploitable.",
    ),
    Term(
        "history",
        "History",
        ("history", "histories"),
        "Everything that has happened in a game so far, the hidden cards included. In the tree it is a node.",
    ),
    Term(
        "importance-weight",
        "Importance weight w",
        ("importance weight", "importance weights", "importance sampling"),
        "The factor of a visit that makes the sum of all visits right on average: what the others contribute, divided "
        "by how likely the walk was to come here.",
    ),
    Term(
        "inclusion",
        "Inclusion probability q",
        ("inclusion probability", "inclusion probabilities", "probability of the visit", "visited with probability"),
        "How likely an action was to be visited. What comes back is divided by it.",
    ),
    Term(
        "infoset",
        "Infoset",
        ("infoset", "infosets"),
        "All histories that a player cannot tell apart. She must play the same strategy in each of them. Kuhn has 12, "
        "Leduc 936.",
    ),
    Term(
        "iteration",
        "Iteration",
        ("iteration", "iterations"),
        "One walk for each player, or one sweep.",
    ),
    Term(
        "look-ahead",
        "Look-ahead",
        ("look-ahead", "look-aheads"),
        "Solving some actions ahead only; what lies below is worth what a function of the public state and both ranges "
        "says.",
    ),
    Term(
        "mbb",
        "mbb/g",
        ("mbb/g",),
        "Thousandths of a big blind per game: a unit of exploitability in poker.",
    ),
    Term(
        "nashconv",
        "NashConv",
        ("NashConv",),
        "What best responses of both players win together. Exploitability is half of it.",
    ),
    Term(
        "node",
        "Node",
        ("node", "nodes"),
        "A place in the game tree: one history. A player moves there, or chance, or the game ends.",
    ),
    Term(
        "nodes-touched",
        "Nodes touched",
        ("nodes touched", "touches every node", "touch every node"),
        "How many nodes all walks or sweeps have visited: a measure of work that does not depend on the machine.",
    ),
    Term(
        "noise",
        "Noise",
        ("noise", "noisy"),
        "By how much an estimate differs from its mean, by chance. It averages out over many iterations.",
    ),
    Term(
        "on-policy",
        "On policy",
        ("on policy",),
        "Drawn from the player's own strategy, so that no weight is needed.",
    ),
    Term(
        "position",
        "Position",
        ("position", "positions"),
        "A point of the game after some public events. With the player's range and the values of the opponent's hands "
        "it is a game of its own.",
    ),
    Term(
        "probing",
        "Probing",
        ("probing", "probed", "probe"),
        "Playing one random game down an action that was not visited, and counting its result instead of 0.",
    ),
    Term(
        "public-state",
        "Public state",
        ("public state", "public states", "public tree"),
        "What everybody has seen: the betting and the open cards. The public tree has a node for each.",
    ),
    Term(
        "range",
        "Range",
        ("range", "ranges"),
        "How likely a player is to be here with each of her hands, given what she has done.",
    ),
    Term(
        "reach",
        "Reach",
        ("reach",),
        "The probability that a player's own choices lead to a node.",
    ),
    Term(
        "regret",
        "Regret R",
        ("regret", "regrets"),
        "How much better it would have been always to take an action at an infoset, added up over all iterations.",
    ),
    Term(
        "regret-matching",
        "Regret matching",
        ("regret matching", "regret matching+"),
        "Playing every action in proportion to its positive regret; uniformly if none is positive. With a plus, "
        "regrets never fall below 0.",
    ),
    Term(
        "re-solving",
        "Re-solving",
        ("re-solving", "re-solve", "re-solves", "re-solved"),
        "Solving the position in front of the player anew while the game is played.",
    ),
    Term(
        "sampling",
        "Sampling",
        ("sampling", "sampled", "samples"),
        "Visiting only a part of the game, drawn at random, and estimating the rest.",
    ),
    Term(
        "seed",
        "Seed",
        ("seed",),
        "The number from which all random numbers follow. The same seed always gives the same numbers.",
    ),
    Term(
        "sequence-form",
        "Sequence form",
        ("sequence form",),
        "A game as each player's sequences of own choices and a matrix of payoffs. Sweeps work on it, and never visit "
        "a node.",
    ),
    Term(
        "spot",
        "Spot",
        ("spot", "spots"),
        "A position of hold'em after the flop, with every card and both players' ranges, solved on its own.",
    ),
    Term(
        "sweep",
        "Sweep",
        ("sweep", "sweeps", "full width", "full-width"),
        "A pass over the whole game. Every regret is exact, and nothing is random.",
    ),
    Term(
        "traverser",
        "Traverser",
        ("traverser", "own player", "walker"),
        "The player whose regrets a walk updates; also called the walk's own player. Her nodes are the own nodes.",
    ),
    Term(
        "variance",
        "Variance",
        ("variance",),
        "The mean square of the noise. The larger it is, the more iterations are needed.",
    ),
    Term(
        "walk",
        "Walk",
        ("walk", "walks"),
        "One way through the tree, which updates one player's regrets.",
    ),
    Term(
        "zero-sum",
        "Zero-sum",
        ("zero-sum",),
        "What one player wins, the other loses.",
    ),
)


def glossary() -> list[dict[str, Any]]:
    """All entries, for the page."""
    return [term._asdict() for term in TERMS]
