// The platform's price of a cooling-off exit equals the lender's own, whatever the borrower has paid before.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startOf } from '@lendloom/lending/calendar'
import { exitAmountOn } from '@lendloom/partner/src/servicing/loan/exit.ts'
import { termsOf } from '@lendloom/platform/src/lenders/partner/terms.ts'
import { toStoredTerms } from '@lendloom/platform/src/lending/journey/stored-terms.ts'
import { coolingOffExitOf, type PaidSum } from '@lendloom/platform/src/lending/offer/cooling-off-exit.ts'
import fc from 'fast-check'
import { roundsOf, runsAllRounds } from '#test/setup/law-rounds.ts'
import { accountInMemory, at, dayOf, termsByRounding } from '#test/setup/money-law.ts'

const loan = termsByRounding.RUPEE
const quote = { id: 'q', validUntil: startOf(dayOf(0)), kfsUrl: null, termsUrl: null }
const pricing = {
  loanPaise: loan.amountPaise,
  tenureWeeks: loan.tenureWeeks,
  installments: loan.tenureWeeks,
  installmentPaise: loan.installmentPaise,
  interestPaise: 5379_00n,
  interestPercent: '24.00',
  interestType: 'FIXED',
  aprPercent: '35.11',
  otherPaise: 0n,
  netPaise: loan.netPaise,
  feePaise: loan.feePaise,
  taxPaise: loan.taxPaise,
}
const terms = toStoredTerms(termsOf(pricing, quote, { coolOffDays: 3, penalCharges: '' }, quote.validUntil))

/** Payments of a day, in the three days of the period and the three to pay. */
const payments = fc.array(
  fc.record({
    day: fc.integer({ min: 0, max: 6 }),
    paise: fc.oneof(fc.bigInt(1n, 99_000_00n), fc.constant(loan.installmentPaise), fc.constant(97_500_00n)),
    isPartPayment: fc.boolean(),
  }),
  { maxLength: 4 },
)

test('D3 §1: the price of leaving equals the lender’s on each day, after any payments', () => {
  const offer = (principal: bigint) => {
    const row = { serialNumber: 1, amount: String(principal), status: 'NOT-PAID' } as const
    const startsAt = startOf(dayOf(0)).toISOString()
    return { channel: 'PARTNER' as const, terms, installments: [{ ...row, startsAt, dueAt: startsAt }] }
  }
  let compared = 0
  fc.assert(
    fc.property(payments, (drawn) => {
      const account = accountInMemory({ ...loan, coolOffDays: 3 }, [])
      const paid: PaidSum = { sum: 0n, lastDay: null, payments: [] }
      for (let day = 0; day <= 6; day++) {
        for (const [i, { paise, isPartPayment }] of drawn.entries()) {
          if (drawn[i]?.day !== day) continue
          const payment = { kind: 'receive', paise, late: 0, isPartPayment, keepsTerm: false } as const
          account.receive(payment, `p${i}`, dayOf(day), dayOf(day))
          paid.payments.push({ day: dayOf(day), paise })
          paid.sum += paise
        }
        const { total } = exitAmountOn(account.loan(), account.rows, dayOf(day), at)
        if (total === 0n || account.status === 'CLOSED') return
        const facts = { requestedAt: startOf(dayOf(3)), paid }
        const exit = coolingOffExitOf(offer(loan.amountPaise), null, startOf(dayOf(day)), facts)
        assert.equal(exit?.price, paid.sum + total, `on day ${day}`)
        compared++
      }
    }),
    { numRuns: roundsOf(300) },
  )
  if (runsAllRounds()) assert.ok(compared > 500, `${compared} days`)
})
