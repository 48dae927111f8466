"""What a page may say to the server, with types; anything else is answered by one line that says what is wrong."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from mccfr.errors import MccfrError

MOST_ITERATIONS = 10**12
MOST_WALKS = 20_000
SEEDS = 2**63
LARGEST_ID = 2**53  # whole numbers that a page tells apart
MOST_OFFSET = 10**9


class MessageError(MccfrError, ValueError):
    """A message that is not one of those below."""


class Message(BaseModel):
    """Every message may carry an id, which its answer repeats."""

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)
    id: Annotated[int, Field(ge=-LARGEST_ID, le=LARGEST_ID)] | Annotated[str, Field(max_length=100)] | None = None


Text = Annotated[str, Field(max_length=300)]
Count = Annotated[int, Field(ge=0, le=MOST_ITERATIONS)]
LaneNumber = Annotated[int, Field(ge=0, le=1)]


class Open(Message):
    """Begin with a game and one or two methods."""

    type: Literal["open"]
    game: Text = "kuhn"
    method: Text = "external"
    other: Text | None = None
    seed: Annotated[int, Field(ge=0, lt=SEEDS)] = 1


class Step(Message):
    """Some iterations; the last one is told."""

    type: Literal["step"]
    count: Annotated[int, Field(ge=1, le=MOST_ITERATIONS)] = 1


class Play(Message):
    """Go on by itself: so many iterations a second, or as fast as possible."""

    type: Literal["play"]
    rate: Annotated[float, Field(gt=0, le=1e9)] | None = None


class Pause(Message):
    """Stop playing, or whatever is running."""

    type: Literal["pause"]


class Jump(Message):
    """Go to an iteration, from the seed if it lies behind."""

    type: Literal["jump"]
    iteration: Count


class View(Message):
    """Which infosets frames carry."""

    type: Literal["view"] = "view"
    filter: Text = ""
    player: Annotated[int, Field(ge=0, le=1)] | None = None
    offset: Annotated[int, Field(ge=0, le=MOST_OFFSET)] = 0
    limit: Annotated[int, Field(ge=0, le=200)] = 60
    group: Annotated[int, Field(ge=0, le=MOST_OFFSET)] | None = None  # of the atlas, in place of offset and limit
    lane: LaneNumber | None = None


class Infoset(Message):
    """The mathematics of an infoset's last update."""

    type: Literal["infoset"]
    player: Annotated[int, Field(ge=0, le=1)]
    label: Text
    lane: LaneNumber = 0
    step: Count | None = None  # of the told iteration, up to which it is looked at


class Noise(Message):
    """How much estimates vary while the strategy stands still."""

    type: Literal["noise"]
    walks: Annotated[int, Field(ge=2, le=MOST_WALKS)] = 1000
    lane: LaneNumber = 0
    player: Annotated[int, Field(ge=0, le=1)] | None = None
    label: Text | None = None


class Public(Message):
    """A node of a dealt game's public tree, with its hands."""

    type: Literal["public"]
    node: Annotated[int, Field(ge=0, le=MOST_OFFSET)] = 0
    walker: Annotated[int, Field(ge=0, le=1)] = 0
    deal: Annotated[int, Field(ge=0, le=MOST_OFFSET)] = 0  # which of the pairs of hands that chance may deal
    lane: LaneNumber = 0


class Ack(Message):
    """The page has drawn a frame."""

    type: Literal["ack"]
    frame: Count


class Measure(Message):
    """Nodes and seconds to a target, full width against sampled."""

    type: Literal["measure"]


class Gadgets(Message):
    """What re-solving makes of strategies, by gadget."""

    type: Literal["gadgets"]
    game: Literal["kuhn", "leduc"] = "kuhn"


class Clairvoyant(Message):
    """Best responses that see the other's card."""

    type: Literal["clairvoyant"]
    lane: LaneNumber = 0


class Sit(Message):
    """Play against an agent, by its name among those offered; `game` is the token of a game to go on with."""

    type: Literal["sit"]
    agent: Text
    game: Annotated[str, Field(max_length=100)] | None = None


class Deal(Message):
    """The next hand."""

    type: Literal["deal"]


class Act(Message):
    """A move, in a hand that stands at a line of betting: `f`, `k`, `c`, or a bet to an amount on this street."""

    type: Literal["act"]
    hand: Annotated[int, Field(ge=1, le=LARGEST_ID)]
    line: Text
    move: Annotated[str, Field(pattern=r"^(?:[fkc]|[bra][0-9]{1,9})$")]


class Review(Message):
    """What can be said about the last hand now that it is over."""

    type: Literal["review"]


class History(Message):
    """All hands that were played to their end, as a file."""

    type: Literal["history"]


Table_ = Sit | Deal | Act | Review | History
Question_ = Infoset | Noise | Measure | Gadgets | Clairvoyant | Public
Any_ = Open | Step | Play | Pause | Jump | View | Ack | Question_ | Table_
_READER: TypeAdapter[Any] = TypeAdapter(Annotated[Any_, Field(discriminator="type")])


def read_message(text: str) -> Any:
    """The message in a text frame."""
    try:
        return _READER.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"][1:])
        raise MessageError(" ".join(f"message: {f'{where}: ' if where else ''}{first['msg']}".split())) from None
