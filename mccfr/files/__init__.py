"""Containers on disk: arrays and a header in one file, written atomically, read without executing anything."""
