"""A local server that speaks Slumbot's protocol: random legal moves, a new token with every reply, errors in error_msg.

`SlumbotStandin(scripts=...)` answers with given replies instead, one after the other, whatever is asked.
"""

import contextlib
import json
import random
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from mccfr.betting.lines import NOBODY, OVER
from mccfr.playing.played_hand import HandRecord, better_hand, deal_cards
from mccfr.protocols.slumbot_betting import read_slumbot, slumbot_text
from mccfr.protocols.slumbot_reply import SLUMBOT_TABLE as TABLE


class SlumbotStandin:
    """The server's state, and a log of what was asked."""

    def __init__(self, seed=1, scripts=(), spoil=None):
        self.dice, self.scripts, self.spoil = random.Random(seed), list(scripts), spoil
        self.asked, self.tokens, self.hand, self.results = [], 0, None, []

    def answer(self, name, document):
        """Status and reply."""
        self.asked.append((name, document))
        if self.scripts:
            return 200, self.scripts.pop(0)
        reply = self._reply(name, document)
        return 200, self.spoil(name, reply) if self.spoil else reply

    def _reply(self, name, document):
        if name == "login":
            right = document == {"username": "ann", "password": "secret"}
            return {"token": self._token()} if right else {"error_msg": "Incorrect password"}
        if name == "new_hand" and document.get("token") in (None, self.newest):
            return self._deal()
        if name == "act" and document.get("token") == self.newest and self.hand is not None:
            return self._act(document.get("incr"))
        return {"error_msg": "Missing, old or wrong token"}

    @property
    def newest(self):
        return f"token-{self.tokens}"

    def _token(self):
        self.tokens += 1
        return self.newest

    def _deal(self):
        cards = deal_cards(TABLE, self.dice)
        self.hand = {"cards": cards, "seat": len(self.results) % 2, "action": "", "s": TABLE.start, "moves": ()}
        return self._bot_moves("")

    def _act(self, incr):
        old = self.hand["action"]
        try:
            moves = read_slumbot(TABLE, old + str(incr))
        except ValueError as error:
            return {"error_msg": f"Illegal action: {error}"}
        if len(moves) != len(self.hand["moves"]) + 1:
            return {"error_msg": "Expected one action"}
        self._play(moves[-1])
        return self._bot_moves(old)

    def _play(self, move):
        hand = self.hand
        hand["s"], hand["moves"] = TABLE.play(hand["s"], move), (*hand["moves"], move)
        hand["action"] = slumbot_text(TABLE, hand["moves"])

    def _bot_moves(self, old):
        hand = self.hand
        while hand["s"].mover == 1 - hand["seat"]:
            legal = TABLE.legal(hand["s"])
            moves = list(legal.moves)
            if legal.bounds is not None:
                moves.append(TABLE.raise_to(hand["s"], self.dice.randint(*legal.bounds)))
            self._play(self.dice.choice(moves))
        return self._describe(old)

    def _describe(self, old):
        hand, s = self.hand, self.hand["s"]
        names = [TABLE.deck.card_name(card) for card in hand["cards"]]
        holes, board = (names[:2], names[2:4]), names[4:]
        showdown = s.mover == OVER and s.folded == NOBODY
        size = 5 if showdown else TABLE.board_size(s.street)
        reply = {"old_action": old, "action": hand["action"], "client_pos": hand["seat"]}
        reply |= {"hole_cards": holes[hand["seat"]], "board": board[:size], "token": self._token()}
        if s.mover == OVER:
            cards = hand["cards"]
            winner = better_hand(TABLE, (cards[:2], cards[2:4]), cards[4:]) if showdown else NOBODY
            won = int(TABLE.betting.payoffs(s, winner)[hand["seat"]])
            self.results.append(won)
            self.hand = None
            reply |= {"bot_hole_cards": holes[1 - reply["client_pos"]], "winnings": won, "baseline_winnings": won // 2}
        return reply


@contextlib.contextmanager
def served(standin):
    """The address of a server that answers for a stand-in."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            content = self.rfile.read(int(self.headers["Content-Length"]))
            status, reply = standin.answer(self.path.rpartition("/")[2], json.loads(content))
            body = reply if isinstance(reply, bytes) else json.dumps(reply).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/slumbot/api"
    finally:
        server.shutdown()
        server.server_close()


def record(action):
    """The hand of an action string."""
    return HandRecord(TABLE, ((), ()), (), read_slumbot(TABLE, action))
