// The laws of money on an account: after every one of a hundred thousand random acts, against an account kept another way.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { plusDays, startOf } from '#kit/money/calendar.ts'
import type { Account as LedgerAccount } from '#partner/ledger/accounts.ts'
import { balancesFrom, type Entry, type Posting, reversalOf } from '#partner/ledger/entry.ts'
import { balancesOf } from '#partner/ledger/post.ts'
import { disbursedOn, proposedTerms, testAccounts } from '#test/setup/account.ts'
import { type Shadow, type Sums, shadowOf } from '#test/setup/shadow-account.ts'
import { disagreements, owedBy } from './account.ts'
import { accrued } from './accrue.ts'
import { allocationFrom } from './allocate.ts'
import { amended, amendSchedule } from './amend-schedule.ts'
import { endDays } from './end-of-day.ts'
import { type LoanStatus, statusAfter } from './lifecycle.ts'
import { disbursementOf, rowsOf } from './open-loan.ts'
import { payoffOn } from './payoff.ts'
import { type Repaid, repay, unpaid } from './repay.ts'
import type { Planned } from './replan.ts'
import { amountOf, owedOf, paidOf, type Row, rowStatus, statusOf, unpaidOf } from './row.ts'
import { setOff, spareFrom } from './set-off.ts'
import { finalTerms, type LoanTerms } from './terms.ts'
import { waive } from './waive.ts'

type Receive = Extract<Act, { kind: 'receive' }>
type Act =
  | { kind: 'receive'; paise: bigint; late: number; isPartPayment: boolean; keepsTerm: boolean }
  | { kind: 'take back'; which: number }
  | { kind: 'days'; days: number }
  | { kind: 'charge'; row: number; paise: bigint }

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('receive' as const),
      paise: fc.oneof(fc.bigInt(1n, 12_000_00n), fc.constant(4790_00n), fc.bigInt(1n, 130_000_00n)),
      // Days between the value date and the news of it.
      late: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 15 })),
      isPartPayment: fc.boolean(),
      keepsTerm: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('take back' as const), which: fc.nat() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('days' as const), days: fc.integer({ min: 1, max: 12 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('charge' as const),
      row: fc.nat({ max: 21 }),
      paise: fc.bigInt(1n, 500_00n),
    }),
  },
)
const penalty = fc.record({
  bps: fc.constantFrom(0, 100, 250),
  graceDays: fc.integer({ min: 0, max: 5 }),
  everyDays: fc.integer({ min: 1, max: 9 }),
  most: fc.integer({ min: 0, max: 5 }),
})
const rounding = fc.constantFrom('RUPEE' as const, 'PAISE' as const)
const agreed = { RUPEE: finalTerms(proposedTerms, 'RUPEE'), PAISE: finalTerms(proposedTerms, 'PAISE') }
const days = new Map<number, string>()
function dayOf(number: number): string {
  const day = days.get(number) ?? plusDays(disbursedOn, number)
  days.set(number, day)
  return day
}
const at = new Date('2026-11-20T06:00:00.000Z')

const shadowFor = (terms: LoanTerms): Shadow =>
  shadowOf(
    rowsOf(terms, disbursedOn, at).map(({ number, due }) => ({
      dueDay: 7 * number,
      interest: due.interest,
      principal: due.principal,
    })),
    {
      ...{ ...terms.penalty, bps: BigInt(terms.penalty.bps), unit: terms.rounding === 'RUPEE' ? 100n : 1n },
      ...{ rateBps: 2400n, installment: terms.installmentPaise, weeks: terms.tenureWeeks },
    },
  )

/** The real rules with their ledger in memory. */
function accountInMemory(terms: LoanTerms) {
  const caseRef = 'case'
  const given = {
    caseRef,
    loanId: '1',
    loanAccountId: 'LN1',
    terms,
    disbursedPaise: terms.netPaise,
    disbursedOn,
    bankReference: 'UTR',
  }
  let loan: Planned = { terms, disbursedOn, installmentPaise: terms.installmentPaise }
  const postings: Posting[] = []
  const byRow = new Map<string, { account: LedgerAccount; installment: number; paise: bigint }>()
  const receipts = new Map<string, Entry>()
  let penalties: Entry[] = []
  const account = {
    rows: rowsOf(terms, disbursedOn, at),
    status: statusAfter('NOT_CREATED', 'opened') as LoanStatus,
    postings,
    balances: () => [...byRow.values()],
    receive({ paise, isPartPayment, keepsTerm }: Receive, name: string, valueOn: string, on: string) {
      const charges = penalties.filter(({ businessOn }) => businessOn >= valueOn)
      const waived = waive(account.rows, charges, { paise, on, at })
      penalties = penalties.filter(({ entryId }) => !waived.entries.some(({ reverses }) => reverses === entryId))
      const keep = keepsTerm ? 'TERM' : 'INSTALLMENT'
      const money = { paise, from: 'BANK', on: valueOn, today: on, isPartPayment, keep, at } as const
      const earned = accrued(waived.rows, terms, on, at)
      const after = repay({ loan, rows: earned.rows }, money)
      const entry: Entry = {
        caseRef,
        entryId: name,
        kind: 'RECEIPT',
        businessOn: disbursedOn,
        reverses: null,
        postings: after.postings,
      }
      receipts.set(name, entry)
      touch(entry)
      loan = after.loan
      write(after.rows, [
        ...[...waived.entries, ...earned.entries].flatMap((each) => each.postings),
        ...[...entry.postings, ...after.moved],
      ])
    },
    takeBack(name: string, on: string) {
      const receipt = receipts.get(name)!
      const reversal = reversalOf(receipt, `reversal-${name}`, on)
      touch(reversal)
      const reopening = { penalty: terms.penalty, on, at }
      const earned = accrued(account.rows, terms, on, at)
      const postings = [...earned.entries.flatMap((each) => each.postings), ...reversal.postings]
      settleSpare(unpaid({ loan, rows: earned.rows }, allocationFrom(receipt), reopening), postings, on)
    },
    endDays(through: string) {
      const { rows, entries } = endDays(account.rows, terms, through, at)
      penalties.push(...entries.filter(({ kind }) => kind === 'PENALTY').map((entry) => ({ caseRef, ...entry })))
      assert.deepEqual(endDays(rows, terms, through, at), { rows, entries: [] }, 'a day ends once')
      write(
        rows,
        entries.flatMap((entry) => entry.postings),
      )
    },
    /** What closes it on a day does so to the paisa, and a paisa less does not. */
    checkPayoff(on: string) {
      const { total } = payoffOn(loan, account.rows, on, at)
      const money = { from: 'BANK', on, today: on, isPartPayment: true, keep: 'INSTALLMENT', at } as const
      const closed = (paise: bigint) => repay({ loan, rows: account.rows }, { ...money, paise })
      assert.deepEqual([statusOf(closed(total).rows), closed(total).allocation.unapplied], ['repaid', 0n])
      if (total > 0n) assert.notEqual(statusOf(closed(total - 1n).rows), 'repaid')
    },
    charge(row: number, paise: bigint, on: string) {
      const earned = accrued(account.rows, terms, on, at)
      const { rows, postings } = amended(earned.rows, wantedWith(account.rows, row, paise), {
        penalty: terms.penalty,
        on,
        at,
      })
      settleSpare(
        { loan, rows, moved: [], isReplanned: true },
        [...earned.entries.flatMap((each) => each.postings), ...postings],
        on,
      )
    },
  }
  const unapplied: Entry[] = []
  function touch(...entries: Entry[]) {
    const touches = ({ debit, credit }: Posting) => debit === 'UNAPPLIED' || credit === 'UNAPPLIED'
    unapplied.push(...entries.filter(({ postings }) => postings.some(touches)))
  }
  function settleSpare(opened: Repaid, added: Posting[], on: string) {
    const done = setOff(opened, spareFrom(unapplied), { caseRef, on, at })
    touch(...done.entries)
    loan = done.loan
    write(done.rows, [...added, ...done.moved, ...done.entries.flatMap((entry) => entry.postings)])
  }
  function write(rows: Row[], added: Posting[]) {
    account.rows = rows
    account.status = statusAfter(account.status, statusOf(rows))
    for (const { debit, credit, installment, paise } of added) {
      add(debit, installment, paise)
      add(credit, installment, -paise)
    }
    postings.push(...added)
  }
  function add(name: LedgerAccount, installment: number, paise: bigint) {
    const key = `${name} ${installment}`
    const known = byRow.get(key) ?? { account: name, installment, paise: 0n }
    byRow.set(key, { ...known, paise: known.paise + paise })
  }
  write(account.rows, disbursementOf(given).postings)
  return account
}

/** Money does not come before the loan was paid out. */
const valueDayOf = (day: number, { late }: Receive): string => dayOf(Math.max(day - late, 0))

/** The rows as they are, with one more charge on one of them. */
const wantedWith = (rows: Row[], row: number, paise: bigint) =>
  rows.map(({ number, dueOn, due }, i) => ({
    number,
    dueOn,
    principal: due.principal,
    interest: due.interest,
    charges: due.charges + (i === row ? paise : 0n),
  }))

/** D3 §2.5, and what the shadow says: exact, to the paisa. */
function check(
  rows: Row[],
  status: LoanStatus,
  balances: ReturnType<ReturnType<typeof accountInMemory>['balances']>,
  shadow: Sums,
  terms: LoanTerms,
) {
  assert.deepEqual(disagreements(rows, balances), [])
  const total = (account: LedgerAccount) =>
    balances.reduce((sum, each) => (each.account === account ? sum + each.paise : sum), 0n)
  assert.equal(
    balances.reduce((sum, { paise }) => sum + paise, 0n),
    0n,
    'the ledger is in balance',
  )
  const soa = owedBy(rows, balances)
  for (const amount of Object.values(soa)) assert.ok(amount >= 0n)
  assert.equal(soa.totalPaise, soa.principalPaise + soa.interestPaise + soa.penaltyPaise + soa.chargesPaise)
  assert.ok(soa.overduePaise <= soa.totalPaise)
  assert.deepEqual(
    [soa.principalPaise, soa.interestPaise, soa.penaltyPaise, soa.chargesPaise, soa.overduePaise],
    [shadow.principal, shadow.interest, shadow.penalty, shadow.charges, shadow.overdue],
  )
  assert.equal(total('BANK'), shadow.inBank - terms.netPaise)
  assert.equal(-total('UNAPPLIED'), shadow.spare)
  assert.ok(shadow.spare >= 0n && (shadow.spare === 0n || status === 'CLOSED'), 'money to spare pays what is owed')
  for (const [i, row] of rows.entries()) {
    const [paid, unpaid, amount] = [paidOf(row), unpaidOf(row), amountOf(row)]
    assert.ok(paid >= 0n && unpaid >= 0n)
    assert.equal(paid + unpaid, amount)
    assert.equal(amount, row.due.principal + row.due.interest + row.due.charges)
    assert.equal(paid, shadow.paidByRow[i])
    assert.equal(row.due.penalty, shadow.penaltyByRow[i])
    const expected = unpaid === 0n ? 'PAID' : row.fellDue ? 'OVERDUE' : paid > 0n ? 'PART_PAID' : 'DUE'
    assert.equal(rowStatus(row), expected)
  }
  const owed = rows.reduce((sum, row) => sum + owedOf(row), 0n)
  assert.equal(status === 'CLOSED', owed === 0n)
  assert.equal(status === 'OVERDUE', soa.overduePaise > 0n)
  assert.ok(status !== 'CLOSED' || soa.totalPaise === 0n)
}

test('D3 §2.5: after every one of 100,000 random acts every amount is what an account kept another way says', () => {
  let acts = 0
  fc.assert(
    fc.property(
      fc.array(act, { minLength: 45, maxLength: 55, size: 'max' }),
      penalty,
      rounding,
      (script, policy, round) => {
        const terms = { ...agreed[round], penalty: policy }
        const account = accountInMemory(terms)
        const shadow = shadowFor(terms)
        const live: string[] = []
        let day = 1
        for (const [i, step] of script.entries()) {
          if (step.kind === 'receive') {
            account.receive(step, `r${i}`, valueDayOf(day, step), dayOf(day))
            shadow.receive(step.paise, `r${i}`, Math.max(day - step.late, 0), { ...step, today: day })
            live.push(`r${i}`)
          } else if (step.kind === 'take back') {
            const [name] = live.splice(step.which % Math.max(live.length, 1), 1)
            if (name === undefined) continue
            account.takeBack(name, dayOf(day))
            shadow.takeBack(name, day)
          } else if (step.kind === 'charge') {
            const row = step.row % account.rows.length
            account.charge(row, step.paise, dayOf(day))
            shadow.charge(row, step.paise, day)
          } else {
            account.endDays(dayOf(day + step.days - 1))
            for (let each = 0; each < step.days; each++) shadow.endDay(day++)
          }
          acts++
          if (i % 8 === 0) account.checkPayoff(dayOf(day))
          check(account.rows, account.status, account.balances(), shadow.sums(), terms)
        }
        const sums = balancesFrom(account.postings)
        for (const [name, paise] of Object.entries(sums))
          assert.equal(
            account.balances().reduce((sum, each) => (each.account === name ? sum + each.paise : sum), 0n),
            paise,
          )
      },
    ),
    { numRuns: 2200 },
  )
  assert.ok(acts >= 100_000, `${acts} acts`)
})

test('D3 §2.5: the same acts on the database lead to the same rows, balances and statement, each in one transaction', async () => {
  const accounts = await testAccounts()
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 20, maxLength: 40, size: 'max' }), penalty, async (script, policy) => {
      const terms = finalTerms({ ...proposedTerms, penalty: policy })
      const caseRef = await accounts.open({ penalty: policy })
      const account = accountInMemory(terms)
      const shadow = shadowFor(terms)
      const live: string[] = []
      let day = 1
      for (const [i, step] of script.entries()) {
        if (step.kind === 'receive') {
          account.receive(step, `r${i}`, valueDayOf(day, step), dayOf(day))
          shadow.receive(step.paise, `r${i}`, Math.max(day - step.late, 0), { ...step, today: day })
          live.push(`r${i}`)
          accounts.setClock(startOf(dayOf(day)))
          await accounts.keep(caseRef, step.keepsTerm ? 'TERM' : 'INSTALLMENT')
          await accounts.receive(caseRef, step.paise, valueDayOf(day, step), `r${i}`, step.isPartPayment)
        } else if (step.kind === 'take back') {
          const [name] = live.splice(step.which % Math.max(live.length, 1), 1)
          if (name === undefined) continue
          account.takeBack(name, dayOf(day))
          shadow.takeBack(name, day)
          await accounts.reverse(caseRef, name, dayOf(day), name)
        } else if (step.kind === 'charge') {
          const row = step.row % account.rows.length
          const rows = wantedWith(account.rows, row, step.paise)
          account.charge(row, step.paise, dayOf(day))
          shadow.charge(row, step.paise, day)
          await accounts.act(caseRef, (tx, now) =>
            amendSchedule(tx, { caseRef, rows, reason: 'a charge', amendedOn: dayOf(day) }, now),
          )
        } else {
          account.endDays(dayOf(day + step.days - 1))
          for (let each = 0; each < step.days; each++) shadow.endDay(day++)
          await accounts.endDay(dayOf(day - 1))
        }
        const [view, balances] = await Promise.all([accounts.view(caseRef), balancesOf(accounts.db, caseRef)])
        check(account.rows, view.loanStatus, account.balances(), shadow.sums(), terms)
        assert.equal(view.loanStatus, account.status)
        assert.deepEqual(balances, balancesFrom(account.postings))
        const { currency, updatedAt, disbursedPaise, ...owed } = view.soa
        assert.deepEqual(owed, owedBy(account.rows, account.balances()))
        assert.deepEqual(
          view.schedule.installments.map((row) => [
            row.number,
            row.dueOn,
            row.amountPaise,
            row.paidPaise,
            row.unpaidPaise,
            row.status,
          ]),
          account.rows.map((row) => [row.number, row.dueOn, amountOf(row), paidOf(row), unpaidOf(row), rowStatus(row)]),
        )
      }
    }),
    { numRuns: 12 },
  )
})
