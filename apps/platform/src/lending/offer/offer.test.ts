// Pure rules of an offer: changed terms, request limits, expiry and the outcome of a search.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Terms } from '#platform/lending/journey/journey.ts'
import { isExpired, limitsFor, type Offer, outlookOf, searchOutcomeOf, termsDiffer } from './offer.ts'

const lakh = 100_000_00n

const terms: Terms = {
  quoteId: 'Q-1',
  quoteTtl: 'P7D',
  principal: 2n * lakh,
  interest: 30_000_00n,
  processingFee: 2_360_00n,
  otherUpfront: 100_00n,
  insurance: 0n,
  otherCharges: 0n,
  netDisbursed: 197_540_00n,
  interestRate: '14%',
  apr: '15.2%',
  interestType: 'FIXED',
  term: '12 months',
  termMonths: 12,
  repaymentFrequency: 'MONTHLY',
  installmentsCount: 12,
  installmentAmount: 17_957_42n,
  applicationFee: '0 INR',
  foreclosureFee: '2%',
  interestRateConversionCharge: null,
  delayPenaltyFee: '2%',
  otherPenaltyFee: null,
  tncLink: 'https://lender.example/terms',
  kfsLink: 'https://lender.example/kfs/1',
  coolOffPeriod: 'P3D',
  ltvRatio: null,
}

test('FIS12 §13.1: a quote that differs only in id, validity or links does not change the terms', () => {
  assert.equal(termsDiffer(terms, { ...terms }), false)
  const requoted = { quoteId: 'Q-2', quoteTtl: 'PT20S', kfsLink: 'https://lender.example/kfs/2', tncLink: null }
  assert.equal(termsDiffer(terms, { ...terms, ...requoted }), false)
})

test('FIS12 §13.1: any difference in price or conditions changes the terms', () => {
  const ignoredFields = ['quoteId', 'quoteTtl', 'kfsLink', 'tncLink']
  for (const [name, value] of Object.entries(terms)) {
    if (ignoredFields.includes(name)) continue
    const changed = typeof value === 'bigint' ? value + 1n : typeof value === 'number' ? value + 1 : `${value} more`
    assert.equal(termsDiffer(terms, { ...terms, [name]: changed }), true, name)
  }
})

const limits = { leastAmount: '2500000', mostAmount: '100000000', leastMonths: 6, mostMonths: 36 }

test('FIS12 §8.1: amount and term are limited to the offer, even if the catalogue allows more', () => {
  assert.deepEqual(limitsFor(limits, terms, true), { ...limits, mostAmount: '20000000', mostMonths: 12 })
  // A catalogue maximum of 0 means that the catalogue has none.
  const unlimited = { leastAmount: '100', mostAmount: '0', leastMonths: 1, mostMonths: 1 }
  assert.deepEqual(limitsFor(unlimited, terms, true), { ...unlimited, mostAmount: '20000000', mostMonths: 12 })
  const small = { ...terms, principal: 10_000_00n, termMonths: 3 }
  assert.deepEqual(limitsFor(limits, small, true), {
    leastAmount: '1000000',
    mostAmount: '1000000',
    leastMonths: 3,
    mostMonths: 3,
  })
})

test('FIS12 §12.2: without a term choice, only the offered term is allowed', () => {
  assert.deepEqual(limitsFor(limits, terms, false), {
    ...limits,
    mostAmount: '20000000',
    leastMonths: 12,
    mostMonths: 12,
  })
})

test('D1 §2.4: an offer expires at `validUntil` unless it was accepted', () => {
  const at = new Date('2026-03-01T10:00:00Z')
  const offer = (validUntil: string | null, accepted = false) =>
    ({ validUntil: validUntil === null ? null : new Date(validUntil), accepted }) as Offer
  assert.equal(isExpired(offer('2026-03-01T10:00:00Z'), at), true)
  assert.equal(isExpired(offer('2026-03-01T10:00:00.001Z'), at), false)
  assert.equal(isExpired(offer('2026-03-01T09:00:00Z', true), at), false)
  assert.equal(isExpired(offer(null), at), false)
})

const offersWith = (...statuses: Offer['status'][]) => statuses.map((status) => ({ status, reason: null }))

test('D1 §3: a search has no outcome while it is open, while a lender may answer, or once a lender has offered', () => {
  assert.equal(searchOutcomeOf(offersWith('NO_OFFER_AVAILABLE'), false, true), undefined)
  assert.equal(searchOutcomeOf(offersWith('NO_OFFER_AVAILABLE', 'OFFER_AWAITED'), true, true), undefined)
  assert.equal(searchOutcomeOf(offersWith('NO_OFFER_AVAILABLE', 'OFFER_RECEIVED'), true, true), undefined)
})

test('FIS12 §13.1: a search without offers is `noneOffered` if a lender decided, otherwise `unanswered`', () => {
  assert.equal(searchOutcomeOf(offersWith('NO_OFFER_AVAILABLE', 'NO_OFFER_AVAILABLE'), true, true), 'noneOffered')
  assert.equal(searchOutcomeOf(offersWith('NO_OFFER_AVAILABLE'), true, false), 'unanswered')
  assert.equal(searchOutcomeOf([], true, false), 'unanswered')
})

test('FIS12 §13.2: a journey is lapsed when the borrower has no valid offer and awaits none', () => {
  const at = new Date('2026-03-01T10:00:00Z')
  const before = new Date('2026-03-01T09:00:00Z')
  const after = new Date('2026-03-01T11:00:00Z')
  const offer = (status: Offer['status'], validUntil: Date | null, fields: Partial<Offer> = {}) =>
    ({ status, validUntil, accepted: false, selectedAt: null, rejectedAt: null, finalTerms: false, ...fields }) as Offer
  const lapsed = offer('OFFER_RECEIVED', before)
  const choosing = { status: 'OFFERED', search: 'CLOSED' } as const
  assert.equal(outlookOf(choosing, [lapsed, offer('NO_OFFER_AVAILABLE', null)], at), 'lapsed')
  assert.equal(outlookOf(choosing, [lapsed, offer('OFFER_RECEIVED', after)], at), 'valid')
  assert.equal(outlookOf(choosing, [lapsed, offer('OFFER_RECEIVED', null)], at), 'valid')
  assert.equal(outlookOf(choosing, [lapsed, offer('OFFER_AWAITED', null)], at), 'awaited')
  assert.equal(outlookOf({ ...choosing, search: 'OPEN' }, [lapsed], at), 'awaited')

  const chosen = { status: 'OFFER_SELECTED', search: 'CLOSED' } as const
  const selected = { ...lapsed, selectedAt: before }
  assert.equal(outlookOf(chosen, [selected], at), 'valid', 'the final terms have not arrived')
  assert.equal(outlookOf(chosen, [{ ...selected, finalTerms: true }], at), 'lapsed')
  assert.equal(outlookOf(chosen, [{ ...selected, finalTerms: true, validUntil: after }], at), 'valid')
  for (const status of ['OFFER_ACCEPTED', 'LENDER_REDIRECTED', 'DISBURSED'] as const)
    assert.equal(outlookOf({ status, search: 'CLOSED' }, [{ ...selected, finalTerms: true }], at), 'valid', status)
})
