// The arithmetic of repaying: the printed example to the paisa, and the laws that hold whatever a borrower does.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { array, bigInt, constantFrom, integer, assert as law, property, record } from 'fast-check'
import { servicingLabels } from '#contract/network/v203/order.ts'
import { monthlyRate, regularInstalment, schedule } from '#kit/money/annuity.ts'
import { daysAfter } from '#kit/runtime/clock.ts'
import { instalmentRange } from '#sandbox/lender/core/decide.ts'
import {
  type AccountDues,
  type AccountPolicy,
  afterPayment,
  amountOf,
  debited,
  duesFor,
  isLive,
  lateFee,
  type PlanRow,
  repaymentOf,
} from './account.ts'

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
    earlyBps: 200n,
    freeUntil: new Date(`${agreedOn}T00:00:00Z`),
    penalBps: 1800n,
    bounceCharge: 500_00n,
  }
  return { rows, policy }
}

/** Two lakh at 14 % for twelve months, to the paisa; the first instalment is paid. */
const example = planOf(20_000_000n, 12, 1400n, 1n)
const oncePaid = debited(example.rows, new Date('2027-01-01T00:00:00Z'))
const secondDueDay = oncePaid[1]!.endsAt

test('FIS12 §11.1: foreclosing on the second due day costs what the example says', () => {
  assert.equal(example.policy.instalment, 1_795_742n)
  assert.deepEqual(
    oncePaid.map(({ status }) => status),
    ['PAID', ...Array(11).fill('NOT-PAID')],
  )
  const dues = duesFor({ label: 'FORECLOSURE', wanted: null }, oncePaid, example.policy, secondDueDay)!
  assert.deepEqual([dues.principal, dues.interest, dues.charge], [18_437_591n, 215_105n, 368_752n])
  // The example prints 190214.48, the sum of exactly these three.
  assert.equal(amountOf(dues), 19_021_448n)
  const quote = repaymentOf(oncePaid, [{ ...dues, status: 'OPEN' }])
  assert.deepEqual(quote, {
    repaidPrincipal: 1_562_409n,
    repaidInterest: 233_333n,
    outstandingPrincipal: 18_437_591n,
    outstandingInterest: 215_105n,
    charges: [{ title: 'FORCLOSUER_CHARGES', amount: 368_752n }],
  })
  const closed = repaymentOf(afterPayment(oncePaid, dues, example.policy, secondDueDay), [{ ...dues, status: 'PAID' }])
  assert.deepEqual(
    [closed.repaidPrincipal, closed.outstandingPrincipal, closed.outstandingInterest],
    [20_000_000n, 0n, 0n],
  )
})

test('FIS12 §11.1: a part of 20 000 costs 400 and leaves the interest of the example until it is paid', () => {
  const dues = duesFor({ label: 'PRE_PART_PAYMENT', wanted: 2_000_000n }, oncePaid, example.policy, secondDueDay)!
  assert.equal(amountOf(dues), 2_040_000n)
  const quote = repaymentOf(oncePaid, [{ ...dues, status: 'OPEN' }])
  assert.deepEqual([quote.outstandingPrincipal, quote.outstandingInterest], [18_437_591n, 1_315_576n])
  const after = afterPayment(oncePaid, dues, example.policy, secondDueDay)
  assert.equal(after.at(-1)!.status, 'DEFERRED')
  assert.equal(after.filter(isLive).length, 10)
  assert.equal(after[1]!.principal + after[1]!.interest, example.policy.instalment)
})

test('FIS12 §11.1: a missed instalment is owed whole, with its late fee, and nothing else moves', () => {
  const missed = oncePaid.map((row) => (row.number === 2 ? { ...row, status: 'DELAYED' as const } : row))
  const dues = duesFor(
    { label: 'MISSED_EMI_PAYMENT', wanted: null },
    missed,
    { ...example.policy, bounceCharge: 35_915n },
    secondDueDay,
  )!
  assert.equal(amountOf(dues), 1_831_657n)
  const quote = repaymentOf(missed, [{ ...dues, status: 'OPEN' }])
  assert.deepEqual(
    [quote.outstandingInterest, quote.charges],
    [1_315_576n, [{ title: 'LATE_FEE_AMOUNT', amount: 35_915n }]],
  )
  const after = afterPayment(missed, dues, example.policy, secondDueDay)
  assert.deepEqual(
    after.map(({ status }) => status),
    ['PAID', 'DEFERRED', ...Array(10).fill('NOT-PAID')],
  )
})

test('the penal charge is for days overdue, on the instalment alone, and none is charged ahead of time', () => {
  const [, row] = oncePaid
  const { policy } = example
  assert.equal(lateFee(row!, policy, secondDueDay), policy.bounceCharge)
  const monthLater = lateFee(row!, policy, daysAfter(secondDueDay, 30))
  assert.equal(monthLater - policy.bounceCharge, (1_795_742n * 1800n * 30n + 1_825_000n) / 3_650_000n)
})

test('leaving in the cooling-off period costs the interest for the days held, and no charge', () => {
  const { rows, policy } = planOf(20_000_000n, 12, 1400n, 100n)
  const free = { ...policy, freeUntil: daysAfter(new Date(`${agreedOn}T06:00:00Z`), 3) }
  const sameDay = duesFor({ label: 'FORECLOSURE', wanted: null }, rows, free, new Date(`${agreedOn}T06:00:00Z`))!
  assert.deepEqual([amountOf(sameDay), sameDay.charge], [20_000_000n, 0n])
  const twoDaysLater = duesFor({ label: 'FORECLOSURE', wanted: null }, rows, free, new Date('2026-12-02T06:00:00Z'))!
  assert.deepEqual([twoDaysLater.interest, twoDaysLater.charge], [15_600n, 0n])
})

test('FIS12 §11.1: what cannot be requested has no price', () => {
  const { rows, policy } = example
  assert.equal(duesFor({ label: 'MISSED_EMI_PAYMENT', wanted: null }, rows, policy, secondDueDay), null)
  assert.equal(duesFor({ label: 'PRE_PART_PAYMENT', wanted: 20_000_000n }, rows, policy, secondDueDay), null)
  const late = rows.map((row) => (row.number === 1 ? { ...row, status: 'DELAYED' as const } : row))
  assert.equal(duesFor({ label: 'PRE_PART_PAYMENT', wanted: 100_000n }, late, policy, secondDueDay), null)
  const repaid = rows.map((row) => ({ ...row, status: 'PAID' as const }))
  for (const label of servicingLabels)
    assert.equal(duesFor({ label, wanted: 100n }, repaid, policy, secondDueDay), null)
})

const loans = record({
  principal: bigInt(500_000n, 200_000_000n).map((paise) => (paise / 100n) * 100n),
  months: integer({ min: 3, max: 60 }),
  annualBps: bigInt(100n, 3_600n),
  unit: constantFrom(1n as const, 100n as const),
  missed: constantFrom(true, false),
})
const acts = array(
  record({
    label: constantFrom(...servicingLabels),
    days: integer({ min: 0, max: 45 }),
    share: bigInt(1n, 9_900n),
    pays: constantFrom(true, true, false),
  }),
  { maxLength: 8 },
)

test('FIS12 §12.4.3: after any sequence of acts the principal is either repaid or owed, and every plan ends at zero', () => {
  law(
    property(loans, acts, ({ principal, months, annualBps, unit, missed }, sequence) => {
      const { rows: planned, policy } = planOf(principal, months, annualBps, unit)
      let rows = planned
      if (missed) rows = rows.map((row) => (row.number === 1 ? { ...row, status: 'DELAYED' as const } : row))
      const payments: AccountDues[] = []
      let at = new Date(`${agreedOn}T06:00:00Z`)
      for (const { label, days, share, pays } of sequence) {
        at = daysAfter(at, days)
        rows = debited(rows, at)
        const owed = repaymentOf(rows, payments)
        const wanted = (owed.outstandingPrincipal * share) / 10_000n || 1n
        const dues = duesFor({ label, wanted }, rows, policy, at)
        if (!dues) continue
        assert.ok(amountOf(dues) > 0n)
        const before = repaymentOf(rows, [...payments, { ...dues, status: 'OPEN' }])
        if (!pays) continue
        rows = afterPayment(rows, dues, policy, at)
        payments.push({ ...dues, status: 'PAID' })
        const after = repaymentOf(rows, payments)
        assert.equal(after.repaidPrincipal + after.outstandingPrincipal, principal)
        assert.equal(after.repaidPrincipal - owed.repaidPrincipal, dues.principal)
        assert.deepEqual(after.charges, before.charges)
        // Paying early never makes a loan dearer.
        if (label !== 'MISSED_EMI_PAYMENT')
          assert.ok(
            after.repaidInterest + after.outstandingInterest <= owed.repaidInterest + owed.outstandingInterest + unit,
          )
        for (const row of rows.filter(isLive)) assert.ok(row.principal > 0n && row.interest >= 0n)
        if (label === 'FORECLOSURE') assert.equal(rows.filter(isLive).length, 0)
      }
    }),
    { numRuns: 300 },
  )
})
