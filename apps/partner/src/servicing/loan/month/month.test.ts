// Month-end records of the portfolio: roll rates, vintages, demand and collection, on time or rebuilt from the ledger.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testAccounts } from '@lendloom/tests/setup/account'
import { trialBalance } from '#partner/books/ledger/trial-balance.ts'
import { payoffOf } from '#partner/servicing/loan/account-view.ts'
import { waiveDues } from '#partner/servicing/loan/waiver.ts'
import { monthEndBefore, monthEndOf, monthPlus } from './month-end.ts'
import { recordMonths } from './record-months.ts'

test('month arithmetic handles leap years and year changes', () => {
  assert.deepEqual(['2026-02-10', '2028-02-29', '2026-12-31'].map(monthEndOf), [
    '2026-02-28',
    '2028-02-29',
    '2026-12-31',
  ])
  assert.equal(monthEndBefore('2027-01-15'), '2026-12-31')
  assert.equal(monthPlus('2026-11-20', 3), '2027-02-01')
  assert.equal(monthPlus('2026-01-31', -1), '2025-12-01')
})

const readMonthTables = async ({ db }: Accounts) => ({
  loans: await db`select case_ref, month_end, state, principal_paise from loan_month order by 1, 2`,
  rolls: await db<{ monthEnd: string; fromState: string; toState: string; loans: number }>`
    select month_end, from_state, to_state, loans, principal_paise from portfolio_roll order by 1, 2, 3`,
  vintages: await db<{
    monthEnd: string
    lentMonth: string
    loans: number
    lateLoans: number
    latePaise: bigint
    lentPaise: bigint
  }>`
    select month_end, lent_month, loans, lent_paise, late_loans, late_paise from portfolio_vintage order by 1, 2`,
  months: await db<{ monthEnd: string; duePaise: bigint; collectedPaise: bigint }>`
    select month_end, due_paise, collected_paise from portfolio_month order by 1`,
})

const days = (from: string, to: string): string[] => {
  const all: string[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000)
    all.push(new Date(at).toISOString().slice(0, 10))
  return all
}

type Accounts = Awaited<ReturnType<typeof testAccounts>>

/** Three loans over four month-ends: one unpaid, one paid once and one paid on time. */
async function fourMonths(): Promise<Accounts> {
  const accounts = await testAccounts()
  const { open, receive, reverse, endDay, setClock } = accounts
  const unpaid = await open()
  const paidOnce = await open()
  const paidOnTime = await open({}, '2026-12-04')
  for (const on of days('2026-11-20', '2027-02-28')) {
    setClock(new Date(`${on}T12:00:00.000Z`))
    // `paidOnce` pays its first instalment, `paidOnTime` every instalment; the payment of `unpaid` is reversed.
    if (on === '2026-11-27') await receive(paidOnce, 4790_00n, on)
    if (on === '2026-11-30') await receive(unpaid, 1000_00n, on, '018f0000-0000-7000-8000-00000000000a')
    if (on === '2026-12-01') await reverse(unpaid, '018f0000-0000-7000-8000-00000000000a', on)
    if (on >= '2026-12-11' && (Date.parse(on) - Date.parse('2026-12-04')) % (7 * 86_400_000) === 0)
      await receive(paidOnTime, 4790_00n, on)
    await endDay(on)
  }
  return accounts
}

test('D3 §2.5: four month-ends of three loans match figures calculated by hand', async () => {
  const { rolls, vintages, months } = await readMonthTables(await fourMonths())
  const rolled = (monthEnd: string) =>
    rolls
      .filter((each) => each.monthEnd === monthEnd)
      .map(({ fromState, toState, loans }) => `${fromState} ${toState} ${loans}`)
  // `unpaid` is 4, 35, 66 and 94 days past due at the month-ends; `paidOnce` is a week less past due.
  assert.deepEqual(rolled('2026-11-30'), ['NEW SMA_0 1', 'NEW STANDARD 1'])
  assert.deepEqual(rolled('2026-12-31'), ['NEW STANDARD 1', 'SMA_0 SMA_1 1', 'STANDARD SMA_0 1'])
  assert.deepEqual(rolled('2027-01-31'), ['SMA_0 SMA_1 1', 'SMA_1 SMA_2 1', 'STANDARD STANDARD 1'])
  assert.deepEqual(rolled('2027-02-28'), ['SMA_1 SMA_2 1', 'SMA_2 SUB_STANDARD 1', 'STANDARD STANDARD 1'])
  const late = vintages.filter(({ lentMonth }) => lentMonth === '2026-11-01')
  assert.deepEqual(
    late.map(({ loans, lateLoans }) => ({ loans, lateLoans })),
    [
      { loans: 2, lateLoans: 0 },
      { loans: 2, lateLoans: 1 },
      { loans: 2, lateLoans: 2 },
      { loans: 2, lateLoans: 2 },
    ],
  )
  assert.deepEqual(late.at(-1), {
    monthEnd: '2027-02-28',
    lentMonth: '2026-11-01',
    loans: 2,
    lentPaise: 200_000_00n,
    lateLoans: 2,
    latePaise: 195_670_00n,
  })
  // Two instalments fell due in November. One was paid, and 1,000 of the other, which was reversed only in December.
  assert.deepEqual(months[0], { monthEnd: '2026-11-30', duePaise: 2n * 4790_00n, collectedPaise: 5790_00n })
  // In December four rows each of `unpaid` and `paidOnce` fell due unpaid, and three rows of `paidOnTime` were paid.
  assert.deepEqual(months[1], { monthEnd: '2026-12-31', duePaise: 11n * 4790_00n, collectedPaise: 3n * 4790_00n })
})

test('missing months are rebuilt from the ledger with the same figures, however often', async () => {
  const accounts = await fourMonths()
  const { db, endDay } = accounts
  const recorded = await readMonthTables(accounts)
  assert.ok(recorded.loans.length > 8 && recorded.months.length === 4)
  for (const table of ['loan_month', 'portfolio_roll', 'portfolio_vintage', 'portfolio_month'])
    await db.pool.query(`delete from ${table}`)
  await recordMonths(db, '2027-02-28')
  assert.deepEqual(await readMonthTables(accounts), recorded)
  await recordMonths(db, '2027-02-28')
  await endDay('2027-02-28')
  assert.deepEqual(await readMonthTables(accounts), recorded)
})

test('D3 §2.5: a late day-end uses the books of its own day for provisions and month-ends', async () => {
  const late = await testAccounts()
  const closed = await late.open()
  const paid = await late.open()
  const waived = await late.open({}, '2026-11-21')
  await late.endDay('2026-11-28')
  late.setClock(new Date('2026-11-30T06:00:00.000Z'))
  await late.receive(paid, 1000_00n, '2026-11-30')
  late.setClock(new Date('2026-12-02T06:00:00.000Z'))
  const { total } = (await payoffOf(late.db, closed, '2026-12-02', late.ctx.clock()))!
  await late.receive(closed, total, '2026-12-02')
  await late.receive(paid, 60_000_00n, '2026-12-02')
  await late.open({}, '2026-12-01')
  const { waivable } = await late.view(waived)
  await late.act(waived, (tx, at) =>
    waiveDues(tx, { caseRef: waived, waiverId: '1', on: '2026-12-02', ...waivable }, at),
  )
  assert.equal((await late.view(closed)).loanStatus, 'CLOSED')
  assert.ok(waivable.interest > 0n)

  await late.endDay('2026-11-30')
  const { rows } = await trialBalance(late.db, { from: '2026-11-30', to: '2026-11-30' })
  const principal = rows.find(({ account }) => account === 'PRINCIPAL')?.closing
  const [recorded] = await late.db<{ loans: number; paise: bigint }>`
    select count(*)::int as loans, sum(principal_paise)::bigint as paise from loan_month`
  assert.deepEqual(recorded, { loans: 3, paise: principal })
  const [provided] = await late.db<{ loans: number; paise: bigint }>`
    select sum(loans)::int as loans, sum(principal_paise)::bigint as paise from business_day_class where ended_on = '2026-11-30'`
  assert.deepEqual(provided, { loans: 3, paise: principal })
  const [month] = await late.db<{ duePaise: bigint; collectedPaise: bigint }>`
    select due_paise, collected_paise from portfolio_month`
  assert.deepEqual(month, { duePaise: 3n * 4790_00n, collectedPaise: 1000_00n })
})
