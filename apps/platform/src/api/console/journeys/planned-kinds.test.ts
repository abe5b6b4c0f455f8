// The kinds of jobs that a timeline knows: every worker has one of them, or works on something other than a journey.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exposition } from '@lendloom/foundation/metrics'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { plannedKinds } from '@lendloom/wire/console/journey-lists'
import { platformWork } from '#platform/work.ts'

/** Their jobs name neither a journey nor a case, so that no timeline has them. */
const kindsOfNoJourney = [
  'audit-heads',
  'complaint-clock',
  'erasure',
  'figures',
  'loan-look-begin',
  'loan-look-day',
  'loan-look-page',
  'mail',
  'mail-in',
  'sweep',
  'webhook-alert',
  'webhook-check',
  'webhook-replay',
]

test('timeline: the console has words for every kind of job that a journey may have', async () => {
  const { ctx } = await testPlatform()
  const workers = platformWork(ctx)
  // The metrics have the jobs of all programs in this process, and the database the queues of this one.
  const { text } = await exposition()
  const ofJobs = [...text.matchAll(/^jobs_total\{kind="([^"]+)"/gm)].map(([, kind]) => kind!)
  const kinds = new Set(ofJobs.filter((kind) => ctx.db.takers.has(kind)))
  await Promise.all(workers.map((worker) => worker.stop()))
  assert.deepEqual(
    plannedKinds.filter((kind) => !kinds.has(kind)),
    [],
    'no worker has these kinds',
  )
  const others = [...kinds].filter((kind) => !plannedKinds.some((each) => each === kind)).toSorted()
  assert.deepEqual(others, kindsOfNoJourney)
})
