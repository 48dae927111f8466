"""A game of your own in thirty lines: a secret coin, one bet, one bluff. Explained in docs/your-own-game.md.

Both players put in 1. Player 0 sees a coin and checks or bets; player 1 folds to a bet or calls it. Heads wins for
player 0. The equilibrium is known: for a bet of b, bet tails with b / (2 + b) and call with 2 / (2 + b), which is worth
b / (2 + b) to player 0.

    python examples/coin_bluff.py
    mccfr solve examples/coin_bluff.py
    mccfr solve 'examples/coin_bluff.py:CoinBluff(bet=4)'
"""

from dataclasses import dataclass

import mccfr
from mccfr import CHANCE, TERMINAL


@dataclass(frozen=True)
class CoinBluff:
    """Player 0 sees the coin, player 1 does not. A state is all that has happened: ("heads", "bet", "call")."""

    bet: float = 1
    players = 2

    def root(self):
        return ()

    def player(self, s):
        if not s:
            return CHANCE
        return 0 if len(s) == 1 else 1 if s[1:] == ("bet",) else TERMINAL

    def actions(self, s):
        return ("check", "bet") if len(s) == 1 else ("fold", "call")

    def chances(self, s):
        return (("heads", 0.5), ("tails", 0.5))

    def step(self, s, a):
        return (*s, a)

    def infoset(self, s):
        return s[0] if len(s) == 1 else "facing a bet"

    def payoff(self, s):
        stake = 1 + self.bet if s[-1] == "call" else 1
        player0 = stake if s[0] == "heads" or s[-1] == "fold" else -stake
        return (player0, -player0)


def main():
    print(mccfr.check_game(CoinBluff()))
    print("   bet   bluff    call   value   exploitability")
    for bet in (0.5, 1, 2, 4, 10):
        strategy = mccfr.solve(CoinBluff(bet), "lp").strategy()
        bluff, call = strategy["tails"]["bet"], strategy["facing a bet"]["call"]
        value, exploitability = mccfr.expected_value(strategy), abs(mccfr.exploitability(strategy))
        print(f"{bet:6} {bluff:7.4f} {call:7.4f} {value:7.4f}   {exploitability:.1e}")


if __name__ == "__main__":
    main()
