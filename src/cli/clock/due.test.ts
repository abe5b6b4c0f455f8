// What the partner still has to do is known from its loans too: their next day is ended at midnight in India.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testAccounts } from '#test/setup/account.ts'
import { dueIn } from './due.ts'

test('D3 §2.1: the end of a day on which a row is due is something that is due itself', async () => {
  const { db, open, endDay } = await testAccounts()
  const caseRef = await open()
  const days = async () => (await dueIn(db)).map(({ what, dueAt }) => [what, dueAt.toISOString()])
  assert.deepEqual(await days(), [[`day of ${caseRef}`, '2026-11-27T18:30:00.000Z']])
  await endDay('2026-11-27')
  assert.deepEqual(await days(), [[`day of ${caseRef}`, '2026-11-30T18:30:00.000Z']], 'the first penal charge')
})
