// Dedupe: known borrowers, decisions, and the decisions that a lead may refer to.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { yearsBetween } from '#kit/money/calendar.ts'
import { decisionOn, dedupeFault, type KnownCase } from './dedupe.ts'
import { scenarioFor } from './sandbox-rules.ts'

const policy = { maxLoans: 2, maxPaise: 1_000_000n, minAge: 18 }
const known = (change: Partial<KnownCase> = {}): KnownCase => ({
  caseRef: 'CASE-1',
  sender: 'LENDLOOM',
  leadId: '1',
  loanId: '2',
  samePan: true,
  sameApplicant: true,
  sameBirthday: true,
  loan: 'NONE',
  paise: 0n,
  judged: null,
  ...change,
})
const result = (all: KnownCase[], age = 30) => {
  const { matchStatus, decision, reasonCode } = decisionOn(all, age, policy, null)
  return [matchStatus, decision, reasonCode]
}

test('D3 §4.1: an unknown applicant may proceed, by policy and not by NO_MATCH alone', () => {
  assert.deepEqual(result([]), ['NO_MATCH', 'PROCEED', 'NO_RECORD'])
  assert.deepEqual(result([], 17), ['NO_MATCH', 'DECLINE', 'UNDER_AGE'])
})

test('D3 §4.1: PROCEED can follow a permitted existing record', () => {
  assert.deepEqual(result([known()]), ['MATCH', 'PROCEED', 'KNOWN_BORROWER'])
  assert.deepEqual(result([known({ loan: 'CLOSED' })]), ['MATCH', 'PROCEED', 'KNOWN_BORROWER'])
})

test('D3 §4.1: an overdue loan, or too many loans, lead to a decline', () => {
  assert.deepEqual(result([known({ loan: 'OVERDUE' })]), ['MATCH', 'DECLINE', 'LOAN_OVERDUE'])
  const live = known({ loan: 'LIVE' })
  assert.deepEqual(result([live]), ['MATCH', 'PROCEED', 'KNOWN_BORROWER'])
  assert.deepEqual(result([live, live]), ['MATCH', 'DECLINE', 'TOO_MANY_LOANS'])
})

test('D3 §4.1: the same mobile and birthday with another PAN is AMBIGUOUS and requires a review', () => {
  const other = known({ samePan: false, loan: 'CLOSED' })
  assert.deepEqual(result([other]), ['AMBIGUOUS', 'REVIEW_REQUIRED', 'IDENTITY_UNCLEAR'])
  assert.deepEqual(result([{ ...other, loan: 'NONE' }]), ['NO_MATCH', 'PROCEED', 'NO_RECORD'])
})

test('D3 §4.1: the same PAN with another birthday is AMBIGUOUS, and with only another mobile it is a MATCH', () => {
  const unclear = ['AMBIGUOUS', 'REVIEW_REQUIRED', 'IDENTITY_UNCLEAR']
  const other = known({ sameApplicant: false, sameBirthday: false })
  for (const loan of ['NONE', 'LIVE', 'OVERDUE', 'CLOSED'] as const)
    assert.deepEqual(result([{ ...other, loan }]), unclear)
  assert.deepEqual(result([known(), other]), unclear, 'one differing record among others')
  assert.deepEqual(result([known({ sameApplicant: false })]), ['MATCH', 'PROCEED', 'KNOWN_BORROWER'])
})

test('D3 §4.1: open applications count as loans, by number and amount', () => {
  const open = known({ loan: 'OPEN', paise: 400_000n })
  assert.deepEqual(result([open]), ['MATCH', 'PROCEED', 'KNOWN_BORROWER'])
  assert.deepEqual(result([open, known({ loan: 'LIVE' })]), ['MATCH', 'DECLINE', 'TOO_MANY_LOANS'])
  assert.deepEqual(result([known({ loan: 'OPEN', paise: 1_000_000n })]), ['MATCH', 'DECLINE', 'TOO_MUCH_OWED'])
})

test('D3 §4.1: after an officer’s decision, SAME counts the loans and DIFFERENT with the same PAN declines', () => {
  const twin = known({ samePan: false, loan: 'LIVE' })
  assert.deepEqual(result([{ ...twin, judged: 'DIFFERENT' }]), ['NO_MATCH', 'PROCEED', 'NO_RECORD'])
  const same = { ...twin, judged: 'SAME' } as const
  assert.deepEqual(result([same]), ['MATCH', 'PROCEED', 'KNOWN_BORROWER'])
  assert.deepEqual(result([same, { ...same, caseRef: 'CASE-2' }]), ['MATCH', 'DECLINE', 'TOO_MANY_LOANS'])
  const otherPerson = known({ sameApplicant: false, sameBirthday: false })
  assert.deepEqual(result([{ ...otherPerson, judged: 'SAME' }]), ['MATCH', 'PROCEED', 'KNOWN_BORROWER'])
  assert.deepEqual(result([{ ...otherPerson, judged: 'DIFFERENT' }]), ['MATCH', 'DECLINE', 'IDENTITY_OF_ANOTHER'])
  assert.deepEqual(
    result([same, twin]),
    ['AMBIGUOUS', 'REVIEW_REQUIRED', 'IDENTITY_UNCLEAR'],
    'each record needs its own decision',
  )
})

test('D3 §4.1: the sandbox declines or reports AMBIGUOUS by the digits of the PAN', () => {
  assert.equal(decisionOn([], 30, policy, scenarioFor('ABCPE9201F')).decision, 'DECLINE')
  assert.equal(decisionOn([], 30, policy, scenarioFor('ABCPE9202F')).matchStatus, 'AMBIGUOUS')
  assert.equal(scenarioFor('ABCPE1234F'), null)
})

test('D3 §2.1: ages are counted in the business calendar', () => {
  assert.equal(yearsBetween('2008-11-20', '2026-11-20'), 18)
  assert.equal(yearsBetween('2008-11-21', '2026-11-20'), 17)
  assert.equal(yearsBetween('2008-02-29', '2026-02-28'), 17)
})

test('D3 §4.1: a lead requires a PROCEED for the same case and applicant, not older than a day', () => {
  const at = new Date('2026-11-20T10:00:00Z')
  const [pan, person] = [Buffer.from('pan'), Buffer.from('person')]
  const lead = { sender: 'LENDLOOM', caseRef: 'CASE-1', panDigest: pan, personDigest: person }
  const permission = { ...lead, decision: 'PROCEED', checkedAt: new Date('2026-11-19T10:00:00Z') }
  const fault = (change: object) => dedupeFault({ ...permission, ...change }, lead, 24, at)
  assert.equal(dedupeFault(permission, lead, 24, at), null)
  assert.match(dedupeFault(undefined, lead, 24, at)!, /no dedupe decision/)
  assert.match(fault({ caseRef: 'CASE-2' })!, /no dedupe decision of this case/)
  assert.match(fault({ sender: 'OTHER' })!, /no dedupe decision of this case/)
  assert.match(fault({ panDigest: Buffer.from('other') })!, /another applicant/)
  assert.match(fault({ personDigest: Buffer.from('other') })!, /another applicant/)
  assert.match(fault({ decision: 'REVIEW_REQUIRED' })!, /REVIEW_REQUIRED/)
  assert.match(fault({ decision: 'DECLINE' })!, /DECLINE/)
  assert.match(fault({ checkedAt: new Date('2026-11-19T09:59:59Z') })!, /older than 24 hours/)
})
