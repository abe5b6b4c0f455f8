// The database is killed under load and restarted: the programs complete their work and lose no confirmed effect.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createDatabase, type Postgres, startPostgres } from '@lendloom/cli/src/postgres/server.ts'
import { findViolations } from '#test/oracles/judge.ts'
import { newApplicant, openSession } from '#test/setup/borrower.ts'
import { startListener } from '#test/setup/listener.ts'
import {
  type CompletedLoan,
  completeLoan,
  openSessionWithRetry,
  retryTransient,
  seededRandom,
} from '#test/setup/patience.ts'
import { freePort, type Reply } from '#test/setup/platform.ts'
import { patientSettings, startPrograms, until } from '#test/setup/programs.ts'

// Named like the folders of test servers, so that the next run removes it if this run is killed.
const home = mkdtempSync(join(tmpdir(), `lendloom-test-${process.pid}-`))
const directory = join(home, 'postgres')
const port = await freePort()
const settings = { fsync: 'off', io_method: 'sync', shared_buffers: '64MB' }
let server: Postgres = await startPostgres({ directory, port, settings })
after(async () => {
  await server.stop()
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
})
const databases = {
  platform: await createDatabase(server.url, 'platform'),
  sandbox: await createDatabase(server.url, 'sandbox'),
}
const programs = await startPrograms({ databases, env: { ...patientSettings, DATABASE_SECONDS: '5' } })
const { platformUrl, sandboxUrl, tenant } = programs
const listener = await startListener(platformUrl, tenant)

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const statusOf = async (url: string): Promise<number> => (await fetch(url)).status

/** Kills the database server and restarts it after `downMs`. */
async function causeOutage(signal: 'SIGKILL' | 'SIGQUIT', downMs: number): Promise<void> {
  process.kill(server.pid, signal)
  await server.ended
  await until(
    'the platform reports that it is not ready',
    async () => (await statusOf(`${platformUrl}/readyz`)) === 503,
  )
  await sleep(downMs)
  server = await startPostgres({ directory, port, settings })
}

/** An integrator that opens sessions one after another until stopped. */
function startPersistentIntegrator() {
  const answers: { person: ReturnType<typeof newApplicant>; reply: Reply }[] = []
  let isStopped = false
  after(() => {
    isStopped = true
  })
  const ended = (async () => {
    for (; !isStopped; await sleep(40)) {
      const person = newApplicant()
      answers.push({ person, reply: await openSession(platformUrl, tenant, person) })
    }
  })()
  return {
    async stop() {
      isStopped = true
      await ended
      return answers
    },
  }
}

test('D1 §6, §7: the programs recover from PostgreSQL crashes under load without intervention', async () => {
  const random = seededRandom(18)
  const loans: Promise<CompletedLoan>[] = []
  const integrator = startPersistentIntegrator()
  const { callbackUrl } = listener
  for (const signal of ['SIGKILL', 'SIGQUIT', 'SIGKILL'] as const) {
    for (let i = 0; i < 2; i++) loans.push(completeLoan(programs, newApplicant({ callbackUrl })))
    await sleep(500 + random() * 2000)
    await causeOutage(signal, 300 + random() * 1200)
  }
  const areBothReady = async () =>
    (await statusOf(`${platformUrl}/readyz`)) === 200 && (await statusOf(`${sandboxUrl}/readyz`)) === 200
  await until('both programs are ready again', areBothReady)
  const answers = await integrator.stop()
  for (const { journeyId } of await Promise.all(loans)) {
    const arrivals = await listener.waitForArrivals(journeyId, 'DISBURSED', ['webhook', 'callback'])
    assert.ok(arrivals.length >= 7)
  }
  assert.deepEqual(findViolations(listener), [])

  const refused = answers.filter(({ reply }) => reply.status !== 201)
  assert.ok(refused.length < answers.length, 'most sessions were opened')
  for (const { reply } of refused) {
    assert.ok([500, 503].includes(reply.status), `${reply.status}: ${JSON.stringify(reply.body)}`)
    const { error, data, requestID } = reply.body
    assert.equal(error.code, 'UPSTREAM_TEMPORARY_FAILURE')
    assert.equal(error.retryable, true)
    assert.equal(data, null)
    assert.ok(requestID)
  }
  for (const { person } of answers.filter(({ reply }) => reply.status === 201)) {
    const again = await retryTransient('the session', () => openSession(platformUrl, tenant, person))
    assert.equal(again.status, 200, `the confirmed session of ${person.borrowerProviderID} is lost`)
  }
})

test('D2 §8: a request that failed in the outage can be repeated with its key and has one effect', async () => {
  const person = newApplicant()
  const first = openSessionWithRetry(platformUrl, tenant, person, 'through-the-outage')
  await causeOutage('SIGKILL', 200)
  const reply = await first
  const repeatedReply = await openSessionWithRetry(platformUrl, tenant, person, 'through-the-outage')
  assert.equal(reply.status, 201)
  assert.deepEqual(repeatedReply.body, reply.body)
  const journeys = await retryTransient(
    'the journeys',
    () => programs.db<{ count: number }>`
    select count(*)::int as count from journey j join borrower b using (bucket, tenant_id, borrower_id)
    where b.external_id = ${person.borrowerProviderID}`,
  )
  assert.equal(journeys[0]!.count, 1)
})

test('FIS12 §12: all network messages obey the rules', async () => {
  assert.deepEqual(await programs.checkJourneys(), [])
})
