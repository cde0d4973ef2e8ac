"""The bots that are shipped: programs to play against, and to copy."""
