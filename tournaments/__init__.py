"""Many matches: the schedule, the store, the ranked table, the command line."""
