def render(s, fmt, heads=False, seats=False):
    return s.model_dump_json(indent=1)
