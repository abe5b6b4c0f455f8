// Offers at one amount over one term: the lender's figures if stated, otherwise computed by its formula.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { EmbedOffer } from '#contract/hosted/embed.ts'
import { monthlyRate, regularInstalment } from '#kit/money/annuity.ts'
import { rupees } from '#kit/money/money.ts'
import { type Loan, loanOf } from '#sandbox/lender/core/decide.ts'
import { bpsText } from '#sandbox/lender/core/order.ts'
import { policies } from '#sandbox/lender/core/policy.ts'
import { goldLendingOf } from '#sandbox/lender/gold-loan/lending.ts'
import { kaveri, meridian } from '#test/setup/embed-views.ts'
import { affordable, compared, firstWanted, leavesTerm, priced, rangeOf, termsBetween } from './compare.ts'

test('the offered amount and term show the lender’s figures, without estimates', () => {
  const { isEstimate, fits, instalment, total, apr } = priced(kaveri, { amount: 200_000, months: 24 })
  assert.deepEqual([isEstimate, fits, instalment, total, apr], [false, true, 9368, 224_832, 12.61])
})

test('another amount has an estimated instalment, and no lower APR because fees may be fixed', () => {
  const half = priced(kaveri, { amount: 100_000, months: 24 })
  assert.deepEqual([half.isEstimate, half.fits, half.instalment, half.total], [true, true, 4684, 112_416])
  assert.ok(half.apr! > 12.61 && half.apr! < 14, `${half.apr}`)
})

test('a shorter term has a higher APR at the same rate, because of the fees', () => {
  const [short, long] = [12, 48].map((months) => priced(meridian, { amount: 250_000, months }).apr!)
  assert.ok(short! > 17.34 && long! < 17.34 && long! > 15, `${short} ${long}`)
})

test('the lender’s APR is kept if the offer’s figures do not reproduce it', () => {
  const other = { ...kaveri, annualPercentageRate: '24.90%' }
  assert.equal(priced(other, { amount: 100_000, months: 12 }).apr, 24.9)
})

test('an offer outside the requested amount or term is priced at the nearest one and marked', () => {
  const small: EmbedOffer = { ...kaveri, most: { amount: '150000.00', tenureMonths: 18 } }
  const { amount, months, fits } = priced(small, { amount: 300_000, months: 36 })
  assert.deepEqual([amount, months, fits], [150_000, 18, false])
})

test('a credit line has no instalment and no total', () => {
  const { instalment, total, apr } = priced({ ...kaveri, creditLine: true }, { amount: 100_000, months: 12 })
  assert.deepEqual([instalment, total, apr], [null, null, 12.61])
})

test('a weekly plan is compared by its monthly cost', () => {
  const weekly = { ...kaveri, repaymentFrequency: 'WEEKLY', numberOfInstallments: 104, installmentAmount: '2160.00' }
  assert.equal(priced(weekly, { amount: 200_000, months: 24 }).perMonth, Math.round((2160 * 365) / 84))
})

test('offers are sorted by the criterion, those outside the request last, independent of their input order', () => {
  const small = { ...kaveri, id: 'small', lenderName: 'A', most: { amount: '100000.00', tenureMonths: 60 } }
  const twin = { ...kaveri, id: 'twin', lenderName: 'B' }
  const wanted = { amount: 200_000, months: 24 }
  const ids = (offers: EmbedOffer[], order: 'apr' | 'emi' | 'total') =>
    compared(offers, wanted, order).map(({ offer }) => offer.lenderName)
  for (const order of ['apr', 'emi', 'total'] as const)
    for (const offers of [
      [meridian, small, kaveri, twin],
      [twin, kaveri, small, meridian],
    ])
      assert.deepEqual(ids(offers, order), ['B', 'Kaveri Bank', 'Meridian Finance', 'A'])
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
      const { apr } = priced(offer, { amount: 700_000, months })
      assert.ok(Math.abs(apr! - rate) < 0.05, `${apr} for ${rate}`)
    }),
  )
})

test('fees above the amount leave no APR', () => {
  const open = { ...kaveri, least: { amount: '1.00', tenureMonths: 1 } }
  assert.equal(priced(open, { amount: 200, months: 12 }).apr, null)
})

/** The first offer of a loan, in the figures of its lender. */
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

test('FIS12 §7.3: no estimate is below the final APR of any sandbox lender, at the minimum, a middle and the maximum amount', () => {
  const middle = (from: bigint, to: bigint) => ((from + to) / 200n) * 100n
  const lent = policies.flatMap((policy) => [policy, { ...policy, ...goldLendingOf(policy.slug) }])
  for (const { slug, amounts, tenuresMonths, rates, ...charged } of lent)
    for (const { annualBps } of rates)
      for (const most of [amounts.to, middle(amounts.from, amounts.to)]) {
        const loan = (principal: bigint, months: number) => loanOf(charged, { principal, months, annualBps })
        const offer = offerOf(loan(most, tenuresMonths.at(-1)!), { amount: amounts.from, months: tenuresMonths[0] })
        for (const principal of [amounts.from, middle(amounts.from, most), most])
          for (const months of tenuresMonths) {
            const { apr } = priced(offer, { amount: Number(rupees(principal)), months })
            const final = Number(loan(principal, months).aprPercent)
            // The upper bound is unknown, because a fee is stated for one amount only.
            assert.ok(apr! > final - 0.05, `${slug}: ${apr} for ${final}, ${principal} over ${months} months`)
          }
      }
})

test('the comparison starts at the app’s request, or at an amount that all offers cover', () => {
  assert.deepEqual(firstWanted([kaveri, meridian]), { amount: 250_000, months: 24 })
  const whole = (amount: string, tenureMonths: number): EmbedOffer => ({
    ...kaveri,
    start: { amount, tenureMonths },
    most: { amount, tenureMonths },
  })
  assert.deepEqual(firstWanted([whole('1930000.00', 60), whole('300000.00', 36)]), { amount: 300_000, months: 36 })
})

test('the terms are the usual ones that an offer covers, and the chosen one', () => {
  const range = rangeOf([kaveri, { ...meridian, least: { amount: '10000.00', tenureMonths: 6 } }])
  assert.deepEqual(range, { least: { amount: 10_000, months: 6 }, most: { amount: 400_000, months: 60 } })
  assert.deepEqual(termsBetween(range, 20), [6, 9, 12, 18, 20, 24, 36, 48, 60])
})

test('FIS12 §12.2: if no term can be chosen, each offer keeps its own and matches', () => {
  const over = (offer: EmbedOffer, tenureMonths: number): EmbedOffer => {
    const least = { ...offer.least, tenureMonths }
    return { ...offer, tenureMonths, start: least, least, most: { ...offer.most, tenureMonths } }
  }
  const fixed = [over(kaveri, 36), over(meridian, 24)]
  const wanted = { ...firstWanted(fixed), amount: 250_000 }
  assert.equal(wanted.months, 0)
  const ranked = compared(fixed, wanted, 'total').map(({ months, fits }) => [months, fits])
  assert.deepEqual(ranked.sort(), [
    [24, true],
    [36, true],
  ])
  // An offer that comes later and leaves the term open brings the choice; nothing is chosen yet.
  assert.deepEqual(fixed.some(leavesTerm), false)
  const more = [...fixed, kaveri]
  assert.deepEqual([more.some(leavesTerm), termsBetween(rangeOf(more), wanted.months)[0]], [true, 12])
})

test('the affordable instalment is 40 % of the income', () => {
  assert.deepEqual([85_000, 12_345].map(affordable), [34_000, 4_900])
})
