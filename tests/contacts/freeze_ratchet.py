"""Freeze anew what becomes of every row, for `test_ratchet.py`; tests never run this.

    PYTHONPATH=tests python tests/contacts/freeze_ratchet.py [group ...]

Run it after a row entered or left a vector file, and after a change that leaves more people to a person. It
says how many rows of each group became what, which the commit tells. It writes nothing while rows that were
refused or held would be ok, or be judged no more: each such case needs a reason in `ratchet.EXCEPTIONS`. All
groups take some minutes; new answers enter only with all of them.
"""

from __future__ import annotations

import sys

from ratchet import changes, judged, load, report, save
from ratchet_sheets import groups, score
from vector_files import vectors


def main(*wanted: str) -> int:
    frozen = load()
    letters, answers = frozen["groups"], frozen["answers"]
    if not wanted:  # words go by the answers' places: one that answers.csv has no more stays where it is
        answers = list(dict.fromkeys([*answers, *(line["answer"] for line in vectors("answers.csv"))]))
    looks, found = groups(answers), []
    for group in wanted or looks:
        now, before = judged(looks[group]), letters.get(group, {})
        found += changes(group, before, now)
        rows = sum(len(word) for words in now.values() for word in words.values())
        new, gone = len(now.keys() - before.keys()), len(before.keys() - now.keys())
        print(f"{group}: {len(now)} cases, {rows} rows; {new} cases are new, {gone} gone")
        letters[group] = {case: [words[number] for number in sorted(words)] for case, words in now.items()}
    scored = score(letters["invented_sheets"])
    print(report(found, answers), f"invented sheets: {frozen['score']} → {scored}", sep="\n")
    if any(change.is_forbidden for change in found):
        return 1
    save(scored, answers, {group: letters[group] for group in looks})
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
