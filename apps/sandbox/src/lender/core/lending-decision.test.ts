// Credit decisions follow the lender's policy, and offers fit the income.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { yearsBetween } from '@lendloom/lending/calendar'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import { assert as assertProperty, bigInt, constantFrom, integer, property } from 'fast-check'
import { policies, policyOf } from './lender-policies.ts'
import { choiceFaults, decide, type LoanApplicant, loanOf, rateFor, share } from './lending-decision.ts'

const meridian = policyOf('meridian')!
const kaveri = policyOf('kaveri')!
const ravi: LoanApplicant = {
  name: 'Ravi Patil',
  bornOn: '1994-03-21',
  gender: 'male',
  pan: 'ABCPE1234F',
  mobile: '9876500001',
  aaId: null,
  email: null,
  employment: 'salaried',
  monthlyIncome: 60_000_00n,
  company: 'Deccan Tools',
  address: null,
  city: null,
  state: null,
  pincode: '411004',
  endUse: 'travel',
  bureauConsent: true,
}
const today = '2026-11-20'
const codeOf = (policy = meridian, change: Partial<LoanApplicant> = {}) => {
  const decision = decide(policy, { ...ravi, ...change }, today)
  return 'refusal' in decision ? decision.refusal.code : null
}

test('FIS12 §3.4: each refusal has the code of its reason', () => {
  assert.equal(codeOf(), null)
  assert.equal(codeOf(meridian, { bureauConsent: false }), '80229')
  assert.equal(codeOf(kaveri, { employment: 'selfEmployed' }), '80228')
  assert.equal(codeOf(meridian, { bornOn: '2006-11-21' }), '80228')
  assert.equal(codeOf(meridian, { bornOn: '2005-11-20' }), null)
  assert.equal(codeOf(meridian, { bornOn: '1964-11-20' }), '80228')
  assert.equal(codeOf(meridian, { monthlyIncome: 19_999_00n }), '80228')
  assert.equal(codeOf(kaveri, { pincode: '790001' }), '80225')
  const strict = { ...meridian, amounts: { ...meridian.amounts, from: 9_00_000_00n } }
  assert.equal(codeOf(strict, { monthlyIncome: 20_000_00n }), '80227')
})

test('an older borrower gets a shorter term', () => {
  const decision = decide(meridian, { ...ravi, bornOn: '1966-01-01' }, today)
  assert.ok('offer' in decision)
  assert.equal(decision.offer.months, 24)
})

const applicants = {
  policy: constantFrom(...policies),
  income: bigInt({ min: 10_000n, max: 1_000_000n }).map((amount) => amount * 100n),
  born: integer({ min: 1965, max: 2004 }).map((year) => `${year}-06-15`),
}

test("an offer is within the policy, and its instalment within the policy's share of the income", () => {
  assertProperty(
    property(applicants.policy, applicants.income, applicants.born, (policy, monthlyIncome, bornOn) => {
      const decision = decide(policy, { ...ravi, monthlyIncome, bornOn }, today)
      if ('refusal' in decision) return
      const { offer } = decision
      assert.ok(offer.principal >= policy.amounts.from && offer.principal <= policy.amounts.to)
      assert.equal(offer.principal % policy.amounts.step, 0n)
      assert.ok(policy.tenuresMonths.includes(offer.months))
      assert.equal(offer.annualBps, rateFor(policy, monthlyIncome))
      const loan = loanOf(policy, offer)
      assert.ok(loan.instalment <= share(monthlyIncome, policy.instalmentShareBps) + 100n)
      assert.ok(BigInt(loan.aprPercent.replace('.', '')) >= offer.annualBps, 'the APR includes the fees')
      assert.deepEqual(choiceFaults(policy, offer, offer.principal, offer.months), [])
    }),
    { numRuns: roundsOf(150) },
  )
})

test('a higher income never reduces the offer at the same rate', () => {
  assertProperty(
    property(applicants.income, bigInt({ min: 0n, max: 10_000_00n }), (income, more) => {
      const singleRate = { ...meridian, rates: [meridian.rates[0]] as const }
      const [smallerOffer, largerOffer] = [income, income + more].map((monthlyIncome) =>
        decide(singleRate, { ...ravi, monthlyIncome }, today),
      )
      if ('refusal' in smallerOffer! || 'refusal' in largerOffer!) return
      assert.ok(largerOffer!.offer.principal >= smallerOffer!.offer.principal)
    }),
    { numRuns: roundsOf(100) },
  )
})

test('a choice outside the offer names the invalid field', () => {
  const offered = { principal: 300_000_00n, months: 24, annualBps: 1500n }
  const fields = (principal: bigint, months: number) =>
    choiceFaults(meridian, offered, principal, months).map(({ path }) => path)
  assert.deepEqual(fields(200_000_00n, 11), [])
  assert.deepEqual(fields(300_000_01n, 24), ['requestAmount'])
  assert.deepEqual(fields(24_999_00n, 24), ['requestAmount'])
  assert.deepEqual(fields(300_000_00n, 25), ['requestTerm'])
  assert.deepEqual(fields(1n, 5), ['requestAmount', 'requestTerm'])
})

test('a year of age is complete on the birthday', () => {
  assert.equal(yearsBetween('2000-02-29', '2026-02-28'), 25)
  assert.equal(yearsBetween('2000-02-29', '2026-03-01'), 26)
  assert.equal(yearsBetween('2000-11-20', '2026-11-20'), 26)
})
