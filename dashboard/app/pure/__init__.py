"""What pages need beyond the rooms below: functions on plain values and frames that know no page."""
