// Decisions on an offer, and the stored and wire formats of its terms.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import { checkOffer } from '@lendloom/wire/exchange/final-offer'
import { finalTerms, termsFromJson, termsToJson } from '#partner/origination/terms/terms.ts'
import { checkDecision, type Offer, type OfferDecisionRequest, wireOffer } from './offer.ts'

const penalty = { bps: 100, graceDays: 2, everyDays: 7, most: 4 }
const proposed = {
  annualRatePercent: '24.00',
  feePercent: '2.00',
  taxPercent: '18.00',
  otherChargesPaise: 0n,
  penalty,
  coolOffDays: 3,
}
const at = new Date('2026-11-20T10:00:00Z')
const offer = (change: Partial<Offer> = {}): Offer => ({
  caseRef: 'CASE-1',
  offerId: 'offer-1',
  version: 1,
  terms: finalTerms({ ...proposed, amountPaise: 100_000_00n, tenureWeeks: 22 }),
  validUntil: new Date('2026-11-25T10:00:00Z'),
  decision: 'PENDING',
  sourceEventId: null,
  decidedAt: null,
  recordedAt: null,
  createdAt: at,
  ...change,
})
const decisionRecord = (decision: OfferDecisionRequest['decision'], decidedAt = at): OfferDecisionRequest => ({
  offerId: 'offer-1',
  decision,
  decidedAt,
})
const outcomeOf = (current: Offer | undefined, record: OfferDecisionRequest): string => {
  try {
    return checkDecision(current, record).isRepeated ? 'repetition' : 'new decision'
  } catch (error) {
    assert.ok(error instanceof Refusal)
    return (error.details.code as string | undefined) ?? error.kind
  }
}

test('D3 §3: a pending offer accepts every decision, and a decided offer only its repetition', () => {
  const decisions = ['ACCEPT', 'REJECT', 'EXPIRE'] as const
  const table = Object.fromEntries(
    (['PENDING', ...decisions] as const).map((recorded) => [
      recorded,
      decisions.map((decision) => outcomeOf(offer({ decision: recorded }), decisionRecord(decision))),
    ]),
  )
  assert.deepEqual(table, {
    PENDING: ['new decision', 'new decision', 'new decision'],
    ACCEPT: ['repetition', 'wrong-state', 'wrong-state'],
    REJECT: ['wrong-state', 'repetition', 'wrong-state'],
    EXPIRE: ['STALE_OFFER', 'STALE_OFFER', 'repetition'],
  })
})

test('D3 §3: a decision without an offer, a decision on another offer, and a late acceptance are stale', () => {
  assert.equal(outcomeOf(undefined, decisionRecord('ACCEPT')), 'STALE_OFFER')
  assert.equal(outcomeOf(offer({ offerId: 'offer-2' }), decisionRecord('ACCEPT')), 'STALE_OFFER')
  const validUntil = offer().validUntil
  assert.equal(outcomeOf(offer(), decisionRecord('ACCEPT', validUntil)), 'new decision')
  assert.equal(outcomeOf(offer(), decisionRecord('ACCEPT', new Date(validUntil.getTime() + 1))), 'STALE_OFFER')
  assert.equal(outcomeOf(offer(), decisionRecord('REJECT', new Date(validUntil.getTime() + 1))), 'new decision')
})

test('D3 §2.4: stored terms equal the original terms, and are complete on the wire', () => {
  const stored = offer({ terms: termsFromJson(JSON.parse(termsToJson(offer().terms))) })
  assert.deepEqual(stored.terms, offer().terms)
  const pages = { kfs: 'https://lender.example/k', terms: 'https://lender.example/t' }
  assert.deepEqual(checkOffer(wireOffer(stored, pages)), [])
})
