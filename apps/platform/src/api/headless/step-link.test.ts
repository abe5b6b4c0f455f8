// Links to steps: their content, expiry, and protection against forgery.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import { uuidv7 } from '@lendloom/seal/id'
import { newSealKey, sealWith } from '@lendloom/seal/seal'
import fc from 'fast-check'
import { stepNames } from '#platform/lending/step/step.ts'
import { openLink, stepLink } from './step-link.ts'

const seal = sealWith(newSealKey('k1'))
const at = new Date('2026-11-20T10:00:00.000Z')
const linkedStep = { tenantId: uuidv7(), journeyId: uuidv7(), step: 'kyc' } as const
const isAbsent = (error: unknown) => error instanceof Refusal && error.kind === 'absent'

test('D2 §2.3: an opened link returns its step and journey', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), fc.constantFrom(...stepNames), (tenantId, journeyId, step) => {
      const token = stepLink(seal, { tenantId, journeyId, step }, at)
      assert.match(token, /^[\w-]{60,200}$/)
      assert.deepEqual(openLink(seal, token, at), { tenantId, journeyId, step })
    }),
  )
})

test('D2 §2.3: a link expires half an hour after its creation', () => {
  const token = stepLink(seal, linkedStep, at)
  assert.deepEqual(openLink(seal, token, secondsAfter(at, 1799)), linkedStep)
  assert.throws(() => openLink(seal, token, secondsAfter(at, 1800)), isAbsent)
})

test('D2 §2.3: a forged or altered link is refused as absent', () => {
  const token = stepLink(seal, linkedStep, at)
  assert.throws(() => openLink(sealWith(newSealKey('k1')), token, at), isAbsent)
  fc.assert(fc.property(fc.string(), (text) => assert.throws(() => openLink(seal, text, at), isAbsent)))
  const bytes = Buffer.from(token, 'base64url')
  for (let i = 0; i < bytes.length; i++) {
    const altered = Buffer.from(bytes)
    altered[i]! ^= 1
    assert.throws(() => openLink(seal, altered.toString('base64url'), at), isAbsent, `byte ${i}`)
  }
})

test('D2 §2.3: two links to the same step differ', () => {
  assert.notEqual(stepLink(seal, linkedStep, at), stepLink(seal, linkedStep, at))
})
