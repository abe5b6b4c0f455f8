// Decisions are honest: what is offered, the income carries; what is refused, the policy says.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bigInt, constantFrom, integer, assert as law, property } from 'fast-check'
import { yearsBetween } from '#kit/money/calendar.ts'
import { choiceFaults, decide, type LoanApplicant, loanOf, rateFor, share } from './decide.ts'
import { policies, policyOf } from './policy.ts'

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
const on = '2026-11-20'
const codeOf = (policy = meridian, change: Partial<LoanApplicant> = {}) => {
  const decision = decide(policy, { ...ravi, ...change }, on)
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

test('an older borrower is offered a shorter term', () => {
  const decision = decide(meridian, { ...ravi, bornOn: '1966-01-01' }, on)
  assert.ok('offer' in decision)
  assert.equal(decision.offer.months, 24)
})

const applicants = {
  policy: constantFrom(...policies),
  income: bigInt({ min: 10_000n, max: 1_000_000n }).map((amount) => amount * 100n),
  born: integer({ min: 1965, max: 2004 }).map((year) => `${year}-06-15`),
}

test('an offer is within the policy, and its instalment within the share of the income that was promised', () => {
  law(
    property(applicants.policy, applicants.income, applicants.born, (policy, monthlyIncome, bornOn) => {
      const decision = decide(policy, { ...ravi, monthlyIncome, bornOn }, on)
      if ('refusal' in decision) return
      const { offer } = decision
      assert.ok(offer.principal >= policy.amounts.from && offer.principal <= policy.amounts.to)
      assert.equal(offer.principal % policy.amounts.step, 0n)
      assert.ok(policy.tenuresMonths.includes(offer.months))
      assert.equal(offer.annualBps, rateFor(policy, monthlyIncome))
      const loan = loanOf(policy, offer)
      assert.ok(loan.instalment <= share(monthlyIncome, policy.instalmentShareBps) + 100n)
      assert.ok(BigInt(loan.aprPercent.replace('.', '')) >= offer.annualBps, 'fees do not make a loan cheaper')
      assert.deepEqual(choiceFaults(policy, offer, offer.principal, offer.months), [])
    }),
    { numRuns: 150 },
  )
})

test('more income never means a smaller offer at the same price', () => {
  law(
    property(applicants.income, bigInt({ min: 0n, max: 10_000_00n }), (income, more) => {
      const flat = { ...meridian, rates: [meridian.rates[0]] as const }
      const [less, greater] = [income, income + more].map((monthlyIncome) =>
        decide(flat, { ...ravi, monthlyIncome }, on),
      )
      if ('refusal' in less! || 'refusal' in greater!) return
      assert.ok(greater!.offer.principal >= less!.offer.principal)
    }),
    { numRuns: 100 },
  )
})

test('a choice outside the offer is refused by the name of its field', () => {
  const offered = { principal: 300_000_00n, months: 24, annualBps: 1500n }
  const fields = (principal: bigint, months: number) =>
    choiceFaults(meridian, offered, principal, months).map(({ path }) => path)
  assert.deepEqual(fields(200_000_00n, 11), [])
  assert.deepEqual(fields(300_000_01n, 24), ['requestAmount'])
  assert.deepEqual(fields(24_999_00n, 24), ['requestAmount'])
  assert.deepEqual(fields(300_000_00n, 25), ['requestTerm'])
  assert.deepEqual(fields(1n, 5), ['requestAmount', 'requestTerm'])
})

test('years are completed on the birthday', () => {
  assert.equal(yearsBetween('2000-02-29', '2026-02-28'), 25)
  assert.equal(yearsBetween('2000-02-29', '2026-03-01'), 26)
  assert.equal(yearsBetween('2000-11-20', '2026-11-20'), 26)
})
