"""Names of methods as people say them, put into the words of method strings.

Capitals do not matter, and spaces and hyphens count as `_`. A `+` joins a part to a method, unless nothing or another
`+` follows it: then it belongs to the word before, so `CFR+` is `cfr_plus` and `cfr++skip(9)` is `cfr_plus+skip(9)`.
"""

import re
from collections.abc import Container, Iterator

from mccfr.errors import MethodError, quoted
from mccfr.grammar import plain_word

SPOKEN = {  # by the word we write
    "auto": ("automatic",),
    "lp": ("linear_program", "linear_programme", "linear_programming", "linprog", "sequence_form_lp"),
    "cfr": ("vanilla_cfr", "counterfactual_regret_minimization", "counterfactual_regret_minimisation"),
    "cfr_plus": ("cfr+", "cfrplus", "cfrp"),
    "lcfr": ("linear_cfr", "linearcfr"),
    "dcfr": ("discounted_cfr", "discountedcfr"),
    "pcfr_plus": ("pcfr+", "pcfrplus", "predictive_cfr+", "predictive_cfr_plus"),
    "dcfr_plus": ("dcfr+", "dcfrplus", "discounted_cfr+", "discounted_cfr_plus"),
    "pdcfr_plus": ("pdcfr+", "pdcfrplus", "dpcfr+", "predictive_discounted_cfr+", "predictive_discounted_cfr_plus"),
    "sapcfr_plus": ("sapcfr+", "sapcfrplus", "simple_asymmetric_pcfr+", "simple_apcfr+"),
    "hs_dcfr": ("hsdcfr",),
    "hs_pcfr_plus": ("hs_pcfr+", "hspcfr+", "hs_pcfrplus"),
    "external": (
        *("es", "external_sampling", "external_sampling_mccfr", "external_sampling_cfr"),
        *("external_mccfr", "mccfr_external", "es_mccfr", "mccfr_es", "escfr"),
    ),
    "outcome": (
        *("os", "outcome_sampling", "outcome_sampling_mccfr", "outcome_sampling_cfr"),
        *("outcome_mccfr", "mccfr_outcome", "os_mccfr", "mccfr_os", "oscfr"),
    ),
    "chance": ("cs", "chance_sampling", "chance_sampled_cfr", "chance_sampling_cfr", "cscfr", "chance_sampled"),
    "average_strategy": ("as", "average_strategy_sampling", "as_mccfr"),
    "robust": ("rs", "robust_sampling"),
    "uniform": ("uniform_sampling",),
    "public_outcome": ("public_outcome_sampling",),
    "vector": ("vector_form",),
    "semi_vector": ("semivector", "semi_vector_form"),
    "rm": ("regret_matching",),
    "rm_plus": ("rm+", "rmplus", "regret_matching+", "regret_matching_plus"),
    "prm_plus": ("prm+", "prmplus", "predictive_rm+", "predictive_rm_plus", "predictive_regret_matching+"),
    "probe": ("probing", "probes"),
    "history": ("history_baseline", "history_baselines"),
    "infoset": ("infoset_baseline", "infoset_baselines"),
    "predictive": ("predictive_baseline", "predictive_baselines"),
    "static": ("static_baseline",),
    "constant": ("uniform_averaging", "constant_averaging"),
    "linear": ("linear_averaging",),
    "quadratic": ("quadratic_averaging",),
}
ALIASES = {spoken: word for word, many in SPOKEN.items() for spoken in many}
_FAMILY = "a family of methods: say external (external sampling) or outcome (outcome sampling)"
ASKED_FOR = {  # what is no method here, and what to take
    **dict.fromkeys(("mccfr", "monte_carlo_cfr", "sampling", "monte_carlo"), _FAMILY),
    "pdcfr": "not here, only its form with regret matching+: say pdcfr_plus",
    **dict.fromkeys(("apcfr+", "apcfr_plus"), "not here, only its simple form: say sapcfr_plus"),
    "pcfr": "not here, only its form with regret matching+: say pcfr_plus",
}
_LONGEST = 1_000_000  # characters: longer ones are refused when read
_TERM = re.compile(r"\s*(?P<name>[\w\s,'\u2019-]{1,80}?\+?)\s*(?P<values>\(.*)?", re.DOTALL)


def as_written(text: str, known: Container[str]) -> str:
    """A method string in the words we write; what is no word of ours stays as it is, for the parser to complain of."""
    if len(text) > _LONGEST:
        return text
    terms = [*_terms(text)]
    written = [_written(term, text, known) for term in terms]
    return text if written == terms else "+".join(term.strip() for term in written)


def _terms(text: str) -> Iterator[str]:
    """What is joined by `+` outside of brackets and quotes; a `+` that belongs to its word stays with it."""
    begin, depth, quote = 0, 0, ""
    for at, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"" and depth:
            quote = letter
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        elif letter == "+" and depth == 0 and not _belongs(text, begin, at):
            yield text[begin:at]
            begin = at + 1
    yield text[begin:]


def _belongs(text: str, begin: int, at: int) -> bool:
    """Whether this `+` is the end of the word before it: nothing follows, or the `+` that joins the next part."""
    follows = text[at + 1 : at + 10].lstrip()[:1]
    return follows in ("", "+") and text[max(begin, at - 1) : at].strip() not in ("", "+")


def _written(term: str, text: str, known: Container[str]) -> str:
    """A word, with its values, as we write it."""
    found = _TERM.fullmatch(term)
    if found is None or found["name"] in known:
        return term
    word, values = plain_word(found["name"]), found["values"] or ""
    name = ALIASES.get(word, word)
    if name in ASKED_FOR and name not in known:
        raise MethodError(f"method {quoted(text)}: {word} is {ASKED_FOR[name]}")
    if name in known or name == "auto":
        return f"{name}{values}"
    if name.endswith("+"):
        raise MethodError(
            f"method {quoted(text)}: there is no {quoted(name)}; a part follows a +, as in external+predictive"
        )
    typed_as_words = name != found["name"].lower() and name.isidentifier()
    return f"{name}{values}" if typed_as_words else term
