// What a payment of a credit line consists of: first the interest since the drawn amount changed, then the principal.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tx } from '@lendloom/postgres/sql'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import type { PaymentRequest } from '#sandbox/lender/servicing/loan-account.ts'
import { lineDues } from './line-account.ts'

/** A database without payments and drawdowns. */
const emptyTx = (async () => []) as unknown as Tx

const drawnAt = new Date('2026-11-01T06:00:00Z')
const line = {
  conversationId: 'line',
  principal: 500_000_00n,
  drawn: 100_000_00n,
  drawnAt,
  annualBps: 1250n,
} as Conversation
const after30Days = new Date('2026-12-01T06:00:00Z')
const duesOf = (request: PaymentRequest, changes: Partial<Conversation> = {}, at = after30Days) =>
  lineDues(emptyTx, { ...line, ...changes }, request, at)
const part = (prepayAmount: bigint): PaymentRequest => ({ label: 'PRE_PART_PAYMENT', prepayAmount })
const closing: PaymentRequest = { label: 'FORECLOSURE', prepayAmount: null }
const none = { lateFee: 0n, charge: 0n, number: null }

test('FIS12 §27.4: a part payment pays the interest of thirty days first, and the rest is principal', async () => {
  // 12.5 % a year of a lakh for 30 of 365 days is 1027.40, in whole rupees.
  const dues = await duesOf(part(20_000_00n))
  assert.deepEqual(dues, { ...none, label: 'PRE_PART_PAYMENT', principal: 18_973_00n, interest: 1027_00n })
  const small = await duesOf(part(500_00n))
  assert.deepEqual(small, { ...none, label: 'PRE_PART_PAYMENT', principal: 0n, interest: 500_00n })
})

test('FIS12 §27.4: closing costs all that is drawn, with its interest; on the day of the drawing there is none', async () => {
  assert.deepEqual(await duesOf(closing), {
    ...none,
    label: 'FORECLOSURE',
    principal: 100_000_00n,
    interest: 1027_00n,
  })
  const sameDay = await duesOf(closing, {}, drawnAt)
  assert.equal(sameDay?.interest, 0n)
})

test('FIS12 §27.4: a line takes a part at most up to what is drawn, any part if nothing is, and no missed instalment', async () => {
  assert.equal(await duesOf(part(101_028_00n)), null)
  assert.equal((await duesOf(part(101_027_00n)))?.principal, 100_000_00n)
  const undrawn = await duesOf(part(10_000_00n), { drawn: null, drawnAt: null })
  assert.deepEqual(undrawn, { ...none, label: 'PRE_PART_PAYMENT', principal: 10_000_00n, interest: 0n })
  assert.equal(await duesOf({ label: 'MISSED_EMI_PAYMENT', prepayAmount: null }), null)
})
