"""Strategies: what people hold in their hands. Looked up, shown, compared, saved, loaded, exchanged."""
