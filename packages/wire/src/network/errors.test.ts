// Published error codes: their effects, and the reasons shown to borrowers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reasonTexts } from '@lendloom/lending/reason/reason'
import { effectOf, nackCodes, reasonOf } from './errors.ts'

test('FIS12 §3.4: the lending codes have the listed effect on a journey', () => {
  const expected: Record<string, string> = {
    80204: 'kycFailed',
    80205: 'kycRetry',
    80206: 'bankFailed',
    80207: 'mandateFailed',
    80208: 'agreementFailed',
    80209: 'agreementFailed',
    80210: 'disbursalPending',
    80212: 'servicingFailed',
    80214: 'retry',
    80217: 'backToForm',
    80220: 'newFile',
    80230: 'aaIdNeeded',
  }
  for (const [code, effect] of Object.entries(expected))
    for (const stage of ['before-offer', 'after-offer'] as const) assert.equal(effectOf(code, stage), effect, code)
})

test('FIS12 §3.4: a decline or unknown code means `noOffer` before the offer and `rejected` after the offer', () => {
  for (const code of ['80203', '80225', '80226', '80227', '80228', '80229', '40003', '99999']) {
    assert.equal(effectOf(code, 'before-offer'), 'noOffer', code)
    assert.equal(effectOf(code, 'after-offer'), 'rejected', code)
  }
})

test('FIS12 §3.4: every code from 80101 to 80105 and 80201 to 80230 has its own entry', () => {
  const unknownReason = reasonOf('99999')
  const codes = [...range(80101, 80105), ...range(80201, 80230)]
  for (const code of codes) assert.notEqual(reasonOf(code), unknownReason, code)
})

test('FIS12 §3.4: a technical code means a retry', () => {
  for (const code of ['400', '412', '10001', '20002', '23001', '30000', '30016', '31001'])
    assert.equal(effectOf(code, 'after-offer'), 'retry')
})

test('FIS12 §13.2: a reason is a plain sentence without network terms', () => {
  for (const code of [...range(80101, 80105), ...range(80201, 80230), '30000', '40003', '99999']) {
    assert.match(reasonTexts.en[reasonOf(code)], /^[A-Z][^<>{}]+\.$/, code)
    assert.doesNotMatch(
      reasonTexts.en[reasonOf(code)],
      /\b(?:BAP|BPP|ONDC|on_|ACK|callback|gateway|payload|\d{5})\b/i,
      code,
    )
  }
})

test('FIS12 §3.4: dialect 2.3.0 changes only codes 80228 to 80245', () => {
  const expected: Record<string, string> = {
    80204: 'kycFailed',
    80228: 'newFile',
    80229: 'newFile',
    80230: 'consentFailed',
    80231: 'backToForm',
    80237: 'backToForm',
    80238: 'kycRetry',
    80240: 'kycRetry',
    80241: 'disbursalPending',
    80243: 'mandateFailed',
    80244: 'disbursalPending',
    80245: 'newFile',
    30000: 'retry',
    99999: 'rejected',
  }
  for (const [code, effect] of Object.entries(expected))
    assert.equal(effectOf(code, 'after-offer', '2.3.0'), effect, code)
  for (const code of range(80228, 80245)) {
    assert.match(reasonTexts.en[reasonOf(code, '2.3.0')], /^[A-Z][^<>{}]+\.$/, code)
    assert.notEqual(reasonOf(code, '2.3.0'), reasonOf(code), code)
  }
  for (const code of range(80201, 80227)) assert.equal(reasonOf(code, '2.3.0'), reasonOf(code), code)
})

test('FIS12 §3.4: the signature NACK code of a role starts with the digit of the role', () => {
  for (const [role, prefix] of [
    ['BAP', '2'],
    ['BPP', '3'],
    ['BG', '1'],
  ] as const)
    assert.ok(nackCodes[role].signature.startsWith(prefix))
})

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => String(from + i))
