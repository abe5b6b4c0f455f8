// Books of an earlier version: loans with fees given back twice, interest given back to no row and entries without a posting day.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { migrate } from '#kit/db/migrate.ts'
import { connect, type Db } from '#kit/db/sql.ts'
import { plusDays, startOf } from '#kit/money/calendar.ts'
import { takeBackDoubleFeeReturns } from '#partner/loan/double-fee-return.ts'
import { accountsOn, disbursedOn, testAccounts } from '#test/setup/account.ts'
import { databaseBefore, partnerMigrations } from '#test/setup/database-before.ts'
import { trialBalance } from './books.ts'
import { balancesOf } from './post.ts'
import { doubleFeeReturns } from './store.ts'

const feeReturn = '038-fee-return.sql'
const on = (day: number): string => plusDays(disbursedOn, day)
const tables = [
  ...['case_file', 'loan', 'installment', 'schedule_history', 'ledger_entry', 'ledger_posting', 'loan_class'],
  ...['business_day', 'business_day_class', 'loan_month', 'portfolio_roll', 'portfolio_vintage', 'portfolio_month'],
]

/** Loans until 10 December: one that left with two payments, two with late money, one in arrears. */
async function lend() {
  const accounts = await testAccounts()
  const { open, receive, endDay, askToLeave, exitOn, setClock } = accounts
  const [left, late, again, unpaid] = [await open(), await open(), await open(), await open()]
  await askToLeave(left, on(0))
  const paise = await exitOn(left, on(0))
  await receive(left, paise, on(0), 'exit')
  await receive(left, paise, on(0), 'again')
  await endDay(on(15))
  setClock(startOf(on(16)))
  for (const caseRef of [late, again]) await receive(caseRef, 30_000_00n, on(9), 'late', true)
  await endDay(on(20))
  return { accounts, cases: { left, late, again, unpaid } }
}

type Accounts = ReturnType<typeof accountsOn>

/** The bank reports late money twice more, also for weeks for which it did before; gives what is owed a week later. */
async function payLate({ receive, endDay, setClock, view }: Accounts, caseRefs: string[]) {
  setClock(startOf(on(21)))
  for (const caseRef of caseRefs) {
    await receive(caseRef, 4790_00n, on(7), 'known late')
    await receive(caseRef, 10_000_00n, on(15), 'known later', true)
  }
  await endDay(on(28))
  return Promise.all(
    caseRefs.map(async (caseRef) => {
      const { soa, schedule } = await view(caseRef)
      const interest = schedule.installments.reduce((sum, row) => sum + row.interestPaise, 0n)
      return { interest, principal: soa.principalPaise, total: soa.totalPaise, overdue: soa.overduePaise }
    }),
  )
}

type Stored = Record<string, unknown>

/** A row as the earlier version wrote it: a returned fee has no number, and interest given back is of no row. */
function asBefore(row: Stored): Stored {
  const isGivenBack = row.debit === 'INTEREST_INCOME' && row.credit === 'PRINCIPAL'
  const entryId = String(row.entry_id ?? '').replace('fee-return-1-of-', 'fee-return-')
  return { ...row, entry_id: entryId, ...(isGivenBack && { installment: 0 }) }
}

/** The same return once more, as money came twice. */
const returnedAgain = (rows: Stored[]): Stored[] =>
  rows
    .filter((row) => row.entry_id === 'fee-return-exit')
    .map((row) => ({ ...row, entry_id: 'fee-return-again', ...('credit' in row && { credit: 'UNAPPLIED' }) }))

/** The books as the version before a migration had them. */
async function booksBefore(migration: string, { db: from }: Accounts): Promise<Db> {
  const to = connect(await databaseBefore(migration, partnerMigrations), { connections: 4 })
  after(() => to.close())
  for (const table of tables) {
    const { rows } = await from.pool.query<{ row: Stored }>(`select to_jsonb(t) as row from ${table} t`)
    const stored = rows.map(({ row }) => row)
    const unnumbered = stored.map(asBefore)
    const before = migration <= feeReturn ? [...unnumbered, ...returnedAgain(unnumbered)] : stored
    const written = JSON.stringify(before)
    await to.pool.query(`insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1)`, [written])
  }
  return to
}

/** Debits less credits of every account at the end of a day, as the earlier version counted: by value date. */
const closingsBefore = async (db: Db, to: string) =>
  db<{ account: string; paise: bigint }>`
    select side.account, sum(side.paise)::bigint as paise from ledger_entry e join ledger_posting p using (case_ref, entry_id),
      lateral (values (p.debit, p.paise), (p.credit, -p.paise)) as side (account, paise)
    where e.business_on <= ${to}::date group by side.account having sum(side.paise) <> 0 order by side.account`

const closings = async (db: Db, to: string) =>
  (await trialBalance(db, { from: disbursedOn, to })).rows
    .filter(({ closing }) => closing !== 0n)
    .map(({ account, closing }) => ({ account: account as string, paise: closing }))
    .sort((a, b) => (a.account < b.account ? -1 : 1))

test('D3 §2.5: books of an earlier version are the same after the migrations, and its loans go on', async () => {
  const { accounts, cases } = await lend()
  const { left, late, unpaid } = cases
  const db = await booksBefore(feeReturn, accounts)
  const days = [on(0), '2026-11-30', on(20)]
  const before = await Promise.all(days.map((day) => closingsBefore(db, day)))
  await migrate(db, partnerMigrations)
  const books = () => Promise.all(days.map((day) => closings(db, day)))
  assert.deepEqual(await books(), before)

  const { view, act, reverse, receive, endDay, setClock } = accountsOn(db)
  setClock(startOf(on(21)))
  for (const caseRef of Object.values(cases)) await view(caseRef)
  assert.deepEqual(
    (await doubleFeeReturns(db)).map(({ caseRef, paise }) => [caseRef, paise]),
    [[left, 2360_00n]],
  )
  await act(left, (tx, at) => takeBackDoubleFeeReturns(tx, left, on(21), at))
  const { FEE_INCOME, TAX_PAYABLE, UNAPPLIED } = await balancesOf(db, left)
  assert.deepEqual([FEE_INCOME, TAX_PAYABLE, UNAPPLIED], [0n, 0n, -97_640_00n])
  assert.deepEqual(await doubleFeeReturns(db), [])
  await reverse(left, 'exit', on(21))
  await reverse(late, 'late', on(21))
  await receive(unpaid, 4790_00n, on(7), 'known late')
  await endDay(on(28))
  for (const caseRef of Object.values(cases)) await view(caseRef)
  assert.equal((await view(late)).soa.principalPaise, 100_000_00n)
  assert.deepEqual(await books(), before, 'what was posted since is in the books of later days')
})

test('D3 §6 rule 7: late money costs a loan of an earlier version what it costs a new one', async () => {
  const { accounts, cases } = await lend()
  const earlier = await Promise.all([feeReturn, '045-late-days.sql'].map((each) => booksBefore(each, accounts)))
  const caseRefs = [cases.unpaid, cases.again]
  const later = await payLate(accounts, caseRefs)
  for (const db of earlier) {
    await migrate(db, partnerMigrations)
    assert.deepEqual(await payLate(accountsOn(db), caseRefs), later)
  }
})
