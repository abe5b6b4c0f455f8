// The texts of personal data: what may be erased, now or later.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BorrowerPrivacy } from '@lendloom/wire/console/privacy'
import { approvalText, dataText } from './privacy-texts.ts'

const journey = (change: Partial<BorrowerPrivacy['journeys'][number]> = {}): BorrowerPrivacy['journeys'][number] => ({
  journeyId: '01a1ffa0-0000-7000-8000-000000000001',
  product: 'PERSONAL_LOAN',
  status: 'NOT_OFFERED',
  createdAt: '2026-11-01T00:00:00.000Z',
  erasedAt: null,
  obstacle: null,
  ...change,
})

test('the data of an application is erased, can be erased, or has an obstacle', () => {
  assert.equal(dataText({ erasedAt: '2026-11-25T10:00:00.000Z', obstacle: null }), 'Erased on 25 Nov 2026')
  assert.equal(dataText({ erasedAt: null, obstacle: null }), 'Can be erased')
  assert.equal(dataText({ erasedAt: null, obstacle: 'HELD' }), 'Not yet: a legal hold is in force')
})

test('an approval erases stored applications that began before the request, the others later', () => {
  const requestedAt = '2026-11-10T00:00:00.000Z'
  const text = (...journeys: BorrowerPrivacy['journeys']) => approvalText(journeys, requestedAt)
  const kept = journey({ obstacle: 'PERIOD' })
  const newer = journey({ createdAt: '2026-11-20T00:00:00.000Z' })
  assert.equal(text(journey(), newer, journey({ erasedAt: requestedAt })), 'We erase 1 application now.')
  assert.match(text(journey(), kept), /^We erase 1 application now\. We erase 1 other as soon/)
  assert.match(text(), /^We erase the identity/)
  assert.match(text(kept, kept, newer), /^Nothing can be erased yet\. We erase 2 applications as soon/)
})
