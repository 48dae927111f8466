"""Range strings and what they mean, written out: what the tests look at, and what finds planted bugs."""

import importlib

import numpy as np

MEANINGS = {  # a range; the same in single classes and hands
    "QQ+": "AA,KK,QQ",
    "22+": "AA,KK,QQ,JJ,TT,99,88,77,66,55,44,33,22",
    "AA+": "AA",
    "55-22": "55,44,33,22",
    "22-55": "55,44,33,22",
    "A5s-A2s": "A5s,A4s,A3s,A2s",
    "A2o-A5o": "A5o,A4o,A3o,A2o",
    "A9s+": "AKs,AQs,AJs,ATs,A9s",
    "KT+": "KQs,KQo,KJs,KJo,KTs,KTo",
    "QTo+": "QJo,QTo",
    "T9s+": "T9s,JTs,QJs,KQs,AKs",
    "AKs+": "AKs",
    "T9s-65s": "T9s,98s,87s,76s,65s",
    "J9o-97o": "J9o,T8o,97o",
    "KJ": "KJs,KJo",
    "JK": "KJs,KJo",
    "k2S": "K2s",
    "AsKh": "AsKh",
    "KHaS": "AsKh",
    "AA,AsAh:0": "AsAd,AsAc,AhAd,AhAc,AdAc",
    "AKs:0.5,AsKs": "AsKs,AhKh:0.5,AdKd:0.5,AcKc:0.5",
    "AsKs,AKs:0.5": "AsKs:0.5,AhKh:0.5,AdKd:0.5,AcKc:0.5",
    "AKs,AK:0": "",
    "AKs, AA, ": "AKs,AA",
    " QQ + , AKs : 0.25 ,\n55 - 44 ": "AA,KK,QQ,AKs:0.25,55,44",
    "AA:1.0,KK:1,QQ:.5,JJ:5e-1": "AA,KK,QQ:0.5,JJ:0.5",
    "": "",
}

CANONICAL = {
    "kk,AA,qq": "QQ+",
    "22-99": "99-22",
    "AK,AQs": "AK,AQs",
    "AKs,AKo:0.25": "AKs,AKo:0.25",
    "A2s+,A2o+": "A2+",
    "A2s+,AKo": "AK,AQs-A2s",
    "T9s+": "AKs,KQs,QJs,JTs,T9s",
    "random": "all",
    "any  two:0.5": "all:0.5",
    "ANY": "all",
    "AsAh,AsAd,AsAc,AhAd,AhAc": "AA,AdAc:0",
    "AcAd": "AdAc",
    "QQ+,AA:0.5": "AA:0.5,KK-QQ",
    "": "",
    "AA:0": "",
}


def combos(text):
    """{hand: weight} of classes and hands written out one by one, by the functions of the deck alone."""
    deck = importlib.import_module("mccfr.cards.deck")
    found = {}
    for term in filter(None, text.split(",")):
        name, _, weight = term.partition(":")
        if len(name) == 4:
            hands = [deck.hand(name)]
        else:
            hands = np.flatnonzero(deck.hand_class(name) == deck.CLASS_OF_HAND).tolist()
        found |= dict.fromkeys(hands, float(weight or 1))
    return found


def meaning(text):
    """{hand: weight} of a range."""
    weights = importlib.import_module("mccfr.cards.ranges").Range.parse(text).weights
    return {int(hand): float(weights[hand]) for hand in weights.nonzero()[0]}


def canonical(text):
    """A range as it is written back."""
    return str(importlib.import_module("mccfr.cards.ranges").Range.parse(text))


def left_without(text, cards):
    """A range when cards are seen."""
    return str(importlib.import_module("mccfr.cards.ranges").Range.parse(text).without(cards))


def wrong():
    """The examples that come out wrong."""
    found = [text for text, right in MEANINGS.items() if comes_to(meaning, text) != combos(right)]
    found += [text for text, right in CANONICAL.items() if comes_to(canonical, text) != right]
    return found + ["removal"] * (comes_to(left_without, "AKs,QQ", "As Qd") != "AKs,AsKs:0,QsQh,QsQc,QhQc")


def comes_to(look, *given):
    """What a look finds, or how it fails: a planted bug may raise anything."""
    try:
        return look(*given)
    except Exception as error:
        return repr(error)
