// Links to steps: what they open, for how long, and that nobody can make or bend one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { uuidv7 } from '#kit/crypto/id.ts'
import { newSealKey, sealWith } from '#kit/crypto/seal.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import { stepNames } from '#platform/step/store.ts'
import { openLink, stepLink } from './step-wire.ts'

const seal = sealWith(newSealKey('k1'))
const at = new Date('2026-11-20T10:00:00.000Z')
const linked = { tenantId: uuidv7(), journeyId: uuidv7(), step: 'kyc' } as const
const absent = (error: unknown) => error instanceof Refusal && error.kind === 'absent'

test('D2 §2.3: a link opens the one step of the one journey that it was made for', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), fc.constantFrom(...stepNames), (tenantId, journeyId, step) => {
      const token = stepLink(seal, { tenantId, journeyId, step }, at)
      assert.match(token, /^[\w-]{60,200}$/)
      assert.deepEqual(openLink(seal, token, at), { tenantId, journeyId, step })
    }),
  )
})

test('D2 §2.3: a link ends after half an hour, to the second', () => {
  const token = stepLink(seal, linked, at)
  assert.deepEqual(openLink(seal, token, secondsAfter(at, 1799)), linked)
  assert.throws(() => openLink(seal, token, secondsAfter(at, 1800)), absent)
})

test('D2 §2.3: a link that we did not make, or that was bent, opens nothing and is no bug', () => {
  const token = stepLink(seal, linked, at)
  assert.throws(() => openLink(sealWith(newSealKey('k1')), token, at), absent)
  fc.assert(fc.property(fc.string(), (text) => assert.throws(() => openLink(seal, text, at), absent)))
  const bytes = Buffer.from(token, 'base64url')
  for (let i = 0; i < bytes.length; i++) {
    const bent = Buffer.from(bytes)
    bent[i]! ^= 1
    assert.throws(() => openLink(seal, bent.toString('base64url'), at), absent, `byte ${i}`)
  }
})

test('D2 §2.3: no two links are the same, so none says anything about another', () => {
  assert.notEqual(stepLink(seal, linked, at), stepLink(seal, linked, at))
})
