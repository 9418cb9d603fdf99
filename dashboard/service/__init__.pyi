"""What the service offers to other rooms, each name with its module; nowhere else are the names listed."""

from dashboard.service.client import SmsService as SmsService
from dashboard.service.contact import Contact as Contact
from dashboard.service.contact import ContactMethod as ContactMethod
from dashboard.service.errors import AuthenticationError as AuthenticationError
from dashboard.service.errors import Finding as Finding
from dashboard.service.errors import IncompleteAnswerError as IncompleteAnswerError
from dashboard.service.errors import NotSentError as NotSentError
from dashboard.service.errors import OutcomeUnknownError as OutcomeUnknownError
from dashboard.service.errors import RefusedBeforeSendingError as RefusedBeforeSendingError
from dashboard.service.errors import RejectedError as RejectedError
from dashboard.service.errors import ThrottledError as ThrottledError
from dashboard.service.errors import TooLargeError as TooLargeError
from dashboard.service.models import Answered as Answered
from dashboard.service.models import Message as Message
from dashboard.service.models import NumberCheck as NumberCheck
from dashboard.service.models import OutgoingMessage as OutgoingMessage
from dashboard.service.reading import read_message as read_message
