// A schedule is corrected by versions: what may change, what may not, and what is kept of the version before.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '#kit/http/refusal.ts'
import { rupees } from '#kit/money/money.ts'
import { balancesOf } from '#partner/ledger/post.ts'
import { readEntries } from '#partner/ledger/store.ts'
import { newCase, testAccounts } from '#test/setup/account.ts'
import { type AmendedRow, amendSchedule } from './amend-schedule.ts'

const accounts = await testAccounts()
const { db, open, receive, endDay, view } = accounts

const refused = (kind: string) => (error: unknown) => error instanceof Refusal && error.kind === kind

/** The schedule as it is, in the form in which it is wanted. */
async function wantedOf(caseRef: string): Promise<AmendedRow[]> {
  return (await view(caseRef)).schedule.installments.map((row) => ({
    number: row.number,
    dueOn: row.dueOn,
    principal: row.principalPaise,
    interest: row.interestPaise,
    charges: row.chargesPaise,
  }))
}
const amend = (caseRef: string, rows: AmendedRow[], amendedOn = '2026-12-05') =>
  accounts.act(caseRef, (tx, at) =>
    amendSchedule(tx, { caseRef, rows, reason: 'agreed with the borrower', amendedOn }, at),
  )

test('D3 §4.4: later rows are planned anew under a new version, and the version before is kept', async () => {
  const caseRef = await open()
  await receive(caseRef, 4790_00n, '2026-11-27')
  await endDay('2026-12-04')
  const before = await wantedOf(caseRef)
  const wanted = structuredClone(before)
  wanted[21]!.principal -= 2_000_00n
  wanted[21]!.interest -= 9_00n
  wanted.push({ number: 23, dueOn: '2027-04-30', principal: 2_000_00n, interest: 10_00n, charges: 0n })
  assert.deepEqual(await amend(caseRef, wanted), { scheduleVersion: 2, loanStatus: 'OVERDUE' })
  const { schedule } = await view(caseRef)
  assert.equal(schedule.scheduleVersion, 2)
  assert.equal(schedule.installments.length, 23)
  assert.deepEqual(await wantedOf(caseRef), wanted)
  const [kept] = await db<{ scheduleVersion: number; reason: string; rows: { due: { principal: string } }[] }>`
    select schedule_version, reason, rows from schedule_history where case_ref = ${caseRef}`
  assert.equal(kept!.scheduleVersion, 1)
  assert.equal(kept!.reason, 'agreed with the borrower')
  assert.deepEqual(
    kept!.rows.map(({ due }) => BigInt(due.principal)),
    before.map(({ principal }) => principal),
  )
})

test('D3 §2.5: a charge on a row that fell due is owed at once, and makes a paid row unpaid', async () => {
  const caseRef = await open()
  await receive(caseRef, 4790_00n, '2026-11-27')
  await endDay('2026-11-27')
  const wanted = await wantedOf(caseRef)
  wanted[0]!.charges = 295_00n
  wanted[5]!.charges = 100_00n
  assert.equal((await amend(caseRef, wanted, '2026-11-28')).loanStatus, 'OVERDUE')
  const { soa, schedule } = await view(caseRef)
  const [first] = schedule.installments
  assert.deepEqual(
    [first!.status, first!.amountPaise, first!.paidPaise, first!.unpaidPaise],
    ['OVERDUE', 5085_00n, 4790_00n, 295_00n],
  )
  assert.deepEqual([rupees(soa.chargesPaise), rupees(soa.overduePaise)], ['295.00', '295.00'])
  const { shares } = await receive(caseRef, 300_00n, '2026-11-29')
  assert.deepEqual(
    shares.map(({ number, charges }) => [number, charges]),
    [
      [1, 295_00n],
      [2, 0n],
    ],
  )
  await endDay('2027-01-01')
  assert.equal((await balancesOf(db, caseRef)).CHARGES_INCOME, -395_00n, 'the charge of row 6 when it fell due')
})

test('D3 §2.5: a charge that is waived before it was paid is taken back in the ledger', async () => {
  const caseRef = await open()
  await endDay('2026-11-27')
  const wanted = await wantedOf(caseRef)
  wanted[0]!.charges = 295_00n
  await amend(caseRef, wanted, '2026-11-28')
  wanted[0]!.charges = 0n
  await amend(caseRef, wanted, '2026-11-29')
  const { CHARGES, CHARGES_INCOME } = await balancesOf(db, caseRef)
  assert.deepEqual([CHARGES, CHARGES_INCOME], [0n, 0n])
  const entries = (await readEntries(db, caseRef)).filter(({ kind }) => kind === 'AMENDMENT')
  assert.deepEqual(
    entries.map(({ entryId }) => entryId),
    ['amendment-2', 'amendment-3'],
  )
})

const wrong: Record<string, (rows: AmendedRow[]) => void> = {
  'a row is missing': (rows) => rows.pop(),
  'numbers have a hole': (rows) => (rows[4]!.number = 7),
  'days are out of order': (rows) => (rows[9]!.dueOn = rows[8]!.dueOn),
  'the principal is another one': (rows) => (rows[9]!.principal += 1n),
  'a row that fell due has other interest': (rows) => (rows[0]!.interest += 1_00n),
  'a row that fell due is moved': (rows) => (rows[0]!.dueOn = '2026-11-28'),
  'a later row is put into the past': (rows) => (rows[2]!.dueOn = '2026-12-04'),
  'a row asks for less than was paid of it': (rows) => (rows[1]!.interest = 439_00n),
  'an amount is negative': (rows) => (rows[12]!.charges = -1n),
}
for (const [name, change] of Object.entries(wrong))
  test(`D3 §4.4: a schedule is not amended when ${name}`, async () => {
    const caseRef = await open()
    await endDay('2026-11-27')
    await receive(caseRef, 4790_00n + 440_00n, '2026-11-28')
    const before = await view(caseRef)
    const rows = await wantedOf(caseRef)
    change(rows)
    await assert.rejects(amend(caseRef, rows), refused('invalid'))
    assert.deepEqual(await view(caseRef), before)
  })

test('D3 §4.4: there is nothing to amend before there is an account', async () => {
  await assert.rejects(amend(await newCase(db, 903, new Date()), []), refused('absent'))
})
