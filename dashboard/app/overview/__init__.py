"""The parts of the overview page, from top to bottom: attention, figures, what is being sent, charts."""
