"""The API of Lendloom for servers: every operation, verification of webhooks, types of every update."""

from .async_client import AsyncBorrower, AsyncClient
from .calls import Session, WebhookEndpoint
from .client import Borrower, Client
from .errors import LendloomError, NoAnswerError, WebhookError
from .schemas import LifecycleStatus, LifecycleUpdate, RefreshResult, SessionRequest
from .webhook import Webhook, verify_webhook

__all__ = [
    "AsyncBorrower",
    "AsyncClient",
    "Borrower",
    "Client",
    "LendloomError",
    "LifecycleStatus",
    "LifecycleUpdate",
    "NoAnswerError",
    "RefreshResult",
    "Session",
    "SessionRequest",
    "Webhook",
    "WebhookEndpoint",
    "WebhookError",
    "verify_webhook",
]
