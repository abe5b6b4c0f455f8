"""Every operation, and the session of a borrower, against a server that plays the platform."""

import inspect
import json
import re
import threading
import unittest
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, Tuple

from lendloom import Client, LendloomError
from lendloom.operations import BorrowerOperations, ServerOperations

Reply = Tuple[int, Any]


def data(value: Any) -> Reply:
    return 200, {"requestID": "r-1", "data": value, "error": None}


def refused(status: int, code: str) -> Reply:
    return status, {"requestID": "r-1", "data": None, "error": {"code": code, "message": "x", "retryable": False, "details": {}}}


def tokens(name: str, seconds: int = 600) -> Any:
    ends = (datetime.now(timezone.utc) + timedelta(seconds=seconds)).isoformat(timespec="milliseconds")
    return {
        "sessionToken": f"st_{name}",
        "refreshToken": f"rt_{name}",
        "sessionExpiresAt": ends.replace("+00:00", "Z"),
        "refreshExpiresAt": ends,
    }


class Platform(ThreadingHTTPServer):
    request_queue_size = 256

    def handle_error(self, *_: Any) -> None:
        """Ignores a caller that closed its connection."""


class Operations(unittest.TestCase):
    sources: Tuple[type, type] = (ServerOperations, BorrowerOperations)

    def setUp(self) -> None:
        self.requests: List[Dict[str, Any]] = []
        self.script: Callable[[Dict[str, Any]], Reply] = lambda _: data({"ok": True})
        test = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers.get("content-length", "0"))
                request = {
                    "method": self.command,
                    "path": self.path,
                    "token": self.headers["authorization"][7:],
                    "key": self.headers.get("idempotency-key"),
                    "agent": self.headers["user-agent"],
                    "body": self.rfile.read(length),
                }
                test.requests.append(request)
                status, answer = test.script(request)
                text = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("content-length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_PUT = do_PATCH = do_DELETE = do_POST

            def log_message(self, *_: Any) -> None:
                pass

        self.server = Platform(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.client = self.connect()

    def connect(self) -> Any:
        return Client(self.url, "sk_test_1", wait=lambda _: None)

    def tearDown(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def test_every_operation_is_called_as_it_is_documented(self) -> None:
        borrower = self.client.borrower(tokens("now"))
        count = 0
        for owner, source, token in [
            (self.client, self.sources[0], "sk_test_1"),
            (borrower, self.sources[1], "st_now"),
        ]:
            for name, method in inspect.getmembers(source, inspect.isfunction):
                text = inspect.getsource(method)
                verb, template = re.search(r'"([A-Z]+)", "(/api/[^"]+)"', text).groups()  # type: ignore[union-attr]
                names = [each for each in inspect.signature(method).parameters if each != "self"]
                required = {each: "a/b" for each in names if inspect.signature(method).parameters[each].default is inspect.Parameter.empty}
                if "body" in required:
                    required["body"] = {}  # type: ignore[assignment]
                self.assertEqual(getattr(owner, name)(**required), {"ok": True}, name)
                request = self.requests[-1]
                self.assertEqual((request["method"], request["token"]), (verb, token), name)
                self.assertRegex(request["path"], "^" + re.sub(r"\{\w+\}", "a%2Fb", template) + "$")
                self.assertEqual(request["key"] is None, verb == "GET", name)
                count += 1
        # createSession and createWebhookEndpoint have methods of their own, and a session renews itself.
        self.assertEqual(count, 52)
        self.assertRegex(self.requests[0]["agent"], r"^lendloom-python/\d+\.\d+\.\d+$")

    def test_query_and_missing_parameters(self) -> None:
        self.client.list_webhook_deliveries(state="EXHAUSTED", limit="5")
        self.assertEqual(self.requests[0]["path"], "/api/lab/webhook-deliveries?limit=5&state=EXHAUSTED")
        with self.assertRaisesRegex(ValueError, "needs id"):
            self.client.replay_webhook_delivery("")

    def test_an_expiring_session_is_renewed_once(self) -> None:
        self.script = lambda request: data(tokens("new") if request["path"].endswith("/refresh") else {"items": []})
        renewed: List[Any] = []
        borrower = self.client.borrower(tokens("old", 10), self.on_tokens(renewed))
        self.together(borrower, 4)
        self.assertEqual([each["token"] for each in self.requests if each["path"].endswith("/refresh")], ["rt_old"])
        self.assertEqual({each["token"] for each in self.requests if each["path"].endswith("/journeys")}, {"st_new"})
        self.assertEqual(len(renewed), 1)

    def on_tokens(self, pairs: List[Any]) -> Any:
        return pairs.append

    def together(self, borrower: Any, count: int) -> None:
        """Lists the borrower's journeys by several concurrent calls."""
        threads = [threading.Thread(target=borrower.list_journeys) for _ in range(count)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()

    def test_a_rejected_session_is_renewed_and_the_call_repeated_under_its_key(self) -> None:
        def answer(request: Dict[str, Any]) -> Reply:
            if request["path"].endswith("/refresh"):
                return data(tokens("new"))
            return refused(401, "AUTH_INVALID_SESSION") if request["token"] == "st_old" else data({"journeyID": "j"})

        self.script = answer
        created = self.client.borrower(tokens("old")).create_journey({"type": "PERSONAL_LOAN"})
        self.assertEqual(created, {"journeyID": "j"})
        posts = [each for each in self.requests if each["path"].endswith("/journeys")]
        self.assertEqual([each["token"] for each in posts], ["st_old", "st_new"])
        self.assertEqual(posts[0]["key"], posts[1]["key"])

    def test_a_lost_renewal_is_repeated_under_its_key(self) -> None:
        lost = [True]

        def answer(request: Dict[str, Any]) -> Reply:
            if not request["path"].endswith("/refresh"):
                return data({})
            return refused(400, "VALIDATION_FAILED") if lost[0] else data(tokens("new"))

        self.script = answer
        borrower = self.client.borrower(tokens("old", 10))
        with self.assertRaises(LendloomError):
            borrower.list_journeys()
        lost[0] = False
        borrower.list_journeys()
        self.assertEqual(len({each["key"] for each in self.requests if each["path"].endswith("/refresh")}), 1)


if __name__ == "__main__":
    unittest.main()
