"""Every webhook that the platform's signer made is taken or refused as the vectors say."""

import base64
import json
import typing
import unittest
from pathlib import Path

import lendloom
from lendloom import WebhookError, verify_webhook

VECTORS = json.loads((Path(__file__).parents[2] / "webhook-vectors.json").read_text("utf-8"))


class Webhooks(unittest.TestCase):
    def test_vectors(self) -> None:
        self.assertGreater(len(VECTORS), 20)
        for vector in VECTORS:
            with self.subTest(vector["name"]):
                body = base64.b64decode(vector["body"])
                fault = None
                try:
                    webhook = verify_webhook(vector["secrets"], vector["headers"], body, at=vector["at"])
                    self.assertEqual(webhook.id, vector["headers"]["webhook-id"])
                    self.assertEqual(webhook.update, json.loads(body))
                    self.assertEqual(list(webhook.missing), vector.get("missing", []))
                except WebhookError as error:
                    fault = error.code
                self.assertEqual(fault, vector["fault"])

    def test_header_names_in_any_case(self) -> None:
        vector = VECTORS[0]
        headers = {name.title(): value for name, value in vector["headers"].items()}
        verify_webhook(vector["secrets"], headers, base64.b64decode(vector["body"]), at=vector["at"])

    def test_misuse(self) -> None:
        headers = VECTORS[0]["headers"]
        for wrong in ("", "whsec_c2hvcnQ=", "whsec_not base64 at all, but long enough", []):
            with self.assertRaises(ValueError):
                verify_webhook(wrong, headers, b"{}")
        with self.assertRaises(TypeError):
            verify_webhook(VECTORS[0]["secrets"], headers, "{}")

    def test_types_can_be_read(self) -> None:
        self.assertIn("borrower", typing.get_type_hints(lendloom.LifecycleUpdate))
        self.assertIn("profile", typing.get_type_hints(lendloom.SessionRequest))


if __name__ == "__main__":
    unittest.main()
