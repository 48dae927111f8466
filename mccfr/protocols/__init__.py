"""The field's protocols: ACPC over sockets, hand histories, Slumbot's and our own HTTP."""
