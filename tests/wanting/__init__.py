"""Bots with one mistake each, in the languages it is made in; honest in all else.

A Python one runs as ``python -m tests.wanting.NAME`` from the repository's root.
"""
