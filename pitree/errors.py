"""What can go wrong, each with the exit code of the command line.

PitreeError                 1  something failed
├── UsageError              2  the call's words are off
│   └── UnknownEntryError   2  no entry has that id
└── NotASessionError        3  the file holds nothing that can be read
"""


class PitreeError(Exception):
    """A failure that is told to the user in one line, without a traceback."""

    exit_code = 1


class UsageError(PitreeError):
    """The arguments of a call make no sense."""

    exit_code = 2


class UnknownEntryError(UsageError):
    """No entry of the session has the id that was asked for."""


class NotASessionError(PitreeError):
    """No line of the file is an entry, or the file is of another format."""

    exit_code = 3
