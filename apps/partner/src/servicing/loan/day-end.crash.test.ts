// Kills a process during the day-end. The next run completes the day-end, and every loan has every entry once.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { testAccounts } from '@lendloom/tests/setup/account'
import { until } from '@lendloom/tests/setup/programs'
import { readEntries } from '#partner/books/ledger/store.ts'

const { db, databaseUrl, open, endDay, view } = await testAccounts()

const program = `
import { quietLog } from '@lendloom/foundation/log'
import { connect } from '@lendloom/postgres/sql'
import { configFrom } from '@lendloom/foundation/config'
import { productSettings } from './apps/partner/src/origination/review/settings.ts'
import { dayEnd } from './apps/partner/src/servicing/loan/day-end.ts'
const db = connect(process.env.DATABASE_URL)
let reports = 0
// Blocks after eight reports, so that the test can kill the process before the day-end is complete.
const report = () => (++reports > 8 ? new Promise(() => {}) : undefined)
const config = configFrom(productSettings, {})
await dayEnd({ db, config, clock: () => new Date(), log: quietLog }, '2026-12-07', report, 3)
`

test('D3 §4.4: after kill -9 during a day-end, the next run completes the day-end of the remaining loans', async () => {
  const caseRefs = await Promise.all(Array.from({ length: 60 }, () => open()))
  const unfinishedLoans = async () =>
    (await db<{ n: bigint }>`select count(*) as n from loan where next_work_on <= '2026-12-07'`)[0]!.n
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  await until('the day-end of some loans is complete', async () => (await unfinishedLoans()) <= 54n)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const unfinished = await unfinishedLoans()
  assert.ok(unfinished > 0n, 'the process was killed before the day-end was complete')
  // PostgreSQL rolls back the open transactions of the killed process when it notices the closed connection.
  const { loans } = await endDay('2026-12-07')
  assert.ok(BigInt(loans) <= unfinished)
  for (const caseRef of caseRefs) {
    const ids = (await readEntries(db, caseRef)).map(({ entryId }) => entryId).sort()
    assert.deepEqual(ids, [
      'accrual-2-2026-11-30',
      'disbursement',
      'due-1',
      'due-2',
      'penalty-1-1',
      'penalty-1-2',
      'penalty-2-1',
    ])
    const { loanStatus, soa } = await view(caseRef)
    assert.equal(loanStatus, 'OVERDUE')
    assert.equal(soa.penaltyPaise, 144_00n)
  }
})
