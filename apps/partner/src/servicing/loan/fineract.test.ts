// Compares schedules, daily interest, payoffs, returned receipts and write-offs with the tests of Apache Fineract.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { interestOnDays, regularInstalment, schedule, weeklyRate } from '@lendloom/lending/annuity'
import { daysBetween } from '@lendloom/lending/calendar'
import { checkedPaise, decimalFrom, rupees } from '@lendloom/lending/money'
import { proposedTerms } from '@lendloom/tests/setup/account'
import { accountInMemory, at, dayOf } from '@lendloom/tests/setup/money-law'
import { balancesFrom } from '#partner/books/ledger/entry.ts'
import { bpsOf } from '#partner/origination/terms/rounding.ts'
import { finalTerms } from '#partner/origination/terms/terms.ts'
import { owedBy } from './account-view.ts'
import fineract from './fixtures/fineract.json' with { type: 'json' }
import { conditionOf, type InstallmentRow, newRow, noAmounts } from './installment-row.ts'
import { payoffOn } from './payoff.ts'
import { repay, reverseRepayment } from './repay.ts'

/** Names the two amounts of a row of the fixture. */
const namedRows = (rows: string[][]) => rows.map(([interest, principal]) => ({ interest, principal }))
const noPenalty = { bps: 0, graceDays: 0, everyDays: 1, most: 0 }
const termsOf = (principal: string, instalments: number, annualRatePercent: string) =>
  finalTerms(
    {
      ...proposedTerms,
      annualRatePercent,
      amountPaise: checkedPaise(principal),
      tenureWeeks: instalments,
      feePercent: '0',
      penalty: noPenalty,
    },
    'PAISE',
  )

for (const { case: name, principal, rate, days, daysInYear, rows, ours } of fineract.equalPeriods)
  test(`D3 §2.4: equal instalments equal those of Fineract, except for its search for the last one (${name})`, () => {
    const bps4 = decimalFrom(rate, 4) ?? 0n
    const plan = {
      principal: checkedPaise(principal),
      instalments: rows.length,
      unit: 1n as const,
      rate: { numerator: bps4 * BigInt(days), denominator: 1_000_000n * BigInt(daysInYear) },
    }
    const planned = schedule(plan)
    assert.deepEqual(
      planned.map(({ interest, principal }) => ({ interest: rupees(interest), principal: rupees(principal) })),
      namedRows(ours?.rows ?? rows),
    )
    const [interest = '', repaid = ''] = rows[0] ?? []
    const moved = regularInstalment(plan) - checkedPaise(interest) - checkedPaise(repaid)
    assert.equal(moved !== 0n, ours !== undefined)
    assert.ok(moved >= -1n && moved <= 1n)
  })

test('D3 §2.4: the last of 22 instalments differs from the others by at most ₹16, half of them by ₹6 (0056)', () => {
  const differences: number[] = []
  for (const bps of [1200n, 1800n, 2400n, 3000n, 3600n, 4800n])
    for (let principal = 10_000_00n; principal <= 500_000_00n; principal += 1_000_00n) {
      const rows = schedule({ principal, rate: weeklyRate(bps), instalments: 22, unit: 100n })
      differences.push(Math.abs(Number(rows[21]!.amount - rows[0]!.amount) / 100))
    }
  differences.sort((a, b) => a - b)
  assert.equal(differences.length, 2946)
  assert.equal(differences[1473], 6)
  assert.equal(differences.at(-1), 16)
})

interface DatedPlan {
  principal: string
  rate: string
  from: string
  dueOn: string[]
  instalment: string
}

/** Returns the rows of a loan with any due dates, each with interest for its days. */
function rowsOf({ principal, rate, from, dueOn, instalment }: DatedPlan): InstallmentRow[] {
  let left = checkedPaise(principal)
  return dueOn.map((on, i) => {
    const interest = interestOnDays(left * BigInt(daysBetween(dueOn[i - 1] ?? from, on)), bpsOf(rate), 1n)
    const repaid = i === dueOn.length - 1 ? left : checkedPaise(instalment) - interest
    left -= repaid
    return { ...newRow(i + 1, on, at), due: { ...noAmounts, interest, principal: repaid } }
  })
}

for (const { rows, ...plan } of fineract.unequalPeriods)
  test(`D3 §2.4: interest is for the days of a period, actual/365, as in Fineract (${plan.case})`, () =>
    assert.deepEqual(
      rowsOf(plan).map(({ due }) => ({ interest: rupees(due.interest), principal: rupees(due.principal) })),
      namedRows(rows),
    ))

for (const { case: name, receipts, payoff, firstRowInterest, interestInTotal, ...plan } of fineract.payments)
  test(`D3 §4.4: part payment and payoff on a day cost what they cost in Fineract (${name})`, () => {
    const terms = termsOf(plan.principal, plan.dueOn.length, plan.rate)
    let state = {
      loan: { terms, disbursedOn: plan.from, installmentPaise: checkedPaise(plan.instalment) },
      rows: rowsOf(plan),
    }
    const moneyOn = (on: string, paise: bigint) =>
      ({ paise, from: 'BANK', on, today: on, isPartPayment: true, keep: 'INSTALLMENT', at }) as const
    for (const { on, amount } of receipts) {
      const { loan, rows } = repay(state, moneyOn(on, checkedPaise(amount)))
      state = { loan, rows: rows.map((row) => ({ ...row, fellDue: row.dueOn <= on })) }
    }
    if (firstRowInterest) assert.equal(rupees(state.rows[0]!.due.interest), firstRowInterest)
    const { interest, principal, total } = payoffOn(state.loan, state.rows, payoff.on, at)
    assert.deepEqual({ on: payoff.on, interest: rupees(interest), principal: rupees(principal) }, payoff)
    const paid = repay(state, moneyOn(payoff.on, total))
    assert.equal(conditionOf(paid.rows), 'repaid')
    const charged = paid.rows.reduce((sum, { due }) => sum + due.interest, 0n)
    if (interestInTotal) assert.equal(rupees(charged), interestInTotal)

    const reversed = reverseRepayment(paid, paid.allocation, { penalty: noPenalty, on: payoff.on, at })
    const before = payoffOn(state.loan, state.rows, payoff.on, at)
    assert.deepEqual(payoffOn(reversed.loan, reversed.rows, payoff.on, at), before, 'a return on the day costs nothing')
    if (receipts.length === 0)
      assert.equal(reversed.rows[0]!.due.interest, rowsOf(plan)[0]!.due.interest, 'the interest of the whole period')
  })

interface ReturnCase {
  case: string
  principal: string
  instalments: number
  acts: { day: number; pay?: string; return?: number; writeOff?: boolean }[]
  outstanding: string
  overdue: string
  status: string
  unapplied?: string
  loss?: string
}
const returns: ReturnCase[] = fineract.returns
const receipt = { kind: 'receive', late: 0, isPartPayment: false, keepsTerm: false } as const

for (const { case: name, principal, instalments, acts, ...expected } of returns)
  test(`D3 §4.4: returned payments and write-offs leave what they leave in Fineract (${name})`, () => {
    const account = accountInMemory(termsOf(principal, instalments, '0'), [])
    for (const [i, { day, pay, return: returned, writeOff }] of acts.entries()) {
      account.endDays(dayOf(day - 1))
      if (pay !== undefined) account.receive({ ...receipt, paise: checkedPaise(pay) }, `${i}`, dayOf(day), dayOf(day))
      if (returned !== undefined) account.reverseReceipt(`${returned}`, dayOf(day))
      if (writeOff) account.writeOff(dayOf(day))
    }
    const { totalPaise, overduePaise } = owedBy(account.rows, account.balances())
    const { UNAPPLIED, WRITE_OFF_LOSS } = balancesFrom(account.postings)
    assert.equal(rupees(totalPaise), expected.outstanding)
    assert.equal(rupees(overduePaise), expected.overdue)
    assert.equal(account.status, expected.status)
    assert.equal(rupees(-UNAPPLIED), expected.unapplied ?? '0.00')
    assert.equal(rupees(WRITE_OFF_LOSS), expected.loss ?? '0.00')
  })
