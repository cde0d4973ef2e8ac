"""Ends at once, and well."""
