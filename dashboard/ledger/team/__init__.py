"""What a team keeps beside its campaigns: texts, lists, answers, settings, who may do what, audit trail."""
