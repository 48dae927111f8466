"""Fuzzers: inputs that nobody in their right mind would give, by the hundred thousand, and the same ones again.

    make fuzz N=1000 SEED=7 KINDS="files strings" JOBS=2
    python -m fuzz replay fuzz/found/files-1a2b3c4d.json

Every case is drawn from (seed, kind, number) and is a small JSON document: which changes to which file, which text,
which messages. So it can be drawn again, made smaller, and kept. Children run thousands of cases each, with limits on
memory and time; the only thing an input may cause is an error of ours, in one line. Anything else is a finding, and is
written to `fuzz/found`. Cases that once failed are in `fuzz/cases`, which the tests replay.
"""
