// Postings concurrent with the day-end: a closed day has all of its entries.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tx } from '#kit/db/sql.ts'
import { plusDays, startOf } from '#kit/money/calendar.ts'
import { trialBalance } from '#partner/ledger/books.ts'
import type { LedgerEntry } from '#partner/ledger/store.ts'
import { testAccounts } from '#test/setup/account.ts'
import { until } from '#test/setup/programs.ts'
import { closeBooks, lastBusinessDay, recordDay } from './class/store.ts'
import { postInBooks } from './end-of-day.ts'

const { db, open, endDay, setClock } = await testAccounts()
const today = '2026-11-24'
const at = startOf(today)
const entryOf = (caseRef: string, entryId: string): LedgerEntry => ({
  ...{ caseRef, entryId, kind: 'REFUND', businessOn: '2026-11-20', reverses: null },
  postings: [{ debit: 'UNAPPLIED', credit: 'REFUND_PAYABLE', installment: 0, paise: 1n }],
})
const dayOf = async (entryId: string) =>
  (await db<{ postedOn: string }>`select posted_on from ledger_entry where entry_id = ${entryId}`)[0]?.postedOn

async function recordDayIn(tx: Tx, endedOn: string): Promise<void> {
  await closeBooks(tx)
  const none = { loans: 0, entries: 0, failed: 0, classified: 0, provisionPaise: 0n, provisionChangePaise: 0n }
  await recordDay(tx, { ...none, endedOn, beganAt: at, endedAt: at })
}

const isWaiting = async (count: number): Promise<boolean> => {
  const found = await db`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%business_day%'`
  return found.length === count
}

/** A promise with a function that resolves it. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: () => resolve() }
}

test('D3 §2.5: the first day-end of all waits for concurrent postings to that day', async () => {
  const first = plusDays(today, -2)
  setClock(startOf(first))
  const caseRef = await open()
  const posted = gate()
  const committing = gate()
  const posting = db.tx(async (tx) => {
    await postInBooks(tx, [entryOf(caseRef, 'first')], startOf(first))
    posted.open()
    await committing.opened
  })
  await posted.opened
  const closing = endDay(first)
  await until(
    'the day-end waits, or is done',
    async () => (await isWaiting(1)) || (await lastBusinessDay(db)) !== undefined,
  )
  assert.equal(await lastBusinessDay(db), undefined, 'it waits for the posting')
  const next = db.tx((tx) => postInBooks(tx, [entryOf(caseRef, 'next')], startOf(first)))
  await until('a posting waits for the day-end', () => isWaiting(2))
  committing.open()
  await Promise.all([posting, closing, next])
  assert.deepEqual([await dayOf('first'), await dayOf('next')], [first, plusDays(first, 1)])
})

test('D3 §2.5: a day-end waits for concurrent postings, and the books of a closed day never change', async () => {
  setClock(at)
  const caseRef = await open()
  await endDay(plusDays(today, -1))
  const posted = gate()
  const committing = gate()
  const posting = db.tx(async (tx) => {
    await postInBooks(tx, [entryOf(caseRef, 'before')], at)
    posted.open()
    await committing.opened
  })
  await posted.opened
  const closing = endDay(today)
  await until('the day-end waits', () => isWaiting(1))
  committing.open()
  await Promise.all([posting, closing])
  assert.equal(await dayOf('before'), today)
  const books = await trialBalance(db, { from: today, to: today })
  await db.tx((tx) => postInBooks(tx, [entryOf(caseRef, 'after')], at))
  assert.equal(await dayOf('after'), plusDays(today, 1), 'the day was closed')
  assert.deepEqual(await trialBalance(db, { from: today, to: today }), books)
})

test('D3 §2.5: a posting that waited for a day-end delays the next day-end', async () => {
  const caseRef = await open()
  const last = (await lastBusinessDay(db))!.endedOn
  const [first, second] = [plusDays(last, 1), plusDays(last, 2)]
  const recorded = gate()
  const closing = gate()
  const committing = gate()
  const firstClosing = db.tx(async (tx) => {
    await recordDayIn(tx, first)
    recorded.open()
    await closing.opened
  })
  await recorded.opened
  const posted = gate()
  const posting = db.tx(async (tx) => {
    await postInBooks(tx, [entryOf(caseRef, 'waited')], startOf(first))
    posted.open()
    await committing.opened
  })
  await until('the posting waits', () => isWaiting(1))
  closing.open()
  await Promise.all([firstClosing, posted.opened])
  const secondClosing = db.tx((tx) => recordDayIn(tx, second))
  await until(
    'the next day-end waits',
    async () => (await isWaiting(1)) || (await lastBusinessDay(db))!.endedOn === second,
  )
  assert.equal((await lastBusinessDay(db))!.endedOn, first, 'it waits for the posting')
  committing.open()
  await Promise.all([posting, secondClosing])
  assert.equal(await dayOf('waited'), second)
})
