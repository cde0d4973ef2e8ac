"""Row 12, at ``hello``: a broken line, and stdout closed.  Out once, ``no_hello``."""

import os
import time

from tests.rogues._wire import write

write(b'{"id":0,\n')
os.close(1)
time.sleep(600)
