// The database dies under load and comes back: the programs live on, finish what was begun, and never say what is not so.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createDatabase, type Postgres, startPostgres } from '#cli/postgres/server.ts'
import { judged } from '#test/exactness/judge.ts'
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

// Named as the test servers are, so that a run which was killed is tidied up by the next one.
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

/** Ends the server without a chance to write anything, leaves it away for a while, and starts it again. */
async function outage(signal: 'SIGKILL' | 'SIGQUIT', awayMs: number): Promise<void> {
  process.kill(server.pid, signal)
  await server.ended
  await until('the platform says that it cannot work', async () => (await statusOf(`${platformUrl}/readyz`)) === 503)
  await sleep(awayMs)
  server = await startPostgres({ directory, port, settings })
}

/** An integrator that goes on opening sessions, one after another, until it is told to stop. */
function insisting() {
  const answers: { person: ReturnType<typeof newApplicant>; reply: Reply }[] = []
  let stopped = false
  after(() => {
    stopped = true
  })
  const ended = (async () => {
    for (; !stopped; await sleep(40)) {
      const person = newApplicant()
      answers.push({ person, reply: await openSession(platformUrl, tenant, person) })
    }
  })()
  return {
    async stop() {
      stopped = true
      await ended
      return answers
    },
  }
}

test('D1 §6, §7: PostgreSQL is killed and shut down at once under load, and nobody has to help', async () => {
  const random = seededRandom(18)
  const lives: Promise<CompletedLoan>[] = []
  const integrator = insisting()
  const { callbackUrl } = listener
  for (const signal of ['SIGKILL', 'SIGQUIT', 'SIGKILL'] as const) {
    for (let i = 0; i < 2; i++) lives.push(completeLoan(programs, newApplicant({ callbackUrl })))
    await sleep(500 + random() * 2000)
    await outage(signal, 300 + random() * 1200)
  }
  const back = async () =>
    (await statusOf(`${platformUrl}/readyz`)) === 200 && (await statusOf(`${sandboxUrl}/readyz`)) === 200
  await until('both programs work again', back)
  const answers = await integrator.stop()
  for (const { journeyId } of await Promise.all(lives)) {
    const arrivals = await listener.waitForArrivals(journeyId, 'DISBURSED', ['webhook', 'callback'], 70_000)
    assert.ok(arrivals.length >= 7)
  }
  assert.deepEqual(judged(listener), [])

  const refused = answers.filter(({ reply }) => reply.status !== 201)
  assert.ok(refused.length < answers.length, 'most sessions were opened')
  for (const { reply } of refused) {
    assert.ok([500, 503].includes(reply.status), `${reply.status}: ${JSON.stringify(reply.body)}`)
    const { error, data, requestID } = reply.body
    assert.deepEqual([error.code, error.retryable, data], ['UPSTREAM_TEMPORARY_FAILURE', true, null])
    assert.ok(requestID)
  }
  for (const { person, reply } of answers.filter(({ reply }) => reply.status === 201)) {
    const again = await retryTransient('the session', () => openSession(platformUrl, tenant, person))
    assert.equal(again.status, 200, `${person.borrowerProviderID} was promised ${reply.body.embedUrl} and is gone`)
  }
})

test('D2 §8: what failed in the outage can be asked for again under its key, and happens once', async () => {
  const person = newApplicant()
  const first = openSessionWithRetry(platformUrl, tenant, person, 'through-the-outage')
  await outage('SIGKILL', 200)
  const [one, other] = [await first, await openSessionWithRetry(platformUrl, tenant, person, 'through-the-outage')]
  assert.equal(one.status, 201)
  assert.deepEqual(other.body, one.body)
  const journeys = await retryTransient(
    'the journeys',
    () => programs.db<{ count: number }>`
    select count(*)::int as count from journey j join borrower b using (bucket, tenant_id, borrower_id)
    where b.external_id = ${person.borrowerProviderID}`,
  )
  assert.equal(journeys[0]!.count, 1)
})

test('FIS12 §12: all that was exchanged on the network in the meantime keeps its rules', async () => {
  assert.deepEqual(await programs.checkTranscripts(), [])
})
