"""The API of Lendloom for servers: every operation, verification of webhooks, types of every update."""

from .async_client import AsyncBorrower, AsyncClient
from .calls import Session, WebhookEndpoint
from .client import Borrower, Client
from .errors import LendloomError, NoAnswerError, WebhookError
from .schemas import LifecycleStatus, LifecycleUpdate, LoanEvent, LoanState, RefreshResult, SessionRequest
from .webhook import LoanWebhook, Webhook, verify_loan_event, verify_webhook

__all__ = [
    "AsyncBorrower",
    "AsyncClient",
    "Borrower",
    "Client",
    "LendloomError",
    "LifecycleStatus",
    "LifecycleUpdate",
    "LoanEvent",
    "LoanState",
    "LoanWebhook",
    "NoAnswerError",
    "RefreshResult",
    "Session",
    "SessionRequest",
    "Webhook",
    "WebhookEndpoint",
    "WebhookError",
    "verify_loan_event",
    "verify_webhook",
]
