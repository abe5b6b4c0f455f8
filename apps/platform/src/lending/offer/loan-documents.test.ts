// The cost and last day of a cooling-off exit, as the borrower's page shows them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysAfter } from '@lendloom/foundation/clock'
import { businessDate, daysOfPeriod, lastDayOf, plusDays, startOf } from '@lendloom/lending/calendar'
import { rupees } from '@lendloom/lending/money'
import { instalmentRange } from '@lendloom/sandbox/src/lender/core/lending-decision.ts'
import { termsOf } from '#platform/lenders/partner/terms.ts'
import type { Installment } from '#platform/lending/journey/installment.ts'
import { termsFrom, toStoredTerms } from '#platform/lending/journey/stored-terms.ts'
import { coolingOffExitOf, isCancelledLoan, isExitOverpaid } from './cooling-off-exit.ts'

const startDay = '2026-11-20'
/** ₹1,00,000 over 22 weeks at 24 %, with a fee of ₹2,000 and 18 % tax on it. */
const pricing = {
  loanPaise: 100_000_00n,
  tenureWeeks: 22,
  installments: 22,
  installmentPaise: 4790_00n,
  interestPaise: 5379_00n,
  interestPercent: '24.00',
  interestType: 'FIXED',
  aprPercent: '35.11',
  feePaise: 2000_00n,
  taxPaise: 360_00n,
  otherPaise: 0n,
  netPaise: 97_640_00n,
}
const quote = { id: 'q', validUntil: new Date(startOf(startDay)), kfsUrl: null, termsUrl: null }
const agreedTerms = { coolOffDays: 3, penalCharges: '' }
const terms = toStoredTerms(termsOf(pricing, quote, agreedTerms, quote.validUntil))
/** The weekly instalment with this index; the last instalment is a rupee smaller. */
const installmentAt = (i: number, status: Installment['status'] = 'NOT-PAID'): Installment => ({
  serialNumber: i + 1,
  amount: i < 21 ? '479000' : '478900',
  status,
  startsAt: startOf(plusDays(startDay, 7 * i)).toISOString(),
  dueAt: startOf(plusDays(startDay, 7 * i + 7)).toISOString(),
})
const installments = Array.from({ length: 22 }, (_, i) => installmentAt(i))
const dayAfterStart = (days: number) => startOf(plusDays(startDay, days))
const partnerLoan = { channel: 'PARTNER', terms, installments } as const
const networkLoan = { ...partnerLoan, channel: 'NETWORK' } as const

test('D3 §1: the exit costs principal and interest for the elapsed days, less the refunded fee and tax', () => {
  const costs = [0, 1, 2, 3].map((day) => coolingOffExitOf(partnerLoan, dayAfterStart(1), dayAfterStart(day))?.cost)
  assert.deepEqual(
    costs.map(
      (cost) =>
        cost && {
          days: cost.days,
          interest: rupees(cost.interest),
          fee: rupees(cost.fee),
          total: rupees(cost.total),
        },
    ),
    [
      { days: 0, interest: '0.00', fee: '2360.00', total: '97640.00' },
      { days: 1, interest: '66.00', fee: '2360.00', total: '97706.00' },
      { days: 2, interest: '132.00', fee: '2360.00', total: '97772.00' },
      { days: 3, interest: '197.00', fee: '2360.00', total: '97837.00' },
    ],
  )
  assert.equal(coolingOffExitOf(partnerLoan, dayAfterStart(1), dayAfterStart(0))?.until, '2026-11-23')
  assert.equal(coolingOffExitOf(partnerLoan, dayAfterStart(1), dayAfterStart(4)), null, 'the period is over')
})

test('D3 §1: the exit has no known cost after a payment or for a network loan', () => {
  const paid = [installmentAt(0, 'PAID'), ...installments.slice(1)]
  assert.deepEqual(coolingOffExitOf({ ...partnerLoan, installments: paid }, null, dayAfterStart(1)), {
    until: '2026-11-23',
    agreed: true,
    payBy: '2026-11-24',
    cost: null,
    price: 9_770_600n,
  })
  const partialPlan = installments.slice(0, 11)
  assert.deepEqual(coolingOffExitOf({ ...partnerLoan, installments: partialPlan }, null, dayAfterStart(1)), {
    until: '2026-11-23',
    agreed: true,
    payBy: '2026-11-24',
    cost: null,
    price: 9_770_600n,
  })
  assert.deepEqual(coolingOffExitOf(networkLoan, dayAfterStart(0), dayAfterStart(3)), {
    until: '2026-11-23',
    agreed: false,
    payBy: null,
    cost: null,
    price: null,
  })
  assert.equal(coolingOffExitOf(networkLoan, dayAfterStart(0), dayAfterStart(4)), null)
  const lastDayWith = (coolOffPeriod: string) =>
    coolingOffExitOf({ ...networkLoan, terms: { ...terms, coolOffPeriod } }, dayAfterStart(0), dayAfterStart(0))?.until
  assert.equal(lastDayWith('PT72H'), '2026-11-23')
  assert.equal(lastDayWith('PT36H'), '2026-11-21')
  assert.equal(lastDayWith('3 days'), undefined)
  assert.equal(coolingOffExitOf({ ...partnerLoan, installments: [] }, dayAfterStart(0), dayAfterStart(1)), null)
})

test('the exit’s last day equals that of the final offer and is within the lender’s cooling-off period', () => {
  for (const time of ['2026-11-23T18:29:59Z', '2026-11-23T18:30:00Z', '2026-12-31T06:00:00Z'])
    for (const coolOffPeriod of ['PT72H', 'P1W', 'P3D', 'PT36H', 'P1D']) {
      const paidOutAt = new Date(time)
      // As in the sandbox, the cooling-off period starts at the payout, and the first instalment at the next midnight.
      const plan = instalmentRange(businessDate(paidOutAt), 1)
      const first = { ...installmentAt(0), startsAt: plan.start.toISOString(), dueAt: plan.end.toISOString() }
      const freeUntil = daysAfter(paidOutAt, daysOfPeriod(coolOffPeriod)!)
      const networkOffer = { ...networkLoan, terms: { ...terms, coolOffPeriod }, installments: [first] }
      const until = coolingOffExitOf(networkOffer, paidOutAt, paidOutAt)?.until
      assert.equal(until, lastDayOf(coolOffPeriod, paidOutAt), `${coolOffPeriod} from ${time}`)
      assert.ok(startOf(until!) <= freeUntil)
    }
})

test('D3 §1: after a request the cost stays known for three days, in which the borrower may still pay', () => {
  const costOn = (day: number) =>
    coolingOffExitOf(partnerLoan, null, dayAfterStart(day), {
      requestedAt: new Date(dayAfterStart(3).getTime() + 3_600_000),
    })?.cost
  assert.deepEqual(
    [4, 6].map((day) => rupees(costOn(day)!.total)),
    ['97903.00', '98035.00'],
  )
  assert.equal(costOn(7), undefined)
  assert.equal(
    coolingOffExitOf(partnerLoan, null, dayAfterStart(5), { requestedAt: dayAfterStart(4) }),
    null,
    'requested too late',
  )
})

const paidOn = (day: number | null, sum: bigint) => {
  const lastDay = day === null ? null : businessDate(dayAfterStart(day))
  return { sum, lastDay, payments: lastDay === null ? [] : [{ day: lastDay, paise: sum }] }
}

test('D3 §1: a loan that closes in the cooling-off period is cancelled, a partner’s only after a request', () => {
  const isCancelled = (loan: typeof partnerLoan | typeof networkLoan, day: number, requestedOn: number | null) => {
    const requestedAt = requestedOn === null ? null : dayAfterStart(requestedOn)
    const paid = paidOn(3, 9_783_700n)
    return isCancelledLoan(loan, dayAfterStart(0), { closedAt: dayAfterStart(day), requestedAt, paid })
  }
  assert.equal(isCancelled(partnerLoan, 3, 3), true)
  assert.equal(isCancelled(partnerLoan, 3, null), false)
  assert.equal(isCancelled(networkLoan, 3, null), true)
  assert.equal(isCancelled(partnerLoan, 36, 3), true)
  assert.equal(isCancelled(partnerLoan, 37, 3), false)
  assert.equal(isCancelled(networkLoan, 13, 3), true)
  assert.equal(isCancelled(networkLoan, 14, 3), false)
  assert.equal(isCancelled(partnerLoan, 5, 4), false, 'requested after the period')
  assert.equal(isCancelled(networkLoan, 4, null), false)
  const unpaid = { closedAt: dayAfterStart(1), requestedAt: dayAfterStart(1), paid: paidOn(null, 0n) }
  assert.equal(isCancelledLoan({ ...networkLoan, terms: null }, dayAfterStart(0), unpaid), false)
  assert.equal(isCancelledLoan(networkLoan, null, unpaid), false)
  assert.equal(isCancelledLoan(partnerLoan, null, unpaid), false, 'closed by a waiver')
  const rate = toStoredTerms({ ...termsFrom(terms), interestRate: '24.125%' })
  const odd = { ...unpaid, paid: paidOn(1, 9_770_600n) }
  assert.equal(isCancelledLoan({ ...partnerLoan, terms: rate }, null, odd), false, 'a rate that we cannot compute')
})

test('D3 §1: a loan that was repaid without a refund of the fee is not cancelled, although it was requested', () => {
  const end = { closedAt: dayAfterStart(5), requestedAt: dayAfterStart(1) }
  const cancelled = (sum: bigint, loan = partnerLoan) => isCancelledLoan(loan, null, { ...end, paid: paidOn(2, sum) })
  const price = 9_777_200n
  const fee = 236_000n
  assert.equal(coolingOffExitOf(partnerLoan, null, dayAfterStart(2))?.price, price)
  const sums = [price, price + 10_000n, price + fee - 10_000n, price + fee, price + 2n * fee]
  assert.deepEqual(
    sums.map((paid) => cancelled(paid)),
    [true, true, false, false, false],
  )
  assert.deepEqual(
    sums.slice(0, 2).map((sum) => isExitOverpaid(partnerLoan, null, paidOn(2, sum))),
    [false, true],
  )
  const free = { ...partnerLoan, terms: toStoredTerms({ ...termsFrom(terms), processingFee: 0n }) }
  assert.equal(cancelled(price + fee, free), true, 'without a fee both cost the same')
})

test('D3 §1: an earlier payment lowers the cost by its sum, and by its interest from its day', () => {
  const exitOn = (day: number, paid?: ReturnType<typeof paidOn>, loan: typeof partnerLoan = partnerLoan) =>
    coolingOffExitOf(loan, null, dayAfterStart(day), paid && { paid })!
  const totals = (paid: bigint) => [0, 1, 2, 3].map((day) => rupees(exitOn(3, paidOn(day, paid)).cost!.total))
  assert.equal(rupees(exitOn(3).cost!.total), '97837.00')
  // ₹9,580 bears ₹6.30 a day, ₹97,500 ₹64.11; the interest of all days is rounded once.
  assert.deepEqual(totals(958_000n), ['88238.00', '88245.00', '88251.00', '88257.00'])
  assert.deepEqual(totals(9_750_000n), ['145.00', '209.00', '273.00', '337.00'])
  assert.equal(exitOn(3, paidOn(0, 958_000n)).price, 8_823_800n + 958_000n)
  const touched = { ...partnerLoan, installments: [installmentAt(0, 'PAID'), ...installments.slice(1)] }
  const paid = paidOn(1, 958_000n)
  assert.deepEqual(exitOn(3, paid, touched).cost, exitOn(3, paid).cost)
  assert.equal(exitOn(3, paidOn(3, exitOn(3).price!)).cost, null)
})
