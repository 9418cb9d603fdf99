"""From contacts to messages to an estimate. Pure pandas."""

from dashboard.campaigns.cost.advice import (
    CarrierView,
    Edit,
    carrier_view,
    cheapest_edit,
    credits_histogram,
)
from dashboard.campaigns.cost.caps import CapCheck, check_caps, time_to_send
from dashboard.campaigns.cost.estimate import Estimate, estimate_credits
from dashboard.campaigns.cost.link_learning import Contradiction, Evidence, LearnedLinks, learn_link_length
from dashboard.campaigns.cost.prices import Prices, prices_from, prices_of, read_prices
from dashboard.campaigns.frame_check import checks_frames
from dashboard.campaigns.guards import cap_frequency, content_fingerprint
from dashboard.campaigns.length.carriers import GsmText, carrier_parts, outside_gsm, to_gsm
from dashboard.campaigns.length.credits import count_credits
from dashboard.campaigns.length.links import LinkLength, find_urls, has_links
from dashboard.campaigns.messages import write_messages
from dashboard.campaigns.preview import preview, trial_messages
from dashboard.campaigns.problems import MessageProblem, explain_message
from dashboard.campaigns.sendable import sendable
from dashboard.campaigns.sent_with import SentText, SentWith, sent_with
from dashboard.campaigns.text.names import name_hints
from dashboard.campaigns.text.reader import parse_template
from dashboard.campaigns.text.stopping import Hint, explain_hint, marketing_hints, with_opt_out_line
from dashboard.campaigns.text.template import Template
from dashboard.campaigns.variants import Variant
from dashboard.campaigns.when.clocks import clock_table
from dashboard.campaigns.when.hours import EVERY_DAY, Hours, TextingHours, first_within
from dashboard.campaigns.when.schedule import Handover, Schedule, send_times, what_can_be_cancelled

__all__ = [
    "EVERY_DAY",
    "CapCheck",
    "CarrierView",
    "Contradiction",
    "Edit",
    "Estimate",
    "Evidence",
    "GsmText",
    "Handover",
    "Hint",
    "Hours",
    "LearnedLinks",
    "LinkLength",
    "MessageProblem",
    "Prices",
    "Schedule",
    "SentText",
    "SentWith",
    "Template",
    "TextingHours",
    "Variant",
    "cap_frequency",
    "carrier_parts",
    "carrier_view",
    "cheapest_edit",
    "check_caps",
    "checks_frames",
    "clock_table",
    "content_fingerprint",
    "count_credits",
    "credits_histogram",
    "estimate_credits",
    "explain_hint",
    "explain_message",
    "find_urls",
    "first_within",
    "has_links",
    "learn_link_length",
    "marketing_hints",
    "name_hints",
    "outside_gsm",
    "parse_template",
    "preview",
    "prices_from",
    "prices_of",
    "read_prices",
    "send_times",
    "sendable",
    "sent_with",
    "time_to_send",
    "to_gsm",
    "trial_messages",
    "what_can_be_cancelled",
    "with_opt_out_line",
    "write_messages",
]
