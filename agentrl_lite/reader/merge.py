"""Joins what this window knows with what another one wrote meanwhile. No text is lost.

Three versions take part: `base`, which both started from; `mine`, in this window; `theirs`, on
disk. A field that only one side changed takes that side's value. Where both changed a text, mine
stays in its place, because somebody may be typing there, and theirs is kept beside it.
"""

from __future__ import annotations

from collections.abc import Mapping

from agentrl_lite.reader.record import Guess, Kept, Record, Text


def merge(base: Record, mine: Record, theirs: Record) -> Record:
    """Return a record with the changes of both sides.

    A text of either side is in the result, as an answer or among the kept ones, unless somebody who
    had it in front of them edited it further. A first time stays the first, and so does a guess.

    >>> base = Record()
    >>> mine = Record(answers={"action": Text("Raise G.", draft="a", revision=1)})
    >>> theirs = Record(answers={"action": Text("Drop tasks.", draft="b", revision=1)})
    >>> both = merge(base, mine, theirs)
    >>> both.text("action"), [kept.text.text for kept in both.kept_for("action")]
    ('Raise G.', ['Drop tasks.'])
    """
    answers: dict[str, Text] = {}
    kept = _merge_kept(base.kept, mine.kept, theirs.kept)
    for part in [*theirs.answers, *(part for part in mine.answers if part not in theirs.answers)]:
        answers[part], displaced = _merge_text(
            *(side.answers.get(part, Text()) for side in (base, mine, theirs))
        )
        if displaced is not None:
            kept[part, displaced.draft] = Kept(part, displaced)
    return Record(
        answers=answers,
        ticks=_merge_sets(base.ticks, mine.ticks, theirs.ticks),
        deadline_s=theirs.deadline_s if mine.deadline_s == base.deadline_s else mine.deadline_s,
        opened_s=_first_times(mine.opened_s, theirs.opened_s),
        opened_unwritten_s=_first_times(mine.opened_unwritten_s, theirs.opened_unwritten_s),
        guesses=_first_guesses(mine.guesses, theirs.guesses),
        checks_s=_first_times(mine.checks_s, theirs.checks_s),
        kept={key: item for key, item in kept.items() if not _superseded(item, answers)},
    )


def _merge_text(base: Text, mine: Text, theirs: Text) -> tuple[Text, Text | None]:
    """Return the text that takes the place, and the one that must be kept, if any."""
    if mine.draft == theirs.draft:
        return (mine if mine.revision >= theirs.revision else theirs), None
    if mine.version == base.version:
        return theirs, None
    if theirs.version == base.version or not theirs.text.strip() or theirs.text == mine.text:
        return mine, None
    return mine, theirs


def _merge_kept(
    base: Mapping[tuple[str, str], Kept],
    mine: Mapping[tuple[str, str], Kept],
    theirs: Mapping[tuple[str, str], Kept],
) -> dict[tuple[str, str], Kept]:
    # What they no longer have was edited further in its own window: only what is new here is added.
    merged = {**theirs, **{key: mine[key] for key in mine if key not in base}}
    for key in merged.keys() & mine.keys():
        here, there = mine[key], theirs.get(key, mine[key])
        later = here if here.text.revision > there.text.revision else there
        same = here.text.revision == there.text.revision
        merged[key] = Kept(
            later.part, later.text, here.put_away or there.put_away if same else later.put_away
        )
    return merged


def _superseded(item: Kept, answers: Mapping[str, Text]) -> bool:
    answer = answers.get(item.part, Text())
    return answer.draft == item.text.draft and answer.revision >= item.text.revision


def _merge_sets(
    base: frozenset[tuple[str, int]],
    mine: frozenset[tuple[str, int]],
    theirs: frozenset[tuple[str, int]],
) -> frozenset[tuple[str, int]]:
    return (theirs | (mine - base)) - (base - mine)


def _first_times(mine: Mapping[str, float], theirs: Mapping[str, float]) -> dict[str, float]:
    return {
        name: min(side[name] for side in (theirs, mine) if name in side)
        for name in {**theirs, **mine}
    }


def _first_guesses(mine: Mapping[str, Guess], theirs: Mapping[str, Guess]) -> dict[str, Guess]:
    return {
        name: min(
            (side[name] for side in (theirs, mine) if name in side), key=lambda g: g.committed_s
        )
        for name in {**theirs, **mine}
    }
