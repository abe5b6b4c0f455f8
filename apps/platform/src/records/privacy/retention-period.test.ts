// How long the data of a journey are kept, and what stops their erasure.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ErasableJourney, erasureObstacle, monthsBefore, retentionPeriods } from './retention-period.ts'

const at = new Date('2026-11-25T08:00:00Z')
const ended: ErasableJourney = {
  active: false,
  status: 'NOT_OFFERED',
  closedAt: null,
  updatedAt: new Date('2026-11-24T08:00:00Z'),
  awaitsPayout: false,
  isHeld: false,
  hasOpenComplaint: false,
  hasUndelivered: false,
}
const closed = (closedOn: string): ErasableJourney => ({
  ...ended,
  status: 'DISBURSED',
  closedAt: new Date(`${closedOn}T08:00:00Z`),
})

test('DPDP §12: an application without a loan is erased on request at once, otherwise a year after its end', () => {
  assert.equal(erasureObstacle(ended, at, true), null)
  assert.equal(erasureObstacle(ended, at, false), 'PERIOD')
  const yearAgo = { ...ended, updatedAt: new Date('2025-11-25T08:00:00Z') }
  assert.equal(erasureObstacle(yearAgo, at, false), null)
  assert.equal(erasureObstacle({ ...yearAgo, updatedAt: new Date('2025-11-25T08:00:01Z') }, at, false), 'PERIOD')
})

test('a loan is kept for three years after its closing, even on request', () => {
  assert.equal(erasureObstacle(closed('2023-11-26'), at, true), 'PERIOD')
  assert.equal(erasureObstacle(closed('2023-11-25'), at, true), null)
  assert.equal(erasureObstacle(closed('2023-11-25'), at, false), null)
  assert.equal(erasureObstacle({ ...closed('2023-11-25'), active: true }, at, false), 'RUNNING')
})

test('an application that ended after the acceptance is kept for three months, because a payout may be reported late', () => {
  const accepted = { ...ended, status: 'OFFER_ACCEPTED' } as const
  assert.equal(erasureObstacle(accepted, at, true), 'PERIOD')
  assert.equal(erasureObstacle({ ...accepted, updatedAt: new Date('2026-08-25T08:00:00Z') }, at, true), null)
})

test('an application whose lender has confirmed the loan runs for a year, in which a payout may be reported', () => {
  const confirmed = { ...ended, status: 'LENDER_REDIRECTED', awaitsPayout: true } as const
  for (const isRequested of [true, false]) {
    const endedOn = (day: string) =>
      erasureObstacle({ ...confirmed, updatedAt: new Date(`${day}T08:00:00Z`) }, at, isRequested)
    assert.equal(endedOn('2025-11-26'), 'RUNNING')
    assert.equal(endedOn('2025-11-25'), null)
  }
})

test('a hold and an open complaint stop every erasure, and undelivered updates stop a requested one', () => {
  for (const isRequested of [true, false]) {
    assert.equal(erasureObstacle({ ...closed('2010-01-01'), isHeld: true }, at, isRequested), 'HELD')
    assert.equal(erasureObstacle({ ...closed('2010-01-01'), hasOpenComplaint: true }, at, isRequested), 'COMPLAINT')
  }
  assert.equal(erasureObstacle({ ...ended, hasUndelivered: true }, at, true), 'UNDELIVERED')
  assert.equal(erasureObstacle({ ...closed('2010-01-01'), hasUndelivered: true }, at, false), null)
})

test('months end on the last day of a shorter month', () => {
  assert.equal(monthsBefore(new Date('2026-03-31T10:30:00Z'), 1).toISOString(), '2026-02-28T10:30:00.000Z')
  assert.equal(monthsBefore(new Date('2028-02-29T00:00:00Z'), 12).toISOString(), '2027-02-28T00:00:00.000Z')
  assert.equal(monthsBefore(new Date('2026-01-15T23:59:59Z'), 36).toISOString(), '2023-01-15T23:59:59.000Z')
})

test('every period names its source, and a request never lengthens it', () => {
  for (const { months, minimumMonths, source } of retentionPeriods) {
    assert.ok(minimumMonths <= months)
    assert.match(source, /\d{4}|As above/)
  }
})
