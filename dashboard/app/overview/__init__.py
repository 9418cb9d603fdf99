"""The parts of the overview page: attention, what is coming, drafts, figures, what is being sent, charts."""
