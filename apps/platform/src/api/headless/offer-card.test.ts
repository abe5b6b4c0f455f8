// Offer cards and offer details of the headless API.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faults } from '@lendloom/foundation/schema'
import { paiseFrom } from '@lendloom/lending/money'
import { terms } from '@lendloom/tests/setup/offered'
import { OfferCard, OfferDetail } from '@lendloom/wire/headless/offer'
import type { Journey, Terms } from '#platform/lending/journey/journey.ts'
import { toStoredTerms } from '#platform/lending/journey/stored-terms.ts'
import { type AaRequest, type ListedOffer, offerCards, offerDetail } from './offer-card.ts'

const at = new Date('2026-11-20T10:00:00.000Z')
const idOf = (n: number): string => `01930000-0000-7000-8000-00000000000${n}`
const journey = { status: 'OFFERED', changeInOffer: false, decision: null } as Journey

const offer = (n: number, changes: Partial<ListedOffer> = {}, offerTerms: Terms | null = terms): ListedOffer => ({
  tenantId: idOf(9),
  journeyId: idOf(8),
  offerId: idOf(n),
  conversationId: idOf(n),
  lenderId: idOf(n),
  channel: 'NETWORK',
  assessment: 'bureau',
  status: offerTerms ? 'OFFER_RECEIVED' : 'OFFER_AWAITED',
  reason: null,
  terms: offerTerms && toStoredTerms(offerTerms),
  firstTerms: offerTerms && toStoredTerms(offerTerms),
  limits: { leastAmount: '1000000', mostAmount: '20000000', leastMonths: 3, mostMonths: 12 },
  finalTerms: false,
  accepted: false,
  requestedAmountPaise: null,
  lockSource: null,
  selectedAt: null,
  acceptedAt: null,
  rejectedAt: null,
  rejectedStage: null,
  rejectedBecause: null,
  validUntil: null,
  installments: [],
  branches: [],
  schemes: [],
  pledges: [],
  branchId: null,
  agent: null,
  visitBookedAt: null,
  visitAt: null,
  ownPage: false,
  creditLine: false,
  lineOpenedAt: null,
  lineLimitPaise: null,
  lineUtilisedPaise: null,
  lineChangedAt: null,
  payoutReference: null,
  documentsSealed: null,
  lender: { name: `Lender ${n}`, logoUrl: null },
  ...changes,
})
const validCards = (offers: ListedOffer[], aa: AaRequest[] = []) => {
  const list = offerCards(offers, aa, at)
  for (const card of list) assert.deepEqual(faults(OfferCard, card), [])
  return list
}
const validDetail = (shownOffer: ListedOffer, lockedOffer?: ListedOffer, changes: Partial<Journey> = {}) => {
  const view = offerDetail({ ...journey, ...changes }, shownOffer, { lockedOffer, aa: [], pincode: undefined, at })
  assert.deepEqual(faults(OfferDetail, view), [])
  return view
}

test('D2 §2.3: a card has the price, the penal charges and the Key Facts Statement', () => {
  const [card] = validCards([offer(1)])
  assert.equal(card!.amountPrincipal, '200000.00')
  assert.equal(card!.interestRate, '14%')
  assert.equal(card!.offerTerm, '12 months')
  assert.equal(card!.annualPercentageRate, '16.3%')
  assert.equal(card!.installmentAmount, '17957.42')
  assert.deepEqual(card!.penalCharges, [
    { kind: 'DELAY', text: '2% a month' },
    { kind: 'FORECLOSURE', text: '2% of the outstanding principal' },
  ])
  assert.equal(card!.keyFactsStatementLink, terms.kfsLink)
  assert.deepEqual(card!.aa, { required: false, state: 'NOT_REQUIRED', actionRequired: 'NONE' })
})

test('D2 §2.2: cards list offers by APR, then awaited lenders, then lenders without an offer', () => {
  const listed = validCards([
    offer(1, { status: 'NO_OFFER_AVAILABLE', reason: 'LENDER_SILENT' }, null),
    offer(2, {}, null),
    offer(3, {}, { ...terms, apr: '18.05%' }),
    offer(4, {}, { ...terms, apr: '9.9%' }),
  ])
  assert.deepEqual(
    listed.map(({ lenderName, status, lenderStateReason }) => ({ lenderName, status, lenderStateReason })),
    [
      { lenderName: 'Lender 4', status: 'OFFER_RECEIVED', lenderStateReason: null },
      { lenderName: 'Lender 3', status: 'OFFER_RECEIVED', lenderStateReason: null },
      { lenderName: 'Lender 2', status: 'OFFER_AWAITED', lenderStateReason: null },
      { lenderName: 'Lender 1', status: 'NO_OFFER_AVAILABLE', lenderStateReason: 'The lender did not answer in time.' },
    ],
  )
})

test('D2 §2.2: an expired offer becomes NO_OFFER_AVAILABLE unless it was accepted in time', () => {
  const lapsed = { validUntil: at }
  const [expiredCard] = validCards([offer(1, lapsed)])
  assert.equal(expiredCard!.status, 'NO_OFFER_AVAILABLE')
  assert.equal(expiredCard!.lenderStateReason, 'This offer has expired.')
  assert.equal(validCards([offer(1, { ...lapsed, accepted: true })])[0]!.status, 'OFFER_RECEIVED')
  assert.equal(validDetail(offer(1, lapsed)).expired, true)
})

test('D2 §2.3: the card of a lender that waits for bank statements shows the newest underwriting consent', () => {
  const request = (state: AaRequest['state'], purpose: AaRequest['purpose'] = 'UNDERWRITING') => ({
    offerId: idOf(1),
    purpose,
    state,
    consentHandle: 'h',
    handleWanted: false,
  })
  const [card] = validCards(
    [offer(1, {}, null)],
    [request('EXPIRED'), request('REQUIRED'), request('FAILED', 'MONITORING')],
  )
  assert.deepEqual(card!.aa, { required: true, state: 'REQUIRED', actionRequired: 'REDIRECT' })
})

test('D2 §3: the detail shows whether the journey is locked to this offer or to another offer', () => {
  const lockedOffer = offer(1, { selectedAt: at, lockSource: 'headless', finalTerms: true })
  assert.equal(validDetail(offer(2)).proceedBoundaryState, 'OPEN')
  assert.equal(validDetail(offer(2), lockedOffer).proceedBoundaryState, 'LOCKED_TO_DIFFERENT_OFFER')
  const selectedDetail = validDetail(lockedOffer, lockedOffer, { status: 'OFFER_SELECTED', changeInOffer: true })
  assert.equal(selectedDetail.proceedBoundaryState, 'LOCKED')
  assert.deepEqual(selectedDetail.offerSelectionLock, { lockedAt: at.toISOString(), lockSource: 'HEADLESS' })
  assert.equal(selectedDetail.termsFinal, true)
  assert.equal(selectedDetail.termsChanged, true)
  assert.deepEqual(selectedDetail.fulfillments, [{ type: 'LOAN', status: 'INITIATED' }])
})

test('D2 §2.3: the breakup of an offer adds up to the net disbursed amount', () => {
  const { breakup } = validDetail(offer(1))
  const amount = (title: string) => paiseFrom(breakup.find((row) => row.title === title)!.amount)!
  assert.equal(amount('PRINCIPAL') - amount('PROCESSING_FEE'), amount('NET_DISBURSED_AMOUNT'))
  assert.equal(amount('PRINCIPAL') + amount('INTEREST'), 215_489_04n)
  assert.deepEqual(validDetail(offer(1, {}, null)).breakup, [], 'an offer without terms has no breakup')
})
