// Estimates of a prepayment, with the lender's rounding.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { regularInstalment, schedule, weeklyRate } from '@lendloom/lending/annuity'
import { rupees } from '@lendloom/lending/money'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import type { EmbedOffer } from '@lendloom/wire/hosted/embed-offer'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import fc from 'fast-check'
import { outstandingPrincipal, partEstimate } from './part-payment-estimate.ts'

type Installments = EmbedView['installments']
const offer = (interestRate = '24.00%', numberOfInstallments = 22) =>
  ({ interestRate, numberOfInstallments, tenureMonths: 5, repaymentFrequency: 'WEEKLY' }) as EmbedOffer
const planOf = (principal: bigint, bps: bigint, instalments: number): Installments =>
  schedule({ principal, rate: weeklyRate(bps), instalments, unit: 100n }).map(({ number, amount }) => ({
    serialNumber: number,
    amount: rupees(amount),
    dueOn: '2026-11-27',
    status: 'NOT-DUE',
  }))
const loan = planOf(100_000_00n, 2400n, 22)

test('prepaying half of a loan halves the number of instalments, or their amount', () => {
  const { now, INSTALLMENT, TERM } = partEstimate(loan, offer(), 50_000)!
  assert.equal(now.count, 22)
  assert.equal(now.amount, 4790)
  assert.equal(now.interest, 5379)
  assert.deepEqual(INSTALLMENT, { count: 11, amount: 4790, interest: 1362 })
  assert.deepEqual(TERM, { count: 22, amount: 2395, interest: 2688 })
})

test('an estimate needs a known rate, a remaining principal and no overdue instalment', () => {
  const half: Installments = loan.map((each, i) => (i < 11 ? { ...each, status: 'PAID' } : each))
  assert.equal(partEstimate(half, offer(), 10_000)!.now.count, 11)
  assert.ok(outstandingPrincipal(half, offer())! < outstandingPrincipal(loan, offer())!)
  const late: Installments = loan.map((each, i) => (i < 1 ? { ...each, status: 'OVERDUE' } : each))
  assert.equal(partEstimate(late, offer(), 10_000), null)
  assert.equal(partEstimate(loan, offer('as agreed'), 10_000), null)
  for (const part of [0, 100_000, 200_000]) assert.equal(partEstimate(loan, offer(), part), null)
  assert.equal(partEstimate([], offer(), 1), null)
})

test('the principal is derived from the instalments of any loan, and both choices reduce the interest', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 100, max: 20_000 }),
      fc.integer({ min: 0, max: 4800 }),
      fc.integer({ min: 2, max: 60 }),
      fc.integer({ min: 1, max: 99 }),
      (hundreds, bps, count, share) => {
        const principal = BigInt(hundreds) * 100_00n
        const plan = planOf(principal, BigInt(bps), count)
        const terms = offer(`${(bps / 100).toFixed(2)}%`, count)
        const expected = Number(principal / 100n)
        assert.ok(
          Math.abs(outstandingPrincipal(plan, terms)! - expected) <= count,
          `${outstandingPrincipal(plan, terms)} is not ${expected}`,
        )
        const { now, INSTALLMENT, TERM } = partEstimate(plan, terms, Math.max(1, Math.floor((expected * share) / 101)))!
        assert.ok(INSTALLMENT.count <= now.count + 1 && TERM.count === now.count)
        assert.ok(INSTALLMENT.interest <= TERM.interest + count && TERM.interest <= now.interest + count)
        const fullInstalment = regularInstalment({
          principal,
          rate: weeklyRate(BigInt(bps)),
          instalments: count,
          unit: 100n,
        })
        assert.ok(TERM.amount <= Number(fullInstalment / 100n) + 1)
      },
    ),
    { numRuns: roundsOf(300) },
  )
})
