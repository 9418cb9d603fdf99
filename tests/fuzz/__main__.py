"""`python -m tests.fuzz --minutes 60`: files that chance made, through every door at which files come in."""

from __future__ import annotations

import argparse
import faulthandler
import resource
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from fuzz.doors import DOORS, answer
from fuzz.files import file_of

HANGS_S = 120


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--from", type=int, default=0, dest="first", metavar="SEED")
    parser.add_argument("--seed", type=int, help="this file only")
    options = parser.parse_args()
    first = seed = options.first if options.seed is None else options.seed
    until, answers, broken, slowest = time.monotonic() + 60 * options.minutes, Counter[str](), 0, (0.0, "")
    while time.monotonic() < until:
        kind, content = file_of(seed)
        for door in DOORS:
            faulthandler.dump_traceback_later(HANGS_S, exit=True)
            began = time.process_time()
            try:
                said = answer(door, content)
            except Exception as error:  # that is what is looked for
                broken, said = broken + 1, f"BROKEN {type(error).__name__}"
                print(
                    f"seed {seed}, {kind} at {door}: {type(error).__name__}: {str(error)[:200]}", flush=True
                )
            answers[f"{door}: {said}"] += 1
            slowest = max(slowest, (time.process_time() - began, f"seed {seed}, {kind} at {door}"))
        seed += 1
        if options.seed is not None:
            break
    faulthandler.cancel_dump_traceback_later()
    for said, times in answers.most_common():
        print(f"{times:8,}  {said}")
    most_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{seed - first:,} files, {broken:,} broken; {most_mb} MB at most")
    print(f"slowest: {slowest[0]:.1f} s CPU, {slowest[1]}")
    return bool(broken)


if __name__ == "__main__":
    sys.exit(main())
