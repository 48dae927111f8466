"""Small spots and whole games whose worth under uniform play is computed twice: by the rules and by `naive_spots`."""

import functools

import numpy as np
from naive_spots import Setting, best, deck_of, every_hand, hands, uniform_value

RIVER = {"board": "Qs Jh 2h 8c 3d", "pot": 100, "stack": 200, "bet": "50%,a", "raise_": "a"}
TEN = {"pot": 10, "stack": 20, "bet": "50%,a", "raise_": "a", "ranks": 5, "suits": 2}
OOP, IP = "QdQc QhQc QhQd QsQc:0 AhKh:0.5 KdKh", "JdJc JsJc JsJd KcQc:0.25 KdQd:0.25 KhQh:0.25"
SPOTS = {  # parameters; for the slow twin both ranges and the locks
    "river": ({**RIVER, "oop": "QQ,AhKh:0.5,KhKd", "ip": "JJ,KQs:0.25"}, OOP, IP, {}),
    "locked by range": (
        {
            **{**RIVER, "oop": "QQ,AhKh:0.5,KhKd", "ip": "JJ,KQs:0.25"},
            "lock": [{"line": "k", "b50": "JJ:0.75,KhQh:0.5,KdQd", "k": "rest"}, {"line": "b50", "f": 0.25, "c": 0.75}],
        },
        OOP,
        IP,
        {
            ("k", None): {
                "JdJc JsJc JsJd": {"k": 0.25, "b50": 0.75},
                "KhQh": {"k": 0.5, "b50": 0.5},
                "KdQd": {"b50": 1},
                "KcQc": {"k": 1},
            },
            ("b50", None): {IP: {"f": 0.25, "c": 0.75}},
        },
    ),
    "locked first": (
        {**RIVER, "oop": "QQ,AhKh:0.5,KhKd", "ip": "JJ,KQs:0.25", "lock": {"line": "", "k": "QQ", "a200": "rest"}},
        OOP,
        IP,
        {("", None): {"QdQc QhQc QhQd": {"k": 1}, "AhKh KdKh": {"a200": 1}}},
    ),
    "turn": ({**TEN, "board": "2c 3d 4c 5d", "oop": "all", "ip": "66,6c5c,4d3c:0.5"}, None, "6c6d 6c5c 4d3c:0.5", {}),
    "locked on a river": (
        {
            **{**TEN, "board": "2c 3d 4c 5d", "oop": "all", "ip": "66,6c5c,4d3c:0.5"},
            "lock": [{"line": "kk/", "k": 0.5, "a20": 0.5}, {"line": "kk/", "board": "6d", "k": "55", "a20": "rest"}],
        },
        None,
        "6c6d 6c5c 4d3c:0.5",
        {
            ("kk/", None): {None: {"k": 0.5, "a20": 0.5}},
            ("kk/", ("6d",)): {None: {"a20": 1}},
        },
    ),
    "flop": (
        {**TEN, "ranks": 3, "suits": 3, "board": "2c 3d 4h", "oop": "44,4d3h", "ip": "33,2d2h"},
        "4c4d 4d3h",
        "3c3h 2d2h",
        {},
    ),
}
WHOLE = {  # betting, ranks, suits, board
    "limit": ("limit(cap='1 2', bets='2 4')", 4, 2, "3"),
    "no-limit, with all-ins before the board is complete": ("nolimit(stack=6, bet='100%', raise_='a')", 4, 2, "1 2"),
}


def spot_setting(game, parameters, oop, ip, locks):
    """A spot for the slow twin."""
    deck = deck_of(parameters.get("ranks", 13), parameters.get("suits", 4))
    ranges = tuple(every_hand(deck) if text is None else hands(text) for text in (oop, ip))
    board = parameters["board"].split()
    by_hand = {key: hand_laws(rows, deck) for key, rows in locks.items()}
    return Setting(deck, board, (1,) * (5 - len(board)), ranges, game.streets().betting, by_hand)


def hand_laws(rows, deck):
    """Laws by hand; None stands for every hand."""
    return {hand: law for text, law in rows.items() for hand in (every_hand(deck) if text is None else hands(text))}


def pairs():
    """Every example as a game and as a setting, by name."""
    import mccfr
    from mccfr.games.registry import make_game

    for name, (parameters, oop, ip, locks) in SPOTS.items():
        game = mccfr.spot(**parameters)
        yield name, game, spot_setting(game, parameters, oop, ip, locks)
    for name, (betting, ranks, suits, board) in WHOLE.items():
        game = make_game(f"holdem({betting}, ranks={ranks}, suits={suits}, board='{board}')")
        deck = deck_of(ranks, suits)
        deals = tuple(int(word) for word in board.split())
        yield name, game, Setting(deck, [], deals, (every_hand(deck),) * 2, game.streets().betting)


def history_value(game, s=None):
    """What uniform play is worth to player 0 by the seven methods."""
    s = game.root() if s is None else s
    player = game.player(s)
    if player == -2:
        return game.payoff(s)[0]
    law = game.chances(s) if player == -1 else [(a, 1 / len(game.actions(s))) for a in game.actions(s)]
    assert abs(sum(p for _, p in law) - 1) < 1e-12
    return sum(p * history_value(game, game.step(s, a)) for a, p in law)


def dealt_value(rules, s=None, joint=None, share=1.0):
    """The same by the dealt form, whose matrices must be what its laws lead to."""
    s = rules.root() if s is None else s
    joint = rules.deal() if joint is None else joint
    player = rules.player(s)
    if player == -2:
        key, stake = rules.ending(s)
        matrix = rules.matrix(key)
        assert np.allclose(np.abs(matrix)[matrix != 0], joint[matrix != 0], rtol=1e-12)
        if rules.hole_cards() is not None:
            ranking = rules.ranking(key)
            assert np.allclose(np.abs(matrix).max(), ranking.level + ranking.edge)
        return share * stake * matrix.sum()
    actions = rules.actions(s)
    if player == -1:
        law = rules.law(s)
        assert np.allclose(law.sum(axis=2)[joint > 0], 1)
        return sum(dealt_value(rules, rules.step(s, a), joint * law[:, :, j], share) for j, a in enumerate(actions))
    assert ((joint > 0).any(axis=1 - player) == rules.possible(s, player)).all()
    return sum(dealt_value(rules, rules.step(s, a), joint, share / len(actions)) for a in actions)


def rank_plainly():
    """Let street trees take strengths from here: the evaluator is slow where nothing is compiled."""
    from mccfr.games import street_deals
    from mccfr.tree import street_build

    street_deals.deck_strengths = strengths_of
    street_build.rank_deck = lambda board, ranks, suits: strengths_of(tuple(sorted(board)), ranks, suits)


@functools.cache
def strengths_of(board, ranks, suits):
    """[hands] in place of the evaluator, which is slow where nothing is compiled."""
    deck = deck_of(ranks, suits)
    cards = [deck[card] for card in board]
    all_hands = [(low, high) for high in range(len(deck)) for low in range(high)]
    keys = {hand: best(frozenset((*cards, *(deck[c] for c in hand)))) for hand in all_hands if not {*hand} & {*board}}
    order = {key: number for number, key in enumerate(sorted(set(keys.values())))}
    return np.array([order[keys[hand]] if hand in keys else -1 for hand in all_hands])


def wrong(names=None):
    """The examples whose worth, by the rules or by the dealt form, is not that of the slow twin."""
    from mccfr.games import street_deals

    street_deals.deck_strengths = strengths_of
    found = []
    try:
        for name, game, setting in pairs():
            if names is None or name in names:
                forms = {"history": lambda: history_value(game), "dealt": lambda: dealt_value(game.dealt())}  # noqa: B023
                expected = uniform_value(setting)
                found += [f"{name}, {form}" for form, value in forms.items() if not right(value, expected)]
    except Exception as error:  # a planted bug may break anything
        found.append(f"{type(error).__name__}: {error}")
    return found


def right(value, expected):
    """Whether a worth can be computed and is the one expected."""
    try:
        return abs(value() - expected) < 1e-9
    except Exception:
        return False
