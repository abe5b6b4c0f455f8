// Texts of lenders' offers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ignoredText } from './network-texts.ts'
import {
  answersSummary,
  aprText,
  instalmentsText,
  noOfferSummary,
  noOfferText,
  offerText,
  rateText,
} from './offer-texts.ts'

const refusal = (reason: string | null) => ({ status: 'NO_OFFER_AVAILABLE' as const, reason, rejectedAt: null })
const awaited = { status: 'OFFER_AWAITED' as const, reason: null, rejectedAt: null }
const received = { status: 'OFFER_RECEIVED' as const, reason: null, rejectedAt: null }

test('a journey without an offer says why, lender by lender and together', () => {
  const credit = refusal('CREDIT_SCORE')
  assert.equal(noOfferText(credit, true), 'No offer: credit score')
  assert.equal(noOfferText(awaited, true), 'Did not answer')
  assert.equal(noOfferSummary(Array(5).fill(credit)), '5 of 5 lenders: credit score')
  assert.equal(
    noOfferSummary([refusal('INCOME'), credit, awaited, credit, refusal(null)]),
    '2 of 5 lenders: credit score, 1: income, 1: no answer, 1: no reason given',
  )
  assert.equal(noOfferSummary([credit]), '1 of 1 lender: credit score')
})

test('a journey that waits says how far the lenders have answered', () => {
  const wait = (what: 'OFFERS' | 'CHOICE' | 'KYC') => ({
    what,
    whose: 'lender' as const,
    since: '2026-11-21T10:00:00.000Z',
    until: null,
  })
  const offers = [received, awaited, refusal('INCOME')]
  assert.equal(answersSummary({ waitsFor: wait('OFFERS'), offers }), '2 of 3 lenders answered')
  assert.equal(answersSummary({ waitsFor: wait('CHOICE'), offers }), '1 offer from 3 lenders')
  assert.equal(answersSummary({ waitsFor: wait('KYC'), offers }), '')
  assert.equal(answersSummary({ waitsFor: wait('OFFERS'), offers: [] }), '')
})

test('instalments say how many there are and how often one is due', () => {
  const weekly = { creditLine: false, installment: '7185.00', installmentsCount: 22, repaymentFrequency: 'WEEKLY' }
  assert.equal(instalmentsText(weekly), '22 weekly instalments of ₹7,185')
  assert.equal(instalmentsText({ ...weekly, repaymentFrequency: 'P1M' }), '22 monthly instalments of ₹7,185')
  assert.equal(
    instalmentsText({ ...weekly, installmentsCount: 1, repaymentFrequency: 'BULLET' }),
    '1 instalment of ₹7,185',
  )
  assert.equal(instalmentsText({ ...weekly, installment: null }), '')
})

test('FIS12 §17.5: the offer of a credit line has a limit, and no instalments', () => {
  const line = { creditLine: true, principal: '500000.00', apr: '13%', interestRate: '12.5%' }
  assert.equal(offerText(line), 'Credit line up to ₹5,00,000 · 13.00% APR')
  assert.equal(offerText({ ...line, creditLine: false }), '₹5,00,000 · 13.00% APR')
  assert.equal(rateText(line), '12.5% a year · 13.00% APR')
  const none = { creditLine: true, installment: '0.00', installmentsCount: 0, repaymentFrequency: 'MONTHLY' }
  assert.equal(instalmentsText(none), '')
})

test('an offer that another one replaced has the words of the timeline', () => {
  const replaced = { ...refusal('OTHER_OFFER_CHOSEN'), rejectedAt: '2026-11-21T10:00:00.000Z' }
  assert.equal(
    noOfferText(replaced, false),
    ignoredText('the conversation has ended: the borrower chose another offer'),
  )
})

test('a rate has two decimals, as at the desk', () => {
  assert.deepEqual(['34.9%', '35%', '20.79%', '20.791%'].map(aprText), ['34.90%', '35.00%', '20.79%', '20.791%'])
})
