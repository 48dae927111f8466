"""Small games as the text of a user's file."""

HIDDEN_COIN = """
class Coin:
    players = 2
    def root(self): return ""
    def player(self, s): return (-1, 0, 1, -2)[len(s)]
    def actions(self, s): return ("l", "r")
    def chances(self, s): return (("h", 0.5), ("t", 0.5))
    def step(self, s, a): return s + a
    def infoset(self, s): return s if len(s) == 1 else "reply"
    def payoff(self, s): return (1, -1) if s[0] == "h" else (-1, 1)
"""  # one decision each after a coin that only player 0 sees

MATCHING_COINS = """
class Coin:
    players = 2
    def root(self): return ""
    def player(self, s): return len(s) if len(s) < 2 else -2
    def actions(self, s): return ("H", "T")
    def chances(self, s): return ()
    def step(self, s, a): return s + a
    def infoset(self, s): return "first" if not s else "second"
    def payoff(self, s): return (1.0, -1.0) if s in ("HH", "TT") else (-1.0, 1.0)
"""
