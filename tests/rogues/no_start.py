"""Row 16: exits at its start.  Out, ``no_hello``, with its last words."""

import sys

sys.exit("no model found")
