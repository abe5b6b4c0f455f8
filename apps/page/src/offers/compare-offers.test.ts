// Offers priced at the same amount and term: by the lender's figures, or estimated.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { monthlyRate, regularInstalment } from '@lendloom/lending/annuity'
import { rupees } from '@lendloom/lending/money'
import { policies } from '@lendloom/sandbox/src/lender/core/lender-policies.ts'
import { type Loan, loanOf } from '@lendloom/sandbox/src/lender/core/lending-decision.ts'
import { bpsText } from '@lendloom/sandbox/src/lender/core/message-parts.ts'
import { goldLendingOf } from '@lendloom/sandbox/src/lender/gold-loan/lenders.ts'
import { kaveri, meridian } from '@lendloom/tests/setup/embed-views'
import type { EmbedOffer } from '@lendloom/wire/hosted/embed-offer'
import fc from 'fast-check'
import {
  affordable,
  hasTermChoice,
  initialTerms,
  isUndercut,
  priceOffer,
  rangeOf,
  sortOffers,
  termsBetween,
} from './compare-offers.ts'

test('an offer at its own amount and term has the lender’s figures', () => {
  const { isEstimate, fits, instalment, total, apr } = priceOffer(kaveri, { amount: 200_000, months: 24 })
  assert.equal(isEstimate, false)
  assert.equal(fits, true)
  assert.equal(instalment, 9368)
  assert.equal(total, 224_832)
  assert.equal(apr, 12.61)
})

test('a smaller amount has an estimated instalment, fees that follow the amount, and the least APR', () => {
  const half = priceOffer(kaveri, { amount: 100_000, months: 24 })
  assert.equal(half.isEstimate, true)
  assert.equal(half.fits, true)
  assert.equal(half.instalment, 4684)
  assert.equal(half.total, 112_416)
  assert.ok(half.apr! > 12.61 && half.apr! < 13, `${half.apr}`)
})

test('fees raise the APR of a shorter term', () => {
  const [short, long] = [12, 48].map((months) => priceOffer(meridian, { amount: 250_000, months }).apr!)
  assert.ok(short! > 17.34 && long! < 17.34 && long! > 15, `${short} ${long}`)
})

test('an APR that the offer’s figures do not explain stays as stated at any amount', () => {
  const unexplained = { ...kaveri, annualPercentageRate: '24.90%' }
  assert.equal(priceOffer(unexplained, { amount: 100_000, months: 12 }).apr, 24.9)
})

test('an offer that does not cover the request is priced at the nearest terms and marked', () => {
  const small: EmbedOffer = { ...kaveri, most: { amount: '150000.00', tenureMonths: 18 } }
  const { amount, months, fits } = priceOffer(small, { amount: 300_000, months: 36 })
  assert.equal(amount, 150_000)
  assert.equal(months, 18)
  assert.equal(fits, false)
})

test('a credit line has no instalment and no total', () => {
  const line = { ...kaveri, creditLine: true }
  const { instalment, total, apr, fees } = priceOffer(line, { amount: 100_000, months: 12 })
  assert.equal(instalment, null)
  assert.equal(total, null)
  assert.equal(apr, 12.61)
  assert.equal(fees, priceOffer(kaveri, { amount: 200_000, months: 24 }).fees, 'its fees are the lender’s, no estimate')
})

test('a weekly plan has a monthly cost, for comparison', () => {
  const weekly = { ...kaveri, repaymentFrequency: 'WEEKLY', numberOfInstallments: 104, installmentAmount: '2160.00' }
  assert.equal(priceOffer(weekly, { amount: 200_000, months: 24 }).perMonth, Math.round((2160 * 365) / 84))
})

test('offers are sorted by the criterion, and offers that do not cover the request come last', () => {
  const small = { ...kaveri, id: 'small', lenderName: 'A', most: { amount: '100000.00', tenureMonths: 60 } }
  const twin = { ...kaveri, id: 'twin', lenderName: 'B' }
  const requested = { amount: 200_000, months: 24 }
  const ids = (offers: EmbedOffer[], order: 'apr' | 'emi' | 'total') =>
    sortOffers(offers, requested, order).map(({ offer }) => offer.lenderName)
  for (const order of ['apr', 'emi', 'total'] as const)
    for (const offers of [
      [meridian, small, kaveri, twin],
      [twin, kaveri, small, meridian],
    ])
      assert.deepEqual(ids(offers, order), ['B', 'Kaveri Bank', 'Meridian Finance', 'A'])
})

test('of two offers with the same displayed APR, the one with the nearer branch comes first', () => {
  const branch = { id: 'b', name: 'Thane', address: '', pincode: '' }
  const at = (lenderName: string, aboutKm: number | null, apr: string): EmbedOffer => ({
    ...kaveri,
    lenderName,
    annualPercentageRate: apr,
    branches: [{ ...branch, aboutKm }],
  })
  const offers = [at('A', null, '12.61%'), at('B', 830, '12.61%'), at('C', 12, '12.61%'), at('D', 1, '12.62%')]
  const sorted = sortOffers(offers, { amount: 200_000, months: 24 }, 'apr')
  assert.deepEqual(
    sorted.map(({ offer }) => offer.lenderName),
    ['C', 'B', 'A', 'D'],
  )
})

test('without fees, the APR of an exact instalment equals its rate', () => {
  fc.assert(
    fc.property(fc.integer({ min: 6, max: 36 }), fc.integer({ min: 3, max: 72 }), (rate, months) => {
      const instalment = (paise: bigint, count: number) =>
        (
          Number(
            regularInstalment({
              principal: paise,
              rate: monthlyRate(BigInt(rate * 100)),
              instalments: count,
              unit: 1n,
            }),
          ) / 100
        ).toFixed(2)
      const offer: EmbedOffer = {
        ...kaveri,
        interestRate: `${rate}%`,
        annualPercentageRate: `${rate}%`,
        installmentAmount: instalment(20_000_000n, 24),
        processingFees: '0.00',
        netDisbursed: '200000.00',
        least: { amount: '1.00', tenureMonths: 1 },
        most: { amount: '999999999.00', tenureMonths: 360 },
      }
      const { apr } = priceOffer(offer, { amount: 700_000, months })
      assert.ok(Math.abs(apr! - rate) < 0.05, `${apr} for ${rate}`)
    }),
  )
})

test('an amount that the fees exceed has no APR', () => {
  const withoutMinimum = { ...kaveri, least: { amount: '1.00', tenureMonths: 1 } }
  assert.equal(priceOffer(withoutMinimum, { amount: 200, months: 12 }).apr, null)
})

/** Converts a loan of a sandbox lender to its first offer. */
const offerOf = (loan: Loan, least: { amount: bigint; months: number }): EmbedOffer => ({
  ...kaveri,
  amountPrincipal: rupees(loan.principal),
  tenureMonths: loan.months,
  numberOfInstallments: loan.months,
  interestRate: bpsText(loan.annualBps),
  annualPercentageRate: `${loan.aprPercent}%`,
  installmentAmount: rupees(loan.instalment),
  totalInterest: rupees(loan.interest),
  processingFees: rupees(loan.processingFee),
  otherUpfrontCharges: rupees(loan.stampDuty),
  netDisbursed: rupees(loan.netDisbursed),
  least: { amount: rupees(least.amount), tenureMonths: least.months },
  most: { amount: rupees(loan.principal), tenureMonths: loan.months },
})

test('FIS12 §7.3: a lender’s final APR and fees are not below the estimate, and its payout is not above it', () => {
  const middle = (from: bigint, to: bigint) => ((from + to) / 200n) * 100n
  const lenders = policies.flatMap((policy) => [policy, { ...policy, ...goldLendingOf(policy.slug) }])
  let isExact = false
  for (const { slug, amounts, tenuresMonths, rates, ...charges } of lenders)
    for (const { annualBps } of rates)
      for (const most of [amounts.to, middle(amounts.from, amounts.to)]) {
        const loan = (principal: bigint, months: number) => loanOf(charges, { principal, months, annualBps })
        const offer = offerOf(loan(most, tenuresMonths.at(-1)!), { amount: amounts.from, months: tenuresMonths[0] })
        for (const principal of [amounts.from, middle(amounts.from, most), most])
          for (const months of tenuresMonths) {
            const { apr, fees, payout } = priceOffer(offer, { amount: Number(rupees(principal)), months })
            const final = loan(principal, months)
            const text = `${slug}: ${apr} for ${final.aprPercent}, ${principal} over ${months} months`
            assert.ok(apr! < Number(final.aprPercent) + 0.05, text)
            // Lenders round fees and their tax to rupees.
            assert.ok(fees < Number(rupees(final.processingFee + final.stampDuty)) + 2, text)
            assert.ok(payout > Number(rupees(final.netDisbursed)) - 2, text)
            isExact ||= Math.abs(apr! - Number(final.aprPercent)) < 0.05 && principal < most
          }
      }
  assert.ok(isExact, 'a fee between its limits is estimated exactly')
})

test('after a refusal the comparison starts at the earlier amount and term, within the limits', () => {
  assert.deepEqual(initialTerms([kaveri], { amount: 180_000, months: 12 }), { amount: 180_000, months: 12 })
  const { most } = rangeOf([kaveri])
  assert.deepEqual(initialTerms([kaveri], { amount: most.amount + 1, months: most.months + 1 }), most)
})

test('the comparison starts at the amount requested in the app, or at one that all offers cover', () => {
  assert.deepEqual(initialTerms([kaveri, meridian]), { amount: 250_000, months: 24 })
  const withoutRange = (amount: string, tenureMonths: number): EmbedOffer => ({
    ...kaveri,
    start: { amount, tenureMonths },
    most: { amount, tenureMonths },
  })
  assert.deepEqual(initialTerms([withoutRange('1930000.00', 60), withoutRange('300000.00', 36)]), {
    amount: 300_000,
    months: 36,
  })
})

test('the comparison starts at the term that most offers cover', () => {
  const short: EmbedOffer = {
    ...kaveri,
    start: { amount: '200000.00', tenureMonths: 30 },
    most: { ...kaveri.most, tenureMonths: 30 },
    least: { ...kaveri.least, tenureMonths: 30 },
  }
  const ofTwo = { ...kaveri.most, tenureMonths: 24 }
  assert.equal(initialTerms([short, { ...kaveri, most: ofTwo }, { ...meridian, most: ofTwo }]).months, 24)
  assert.equal(initialTerms([short, kaveri, meridian]).months, 30, 'all cover it')
})

test('offers for the requested terms are undercut by a lower one for other terms', () => {
  const [match] = sortOffers([kaveri], { amount: 200_000, months: 24 }, 'apr')
  const at = (apr: number) => ({ ...match!, fits: false, apr })
  assert.equal(isUndercut([match!], [at(30), at(10)]), true)
  assert.equal(isUndercut([match!], [at(30)]), false)
  assert.equal(isUndercut([match!], []), false)
})

test('the selectable terms are the usual ones that an offer covers, and the chosen one', () => {
  const range = rangeOf([kaveri, { ...meridian, least: { amount: '10000.00', tenureMonths: 6 } }])
  assert.deepEqual(range, { least: { amount: 10_000, months: 6 }, most: { amount: 400_000, months: 60 } })
  assert.deepEqual(termsBetween(range, 20), [6, 9, 12, 18, 20, 24, 36, 48, 60])
})

test('FIS12 §12.2: each offer keeps its own term if the term cannot be chosen', () => {
  const withTerm = (offer: EmbedOffer, tenureMonths: number): EmbedOffer => {
    const least = { ...offer.least, tenureMonths }
    return { ...offer, tenureMonths, start: least, least, most: { ...offer.most, tenureMonths } }
  }
  const fixed = [withTerm(kaveri, 36), withTerm(meridian, 24)]
  const requested = { ...initialTerms(fixed), amount: 250_000 }
  assert.equal(requested.months, 0)
  const termsOfOffers = sortOffers(fixed, requested, 'total').map(({ months, fits }) => ({ months, fits }))
  assert.deepEqual(
    termsOfOffers.toSorted((left, right) => left.months - right.months),
    [
      { months: 24, fits: true },
      { months: 36, fits: true },
    ],
  )
  // A later offer with a range of terms adds the choice of a term, initially without a selection.
  assert.equal(fixed.some(hasTermChoice), false)
  const withChoice = [...fixed, kaveri]
  assert.equal(withChoice.some(hasTermChoice), true)
  assert.equal(termsBetween(rangeOf(withChoice), requested.months)[0], 12)
})

test('the affordable instalment is 40 % of the income', () => {
  assert.deepEqual([85_000, 12_345].map(affordable), [34_000, 4_900])
})
