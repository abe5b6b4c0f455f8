// The arithmetic of repayment: the example of FIS12 §11.1 to the paisa, and properties of any sequence of payments.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysAfter } from '@lendloom/foundation/clock'
import { monthlyRate, regularInstalment, schedule } from '@lendloom/lending/annuity'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import { servicingLabels } from '@lendloom/wire/network/v203/payments'
import { array, bigInt, constantFrom, integer, assert as law, property, record } from 'fast-check'
import { instalmentRange } from '#sandbox/lender/core/lending-decision.ts'
import {
  type AccountDues,
  type AccountPolicy,
  afterPayment,
  amountOf,
  duesFor,
  isLive,
  lateFee,
  type PlanRow,
  repaymentOf,
  withDebits,
} from './loan-account.ts'

const agreedOn = '2026-11-30'

function planOf(principal: bigint, months: number, annualBps: bigint, unit: 1n | 100n) {
  const plan = { principal, rate: monthlyRate(annualBps), instalments: months, unit }
  const rows: PlanRow[] = schedule(plan).map(({ number, principal: part, interest }) => {
    const { start: startsAt, end: endsAt } = instalmentRange(agreedOn, number)
    return { number, principal: part, interest, status: 'NOT-PAID', startsAt, endsAt }
  })
  const policy: AccountPolicy = {
    rate: plan.rate,
    unit,
    instalment: regularInstalment(plan),
    prepaymentBps: 200n,
    freeUntil: new Date(`${agreedOn}T00:00:00Z`),
    penalBps: 1800n,
    bounceCharge: 500_00n,
  }
  return { rows, policy }
}

/** Two lakh at 14 % for twelve months, to the paisa; the first instalment is paid. */
const example = planOf(20_000_000n, 12, 1400n, 1n)
const afterFirstDebit = withDebits(example.rows, new Date('2027-01-01T00:00:00Z'))
const secondDueDay = afterFirstDebit[1]!.endsAt

test('FIS12 §11.1: foreclosure on the second due day costs the example’s amount', () => {
  assert.equal(example.policy.instalment, 1_795_742n)
  assert.deepEqual(
    afterFirstDebit.map(({ status }) => status),
    ['PAID', ...Array(11).fill('NOT-PAID')],
  )
  const dues = duesFor({ label: 'FORECLOSURE', prepayAmount: null }, afterFirstDebit, example.policy, secondDueDay)!
  assert.equal(dues.principal, 18_437_591n)
  assert.equal(dues.interest, 215_105n)
  assert.equal(dues.charge, 368_752n)
  // The example has 190214.48, the sum of these three amounts.
  assert.equal(amountOf(dues), 19_021_448n)
  const quote = repaymentOf(afterFirstDebit, [{ ...dues, status: 'OPEN' }])
  assert.deepEqual(quote, {
    repaidPrincipal: 1_562_409n,
    repaidInterest: 233_333n,
    outstandingPrincipal: 18_437_591n,
    outstandingInterest: 215_105n,
    charges: [{ title: 'FORCLOSUER_CHARGES', amount: 368_752n }],
  })
  const closed = repaymentOf(afterPayment(afterFirstDebit, dues, example.policy, secondDueDay), [
    { ...dues, status: 'PAID' },
  ])
  assert.equal(closed.repaidPrincipal, 20_000_000n)
  assert.equal(closed.outstandingPrincipal, 0n)
  assert.equal(closed.outstandingInterest, 0n)
})

test('FIS12 §11.1: a part payment of 20,000 costs 400 more and changes the outstanding interest only when paid', () => {
  const dues = duesFor(
    { label: 'PRE_PART_PAYMENT', prepayAmount: 2_000_000n },
    afterFirstDebit,
    example.policy,
    secondDueDay,
  )!
  assert.equal(amountOf(dues), 2_040_000n)
  const quote = repaymentOf(afterFirstDebit, [{ ...dues, status: 'OPEN' }])
  assert.equal(quote.outstandingPrincipal, 18_437_591n)
  assert.equal(quote.outstandingInterest, 1_315_576n)
  const after = afterPayment(afterFirstDebit, dues, example.policy, secondDueDay)
  assert.equal(after.at(-1)!.status, 'DEFERRED')
  assert.equal(after.filter(isLive).length, 10)
  assert.equal(after[1]!.principal + after[1]!.interest, example.policy.instalment)
})

test('FIS12 §11.1: a missed instalment is due with its late fee, and its payment changes no other row', () => {
  const withMissedRow = afterFirstDebit.map((row) => (row.number === 2 ? { ...row, status: 'DELAYED' as const } : row))
  const dues = duesFor(
    { label: 'MISSED_EMI_PAYMENT', prepayAmount: null },
    withMissedRow,
    { ...example.policy, bounceCharge: 35_915n },
    secondDueDay,
  )!
  assert.equal(amountOf(dues), 1_831_657n)
  const quote = repaymentOf(withMissedRow, [{ ...dues, status: 'OPEN' }])
  assert.equal(quote.outstandingInterest, 1_315_576n)
  assert.deepEqual(quote.charges, [{ title: 'LATE_FEE_AMOUNT', amount: 35_915n }])
  const after = afterPayment(withMissedRow, dues, example.policy, secondDueDay)
  assert.deepEqual(
    after.map(({ status }) => status),
    ['PAID', 'DEFERRED', ...Array(10).fill('NOT-PAID')],
  )
})

test('a penal charge of 18 % a year accrues on the instalment for each day overdue', () => {
  const [, row] = afterFirstDebit
  const { policy } = example
  assert.equal(lateFee(row!, policy, secondDueDay), policy.bounceCharge)
  const monthLater = lateFee(row!, policy, daysAfter(secondDueDay, 30))
  assert.equal(monthLater - policy.bounceCharge, (1_795_742n * 1800n * 30n + 1_825_000n) / 3_650_000n)
})

test('a cooling-off exit costs the interest for the elapsed days and no charge', () => {
  const { rows, policy } = planOf(20_000_000n, 12, 1400n, 100n)
  const inCoolingOff = { ...policy, freeUntil: daysAfter(new Date(`${agreedOn}T06:00:00Z`), 3) }
  const sameDay = duesFor(
    { label: 'FORECLOSURE', prepayAmount: null },
    rows,
    inCoolingOff,
    new Date(`${agreedOn}T06:00:00Z`),
  )!
  assert.equal(amountOf(sameDay), 20_000_000n)
  assert.equal(sameDay.charge, 0n)
  const twoDaysLater = duesFor(
    { label: 'FORECLOSURE', prepayAmount: null },
    rows,
    inCoolingOff,
    new Date('2026-12-02T06:00:00Z'),
  )!
  assert.equal(twoDaysLater.interest, 15_600n)
  assert.equal(twoDaysLater.charge, 0n)
})

test('FIS12 §11.1: a payment that cannot be requested has no dues', () => {
  const { rows, policy } = example
  assert.equal(duesFor({ label: 'MISSED_EMI_PAYMENT', prepayAmount: null }, rows, policy, secondDueDay), null)
  assert.equal(duesFor({ label: 'PRE_PART_PAYMENT', prepayAmount: 20_000_000n }, rows, policy, secondDueDay), null)
  const withOverdueRow = rows.map((row) => (row.number === 1 ? { ...row, status: 'DELAYED' as const } : row))
  assert.equal(
    duesFor({ label: 'PRE_PART_PAYMENT', prepayAmount: 100_000n }, withOverdueRow, policy, secondDueDay),
    null,
  )
  const repaidRows = rows.map((row) => ({ ...row, status: 'PAID' as const }))
  for (const label of servicingLabels)
    assert.equal(duesFor({ label, prepayAmount: 100n }, repaidRows, policy, secondDueDay), null)
})

const loans = record({
  principal: bigInt(500_000n, 200_000_000n).map((paise) => (paise / 100n) * 100n),
  months: integer({ min: 3, max: 60 }),
  annualBps: bigInt(100n, 3_600n),
  unit: constantFrom(1n as const, 100n as const),
  isFirstMissed: constantFrom(true, false),
})
const paymentRequests = array(
  record({
    label: constantFrom(...servicingLabels),
    days: integer({ min: 0, max: 45 }),
    share: bigInt(1n, 9_900n),
    isPaid: constantFrom(true, true, false),
  }),
  { maxLength: 8 },
)

test('FIS12 §12.4.3: repaid and outstanding principal add up after any payments, and a foreclosure leaves no live row', () => {
  law(
    property(loans, paymentRequests, ({ principal, months, annualBps, unit, isFirstMissed }, sequence) => {
      const { rows: planned, policy } = planOf(principal, months, annualBps, unit)
      let rows = planned
      if (isFirstMissed) rows = rows.map((row) => (row.number === 1 ? { ...row, status: 'DELAYED' as const } : row))
      const payments: AccountDues[] = []
      let at = new Date(`${agreedOn}T06:00:00Z`)
      for (const { label, days, share, isPaid } of sequence) {
        at = daysAfter(at, days)
        rows = withDebits(rows, at)
        const previous = repaymentOf(rows, payments)
        const prepayAmount = (previous.outstandingPrincipal * share) / 10_000n || 1n
        const dues = duesFor({ label, prepayAmount }, rows, policy, at)
        if (!dues) continue
        assert.ok(amountOf(dues) > 0n)
        const before = repaymentOf(rows, [...payments, { ...dues, status: 'OPEN' }])
        if (!isPaid) continue
        rows = afterPayment(rows, dues, policy, at)
        payments.push({ ...dues, status: 'PAID' })
        const after = repaymentOf(rows, payments)
        assert.equal(after.repaidPrincipal + after.outstandingPrincipal, principal)
        assert.equal(after.repaidPrincipal - previous.repaidPrincipal, dues.principal)
        assert.deepEqual(after.charges, before.charges)
        // Early payment never increases the interest.
        if (label !== 'MISSED_EMI_PAYMENT')
          assert.ok(
            after.repaidInterest + after.outstandingInterest <=
              previous.repaidInterest + previous.outstandingInterest + unit,
          )
        for (const row of rows.filter(isLive)) assert.ok(row.principal > 0n && row.interest >= 0n)
        if (label === 'FORECLOSURE') assert.equal(rows.filter(isLive).length, 0)
      }
    }),
    { numRuns: roundsOf(300) },
  )
})
