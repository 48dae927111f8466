"""An agent that answers questions: a state of a hand in, probabilities of moves and a drawn move out, all as JSON.

Nothing is remembered between questions, so that any number of clients may ask in any order. docs/service-schema.json
describes both sides; `SCHEMA` is its version.
"""

import random
from typing import Any

from mccfr.betting.lines import BETS, NAMES, OVER, Move
from mccfr.errors import MccfrError, nearest, quoted
from mccfr.files.bounded import is_count
from mccfr.playing.agent import Agent, chosen
from mccfr.playing.policy import MANY_HANDS, Policy
from mccfr.playing.policy_agent import PolicyAgent
from mccfr.playing.seen import Seen
from mccfr.playing.table import Table
from mccfr.protocols.acpc_text import action_text, read_betting
from mccfr.protocols.hand_json import table_document
from mccfr.protocols.shown_cards import read_cards, seen_from
from mccfr.protocols.slumbot_betting import LONGEST

SCHEMA = 1
MOST_STATES = 1000  # in a batch
BETTING = ("line", "acpc", "matchstate")
KNOWN = ("seat", "hole", "board", *BETTING, "seed")
MATCHSTATE = "MATCHSTATE:0:3:r6c/:AsKs|/2c3c4c"


class ServiceError(MccfrError, ValueError):
    """A question that makes no sense, or an agent that cannot be asked."""


class AgentService:
    """Answers for a policy at its table."""

    def __init__(self, agent: Agent, version: str) -> None:
        """Take an agent that plays by probabilities."""
        policy = getattr(agent, "policy", None)
        if not isinstance(policy, Policy):
            raise ServiceError(
                f"{agent.name} cannot be asked for probabilities: expected a strategy, such as blueprint:nolimit, or "
                "always_call"
            )
        self.policy: Policy = policy
        self.table: Table = policy.table
        self.version = version

    def prepare(self) -> None:
        """Make ready for many questions: large tables are loaded, or made once and kept in the cache folder."""
        self.policy.prepare(MANY_HANDS)

    def about(self) -> dict[str, Any]:
        """Who answers, at which table."""
        return {
            "service": "mccfr serve",
            "schema": SCHEMA,
            "version": self.version,
            "agent": self.policy.name,
            "table": table_document(self.table),
            "most_states": MOST_STATES,
        }

    def answer(self, state: Any) -> dict[str, Any]:
        """The odds of a state, and a move drawn by them."""
        seen, seed = self._read(state)
        odds = PolicyAgent(self.policy).odds(seen)
        dice = random.Random() if seed is None else random.Random(seed)
        return {
            "schema": SCHEMA,
            "seat": seen.seat,
            "line": seen.state.line,
            "move": self._described(seen, chosen(odds, dice)),
            "odds": [{**self._described(seen, move), "probability": p} for move, p in odds.items()],
            "legal": self._legal(seen),
        }

    def answer_all(self, document: Any) -> dict[str, Any]:
        """The answers to several states, in their order; a state that is wrong has an error for an answer."""
        states = document.get("states") if isinstance(document, dict) and len(document) == 1 else None
        if not isinstance(states, list) or not 1 <= len(states) <= MOST_STATES:
            found = f"{len(states):,} states" if isinstance(states, list) else quoted(document, 40)
            raise ServiceError(f'expected {{"states": [...]}} with 1 to {MOST_STATES:,} states, got {found}')
        return {"schema": SCHEMA, "answers": [self._answer_or_error(state) for state in states]}

    def _answer_or_error(self, state: Any) -> dict[str, Any]:
        try:
            return self.answer(state)
        except MccfrError as error:
            return {"error": str(error)}

    def _read(self, state: Any) -> tuple[Seen, int | None]:
        """What a player sees, and the seed of the draw."""
        if not isinstance(state, dict):
            raise ServiceError(
                f'a state is an object such as {{"hole": "AsKs", "line": "r6"}}, got {quoted(state, 40)}'
            )
        for name in state:
            if name not in KNOWN:
                raise ServiceError(f"no field {quoted(name, 40)}; {nearest(name, KNOWN)}")
        seed = state.get("seed")
        if seed is not None and not is_count(seed):
            raise ServiceError(f"seed must be a whole number from 0, got {quoted(seed)}")
        if sum(name in state for name in BETTING) > 1:
            raise ServiceError("betting is told once: as line, as acpc, or in matchstate")
        seen = self._matchstate(state) if "matchstate" in state else self._fields(state)
        if seen.state.mover != seen.seat:
            after = f"after {seen.state.line!r}" if seen.state.line else "at the start"
            whose = "the hand is over" if seen.state.mover == OVER else f"seat {seen.state.mover} is to move"
            raise ServiceError(f"{whose} {after}, not seat {seen.seat}")
        return seen, seed

    def _fields(self, state: dict[str, Any]) -> Seen:
        told = "acpc" if "acpc" in state else "line"
        text = state.get(told, "")
        if not isinstance(text, str) or len(text) > LONGEST:
            raise ServiceError(f"{told} must be text of at most {LONGEST} characters, got {quoted(text, 40)}")
        moves = read_betting(self.table, text).moves if told == "acpc" else self.table.at(text)[1]
        hole, board = (read_cards(self.table, state.get(name, ""), name) for name in ("hole", "board"))
        seat = state.get("seat", self._mover(moves))
        if not is_count(seat, 0, 1):
            raise ServiceError(f"seat must be 0, the big blind, or 1, the dealer, got {quoted(seat)}")
        return seen_from(self.table, seat, hole, board, moves)

    def _mover(self, moves: tuple[Move, ...]) -> int:
        s = self.table.start
        for move in moves:
            s = self.table.play(s, move)
        return max(s.mover, 0)

    def _matchstate(self, state: dict[str, Any]) -> Seen:
        """A state as a dealer of ACPC sends it."""
        text = state["matchstate"]
        extra = [name for name in ("seat", "hole", "board") if name in state]
        parts = text.strip().split(":") if isinstance(text, str) and len(text) <= 2 * LONGEST else []
        if len(parts) != 5 or parts[0] != "MATCHSTATE" or parts[1] not in ("0", "1") or extra:
            raise ServiceError(f"matchstate must be text such as {MATCHSTATE!r}, without {', '.join(extra) or 'more'}")
        seat, (holes, *board) = int(parts[1]), parts[4].split("/")
        both = holes.split("|")
        if len(both) != 2:
            raise ServiceError(f"matchstate: expected the cards of two players, as in {MATCHSTATE!r}")
        moves = read_betting(self.table, parts[3]).moves
        hole, laid = (read_cards(self.table, cards, "cards") for cards in (both[seat], " ".join(board)))
        return seen_from(self.table, seat, hole, laid, moves)

    def _described(self, seen: Seen, move: Move) -> dict[str, Any]:
        amount = move.amount if move.kind >= BETS else None
        acpc = action_text(self.table, seen.state, move)
        return {"move": move.text, "kind": NAMES[move.kind].lower(), "to": amount, "acpc": acpc}

    def _legal(self, seen: Seen) -> dict[str, Any]:
        legal = seen.legal
        bounds = None if legal.bounds is None else {"least": legal.bounds[0], "most": legal.bounds[1]}
        return {"moves": [move.text for move in legal.moves], "raise": bounds}
