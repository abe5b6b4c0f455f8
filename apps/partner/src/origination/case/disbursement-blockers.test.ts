// Which facts block a disbursement, and for which of them the case waits first.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import fc from 'fast-check'
import {
  type Blocker,
  type CaseFacts,
  disbursementBlockers,
  missingFileTypes,
  nextMove,
} from './disbursement-blockers.ts'

/** A case that may be disbursed. */
const completeFacts = (): CaseFacts => ({
  offer: { decision: 'ACCEPT', installmentPaise: 479_000n },
  checks: {
    kyc: {
      status: 'APPROVED',
      verified: true,
      facts: { provider: 'KYC', providerReferenceId: 'k-1', mode: 'STANDARD', documentIds: ['d-1'], reasonCode: null },
    },
    lenderKycReview: { status: 'NOT_REQUIRED', verified: false, facts: null },
    mandate: {
      status: 'ACTIVE',
      verified: true,
      facts: {
        provider: 'NACH',
        providerReferenceId: 'm-1',
        umrn: 'HDFC7000000000000001',
        maximumAmount: '4790.00',
        frequency: 'WEEKLY',
        validFrom: '2026-11-20',
        validUntil: '2027-11-20',
        documentIds: [],
        reasonCode: null,
      },
    },
    esign: {
      status: 'COMPLETED',
      verified: true,
      facts: { provider: 'ESIGN', providerReferenceId: 'e-1', documentIds: [], reasonCode: null },
    },
  },
  mandateRequired: true,
  pending: [],
  stored: [
    { documentId: 'd-1', documentType: 'KYC_REPORT' },
    { documentId: 'd-2', documentType: 'SIGNED_LOAN_AGREEMENT' },
  ],
  on: '2026-11-20',
})

const withoutType = (type: string) => (facts: CaseFacts) => {
  facts.stored = facts.stored.filter(({ documentType }) => documentType !== type)
}

type BlockerCase = [name: string, blocker: Blocker, breakFact: (facts: CaseFacts) => void]

const blockerCases: BlockerCase[] = [
  ['a missing offer', 'OFFER_NOT_ACCEPTED', (facts) => (facts.offer = null)],
  ['an undecided offer', 'OFFER_NOT_ACCEPTED', (facts) => (facts.offer!.decision = 'PENDING')],
  ['an expired offer', 'OFFER_NOT_ACCEPTED', (facts) => (facts.offer!.decision = 'EXPIRE')],
  ['a KYC that is only ready for review', 'KYC_NOT_VERIFIED', (facts) => (facts.checks.kyc.status = 'REVIEW_READY')],
  ['a KYC that no provider confirmed', 'KYC_NOT_VERIFIED', (facts) => (facts.checks.kyc.verified = false)],
  [
    'an outstanding lender review',
    'LENDER_KYC_REVIEW_OUTSTANDING',
    (facts) => (facts.checks.lenderKycReview.status = 'NOT_STARTED'),
  ],
  [
    'a rejection by the lender’s review',
    'LENDER_KYC_REVIEW_OUTSTANDING',
    (facts) => (facts.checks.lenderKycReview.status = 'REJECTED'),
  ],
  ['a pending mandate', 'MANDATE_NOT_ACTIVE', (facts) => (facts.checks.mandate.status = 'PENDING')],
  ['a mandate that no provider confirmed', 'MANDATE_NOT_ACTIVE', (facts) => (facts.checks.mandate.verified = false)],
  ['a mandate that was cancelled', 'MANDATE_NOT_ACTIVE', (facts) => (facts.checks.mandate.status = 'CANCELLED')],
  [
    'a mandate limit below the instalment',
    'MANDATE_LIMIT_TOO_LOW',
    (facts) => (facts.checks.mandate.facts!.maximumAmount = '4789.99'),
  ],
  ['an expired mandate', 'MANDATE_NOT_VALID_NOW', (facts) => (facts.checks.mandate.facts!.validUntil = '2026-11-19')],
  ['a signature that is only requested', 'AGREEMENT_NOT_SIGNED', (facts) => (facts.checks.esign.status = 'REQUESTED')],
  ['a signature that no provider confirmed', 'AGREEMENT_NOT_SIGNED', (facts) => (facts.checks.esign.verified = false)],
  ['a missing signed agreement', 'SIGNED_AGREEMENT_MISSING', withoutType('SIGNED_LOAN_AGREEMENT')],
  ['a missing KYC report', 'KYC_DOCUMENT_MISSING', withoutType('KYC_REPORT')],
  [
    'a missing file that the KYC approval names',
    'KYC_DOCUMENT_MISSING',
    (facts) => facts.checks.kyc.facts!.documentIds.push('d-9'),
  ],
  [
    'a video KYC without its recording',
    'KYC_DOCUMENT_MISSING',
    (facts) => (facts.checks.kyc.facts!.mode = 'VIDEO_AND_MANUAL_REVIEW'),
  ],
  ['a missing file that the lead announced', 'DOCUMENTS_PENDING', (facts) => facts.pending.push('DOC-1')],
]

test('D3 §1.1: a case with all facts is ready to disburse', () => {
  assert.deepEqual(disbursementBlockers(completeFacts()), [])
  assert.equal(nextMove(completeFacts()), 'ready')
})

for (const [name, blocker, breakFact] of blockerCases)
  test(`D3 §1.1: ${name} blocks disbursement as ${blocker}`, () => {
    const facts = completeFacts()
    breakFact(facts)
    assert.deepEqual(disbursementBlockers(facts), [blocker])
    assert.notEqual(nextMove(facts), 'ready')
  })

test('D3 §1.1: a missing mandate blocks only if mandates are required', () => {
  const facts = completeFacts()
  facts.mandateRequired = false
  facts.checks.mandate = { status: 'NOT_STARTED', verified: false, facts: null }
  assert.deepEqual(disbursementBlockers(facts), [])
})

test('D3 §4.3: one file is sufficient as KYC evidence, whichever of the three types it has', () => {
  for (const documentType of ['AADHAAR_VERIFICATION_PDF', 'PAN_VERIFICATION_PDF', 'KYC_REPORT']) {
    const facts = completeFacts()
    facts.stored[0] = { documentId: 'd-1', documentType }
    assert.deepEqual(disbursementBlockers(facts), [])
  }
})

test('D3 §6 rule 1: a missing file does not move the case back to a check that is verified', () => {
  const facts = completeFacts()
  facts.stored = []
  assert.equal(nextMove(facts), 'awaitEsign')
  assert.deepEqual(missingFileTypes(facts), ['KYC_REPORT', 'SIGNED_LOAN_AGREEMENT'])
})

test('D3 §1.1: property: every missing fact is reported as a blocker, and the first blocker decides the next move', () => {
  fc.assert(
    fc.property(fc.subarray(blockerCases, { minLength: 1 }), (chosen) => {
      const facts = completeFacts()
      for (const [, , breakFact] of chosen.filter(([, blocker]) => blocker !== 'OFFER_NOT_ACCEPTED')) breakFact(facts)
      const blockers = disbursementBlockers(facts)
      const maskedBlockers = new Set<Blocker>(['OFFER_NOT_ACCEPTED'])
      // The files of a KYC and the limits of a mandate are checked only after the provider has confirmed them.
      if (blockers.includes('KYC_NOT_VERIFIED')) maskedBlockers.add('KYC_DOCUMENT_MISSING')
      if (blockers.includes('MANDATE_NOT_ACTIVE'))
        maskedBlockers.add('MANDATE_LIMIT_TOO_LOW').add('MANDATE_NOT_VALID_NOW')
      for (const [, blocker] of chosen)
        assert.ok(blockers.includes(blocker) || maskedBlockers.has(blocker), `${blocker} in ${blockers}`)
      const move = nextMove(facts)
      if (blockers.some((blocker) => blocker.startsWith('KYC_NOT') || blocker.startsWith('LENDER')))
        assert.equal(move, 'awaitKyc')
      else if (blockers.some((blocker) => blocker.startsWith('MANDATE'))) assert.equal(move, 'awaitMandate')
      else assert.equal(move, blockers.length === 0 ? 'ready' : 'awaitEsign')
    }),
    { numRuns: roundsOf(500) },
  )
})
