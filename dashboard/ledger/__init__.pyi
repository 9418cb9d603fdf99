"""What the ledger offers to other rooms, each name with its module; nowhere else are the names listed."""

from dashboard.ledger.campaign import Campaign as Campaign
from dashboard.ledger.evidence.reports import ReportResult as ReportResult
from dashboard.ledger.frames.declared import SCHEMAS as SCHEMAS
from dashboard.ledger.freeze.again import is_same as is_same
from dashboard.ledger.freeze.again import sent_before as sent_before
from dashboard.ledger.freeze.caps import Caps as Caps
from dashboard.ledger.freeze.often import TextsPerPerson as TextsPerPerson
from dashboard.ledger.ledger import Ledger as Ledger
from dashboard.ledger.outbox.gate import Limits as Limits
from dashboard.ledger.team.approvals import Asked as Asked
from dashboard.ledger.team.approvals import StartedBy as StartedBy
from dashboard.ledger.team.column_answers import RememberedAnswer as RememberedAnswer
from dashboard.ledger.team.kept_settings import SettingChange as SettingChange
from dashboard.ledger.team.library import SavedText as SavedText
from dashboard.ledger.team.people import Listed as Listed
