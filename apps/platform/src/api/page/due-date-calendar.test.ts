// The calendar file of a loan's future instalments, in the reader's language, and the link to it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newSealKey, sealWith } from '@lendloom/seal/seal'
import type { Installment } from '#platform/lending/journey/installment.ts'
import type { Offer } from '#platform/lending/offer/offer.ts'
import { readerOf } from '#platform/lending/page-text/page-text.ts'
import { remindersOf, remindersUrl } from './due-date-calendar.ts'

const at = new Date('2026-11-22T06:00:00.000Z')
const instalment = (serialNumber: number, dueAt: string, status: Installment['status'] = 'NOT-PAID'): Installment => ({
  serialNumber,
  amount: '936850',
  status,
  startsAt: dueAt,
  dueAt,
})
const installments = [
  instalment(1, '2026-10-05T18:29:59.000Z', 'PAID'),
  instalment(2, '2026-11-05T18:29:59.000Z', 'DELAYED'),
  // 19:00 UTC on the 4th is the 5th in India.
  instalment(3, '2026-12-04T19:00:00.000Z'),
  instalment(4, '2027-01-05T12:00:00.000Z'),
  instalment(5, '2027-02-05T12:00:00.000Z', 'DEFERRED'),
]
const loan = { offerId: '0192e0a4-0000-7000-8000-00000000000a', lender: 'Kaveri Bank', installments }

test('the calendar has an entry for each unpaid future instalment, on the due date in India', () => {
  const file = remindersOf(loan, readerOf().t, at)
  const valuesOf = (name: string) => [...file.matchAll(new RegExp(`^${name}:(.*)\\r$`, 'gm'))].map(([, value]) => value)
  assert.deepEqual(valuesOf('DTSTART;VALUE=DATE'), ['20261205', '20270105'])
  assert.deepEqual(valuesOf('UID'), [`${loan.offerId}-3@lendloom`, `${loan.offerId}-4@lendloom`])
  assert.deepEqual(valuesOf('SUMMARY'), Array(2).fill('EMI of ₹9\\,368.50 to Kaveri Bank'))
})

test('D1 §1: the calendar is in Hindi for a Hindi reader', () => {
  const file = remindersOf(loan, readerOf({}, 'hi').t, at)
  assert.match(file, /SUMMARY:.*की EMI/)
})

test('the page links to the calendar only if a future instalment is unpaid', () => {
  const ctx = {
    seal: sealWith(newSealKey('k1')),
    config: { PUBLIC_URL: 'https://lend.example' } as Parameters<typeof remindersUrl>[0]['config'],
  }
  const offer = { tenantId: 't', journeyId: 'j', ...loan } as unknown as Offer
  assert.match(remindersUrl(ctx, offer, loan.lender, at)!, /^https:\/\/lend\.example\/lab\/reminders\/[\w-]+$/)
  assert.equal(remindersUrl(ctx, { ...offer, installments: installments.slice(0, 2) }, loan.lender, at), null)
})
