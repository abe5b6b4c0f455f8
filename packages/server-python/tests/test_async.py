"""The tests of the blocking client on AsyncClient, and what only asyncio has: concurrent tasks and cancellation."""

import asyncio
import importlib.util
import inspect
import os
import socket
import tempfile
import time
import unittest
import unittest.mock
from typing import Any

import test_client
import test_operations

from lendloom import AsyncBorrower, AsyncClient, NoAnswerError
from lendloom.async_operations import AsyncBorrowerOperations, AsyncServerOperations

has_aiohttp = importlib.util.find_spec("aiohttp") is not None
needs_aiohttp = unittest.skipUnless(has_aiohttp, "aiohttp is missing: apt-get install python3-aiohttp")


class Blocking:
    """Runs the coroutines of a client or a borrower on one event loop, each to its end."""

    def __init__(self, loop: asyncio.AbstractEventLoop, target: Any) -> None:
        self.loop = loop
        self.target = target

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.target, name)

        def run(*args: Any, **options: Any) -> Any:
            answer = method(*args, **options)
            if isinstance(answer, AsyncBorrower):
                return Blocking(self.loop, answer)
            return self.loop.run_until_complete(answer) if inspect.isawaitable(answer) else answer

        return run


class AsyncCase(unittest.TestCase):
    def setUp(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.addCleanup(self.loop.close)
        super().setUp()

    def blocking(self, client: AsyncClient) -> Any:
        self.addCleanup(lambda: self.loop.run_until_complete(client.aclose()))
        return Blocking(self.loop, client)


@needs_aiohttp
class AsyncCalls(AsyncCase, test_client.Calls):
    def connect(self, **options: Any) -> Any:
        async def wait(seconds: float) -> None:
            self.delays.append(seconds)

        url = f"http://127.0.0.1:{self.server.server_port}/"
        return self.blocking(AsyncClient(url, "sk_test_1", wait=wait, **options))


@needs_aiohttp
class AsyncOperations(AsyncCase, test_operations.Operations):
    sources = (AsyncServerOperations, AsyncBorrowerOperations)

    def connect(self) -> Any:
        return self.blocking(AsyncClient(self.url, "sk_test_1"))

    def on_tokens(self, pairs: Any) -> Any:
        async def store(pair: Any) -> None:
            await asyncio.sleep(0)
            pairs.append(pair)

        return store

    def together(self, borrower: Any, count: int) -> None:
        async def list_all() -> None:
            await asyncio.gather(*(borrower.target.list_journeys() for _ in range(count)))

        self.loop.run_until_complete(list_all())

    def test_a_cancelled_renewal_is_repeated_under_its_key(self) -> None:
        def slow(request: Any) -> Any:
            if not request["path"].endswith("/refresh"):
                return test_operations.data({"items": []})
            time.sleep(0.2)
            return test_operations.data(test_operations.tokens("new"))

        self.script = slow
        borrower = self.client.borrower(test_operations.tokens("old", 10)).target

        async def cancel_the_first() -> None:
            first = asyncio.ensure_future(borrower.list_journeys())
            second = asyncio.ensure_future(borrower.list_journeys())
            await asyncio.sleep(0.1)
            first.cancel()
            await second
            self.assertTrue(first.cancelled())

        self.loop.run_until_complete(cancel_the_first())
        renewals = [each for each in self.requests if each["path"].endswith("/refresh")]
        self.assertEqual(len({each["key"] for each in renewals}), 1)
        self.assertEqual([each["token"] for each in self.requests if each["path"].endswith("/journeys")], ["st_new"])

    def test_netrc_does_not_replace_the_key(self) -> None:
        with tempfile.NamedTemporaryFile("w") as netrc, unittest.mock.patch.dict(os.environ, NETRC=netrc.name):
            netrc.write("machine 127.0.0.1 login someone password secret")
            netrc.flush()
            self.client.list_features()
        self.assertEqual(self.requests[0]["token"], "sk_test_1")

    def test_the_proxy_of_the_environment_is_used(self) -> None:
        with unittest.mock.patch.dict(os.environ, http_proxy=self.url, no_proxy=""):
            distant = self.blocking(AsyncClient("http://lendloom.example", "sk_test_1"))
            self.assertEqual(distant.list_features(), {"ok": True})
        self.assertEqual(self.requests[0]["path"], "http://lendloom.example/api/lab/features")

    def test_a_hundred_calls_wait_together(self) -> None:
        def slow(_: Any) -> Any:
            time.sleep(0.05)
            return test_operations.data({"items": []})

        self.script = slow
        borrower = self.client.borrower(test_operations.tokens("now"))
        began = time.monotonic()
        self.together(borrower, 100)
        self.assertEqual(len(self.requests), 100)
        self.assertLess(time.monotonic() - began, 100 * 0.05)


@needs_aiohttp
class Silence(unittest.TestCase):
    """A server that accepts connections and says nothing."""

    def setUp(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"

    def tearDown(self) -> None:
        self.listener.close()

    def test_cancelled_and_late_calls_leave_no_connection_in_use(self) -> None:
        async def calls() -> None:
            async with AsyncClient(self.url, "sk_test_1", tries=1, timeout_seconds=0.1) as client:
                for _ in range(2):
                    late = [client.call("GET", "/") for _ in range(150)]
                    failures = await asyncio.gather(*late, return_exceptions=True)
                    self.assertEqual({type(each) for each in failures}, {NoAnswerError})
                cancelled = asyncio.ensure_future(client.call("GET", "/"))
                await asyncio.sleep(0.01)
                cancelled.cancel()
                await asyncio.gather(cancelled, return_exceptions=True)
                self.assertTrue(cancelled.cancelled())
                self.assertEqual(client._transport._session.connector._acquired, set())

        asyncio.run(calls())


@unittest.skipIf(has_aiohttp, "aiohttp is installed")
class WithoutAiohttp(unittest.TestCase):
    def test_the_error_says_what_to_install(self) -> None:
        with self.assertRaisesRegex(ImportError, r"lendloom\[async\]"):
            AsyncClient("https://lendloom.example", "sk_test_1")


if __name__ == "__main__":
    unittest.main()
