"""Playing cards: the deck, how strong a hand is, and what two hands are worth against each other."""
