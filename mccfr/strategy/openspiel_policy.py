"""Strategies to and from OpenSpiel's policies, by walking both trees side by side.

Works for `openspiel:` games and for every built-in game that OpenSpiel also has; the walk checks that both trees are
the same game (mover, number of moves, payoffs at every node) and that the infosets fit.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from mccfr.errors import GameError, MissingExtra, StrategyError, quoted
from mccfr.games.openspiel import OpenSpielGame, pyspiel_game
from mccfr.grammar import parse_call
from mccfr.kernel import layout
from mccfr.strategy.strategy import Origin, Strategy, normalised
from mccfr.tree.history_tree import HistoryTree
from mccfr.tree.tree import Tree


def twin(text: str) -> str:
    """The OpenSpiel name of a game of ours."""
    if text.startswith("openspiel:"):
        return text.removeprefix("openspiel:")
    call = parse_call(text)
    keys = call.keys
    if text == "kuhn":
        return "kuhn_poker"
    if call.name == "leduc" and "shift" not in keys:
        return "leduc_poker" if keys.get("suits", True) else "leduc_poker(suit_isomorphism=True)"
    if call.name == "goofspiel" and keys.get("collapse", True):
        return (
            "turn_based_simultaneous_game(game=goofspiel("
            f"imp_info=True,num_cards={keys.get('n', 4)},points_order=descending,returns_type=win_loss))"
        )
    if call.name == "bluff" and keys.get("dice0", 1) == keys.get("dice1", 1) == 1 and keys.get("faces", 6) == 6:
        return "liars_dice"
    raise StrategyError(f"no OpenSpiel game is known to equal {text}: name it with game=")


def to_tabular_policy(strategy: Strategy, game: Any = None) -> Any:
    """An open_spiel.python.policy.TabularPolicy with the same probabilities."""
    try:
        from open_spiel.python import policy
    except ImportError:
        raise MissingExtra("open_spiel", "openspiel", "to_openspiel()") from None
    spiel = _game(strategy.game, game)
    table = policy.TabularPolicy(spiel)
    row = strategy.infosets.row
    for infoset, state in _meet(strategy.tree.written, spiel):
        choice = table.policy_for_key(state.information_state_string())
        choice[:] = 0.0
        choice[state.legal_actions()] = strategy.probabilities[row[infoset] : row[infoset + 1]]
    return table


def from_policy(policy: Any, tree: Tree, game: Any = None) -> Strategy:
    """A strategy on this tree from any OpenSpiel policy; infosets it knows nothing of play uniformly."""
    spiel = _game(tree.game, game if game is not None else getattr(policy, "game", None))
    weights = np.zeros(tree.infosets.entries)
    for infoset, state in _meet(tree.written, spiel):
        given = policy.action_probabilities(state)
        given = dict(given) if not isinstance(given, dict) else given
        start = tree.infosets.row[infoset]
        for j, action in enumerate(state.legal_actions()):
            weights[start + j] = given.get(action, 0.0)
    probabilities, visited = normalised(tree.infosets, weights)
    return Strategy(tree.infosets, probabilities, Origin(tree.game, "openspiel policy"), visited, tree)


def _game(text: str, game: Any) -> Any:
    """A turn-based pyspiel game: the one given, by name or as it is, or the twin of ours."""
    if game is None:
        return pyspiel_game(twin(text))
    if isinstance(game, str):
        return pyspiel_game(game.removeprefix("openspiel:"))
    if isinstance(game, OpenSpielGame):
        return pyspiel_game(game.text)
    if not hasattr(game, "new_initial_state"):
        raise StrategyError(f"game must be a name such as 'leduc_poker' or a pyspiel game, got {quoted(game)}")
    return game


def _meet(tree: HistoryTree, spiel: Any) -> Iterator[tuple[int, Any]]:
    """Every infoset of ours once, with a pyspiel state in it; refuses two trees that are not the same game."""
    seen = np.zeros(len(tree.infosets), dtype=bool)
    partner: dict[int, str] = {}
    stack = [(0, spiel.new_initial_state())]
    while stack:
        h, state = stack.pop()
        child, _, infoset, meta = (int(word) for word in tree.nodes[4 * h : 4 * h + 4])
        kind, arity = meta & 255, meta >> 8
        _check_same(tree, h, kind, arity, state)
        if kind < int(layout.CHANCE):
            key = f"{kind} {state.information_state_string()}"
            if partner.setdefault(infoset, key) != key:
                raise _different(
                    tree, state, f"infoset {tree.infosets.labels[infoset]!r} is more than one infoset there"
                )
            if not seen[infoset]:
                seen[infoset] = True
                yield infoset, state
        for j, action in enumerate(state.legal_actions() if arity else ()):
            stack.append((child + j, state.child(action)))
    if len(set(partner.values())) < len(partner):
        raise GameError(f"{tree.game} distinguishes infosets that are the same in OpenSpiel's {spiel}")


def _check_same(tree: HistoryTree, h: int, kind: int, arity: int, state: Any) -> None:
    if state.is_terminal() != (kind == int(layout.TERMINAL)):
        raise _different(tree, state, "one of the games ends there")
    if state.is_terminal():
        ours, theirs = tree.reals[2 * h] + tree.constant / 2, state.returns()[0]
        if abs(ours - theirs) > 1e-9 * min(1.0, tree.largest_payoff + abs(tree.constant)):
            raise _different(tree, state, f"it pays {ours:g} to player 0 here and {theirs:g} there")
    elif (kind < int(layout.CHANCE)) == state.is_chance_node() or len(state.legal_actions()) != arity:
        raise _different(tree, state, f"{arity} moves here, {len(state.legal_actions())} there")


def _different(tree: Tree, state: Any, how: str) -> StrategyError:
    return StrategyError(f"{tree.game} is not the same as this OpenSpiel game: after {state.history_str()!r} {how}")
