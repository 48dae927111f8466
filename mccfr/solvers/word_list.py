"""`mccfr.methods`: every word of method strings with its meaning, parameters and source, also a user's own."""

import contextlib
import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import mccfr.solvers.words  # noqa: F401  fills the dictionaries
from mccfr.errors import MccfrError, MethodError, nearest, quoted
from mccfr.grammar import parse_sum, plain_word
from mccfr.notebook import html_table
from mccfr.solvers.method import AUTO, PARTS, RECIPES, WORDS, LinearProgramme, Method
from mccfr.solvers.method_names import ALIASES, SPOKEN, as_written
from mccfr.solvers.public_words import NO_PARAMETERS, POLICIES

KINDS = {  # in the order they are listed
    "exact": "Exact",
    "full-width": "Full-width methods: every iteration visits everything",
    "sampler": "Samplers: every iteration walks a part of the tree",
    "form": "Sampling of dealt games, with vectors of hands",
    "estimator": "Parts: estimators of the values of actions",
    "minimiser": "Parts: regret minimisers",
    "averaging": "Parts: averages of the strategy",
    "other": "Parts: the rest",
    "law": "Values of vector(own=, other=), semi_vector(own=) and public_outcome(law=), beside uniform and robust(k)",
}
_LAW_CLASSES = {"robust": "Robust", "rcs": "RCS", "wcs": "WCS", "was": "WAS"} | {
    "counts": "Explored",
    "epsilon_greedy": "EpsilonGreedy",
}
_ROLES = ("estimator", "minimiser", "averaging")  # of a method, and kinds of words
_CITATION = re.compile(r"\s*\[([A-Z][^\]\[]*\d{4}[^\]\[]*)\]")
_SECTIONS = re.compile(r"^(?:Args|Returns|Raises|Examples):$", re.MULTILINE)  # of a docstring, for readers of Python
_BASES = ("external+infoset(0.5)+weighted(3)+power(3)", "cfr+simultaneous")  # what a part would change


class MethodWord(NamedTuple):
    """A word of method strings."""

    name: str
    kind: str  # a key of KINDS
    summary: str  # one line
    explanation: str  # the rest, with the formula
    parameters: dict[str, Any]  # with their defaults
    required: tuple[str, ...]  # parameters that must be given
    citation: str
    spoken: tuple[str, ...]  # what else it is called
    example: str  # a method with it

    @property
    def call(self) -> str:
        """The word with its parameters: `robust(k=1)`."""
        pairs = self.parameters.items()
        inside = (name if name in self.required else f"{name}={_plain(value)}" for name, value in pairs)
        return f"{self.name}({', '.join(inside)})" if self.parameters else self.name

    @property
    def title(self) -> str:
        """What words of this kind are."""
        return KINDS[self.kind]


def _plain(value: Any) -> Any:
    """A default as it would be typed: 1000, not 1000.0."""
    return int(value) if isinstance(value, float) and value.is_integer() else "''" if value == "" else value


class MethodWords(list[MethodWord]):
    """A list of words, which shows as a table."""

    def __repr__(self) -> str:
        width = min(40, max((len(word.call) for word in self), default=0))
        return "\n".join(f"{word.call:<{width}}  {word.summary}" for word in self)

    def _repr_html_(self) -> str:
        rows = [(word.kind, word.call, word.summary, word.citation) for word in self]
        return html_table("Words of method strings", ("kind", "word", "what it is", "source"), rows)


def methods(text: str | None = None) -> MethodWords:
    """List the words that methods are written with, and what they mean.

    Args:
        text: A word or a method string, to list only its words. Without it, all words, your own included.

    Returns:
        The words, each with its kind, parameters, explanation and source. The list prints as a table.

    Raises:
        MethodError: If there is no such word.

    Examples:
        >>> import mccfr
        >>> for word in mccfr.methods("os+predictive"):
        ...     print(word.call, "is a", word.kind)
        outcome(epsilon=0.6, explore=None, others=False) is a sampler
        predictive is a estimator
    """
    known = {word.name: word for word in _all_words()}
    if text is None:
        return MethodWords(known.values())
    if not isinstance(text, str):
        raise MethodError(f"methods takes a word or a method as text, got {quoted(text)}")
    return MethodWords(known[name] for name in _names_in(text, known))


def _names_in(text: str, known: Mapping[str, MethodWord]) -> list[str]:
    """The words of a method string, or a single word, in any spelling."""
    word = plain_word(text[:100])
    name = ALIASES.get(word, word)
    if name == AUTO:
        raise MethodError(
            "auto is no method: it takes lp for small games, sapcfr_plus for others without chance, dcfr for the rest"
        )
    if name in known:
        return [name]
    names = [call.name for call in parse_sum(as_written(text, known))]
    for name in names:
        if name not in known:
            raise MethodError(f"no method or part {quoted(name)}; {nearest(name, known)}")
    return names


def _all_words() -> list[MethodWord]:
    found = [_word(name, build, _recipe_kind(build), 0) for name, build in RECIPES.items()]
    found += [_word(name, build, _part_kind(build), 1) for name, build in PARTS.items()]
    found += [_law(name, build) for name, build in POLICIES.items() if name not in RECIPES]
    order = [*KINDS]
    return sorted(found, key=lambda word: order.index(word.kind))


def _word(name: str, build: Callable[..., Any], kind: str, skipped: int) -> MethodWord:
    parameters, required = _parameters(build, skipped)
    summary, rest, citation = _docstring(build)
    formulas = [_text_of(policy) for policy, word in WORDS.items() if word == name]
    explanation = "\n\n".join(part for part in (rest, *formulas) if part and part != summary)
    citation = citation or next((_docstring(policy)[2] for policy, word in WORDS.items() if word == name), "")
    given = "(1)" if required else ""
    head = "" if not skipped else "external+" if _made(build, Method.parse("external")) else "cfr+"
    return MethodWord(
        *(name, kind, summary, explanation, parameters, required, citation),
        *(SPOKEN.get(name, ()), f"{head}{name}{given}"),
    )


def _law(name: str, build: Callable[..., Any]) -> MethodWord:
    kind = NO_PARAMETERS.get(name) or build.__globals__[_LAW_CLASSES[name]]
    summary, rest, citation = _docstring(kind)
    parameters, required = ({}, ()) if name in NO_PARAMETERS else _parameters(build, 0)
    example = _law_example(name, "law" in parameters)
    return MethodWord(name, "law", summary, rest, parameters, required, citation, (), example)


def _law_example(name: str, has_inside: bool) -> str:
    """A method with this law: by itself if that is unbiased, else explored."""
    text = f"{name}(mcs)" if has_inside else name
    for example in (f"vector(own=robust, other={text})", f"vector(own={text}, other=mcs)"):
        with contextlib.suppress(MccfrError):
            Method.parse(example)
            return example
    return f"vector(own=robust, other=counts({text}))"


def _parameters(build: Callable[..., Any], skipped: int) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Names and defaults (None for those without one), and which have none."""
    taken = [*inspect.signature(build).parameters.values()][skipped:]
    defaults = {p.name: None if p.default is p.empty else p.default for p in taken}
    return defaults, tuple(p.name for p in taken if p.default is p.empty)


def _docstring(thing: Any) -> tuple[str, str, str]:
    """First line without its citation, the rest, and the citation."""
    text = _prose(thing)
    first, _, rest = text.partition("\n")
    cited = _CITATION.search(first) or _CITATION.search(rest)
    return _CITATION.sub("", first).strip(), rest.strip(), cited[1] if cited else ""


def _prose(thing: Any) -> str:
    """A docstring without its examples, its fields named as what they are in a method string."""
    text = _SECTIONS.split(inspect.getdoc(thing) or "")[0]
    return text.replace("\nAttributes:\n", "\nParameters:\n").strip()


def _text_of(policy: type) -> str:
    """The docstring of a policy's class; NamedTuples have one of their own that says nothing."""
    text = _prose(policy)
    return "" if text.startswith(f"{policy.__name__}(") else text


def _made(build: Callable[..., Any], *before: Any) -> Any:
    """What a word makes with its defaults, 1 for parameters without one; None if it cannot be made so."""
    required = [p for p in inspect.signature(build).parameters.values() if p.default is p.empty][len(before) :]
    with contextlib.suppress(MccfrError, TypeError, ValueError):
        return build(*before, *[1] * len(required))
    return None


def _recipe_kind(build: Callable[..., Any]) -> str:
    made = _made(build)
    if not isinstance(made, Method):
        return "sampler"
    if isinstance(made.sampler, LinearProgramme):
        return "exact"
    return "form" if made.public else "sampler" if made.samples else "full-width"


def _part_kind(build: Callable[..., Any]) -> str:
    """By what it changes in a method."""
    for base in map(Method.parse, _BASES):
        made = _made(build, base)
        if isinstance(made, Method):
            return next((role for role in _ROLES if _differs(getattr(made, role), getattr(base, role))), "other")
    return "other"


def _differs(one: Any, other: Any) -> bool:
    return type(one) is not type(other) or one != other  # NamedTuples of two types can be equal as tuples
