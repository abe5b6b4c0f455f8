// The pending work of a program: the next day-end of each loan, polls, and claimed jobs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidv7 } from '#kit/crypto/id.ts'
import { testAccounts } from '#test/setup/account.ts'
import { dueIn, isInProgress } from './due.ts'

test('D3 §2.1: the next day-end of a loan, at midnight in India, is pending work', async () => {
  const { db, open, endDay } = await testAccounts()
  const caseRef = await open()
  const days = async () => (await dueIn(db)).map(({ what, dueAt }) => [what, dueAt.toISOString()])
  assert.deepEqual(await days(), [[`day of ${caseRef}`, '2026-11-27T18:30:00.000Z']])
  await endDay('2026-11-27')
  assert.deepEqual(await days(), [[`day of ${caseRef}`, '2026-11-30T18:30:00.000Z']], 'the first penal charge')
})

test('a job with many attempts counts as a poll, which is finished once it has run after a step of the clock', async () => {
  const { db } = await testAccounts()
  const at = new Date('2026-11-20T12:00:00.000Z')
  const add = (kind: string, attempt: number) =>
    db`insert into job ${db({ tenantId: uuidv7(), jobId: uuidv7(), kind, payload: '{}', dueAt: at, attempt })}`
  await add('consent', 4)
  await add('retry', 1)
  const jobs = (await dueIn(db)).filter(({ what }) => what.startsWith('job'))
  assert.deepEqual(jobs.map(({ what, isPoll }) => [what.split(' ')[1], isPoll]).sort(), [
    ['consent', true],
    ['retry', false],
  ])
  const [poll] = jobs.filter(({ isPoll }) => isPoll)
  assert.equal(isInProgress(poll!, at.getTime() + 1, at.getTime() - 10_000), false)
  assert.equal(isInProgress(poll!, at.getTime() + 1, at.getTime() + 1), true)
})

test('a claimed job is in progress until its lease ends, unlike an unclaimed job that is due at the same time', async () => {
  const { db } = await testAccounts()
  const at = new Date('2026-11-20T12:00:00.000Z')
  const leaseMs = 15_000
  const dueAt = new Date(at.getTime() + leaseMs)
  const add = (kind: string, unansweredClaims: number) =>
    db`insert into job ${db({ tenantId: uuidv7(), jobId: uuidv7(), kind, payload: '{}', dueAt, attempt: 1, unansweredClaims })}`
  await add('later', 0)
  await add('claimed', 1)
  const jobs = (await dueIn(db)).filter(({ what }) => what.startsWith('job'))
  const inProgress = jobs.filter((each) => isInProgress(each, at.getTime(), at.getTime()))
  assert.deepEqual(
    inProgress.map(({ what }) => what.split(' ')[1]),
    ['claimed'],
  )
})
