// Decisions on gold loans follow the lender's policy, and offers fit the value of the gold.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bigInt, constantFrom, assert as law, property } from 'fast-check'
import { type Pledge, purities } from '#sandbox/lender/core/conversation.ts'
import { policies } from '#sandbox/lender/core/lender-policies.ts'
import { choiceFaults, type LoanApplicant } from '#sandbox/lender/core/lending-decision.ts'
import { lends, policyFor } from '#sandbox/lender/products/products.ts'
import { goldLendingOf, maxMilligrams } from './lenders.ts'
import { decideOnGold, goldValue, maxLoan } from './valuation.ts'

const ravi: LoanApplicant = {
  name: 'Ravi Patil',
  bornOn: '1994-03-21',
  gender: 'male',
  pan: 'ABCPE1234F',
  mobile: '9876500001',
  aaId: null,
  email: null,
  employment: null,
  monthlyIncome: null,
  company: null,
  address: null,
  city: null,
  state: null,
  pincode: '411004',
  endUse: 'other',
  bureauConsent: true,
}
const today = '2026-11-20'
const gold: Pledge = { milligrams: 40_000n, purity: '22K' }
const lenders = policies.filter(({ slug }) => goldLendingOf(slug)).map(({ slug }) => slug)
const goldPolicyOf = (lender: string) => policyFor({ lender, product: 'GOLD_LOAN' })
const refusalCodeOf = (pledge: Partial<Pledge>, change: Partial<LoanApplicant> = {}, lender = 'kaveri') => {
  const decision = decideOnGold(goldPolicyOf(lender), { ...ravi, ...change }, { ...gold, ...pledge }, today)
  return 'refusal' in decision ? decision.refusal.code : null
}

test('FIS12 §3.4: each refusal has the code of its reason', () => {
  assert.equal(refusalCodeOf({}), null)
  assert.equal(refusalCodeOf({ milligrams: 4_999n }), '80227')
  assert.equal(refusalCodeOf({ milligrams: maxMilligrams + 1n }), '80227')
  assert.equal(refusalCodeOf({ milligrams: 5_000n, purity: '9K' }), '80227')
  assert.equal(refusalCodeOf({}, { pincode: '790001' }), '80225')
  assert.equal(refusalCodeOf({}, { bureauConsent: false }), '80229')
  assert.equal(refusalCodeOf({}, { bornOn: '2006-11-21' }), '80228')
})

test('the offer on a worked example is its maximum loan to the paisa, or the lender’s maximum', () => {
  const examples: [grams: bigint, Pledge['purity'], maximum: bigint][] = [
    [20n, '22K', 1_86_864_00n],
    [27n, '22K', 2_50_000_00n],
    [30n, '22K', 2_63_808_00n],
    [40n, '22K', 3_51_744_00n],
    [60n, '22K', 5_00_000_00n],
    [30n, '18k', 2_29_500_00n],
    [25n, '14K', 1_49_175_00n],
    [50n, '21K', 4_20_000_00n],
    [10n, '9K', 38_250_00n],
    [10n, '24K', 1_01_591_00n],
  ]
  for (const lender of lenders)
    for (const [grams, purity, maximum] of examples) {
      const decision = decideOnGold(goldPolicyOf(lender), ravi, { milligrams: grams * 1000n, purity }, today)
      const { to } = goldPolicyOf(lender).amounts
      assert.ok('offer' in decision, lender)
      assert.equal(decision.offer.principal, maximum > to ? to : maximum, `${lender} ${grams} ${purity}`)
    }
})

test('an offer is at maximum the lender’s maximum', () => {
  const decision = decideOnGold(goldPolicyOf('sahyadri'), ravi, { milligrams: 500_000n, purity: '24K' }, today)
  assert.ok('offer' in decision)
  assert.deepEqual(decision.offer, { principal: 5_00_000_00n, months: 12, annualBps: 1500n })
})

test('an offer is within the policy and the regulator’s tiers, and can be chosen in full', () => {
  const pledges = { milligrams: bigInt({ min: 1n, max: 1_200_000n }), purity: constantFrom(...purities) }
  law(
    property(constantFrom(...lenders), pledges.milligrams, pledges.purity, (lender, milligrams, purity) => {
      const policy = goldPolicyOf(lender)
      const decision = decideOnGold(policy, ravi, { milligrams, purity }, today)
      if ('refusal' in decision) return
      const { offer } = decision
      assert.ok(offer.principal <= maxLoan(goldValue({ milligrams, purity })))
      assert.ok(offer.principal >= policy.amounts.from && offer.principal <= policy.amounts.to)
      assert.deepEqual(choiceFaults(policy, offer, offer.principal, offer.months), [])
    }),
  )
})

test('FIS12 §9.1: every lender on gold has two to four branches in different cities, each with an agent', () => {
  assert.deepEqual(lenders, ['meridian', 'kaveri', 'sahyadri', 'narmada'])
  assert.ok(policies.every((policy) => lends(policy, 'PERSONAL_LOAN')))
  const allBranches = lenders.flatMap((slug) => goldLendingOf(slug)!.branches)
  assert.equal(new Set(allBranches.map(({ id }) => id)).size, allBranches.length)
  for (const slug of lenders) {
    const { branches } = goldLendingOf(slug)!
    assert.ok(branches.length >= 2 && branches.length <= 4)
    assert.equal(new Set(branches.map(({ city }) => city)).size, branches.length)
  }
  for (const { agent, pincode } of allBranches) assert.match(`${agent.phone} ${pincode}`, /^\+91-98\d{8} \d{6}$/)
})
