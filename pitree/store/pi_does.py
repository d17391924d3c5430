"""What the real Pis were seen to do with each kind of damage: 0.73.1 and 1.6.0."""

from __future__ import annotations

VERSIONS = ("0.73", "1.6")

_OVERWRITES = "overwrites the file with an empty session when it opens it"
_REFUSES = "refuses to open the file and leaves it as it is"
_IGNORES_EDITS = "ignores every edit: the model gets the entry as it was"

_DOES: dict[str, str | tuple[str, str]] = {
    "malformed": "leaves the line out without a word",
    "fragment": "leaves the whole line out, whole entries on it too",
    "recovered": "leaves the whole line out, this entry too",
    "null": ("can't open the file: it throws", "leaves the line out"),
    "duplicate": "shows the last line of the id instead, once for every line that has the id",
    "cycle": "leaves it out of the tree; a position on it or below is never reached: it hangs",
    "no-header": (_OVERWRITES, _REFUSES),
    "not-a-session": (_OVERWRITES, _REFUSES),
    "title-first": (_OVERWRITES, _REFUSES),
    "title": "takes it as an entry without an id, a root of its own",
    "orphan": "takes it as a root: nothing above it is in its context",
    "self-parent": "shows it as a root; a position on it or below is never reached: it hangs",
    "no-id": "keeps it; where it is the last line, the next entry hangs on nothing",
    "no-final-newline": (
        "glues its next entry to this line and so loses both",
        "adds the newline when it opens the file",
    ),
    "newline-by-rewrite": "rewrites the file when it opens it, with the newline",
    "label-target": "keeps the label entry; the label shows nowhere",
    "compaction-kept": "keeps nothing of what was before the compaction but its summary",
    "compaction-summary": (
        'gives the model its string form, "undefined" where it is missing; estimates fail'
    ),
    "no-message": "can't build the context of this position or any below: it throws",
    "odd-message": "holds the value in the context; the model does not get it",
    "no-role": "holds the message in the context; the model does not get it",
    "content-null": (
        "sends it as it is; estimates or summaries of it fail",
        "reads it as empty",
    ),
    "content-text": (
        "takes an answer as empty; summaries of a tool result fail",
        "takes a tool result as it is; summaries of an answer fail",
    ),
    "content-odd": "sends it as it is; estimates or summaries of it fail",
    "content-block": "sends it as it is; estimates and summaries fail or leave the block out",
    "message-text": 'gives the model "undefined" for it; estimates fail',
    "edit-replacement": (
        _IGNORES_EDITS,
        "can't build a context that holds the edit and its target: it throws",
    ),
    "edit-content": (_IGNORES_EDITS, "takes the content away; estimates, plans and the gauge fail"),
    "edit-target": (_IGNORES_EDITS, "keeps the edit, which changes nothing"),
}


def pi_does(case: str) -> dict[str, str]:
    """What each Pi does, by its version."""
    told = _DOES[case]
    return dict(zip(VERSIONS, (told, told) if isinstance(told, str) else told, strict=True))
