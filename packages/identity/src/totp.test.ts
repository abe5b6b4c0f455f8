// One-time codes: test vectors of RFC 6238 and RFC 4648, and clock tolerance.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base32, codeOf, otpauthUri, stepAt, stepOf } from './totp.ts'

const secret = Buffer.from('12345678901234567890')
const at = (seconds: number) => new Date(seconds * 1000)

test('RFC 6238, appendix B: matches the SHA-1 codes', () => {
  for (const [seconds, code] of [
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ] as const) {
    assert.equal(codeOf(secret, stepAt(at(seconds)), 8), code)
    assert.equal(codeOf(secret, stepAt(at(seconds))), code.slice(2))
  }
})

test('accepts a code in its own step of thirty seconds and in the steps before and after', () => {
  const code = codeOf(secret, 1000)
  const steps = [-60, -31, -30, -1, 0, 29, 30, 59, 60, 90].map((seconds) => stepOf(secret, code, at(30_000 + seconds)))
  assert.deepEqual(steps, [null, null, 1000, 1000, 1000, 1000, 1000, 1000, null, null])
  assert.equal(stepOf(secret, `${code.slice(0, 3)} ${code.slice(3)}`, at(30_000)), 1000)
  for (const wrong of ['', '000000'.replace(code, '000001'), code.slice(1), `${code}0`])
    assert.equal(stepOf(secret, wrong, at(30_000)), null)
})

test('RFC 4648 §10: encodes base32 without padding', () => {
  const vectors = {
    '': '',
    f: 'MY',
    fo: 'MZXQ',
    foo: 'MZXW6',
    foob: 'MZXW6YQ',
    fooba: 'MZXW6YTB',
    foobar: 'MZXW6YTBOI',
  }
  for (const [bytes, text] of Object.entries(vectors)) assert.equal(base32(Buffer.from(bytes)), text)
})

test('the otpauth URI contains issuer and account', () => {
  assert.equal(
    otpauthUri(secret, 'Lendloom', 'meera+x@lend.example'),
    'otpauth://totp/Lendloom:meera%2Bx%40lend.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Lendloom&algorithm=SHA1&digits=6&period=30',
  )
})
