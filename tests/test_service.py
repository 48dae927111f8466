"""An agent as a service: right answers, to 200 clients at once too; wrong questions and strangers are refused."""

import asyncio
import contextlib
import json
import random
import ssl
import threading
from pathlib import Path

import httpx
import jsonschema
import pytest
from click.testing import CliRunner

import mccfr
from mccfr.betting.lines import OVER
from mccfr.cli.main import cli
from mccfr.playing.agents import make_agent
from mccfr.playing.policy_agent import PolicyAgent
from mccfr.playing.table import table_of
from mccfr.protocols.acpc_text import betting_text
from mccfr.protocols.service import AgentService, ServiceError
from mccfr.protocols.shown_cards import card_text, seen_from
from mccfr.web import agent_service, serving

DOCS = Path(__file__).parent.parent / "docs"
SCHEMA = json.loads((DOCS / "service-schema.json").read_text())
COMMANDS = json.loads((DOCS / "json-schema.json").read_text())
TRAINED = "holdem(limit(cap=2, bets=2), exact, ranks=4, suits=2, board=3)"
SMALL = "holdem(nolimit(stack=20, bet=a), exact, ranks=4, suits=2, board=3)"
ANSWER, STATE = (
    jsonschema.Draft202012Validator({"$defs": SCHEMA["$defs"], "$ref": f"#/$defs/{name}"})
    for name in ("answer", "state")
)
CLIENTS, PATIENCE = 200, 60
CERTIFICATES = ssl.create_default_context()  # of no use here, but each client would read its own otherwise


@pytest.fixture(scope="module")
def service():
    strategy = mccfr.solve(TRAINED, "external", iterations=2000, seed=3).strategy()
    return AgentService(make_agent(strategy), "1.2.3")


@contextlib.contextmanager
def served(service):
    listener = serving.listening("127.0.0.1", 0)
    app = agent_service.make_service(service, serving.names_for("127.0.0.1"))
    settings = serving.uvicorn.Config(
        app, http=agent_service.PatientHTTP, timeout_keep_alive=75, log_level="error", access_log=False
    )
    server = serving.uvicorn.Server(settings)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(20)


@pytest.fixture(scope="module")
def address(service):
    with served(service) as found:
        yield found


def random_states(table, count, seed):
    """Questions somewhere in random hands, with what they mean."""
    dice, found = random.Random(seed), []
    while len(found) < count:
        cards = dice.sample(range(table.ranks * table.suits), table.cards_dealt)
        s, moves = table.start, ()
        for _ in range(dice.randint(0, 5)):
            legal = table.legal(s)
            raises = [] if legal.bounds is None else [table.raise_to(s, dice.randint(*legal.bounds))]
            move = dice.choice([*legal.moves[-1:], *raises])
            after = table.play(s, move)
            if after.mover == OVER:
                break
            s, moves = after, (*moves, move)
        board = cards[4 : 4 + table.board_size(s.street)]
        seen = seen_from(table, s.mover, cards[:2], board, moves)
        found.append((question(table, seen, dice), seen))
    return found


def question(table, seen, dice):
    """A question about what is seen, in one of three forms."""
    hole, board = card_text(table, seen.hole), card_text(table, seen.board)
    betting = betting_text(table, seen.moves)
    forms = [
        {"seat": seen.seat, "hole": hole, "board": board, "line": seen.state.line},
        {"hole": [hole[:2], hole[2:]], "board": board, "acpc": betting},
    ]
    holes = f"{hole}|" if seen.seat == 0 else f"|{hole}"
    forms.append({"matchstate": f"MATCHSTATE:{seen.seat}:7:{betting}:{holes}/{board}".rstrip("/")})
    return dice.choice(forms)


def require_right(service, seen, answer):
    ANSWER.validate(answer)
    expected = PolicyAgent(service.policy).odds(seen)
    assert {each["move"]: each["probability"] for each in answer["odds"]} == {m.text: p for m, p in expected.items()}
    assert answer["move"]["move"] in {each["move"] for each in answer["odds"]}
    assert (answer["seat"], answer["line"]) == (seen.seat, seen.state.line)
    assert answer["legal"]["moves"] == [move.text for move in seen.legal.moves]
    assert bool(answer["legal"]["raise"]) == (seen.legal.bounds is not None)


def test_answers_are_those_of_the_agent(service, address):
    states = random_states(service.table, 60, 1)
    for asked, seen in states:
        STATE.validate(asked)
        answer = httpx.post(f"{address}/move", json=asked, timeout=PATIENCE)
        assert answer.status_code == 200, answer.text
        require_right(service, seen, answer.json())
    batch = httpx.post(f"{address}/moves", json={"states": [asked for asked, _ in states]}, timeout=PATIENCE).json()
    jsonschema.validate(batch, SCHEMA)
    for (_, seen), answer in zip(states, batch["answers"], strict=True):
        require_right(service, seen, answer)


@pytest.mark.slow
def test_two_hundred_clients_at_once(service, address):
    """All of them connected at the same time, each asking five times on its connection."""
    states = random_states(service.table, CLIENTS, 2)

    async def ask(asked, together):
        async with httpx.AsyncClient(timeout=PATIENCE, verify=CERTIFICATES) as client:
            first = await client.get(address)
            assert first.status_code == 200
            await together.wait()
            return [await client.post(f"{address}/move", json=asked) for _ in range(5)]

    async def ask_all():
        together = asyncio.Event()
        clients = [asyncio.create_task(ask(asked, together)) for asked, _ in states]
        await asyncio.sleep(1.0)
        together.set()
        return await asyncio.gather(*clients)

    for (_, seen), answers in zip(states, asyncio.run(ask_all()), strict=True):
        assert {answer.status_code for answer in answers} == {200}
        require_right(service, seen, answers[0].json())
        assert all(answer.json()["odds"] == answers[0].json()["odds"] for answer in answers)


def test_a_seed_repeats_the_draw_and_draws_follow_the_odds(service):
    asked, _ = next(each for each in random_states(service.table, 40, 3) if len(service.answer(each[0])["odds"]) > 1)
    assert len({service.answer({**asked, "seed": 5})["move"]["move"] for _ in range(10)}) == 1
    drawn = [service.answer({**asked, "seed": seed})["move"]["move"] for seed in range(3000)]
    for each in service.answer(asked)["odds"]:
        assert drawn.count(each["move"]) / 3000 == pytest.approx(each["probability"], abs=0.04)


def test_about(service, address):
    found = httpx.get(address).json()
    jsonschema.validate(found, SCHEMA)
    assert (found["schema"], found["version"], found["table"]["bets"]) == (1, "1.2.3", [2, 2])
    assert found["table"]["ranks"] * found["table"]["suits"] == 8


WRONG = [
    ({"hole": "2c2d", "board": "", "line": "x"}, "character 1: expected f, k, c"),
    ({"hole": "2c2d", "line": "r40"}, "cannot raise 40 now"),
    ({"hole": "2c2d", "acpc": "rrrrrr"}, "character 3: nobody may raise here"),
    ({"hole": "2c2c"}, "2c is there twice"),
    ({"hole": "2cAs"}, "'As'"),
    ({"hole": "2c"}, "the hand has 1 cards, expected 2"),
    ({"hole": "2c2d", "line": "ck/"}, "the board after 'ck/' has 0 cards, expected 3"),
    ({"hole": "2c2d", "line": "ck/", "board": "2c3c4c"}, "2c is there twice"),
    ({"hole": "2c2d", "seat": 0}, "seat 1 is to move at the start, not seat 0"),
    ({"hole": "2c2d", "line": "f"}, "the hand is over after 'f'"),
    ({"hole": "2c2d", "seat": 7}, "seat must be 0"),
    ({"hole": "2c2d", "seat": True}, "seat must be 0"),
    ({"hole": "2c2d", "lines": "c"}, "no field 'lines'; did you mean line?"),
    ({"hole": "2c2d", "line": "c", "acpc": "c"}, "betting is told once"),
    ({"hole": "2c2d", "line": ["c"]}, "line must be text"),
    ({"hole": "2c2d", "line": "c" * 9999}, "line must be text of at most 600"),
    ({"hole": 5}, "hole must be cards"),
    ({"hole": "2c2d", "seed": -1}, "seed must be a whole number"),
    ({"hole": "2c2d", "seed": "x"}, "seed must be a whole number"),
    ({"matchstate": "MATCHSTATE:2:0::2c2d|"}, "matchstate must be text such as"),
    ({"matchstate": "MATCHSTATE:1:0::2c2d"}, "the cards of two players"),
    ({"matchstate": "MATCHSTATE:1:0::2c2d|"}, "the hand has 0 cards"),
    ({"matchstate": "MATCHSTATE:1:0::|2c2d", "seat": 1}, "matchstate must be text such as"),
    ([], "a state is an object"),
    (7, "a state is an object"),
]


@pytest.mark.parametrize(("asked", "said"), WRONG)
def test_wrong_questions_are_refused_in_a_line(service, address, asked, said):
    answer = httpx.post(f"{address}/move", json=asked, timeout=PATIENCE)
    assert (answer.status_code, list(answer.json())) == (422, ["error"])
    assert said in answer.json()["error"]
    assert "\n" not in answer.json()["error"]
    assert service.answer_all({"states": [asked]})["answers"] == [answer.json()]


@pytest.mark.parametrize(
    ("content", "status"),
    [(b"", 422), (b"{", 422), (b"\xff", 422), (b"[" * 100000, 422), (b"NaN", 422), (b" " * 600000, 413)],
)
def test_what_is_not_json_is_refused(address, content, status):
    answer = httpx.post(f"{address}/move", content=content)
    assert (answer.status_code, list(answer.json())) == (status, ["error"])


def test_batches_are_bounded(address):
    for states in ([], [{}] * 1001, "x"):
        assert httpx.post(f"{address}/moves", json={"states": states}).status_code == 422
    answer = httpx.post(f"{address}/moves", json={"states": [{"hole": "2c2d"}, {"hole": "??"}]}).json()
    assert list(answer["answers"][1]) == ["error"]
    assert answer["answers"][0]["schema"] == 1


def test_strangers_and_other_paths_are_refused(address):
    for headers in ({"Host": "evil.example"}, {"Origin": "http://evil.example"}):
        answer = httpx.post(f"{address}/move", json={"hole": "2c2d"}, headers=headers)
        assert (answer.status_code, list(answer.json())) == (403, ["error"])
    assert httpx.get(f"{address}/move").status_code == 405
    missing = httpx.get(f"{address}/docs")
    assert missing.status_code == 404
    assert missing.json()["error"] == "GET /docs: expected GET /, POST /move or POST /moves"


def test_only_agents_with_probabilities_serve():
    class Mover:
        def move(self, seen):
            return seen.legal.moves[-1]

    with pytest.raises(ServiceError, match="cannot be asked for probabilities"):
        AgentService(make_agent(Mover()), "1")


def test_the_shipped_blueprint_answers():
    service = AgentService(make_agent("blueprint:limit"), "1")
    answer = service.answer({"hole": "AsAh"})
    assert sum(each["probability"] for each in answer["odds"]) == pytest.approx(1.0)
    assert all(each["move"] != "f" for each in answer["odds"] if each["probability"] > 0.01)


def test_the_command(monkeypatch):
    """Serves until it is told to end; a port in use, an agent without a table are one line."""

    def serve_agent(service, listener, host, ready):
        with listener:
            ready()

    monkeypatch.setattr(agent_service, "serve_agent", serve_agent)
    done = CliRunner().invoke(cli, ["serve", "always_call", "--game", "holdem(limit)", "--port", "0", "--json"])
    assert done.exit_code == 0
    jsonschema.validate(json.loads(done.stdout), COMMANDS)
    warned = CliRunner().invoke(
        cli, ["serve", "always_call", "--game", "holdem(limit)", "--port", "0", "--host", "0.0.0.0"]
    )
    assert "others on the network" in warned.stderr
    with serving.listening("127.0.0.1", 0) as taken:
        port = str(taken.getsockname()[1])
        for words in (["always_call"], ["nosuchagent"], ["always_call", "--game", "holdem(limit)", "--port", port]):
            failed = CliRunner().invoke(cli, ["serve", *words])
            assert (failed.exit_code, failed.stderr.count("\n")) == (2, 1), failed.stderr


def test_tables_of_other_chips():
    """The same strategy where a chip is worth fifty: the odds are the same, the bets fifty times as large."""
    strategy = mccfr.uniform(SMALL)
    other = table_of(SMALL.replace("stack=20", "stack=1000, blinds='50 100'"))
    one, two = (AgentService(make_agent(strategy, table), "1").answer({"hole": "5c5d"}) for table in (None, other))
    assert [each["probability"] for each in one["odds"]] == [each["probability"] for each in two["odds"]]
    assert [50 * (each["to"] or 0) for each in one["odds"]] == [each["to"] or 0 for each in two["odds"]]
