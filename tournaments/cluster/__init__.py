"""Matches on other machines, by Dask: what the front has, and what each worker does.

Dask carries bytes, knows who is there, and says who has gone.  Who plays what is
decided here, and nobody's word is taken for a result (docs/decisions/0015).
"""
