// The words for answers of webhook endpoints.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adviceText, answerText, causeText, isSignatureDoubtful } from './answer-text-en.ts'

test('D1 §6: each answer has a cause and an advice, and an unknown answer is shown as it is', () => {
  const causes = {
    '500': 'answers 500',
    '401': 'answers 401: it may not accept our signature',
    '302': 'answers 302: a redirect, which we do not follow',
    '404': 'answers 404: it does not know this path',
    '422': 'answers 422: it rejects the request',
    'no answer in time': 'gives no answer within 10 seconds',
    ECONNREFUSED: 'refuses the connection',
    UND_ERR_SOCKET: 'closes the connection without an answer',
    ENOTFOUND: 'has a host name that DNS does not know',
    UND_ERR_CONNECT_TIMEOUT: 'cannot be reached',
    CERT_HAS_EXPIRED: 'has a certificate that we cannot verify',
    ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate that we cannot verify',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'has a certificate that we cannot verify',
    'not an https address': 'has an address that we do not call: not an https address',
    "$' and $&": "fails: $' and $&",
  }
  for (const [answer, cause] of Object.entries(causes)) assert.equal(causeText(answer), cause)
  const advices = Object.keys(causes).map(adviceText)
  assert.equal(new Set(advices).size, 13)
  assert.ok(advices.every((advice) => /^[A-Z].*\.$/.test(advice)))
})

test('D1 §6: a list shows the status, or a short text of why there was no answer', () => {
  assert.deepEqual(['500', 'ECONNREFUSED', 'odd fault', '', null].map(answerText), [
    '500',
    'connection refused',
    'odd fault',
    'no answer',
    'no answer',
  ])
  assert.deepEqual(['401', '403', '404', '500'].filter(isSignatureDoubtful), ['401', '403'])
})
