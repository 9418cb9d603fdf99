"""The colours of stages and figures, in this one place.

They come from Okabe and Ito's palette, which people with any colour vision can tell apart; there is always a
word with a colour.
"""

from __future__ import annotations

from dashboard.reports.measures.stages import Stage

GREEN, SKY, BLUE, GREY = "#009E73", "#56B4E9", "#0072B2", "#999999"
ORANGE, VERMILION, PINK, DARK_GREY = "#E69F00", "#D55E00", "#CC79A7", "#66717F"

STAGE_COLOURS = {
    Stage.NOT_SENT_YET: GREY,
    Stage.SCHEDULED: "#BDBDBD",
    Stage.ACCEPTED: SKY,
    Stage.SENT: BLUE,
    Stage.DELIVERED: GREEN,
    Stage.FAILED: VERMILION,
    Stage.UNKNOWN: PINK,
    Stage.REJECTED: ORANGE,
    Stage.CANCELLED: DARK_GREY,
    Stage.DROPPED: DARK_GREY,
    Stage.ABANDONED: DARK_GREY,
}
