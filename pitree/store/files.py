"""Files opened so that nothing waits: a pipe in a folder of sessions must not stop a list."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


def open_regular(path: Path) -> int:
    """A descriptor for reading a regular file.

    Raises:
        OSError: There is no such file, it may not be read, or it is a folder, a pipe, a device.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        what = "a folder" if stat.S_ISDIR(mode) else "no regular file"
        raise OSError(errno.EINVAL, f"{what}, not a session file")
    return descriptor
