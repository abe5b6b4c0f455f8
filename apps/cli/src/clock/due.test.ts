// The pending work of a program: the next day-end of each loan, polls, and claimed jobs.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connect, type Db } from '@lendloom/postgres/sql'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import { testAccounts } from '@lendloom/tests/setup/account'
import { testDatabase } from '@lendloom/tests/setup/database'
import { dueIn, isInProgress } from './due.ts'

test('D3 §2.1: the next day-end of a loan, at midnight in India, is pending work', async () => {
  const { db, open, endDay } = await testAccounts()
  const caseRef = await open()
  const days = async () => (await dueIn(db)).map(({ what, dueAt }) => ({ what, dueAt: dueAt.toISOString() }))
  assert.deepEqual(await days(), [{ what: `day of ${caseRef}`, dueAt: '2026-11-27T18:30:00.000Z' }])
  await endDay('2026-11-27')
  assert.deepEqual(
    await days(),
    [{ what: `day of ${caseRef}`, dueAt: '2026-11-30T18:30:00.000Z' }],
    'the first penal charge',
  )
})

test('a job with many attempts counts as a poll, which is finished once it has run after a step of the clock', async () => {
  const { db } = await testAccounts()
  const at = new Date('2026-11-20T12:00:00.000Z')
  const add = (kind: string, attempt: number) =>
    db`insert into job ${db({ tenantId: uuidv7(), jobId: uuidv7(), kind, payload: '{}', dueAt: at, attempt })}`
  await add('consent', 4)
  await add('retry', 1)
  const jobs = (await dueIn(db)).filter(({ what }) => what.startsWith('job'))
  const kinds = jobs.map(({ what, isPoll }) => ({ kind: what.split(' ')[1]!, isPoll }))
  assert.deepEqual(
    kinds.toSorted((left, right) => left.kind.localeCompare(right.kind)),
    [
      { kind: 'consent', isPoll: true },
      { kind: 'retry', isPoll: false },
    ],
  )
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

test('D1 §6: the clock does not wait for a destination whose newest attempt failed, until an update reaches it', async () => {
  const db = connect(await testDatabase('platform'), { connections: 1 })
  after(() => db.close())
  const at = new Date('2026-11-20T12:00:00.000Z')
  const tenantId = uuidv7()
  const healthy = uuidv7()
  const retried = uuidv7()
  const givenUp = uuidv7()
  const failed = { lastAttemptAt: at, tookMs: 10_000 }
  for (const destinationId of [healthy, retried, givenUp]) await addDelivery(db, { tenantId, destinationId })
  await addDelivery(db, { tenantId, destinationId: retried, ...failed, attempt: 1 })
  await addDelivery(db, { tenantId, destinationId: givenUp, ...failed, attempt: 6, state: 'EXHAUSTED', dueAt: null })
  const countDue = async () => (await dueIn(db)).filter(({ what }) => what.startsWith('webhook')).length
  assert.equal(await countDue(), 1)
  const deliver = (destinationId: string, deliveredAt: Date) =>
    addDelivery(db, { tenantId, destinationId, state: 'DELIVERED', dueAt: null, attempt: 1, deliveredAt })
  await deliver(givenUp, new Date(at.getTime() - 1000))
  assert.equal(await countDue(), 1)
  await deliver(givenUp, new Date(at.getTime() + 1000))
  assert.equal(await countDue(), 2)
  await deliver(retried, new Date(at.getTime() + 1000))
  assert.equal(await countDue(), 4)
})

test('a delivery that waits 17 seconds for its retry is not in progress, unlike one that a worker has claimed', async () => {
  const db = connect(await testDatabase('platform'), { connections: 1 })
  after(() => db.close())
  const at = new Date('2026-11-20T12:00:00.000Z')
  const attempted = { attempt: 5, lastAttemptAt: at, tookMs: 20 }
  const to = { tenantId: uuidv7(), destinationId: uuidv7() }
  await addDelivery(db, { ...to, dueAt: new Date(at.getTime() + 17_000), ...attempted })
  await addDelivery(db, { ...to, dueAt: new Date(at.getTime() + 20_500), ...attempted })
  await addDelivery(db, { ...to, state: 'DELIVERED', dueAt: null, deliveredAt: new Date(at.getTime() + 100) })
  const due = (await dueIn(db)).filter(({ what }) => what.startsWith('webhook'))
  const inProgress = due.filter((each) => isInProgress(each, at.getTime() + 500, at.getTime()))
  assert.deepEqual(
    inProgress.map(({ dueAt }) => dueAt.toISOString()),
    ['2026-11-20T12:00:20.500Z'],
  )
})

async function addDelivery(db: Db, changes: object): Promise<void> {
  const journeyId = uuidv7()
  const at = new Date('2026-11-20T12:00:00.000Z')
  const ids = { tenantId: uuidv7(), applicationId: uuidv7(), deliveryId: uuidv7(), journeyId, eventId: uuidv7() }
  await db`insert into webhook_delivery ${db({
    bucket: bucketOf(journeyId),
    ...ids,
    sequence: 1,
    status: 'STARTED',
    bodySealed: Buffer.from('x'),
    state: 'PENDING',
    dueAt: at,
    createdAt: at,
    ...changes,
  })}`
}
