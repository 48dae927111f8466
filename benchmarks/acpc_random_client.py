"""A client that knows nothing but the ACPC protocol and a game definition, and makes random legal moves.

    python acpc_random_client.py HOST PORT GAME.game [SEED]

Standard library only, and nothing of mccfr: it works out from the betting alone whose turn it is and what may be bet,
so that a dealer's idea of the rules is checked against a second one. Two players, reverse blinds. On stderr it prints
how many hands it saw, how often it raised, and what it won without a showdown.
"""

import random
import re
import socket
import sys
from pathlib import Path


def read_game(path):
    """The values of a game definition, by lower-case key."""
    game = {"limit": True, "maxraises": [255] * 4}
    for line in Path(path).read_text().splitlines():
        words = line.split("#")[0].strip().lower().replace("=", " ").split()
        if words and words[0] in ("limit", "nolimit"):
            game["limit"] = words[0] == "limit"
        elif len(words) > 1 and all(word.isdigit() for word in words[1:]):
            game[words[0]] = [int(word) for word in words[1:]]
    return game


class Hand:
    """Betting replayed: who moves, what each has put in, what a raise must come to."""

    def __init__(self, game, betting):
        self.game = game
        self.spent = list(game["blind"])
        self.round, self.raises, self.moved = 0, 0, 0
        self.least = 2 * max(self.spent)
        self.turn = game["firstplayer"][0] - 1
        self.over = False
        for letter, number in re.findall(r"([fcr])(\d*)", betting):
            self.play(letter, number)

    def play(self, letter, number):
        player, most = self.turn, max(self.spent)
        self.moved += 1
        self.turn = 1 - player
        if letter == "f":
            self.over = True
        elif letter == "r":
            size = most + self.game["raisesize"][self.round] if self.game["limit"] else int(number)
            self.least = max(self.least, size + size - most)
            self.spent[player] = size
            self.raises += 1
        else:
            self.spent[player] = most
            if self.moved > 1 or self.all_in():
                self.next_round()

    def all_in(self):
        return not self.game["limit"] and min(self.spent) >= self.game["stack"][0]

    def next_round(self):
        self.round, self.raises, self.moved = self.round + 1, 0, 0
        if self.round == self.game["numrounds"][0] or self.all_in():
            self.over = True
            return
        self.least = max(self.spent) + max(self.game["blind"])
        self.turn = self.game["firstplayer"][self.round] - 1

    def actions(self, dice):
        """Legal actions; in no-limit one small and one random raise, and all-in."""
        found = ["c"] + (["f"] if self.spent[self.turn] < max(self.spent) else [])
        if self.raises >= self.game["maxraises"][self.round] or self.moved + 2 > 64:
            return found
        if self.game["limit"]:
            return [*found, "r"]
        stack = self.game["stack"][0]
        if max(self.spent) >= stack:
            return found
        least = min(self.least, stack)
        return [*found, f"r{least}", f"r{dice.randint(least, min(stack, 4 * least))}", f"r{stack}"]


def main(host, port, path, seed="0"):
    game, dice = read_game(path), random.Random(seed)
    hands, chips, raises = 0, 0, 0
    with socket.create_connection((host, int(port))) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        lines = connection.makefile("r", newline="\r\n")
        connection.sendall(b"VERSION:2.0.0\r\n")
        for line in lines:
            line = line.removesuffix("\r\n")
            if line[:1] in ("#", ";"):
                continue
            _, position, _, betting, _ = line.split(":")
            hand, me = Hand(game, betting), int(position)
            if hand.over:
                hands += 1
                if betting.endswith("f"):  # a showdown's winner is not worked out here
                    chips += -hand.spent[me] if hand.turn != me else hand.spent[1 - me]
            elif hand.turn == me:
                action = dice.choice(hand.actions(dice))
                raises += action.startswith("r")
                connection.sendall(f"{line}:{action}\r\n".encode())
    print(f"hands {hands} raises {raises} chips without showdowns {chips}", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
