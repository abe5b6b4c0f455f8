// What keeps a loan from being disbursed: each fact by itself, and in the order in which a case passes them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { awaited, type Blocker, type CaseFacts, disbursementBlockers, missingFileTypes } from './blocker.ts'

/** A case that may be disbursed. */
const clear = (): CaseFacts => ({
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

const withOut = (type: string) => (facts: CaseFacts) => {
  facts.stored = facts.stored.filter(({ documentType }) => documentType !== type)
}

type Spoiler = [name: string, blocker: Blocker, spoil: (facts: CaseFacts) => void]

const spoilers: Spoiler[] = [
  ['no offer', 'OFFER_NOT_ACCEPTED', (facts) => (facts.offer = null)],
  ['an offer nobody decided on', 'OFFER_NOT_ACCEPTED', (facts) => (facts.offer!.decision = 'PENDING')],
  ['an expired offer', 'OFFER_NOT_ACCEPTED', (facts) => (facts.offer!.decision = 'EXPIRE')],
  ['KYC that is only ready for review', 'KYC_NOT_VERIFIED', (facts) => (facts.checks.kyc.status = 'REVIEW_READY')],
  ['KYC approved by nobody who may', 'KYC_NOT_VERIFIED', (facts) => (facts.checks.kyc.verified = false)],
  [
    'a review that is due',
    'LENDER_KYC_REVIEW_OUTSTANDING',
    (facts) => (facts.checks.lenderKycReview.status = 'NOT_STARTED'),
  ],
  [
    'a review that disagrees',
    'LENDER_KYC_REVIEW_OUTSTANDING',
    (facts) => (facts.checks.lenderKycReview.status = 'REJECTED'),
  ],
  ['a mandate that is only asked for', 'MANDATE_NOT_ACTIVE', (facts) => (facts.checks.mandate.status = 'PENDING')],
  ['a mandate that no provider confirmed', 'MANDATE_NOT_ACTIVE', (facts) => (facts.checks.mandate.verified = false)],
  ['a mandate that was cancelled', 'MANDATE_NOT_ACTIVE', (facts) => (facts.checks.mandate.status = 'CANCELLED')],
  ['a mandate for less', 'MANDATE_LIMIT_TOO_LOW', (facts) => (facts.checks.mandate.facts!.maximumAmount = '4789.99')],
  [
    'a mandate that has ended',
    'MANDATE_NOT_VALID_NOW',
    (facts) => (facts.checks.mandate.facts!.validUntil = '2026-11-19'),
  ],
  ['a signature that is only asked for', 'AGREEMENT_NOT_SIGNED', (facts) => (facts.checks.esign.status = 'REQUESTED')],
  ['a signature that no provider confirmed', 'AGREEMENT_NOT_SIGNED', (facts) => (facts.checks.esign.verified = false)],
  ['a signed agreement that is not here', 'SIGNED_AGREEMENT_MISSING', withOut('SIGNED_LOAN_AGREEMENT')],
  ['a KYC report that is not here', 'KYC_DOCUMENT_MISSING', withOut('KYC_REPORT')],
  [
    'a KYC file that is named and not here',
    'KYC_DOCUMENT_MISSING',
    (facts) => facts.checks.kyc.facts!.documentIds.push('d-9'),
  ],
  [
    'a video KYC without its recording',
    'KYC_DOCUMENT_MISSING',
    (facts) => (facts.checks.kyc.facts!.mode = 'VIDEO_AND_MANUAL_REVIEW'),
  ],
  ['a file of the manifest that is not here', 'DOCUMENTS_PENDING', (facts) => facts.pending.push('DOC-1')],
]

test('D3 §1.1: nothing blocks a case with every fact', () => {
  assert.deepEqual(disbursementBlockers(clear()), [])
  assert.equal(awaited(clear()), 'ready')
})

for (const [name, blocker, spoil] of spoilers)
  test(`D3 §1.1: ${name} alone blocks disbursement (${blocker})`, () => {
    const facts = clear()
    spoil(facts)
    assert.deepEqual(disbursementBlockers(facts), [blocker])
    assert.notEqual(awaited(facts), 'ready')
  })

test('D3 §1.1: a mandate is asked for only where one is required', () => {
  const facts = clear()
  facts.mandateRequired = false
  facts.checks.mandate = { status: 'NOT_STARTED', verified: false, facts: null }
  assert.deepEqual(disbursementBlockers(facts), [])
})

test('D3 §4.3: the KYC list follows the provider: what it does not produce is not required', () => {
  for (const documentType of ['AADHAAR_VERIFICATION_PDF', 'PAN_VERIFICATION_PDF', 'KYC_REPORT']) {
    const facts = clear()
    facts.stored[0] = { documentId: 'd-1', documentType }
    assert.deepEqual(disbursementBlockers(facts), [])
  }
})

test('D3 §6 rule 1: a missing file never sends the case back to what was verified', () => {
  const facts = clear()
  facts.stored = []
  assert.equal(awaited(facts), 'awaitEsign')
  assert.deepEqual(missingFileTypes(facts), ['KYC_REPORT', 'SIGNED_LOAN_AGREEMENT'])
})

test('D3 §1.1: whatever is spoiled, all of it is named, and the case waits for the first of it', () => {
  fc.assert(
    fc.property(fc.subarray(spoilers, { minLength: 1 }), (chosen) => {
      const facts = clear()
      for (const [, , spoil] of chosen.filter(([, blocker]) => blocker !== 'OFFER_NOT_ACCEPTED')) spoil(facts)
      const found = disbursementBlockers(facts)
      const hidden = new Set<Blocker>(['OFFER_NOT_ACCEPTED'])
      // What a KYC must bring, and what a mandate must cover, is asked once it is there.
      if (found.includes('KYC_NOT_VERIFIED')) hidden.add('KYC_DOCUMENT_MISSING')
      if (found.includes('MANDATE_NOT_ACTIVE')) hidden.add('MANDATE_LIMIT_TOO_LOW').add('MANDATE_NOT_VALID_NOW')
      for (const [, blocker] of chosen)
        assert.ok(found.includes(blocker) || hidden.has(blocker), `${blocker} in ${found}`)
      const stage = awaited(facts)
      if (found.some((blocker) => blocker.startsWith('KYC_NOT') || blocker.startsWith('LENDER')))
        assert.equal(stage, 'awaitKyc')
      else if (found.some((blocker) => blocker.startsWith('MANDATE'))) assert.equal(stage, 'awaitMandate')
      else assert.equal(stage, found.length === 0 ? 'ready' : 'awaitEsign')
    }),
    { numRuns: 500 },
  )
})
