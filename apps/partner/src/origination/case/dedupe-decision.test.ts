// Tests the dedupe decision, and which decisions a lead may refer to.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { yearsBetween } from '@lendloom/lending/calendar'
import { dedupeDecisionOn, dedupeFault, type KnownCase } from './dedupe-decision.ts'
import { scenarioFor } from './sandbox-rules.ts'

const policy = { maxLoans: 2, maxPaise: 1_000_000n, minAge: 18 }
const known = (change: Partial<KnownCase> = {}): KnownCase => ({
  caseRef: 'CASE-1',
  sender: 'LENDLOOM',
  leadId: '1',
  loanId: '2',
  hasSamePan: true,
  hasSameMobileAndBirthday: true,
  hasSameBirthday: true,
  loan: 'NONE',
  paise: 0n,
  identityDecision: null,
  ...change,
})
const decide = (all: KnownCase[], age = 30) => {
  const { matchStatus, decision, reasonCode } = dedupeDecisionOn(all, age, policy, null)
  return { matchStatus, decision, reasonCode }
}

test('D3 §4.1: an unknown applicant may proceed only if the policy allows it', () => {
  assert.deepEqual(decide([]), { matchStatus: 'NO_MATCH', decision: 'PROCEED', reasonCode: 'NO_RECORD' })
  assert.deepEqual(decide([], 17), { matchStatus: 'NO_MATCH', decision: 'DECLINE', reasonCode: 'UNDER_AGE' })
})

test('D3 §4.1: an applicant whose earlier case has no running loan may proceed', () => {
  assert.deepEqual(decide([known()]), { matchStatus: 'MATCH', decision: 'PROCEED', reasonCode: 'KNOWN_BORROWER' })
  assert.deepEqual(decide([known({ loan: 'CLOSED' })]), {
    matchStatus: 'MATCH',
    decision: 'PROCEED',
    reasonCode: 'KNOWN_BORROWER',
  })
})

test('D3 §4.1: an applicant with an overdue loan or too many loans is declined', () => {
  assert.deepEqual(decide([known({ loan: 'OVERDUE' })]), {
    matchStatus: 'MATCH',
    decision: 'DECLINE',
    reasonCode: 'LOAN_OVERDUE',
  })
  const live = known({ loan: 'LIVE' })
  assert.deepEqual(decide([live]), { matchStatus: 'MATCH', decision: 'PROCEED', reasonCode: 'KNOWN_BORROWER' })
  assert.deepEqual(decide([live, live]), { matchStatus: 'MATCH', decision: 'DECLINE', reasonCode: 'TOO_MANY_LOANS' })
})

test('D3 §4.1: the mobile and birthday of a known borrower with another PAN are AMBIGUOUS', () => {
  const other = known({ hasSamePan: false, loan: 'CLOSED' })
  assert.deepEqual(decide([other]), {
    matchStatus: 'AMBIGUOUS',
    decision: 'REVIEW_REQUIRED',
    reasonCode: 'IDENTITY_UNCLEAR',
  })
  assert.deepEqual(decide([{ ...other, loan: 'NONE' }]), {
    matchStatus: 'NO_MATCH',
    decision: 'PROCEED',
    reasonCode: 'NO_RECORD',
  })
})

test('D3 §4.1: a known PAN is AMBIGUOUS with another birthday, and a MATCH with another mobile', () => {
  const unclear = { matchStatus: 'AMBIGUOUS', decision: 'REVIEW_REQUIRED', reasonCode: 'IDENTITY_UNCLEAR' }
  const other = known({ hasSameMobileAndBirthday: false, hasSameBirthday: false })
  for (const loan of ['NONE', 'LIVE', 'OVERDUE', 'CLOSED'] as const)
    assert.deepEqual(decide([{ ...other, loan }]), unclear)
  assert.deepEqual(decide([known(), other]), unclear, 'one of two records has another birthday')
  assert.deepEqual(decide([known({ hasSameMobileAndBirthday: false })]), {
    matchStatus: 'MATCH',
    decision: 'PROCEED',
    reasonCode: 'KNOWN_BORROWER',
  })
})

test('D3 §4.1: open applications count towards the limits of number and amount, as loans do', () => {
  const open = known({ loan: 'OPEN', paise: 400_000n })
  assert.deepEqual(decide([open]), { matchStatus: 'MATCH', decision: 'PROCEED', reasonCode: 'KNOWN_BORROWER' })
  assert.deepEqual(decide([open, known({ loan: 'LIVE' })]), {
    matchStatus: 'MATCH',
    decision: 'DECLINE',
    reasonCode: 'TOO_MANY_LOANS',
  })
  assert.deepEqual(decide([known({ loan: 'OPEN', paise: 1_000_000n })]), {
    matchStatus: 'MATCH',
    decision: 'DECLINE',
    reasonCode: 'TOO_MUCH_OWED',
  })
})

test('D3 §4.1: after an officer’s decision the applicant is no longer AMBIGUOUS', () => {
  const withOtherPan = known({ hasSamePan: false, loan: 'LIVE' })
  assert.deepEqual(decide([{ ...withOtherPan, identityDecision: 'DIFFERENT' }]), {
    matchStatus: 'NO_MATCH',
    decision: 'PROCEED',
    reasonCode: 'NO_RECORD',
  })
  const same = { ...withOtherPan, identityDecision: 'SAME' } as const
  assert.deepEqual(decide([same]), { matchStatus: 'MATCH', decision: 'PROCEED', reasonCode: 'KNOWN_BORROWER' })
  assert.deepEqual(decide([same, { ...same, caseRef: 'CASE-2' }]), {
    matchStatus: 'MATCH',
    decision: 'DECLINE',
    reasonCode: 'TOO_MANY_LOANS',
  })
  const withOtherBirthday = known({ hasSameMobileAndBirthday: false, hasSameBirthday: false })
  assert.deepEqual(decide([{ ...withOtherBirthday, identityDecision: 'SAME' }]), {
    matchStatus: 'MATCH',
    decision: 'PROCEED',
    reasonCode: 'KNOWN_BORROWER',
  })
  assert.deepEqual(decide([{ ...withOtherBirthday, identityDecision: 'DIFFERENT' }]), {
    matchStatus: 'MATCH',
    decision: 'DECLINE',
    reasonCode: 'IDENTITY_OF_ANOTHER',
  })
  assert.deepEqual(
    decide([same, withOtherPan]),
    { matchStatus: 'AMBIGUOUS', decision: 'REVIEW_REQUIRED', reasonCode: 'IDENTITY_UNCLEAR' },
    'each record needs its own decision',
  )
})

test('D3 §4.1: digits of the PAN make the sandbox decline or report AMBIGUOUS', () => {
  assert.equal(dedupeDecisionOn([], 30, policy, scenarioFor('ABCPE9201F')).decision, 'DECLINE')
  assert.equal(dedupeDecisionOn([], 30, policy, scenarioFor('ABCPE9202F')).matchStatus, 'AMBIGUOUS')
  assert.equal(scenarioFor('ABCPE1234F'), null)
})

test('D3 §2.1: a person reaches an age on the birthday', () => {
  assert.equal(yearsBetween('2008-11-20', '2026-11-20'), 18)
  assert.equal(yearsBetween('2008-11-21', '2026-11-20'), 17)
  assert.equal(yearsBetween('2008-02-29', '2026-02-28'), 17)
})

test('D3 §4.1: a lead requires a PROCEED for its case and applicant that is at most a day old', () => {
  const at = new Date('2026-11-20T10:00:00Z')
  const pan = Buffer.from('pan')
  const person = Buffer.from('person')
  const lead = { sender: 'LENDLOOM', caseRef: 'CASE-1', panDigest: pan, personDigest: person }
  const proceed = { ...lead, decision: 'PROCEED', checkedAt: new Date('2026-11-19T10:00:00Z') }
  const fault = (change: object) => dedupeFault({ ...proceed, ...change }, lead, 24, at)
  assert.equal(dedupeFault(proceed, lead, 24, at), null)
  assert.match(dedupeFault(undefined, lead, 24, at)!, /no dedupe decision/)
  assert.match(fault({ caseRef: 'CASE-2' })!, /no dedupe decision of this case/)
  assert.match(fault({ sender: 'OTHER' })!, /no dedupe decision of this case/)
  assert.match(fault({ panDigest: Buffer.from('other') })!, /another applicant/)
  assert.match(fault({ personDigest: Buffer.from('other') })!, /another applicant/)
  assert.match(fault({ decision: 'REVIEW_REQUIRED' })!, /REVIEW_REQUIRED/)
  assert.match(fault({ decision: 'DECLINE' })!, /DECLINE/)
  assert.match(fault({ checkedAt: new Date('2026-11-19T09:59:59Z') })!, /older than 24 hours/)
})
