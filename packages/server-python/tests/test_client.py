"""What the client sends, what it repeats and what not, against a server that plays the platform."""

import json
import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, List, Tuple

from lendloom import Client, LendloomError, NoAnswerError


def refusal(code: str, retryable: bool) -> dict:
    error = {"code": code, "message": "refused", "retryable": retryable, "details": {"field": "profile.pan"}}
    return {"requestID": "r-1", "data": None, "error": error}


class Calls(unittest.TestCase):
    def setUp(self) -> None:
        self.requests: List[Tuple[str, str, dict, Any]] = []
        self.answers: List[Tuple[int, dict, bytes]] = []
        test = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", "0")))
                test.requests.append((self.command, self.path, dict(self.headers.items()), body))
                status, headers, answer = test.answers.pop(0)
                if status == 0:
                    self.close_connection = True
                    return
                self.send_response(status)
                for name, value in {**headers, "content-length": str(len(answer))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(answer)

            do_GET = do_POST

            def log_message(self, *_: Any) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.delays: List[float] = []
        self.client = self.connect()

    def connect(self, **options: Any) -> Any:
        return Client(f"http://127.0.0.1:{self.server.server_port}/", "sk_test_1", wait=self.delays.append, **options)

    def tearDown(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def answer(self, status: int, body: Any, headers: Any = None) -> None:
        self.answers.append((status, headers or {}, body if isinstance(body, bytes) else json.dumps(body).encode()))

    def keys(self) -> List[str]:
        return [{name.lower(): value for name, value in headers.items()}["idempotency-key"] for _, _, headers, _ in self.requests]

    def test_a_session(self) -> None:
        self.answer(201, {"embedUrl": "https://lendloom.example/lab/embed#token=bt"})
        body = {"borrowerProviderID": "user-42", "profile": {"contactNumber": "9876543210"}}
        session = self.client.create_session(body, idempotency_key="k-1", correlation_id="c-1")
        self.assertEqual((session.embed_url, session.is_new), ("https://lendloom.example/lab/embed#token=bt", True))
        [(method, path, headers, raw)] = self.requests
        sent = {name.lower(): value for name, value in headers.items()}
        self.assertEqual((method, path, json.loads(raw)), ("POST", "/api/lab/sessions", body))
        self.assertEqual(sent["authorization"], "Bearer sk_test_1")
        self.assertEqual((sent["idempotency-key"], sent["x-correlation-id"]), ("k-1", "c-1"))

    def test_a_link_that_can_be_sent(self) -> None:
        link = {"id": "l1", "url": "https://lendloom.example/open/lk_1", "expiresAt": "2026-12-04T10:00:00.000Z"}
        self.answer(201, {"embedUrl": "u", "link": link})
        body = {"borrowerProviderID": "u", "profile": {"contactNumber": "9876543210"}, "linkTtl": "P3D"}
        self.assertEqual(self.client.create_session(body).link, link)

    def test_an_endpoint_for_events_of_loans(self) -> None:
        self.answer(201, {"id": "e1", "url": "https://app.example/hooks", "secret": "whsec_1"})
        headers = [{"name": "x-api-key", "value": "k"}]
        self.client.create_webhook_endpoint("https://app.example/hooks", loan_events=["loan.paid"], headers=headers)
        expected = {"url": "https://app.example/hooks", "loanEvents": ["loan.paid"], "headers": headers}
        self.assertEqual(json.loads(self.requests[0][3]), expected)

    def test_what_passes_is_repeated_under_one_key(self) -> None:
        self.answers.append((0, {}, b""))
        self.answer(429, refusal("RATE_LIMITED", True), {"retry-after": "7"})
        self.answer(502, b"<html>")
        self.answer(200, {"embedUrl": "u"})
        self.assertFalse(self.client.create_session({"borrowerProviderID": "u", "profile": {"contactNumber": "9"}}).is_new)
        self.assertEqual(len(set(self.keys())), 1)
        self.assertEqual(len(self.delays), 3)
        self.assertGreaterEqual(self.delays[1], 7)

    def test_a_retry_after_that_is_no_number_of_seconds_is_left_aside(self) -> None:
        for header in ["NaN", "-5", "1e309", "\u00b2", "9" * 5000]:
            self.answer(429, refusal("RATE_LIMITED", True), {"retry-after": header})
            self.answer(200, {"embedUrl": "e"})
            self.client.create_session({"borrowerProviderID": "u"})
        self.assertLess(max(self.delays), 1)

    def test_a_retry_after_beyond_the_deadline_is_not_waited_for(self) -> None:
        self.answer(429, refusal("RATE_LIMITED", True), {"retry-after": "3600"})
        with self.assertRaises(LendloomError) as raised:
            self.client.call("POST", "/api/lab/sessions", {})
        self.assertEqual((raised.exception.code, raised.exception.retry_after), ("RATE_LIMITED", 3600))
        self.answers.append((0, {}, b""))
        hurried = self.connect(deadline_seconds=0.3)
        with self.assertRaises(NoAnswerError):
            hurried.call("POST", "/api/lab/sessions", {})
        self.assertEqual((len(self.requests), self.delays), (2, []))

    def test_what_stays_is_not(self) -> None:
        self.answer(400, refusal("VALIDATION_FAILED", False))
        with self.assertRaises(LendloomError) as raised:
            self.client.call("POST", "/api/lab/sessions", {})
        error = raised.exception
        self.assertEqual((error.status, error.code, error.request_id), (400, "VALIDATION_FAILED", "r-1"))
        self.assertEqual(error.details, {"field": "profile.pan"})
        self.answer(302, b"", {"location": "http://127.0.0.1:1/"})
        with self.assertRaises(LendloomError):
            self.client.call("GET", "/moved")
        self.assertEqual(self.delays, [])

    def test_in_the_end_it_gives_up(self) -> None:
        self.answers = [(0, {}, b"")] * 4
        with self.assertRaises(NoAnswerError):
            self.client.call("POST", "/api/lab/sessions", {})
        self.answers = [(503, {}, json.dumps(refusal("UPSTREAM_TEMPORARY_FAILURE", True)).encode())] * 4
        with self.assertRaises(LendloomError):
            self.client.call("POST", "/api/lab/sessions", {})
        self.assertEqual(len(self.requests), 8)

    def test_no_body_is_none(self) -> None:
        self.answer(204, b"")
        self.assertIsNone(self.client.call("POST", "/api/lab/webhook-endpoints/1"))


if __name__ == "__main__":
    unittest.main()
