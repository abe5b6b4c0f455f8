// Pending work of the partner includes the next day-end of its loans, at midnight in India.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidv7 } from '#kit/crypto/id.ts'
import { testAccounts } from '#test/setup/account.ts'
import { dueIn, isInProgress } from './due.ts'

test('D3 §2.1: the day-end of a due date is pending work', async () => {
  const { db, open, endDay } = await testAccounts()
  const caseRef = await open()
  const days = async () => (await dueIn(db)).map(({ what, dueAt }) => [what, dueAt.toISOString()])
  assert.deepEqual(await days(), [[`day of ${caseRef}`, '2026-11-27T18:30:00.000Z']])
  await endDay('2026-11-27')
  assert.deepEqual(await days(), [[`day of ${caseRef}`, '2026-11-30T18:30:00.000Z']], 'the first penal charge')
})

test('a job with many tries counts as a poll: it does not limit a jump, and is done once it ran after the jump', async () => {
  const { db } = await testAccounts()
  const at = new Date('2026-11-20T12:00:00.000Z')
  const add = (kind: string, attempt: number) =>
    db`insert into job ${db({ tenantId: uuidv7(), jobId: uuidv7(), kind, payload: '{}', dueAt: at, attempt })}`
  await add('consent', 4)
  await add('retry', 1)
  const rounds = (await dueIn(db)).filter(({ what }) => what.startsWith('job'))
  assert.deepEqual(rounds.map(({ what, isRound }) => [what.split(' ')[1], isRound]).sort(), [
    ['consent', true],
    ['retry', false],
  ])
  const [polling] = rounds.filter(({ isRound }) => isRound)
  assert.equal(isInProgress(polling!, at.getTime() + 1, at.getTime() - 10_000), false)
  assert.equal(isInProgress(polling!, at.getTime() + 1, at.getTime() + 1), true)
})

test('a job due in one lease is not running, but a claimed job is', async () => {
  const { db } = await testAccounts()
  const at = new Date('2026-11-20T12:00:00.000Z')
  const dueAt = new Date(at.getTime() + 15_000)
  const add = (kind: string, unansweredClaims: number) =>
    db`insert into job ${db({ tenantId: uuidv7(), jobId: uuidv7(), kind, payload: '{}', dueAt, attempt: 1, unansweredClaims })}`
  await add('later', 0)
  await add('claimed', 1)
  const jobs = (await dueIn(db)).filter(({ what }) => what.startsWith('job'))
  const inHand = jobs.filter((each) => isInProgress(each, at.getTime(), at.getTime()))
  assert.deepEqual(
    inHand.map(({ what }) => what.split(' ')[1]),
    ['claimed'],
  )
})
