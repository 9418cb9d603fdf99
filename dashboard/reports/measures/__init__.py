"""What each figure means, and how it is counted: the only place that says so.

`counts` adds up messages in one frame, and everything that is shown is computed from that frame: where
messages stand, shares, money. `course` says when things happened. Both take messages as the ledger hands them
out; `words` holds the figures' definitions, from which docs/glossary.md is made.
"""
