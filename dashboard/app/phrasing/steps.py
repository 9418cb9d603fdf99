"""What the steps of a new campaign are called."""

from dashboard.words import N_

NAMES = (N_("Upload"), N_("Match columns"), N_("Check rows"), N_("Message"), N_("Review and send"))
