// Postings that run at the same time as a day-end. The books of a closed day do not change.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plusDays, startOf } from '@lendloom/lending/calendar'
import type { Tx } from '@lendloom/postgres/sql'
import { testAccounts } from '@lendloom/tests/setup/account'
import { until } from '@lendloom/tests/setup/programs'
import type { LedgerEntry } from '#partner/books/ledger/entry.ts'
import { trialBalance } from '#partner/books/ledger/trial-balance.ts'
import { closeBooks, lastBusinessDay, recordDay } from './class/store.ts'
import { postInBooks } from './post-in-books.ts'

const today = '2026-11-24'
const at = startOf(today)
const entryOf = (caseRef: string, entryId: string): LedgerEntry => ({
  caseRef,
  entryId,
  kind: 'REFUND',
  businessOn: '2026-11-20',
  reverses: null,
  postings: [{ debit: 'UNAPPLIED', credit: 'REFUND_PAYABLE', installment: 0, paise: 1n }],
})
async function closeDay(tx: Tx, endedOn: string): Promise<void> {
  await closeBooks(tx)
  const noCounts = { loans: 0, entries: 0, failed: 0, classified: 0, provisionPaise: 0n, provisionChangePaise: 0n }
  await recordDay(tx, { ...noCounts, endedOn, beganAt: at, endedAt: at })
}

/** Books without a closed day. */
async function startBooks() {
  const accounts = await testAccounts()
  const { db } = accounts
  return {
    ...accounts,
    postedOnOf: async (entryId: string) =>
      (await db<{ postedOn: string }>`select posted_on from ledger_entry where entry_id = ${entryId}`)[0]?.postedOn,
    /** Whether exactly `count` statements wait for a lock of the table business_day. */
    async areWaiting(count: number): Promise<boolean> {
      const statements = await db`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%business_day%'`
      return statements.length === count
    },
  }
}

/** Returns a promise (`opened`), and the function that resolves the promise. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: () => resolve() }
}

test('D3 §2.5: the very first day-end waits for concurrent postings to that day', async () => {
  const { db, open, endDay, setClock, postedOnOf, areWaiting } = await startBooks()
  const first = plusDays(today, -2)
  setClock(startOf(first))
  const caseRef = await open()
  const postedGate = gate()
  const commitGate = gate()
  const posting = db.tx(async (tx) => {
    await postInBooks(tx, [entryOf(caseRef, 'first')], startOf(first))
    postedGate.open()
    await commitGate.opened
  })
  await postedGate.opened
  const closing = endDay(first)
  await until(
    'the day-end waits or has finished',
    async () => (await areWaiting(1)) || (await lastBusinessDay(db)) !== undefined,
  )
  assert.equal(await lastBusinessDay(db), undefined, 'the day-end waits for the posting')
  const next = db.tx((tx) => postInBooks(tx, [entryOf(caseRef, 'next')], startOf(first)))
  await until('a posting waits for the day-end', () => areWaiting(2))
  commitGate.open()
  await Promise.all([posting, closing, next])
  assert.equal(await postedOnOf('first'), first)
  assert.equal(await postedOnOf('next'), plusDays(first, 1))
})

test('D3 §2.5: a posting after the day-end is in the books of the next day', async () => {
  const { db, open, endDay, setClock, postedOnOf, areWaiting } = await startBooks()
  setClock(at)
  const caseRef = await open()
  await endDay(plusDays(today, -1))
  const postedGate = gate()
  const commitGate = gate()
  const posting = db.tx(async (tx) => {
    await postInBooks(tx, [entryOf(caseRef, 'before')], at)
    postedGate.open()
    await commitGate.opened
  })
  await postedGate.opened
  const closing = endDay(today)
  await until('the day-end waits', () => areWaiting(1))
  commitGate.open()
  await Promise.all([posting, closing])
  assert.equal(await postedOnOf('before'), today)
  const books = await trialBalance(db, { from: today, to: today })
  await db.tx((tx) => postInBooks(tx, [entryOf(caseRef, 'after')], at))
  assert.equal(await postedOnOf('after'), plusDays(today, 1), 'the day was closed')
  assert.deepEqual(await trialBalance(db, { from: today, to: today }), books)
})

test('D3 §2.5: the next day-end waits for a posting that waited for the previous day-end', async () => {
  const { db, open, endDay, setClock, postedOnOf, areWaiting } = await startBooks()
  setClock(at)
  const caseRef = await open()
  await endDay(today)
  const last = (await lastBusinessDay(db))!.endedOn
  const first = plusDays(last, 1)
  const second = plusDays(last, 2)
  const recordedGate = gate()
  const closeGate = gate()
  const commitGate = gate()
  const firstClosing = db.tx(async (tx) => {
    await closeDay(tx, first)
    recordedGate.open()
    await closeGate.opened
  })
  await recordedGate.opened
  const postedGate = gate()
  const posting = db.tx(async (tx) => {
    await postInBooks(tx, [entryOf(caseRef, 'waited')], startOf(first))
    postedGate.open()
    await commitGate.opened
  })
  await until('the posting waits', () => areWaiting(1))
  closeGate.open()
  await Promise.all([firstClosing, postedGate.opened])
  const secondClosing = db.tx((tx) => closeDay(tx, second))
  await until(
    'the next day-end waits',
    async () => (await areWaiting(1)) || (await lastBusinessDay(db))!.endedOn === second,
  )
  assert.equal((await lastBusinessDay(db))!.endedOn, first, 'the day-end waits for the posting')
  commitGate.open()
  await Promise.all([posting, secondClosing])
  assert.equal(await postedOnOf('waited'), second)
})
