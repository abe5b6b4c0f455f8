// Several processes of each program share the work of one database. If one of each dies, nothing is lost or done twice.
import { randomInt, randomUUID } from 'node:crypto'
import { registerEndpoint } from '@lendloom/platform/src/integrators/webhook/manage-endpoints.ts'
import { assertAllApplied, completePartnerLoan } from '@lendloom/tests/setup/lending-life'
import { option } from '../bench/setup/api.ts'
import { sampleBorrower } from '../bench/setup/opening-sample.ts'
import type { Outcome } from './main.ts'
import { checks, wordsOf } from './setup/checks.ts'
import { idleTransactions, wakeUpMs } from './setup/idle.ts'
import { type Installation, type Process, startInstallation } from './setup/installation.ts'
import { delivered, type Receiver, startReceiver } from './setup/receiver.ts'
import { missingOf, payouts, sessions } from './setup/sessions.ts'
import { send } from './setup/traffic.ts'
import { until } from './setup/until.ts'

export const about = `Two APIs and two workers each of platform and partner, one of each killed: every event once, every webhook in order
Platform and partner each on a PostgreSQL of its own, with the sandbox around them and a balancer before the APIs. Borrowers go from their session to the money
of the lending partner, so that events run both ways, while other sessions are opened; every lifecycle update is posted to a
receiver. When all four workers have worked, one API and one worker of each program are killed and stay away. Every loan must
be paid out, once; every event of both sides must be stored and applied once; every update must have come, those of a journey
in their order; and every session that was acknowledged must be there. Then nothing is left to do: how soon an update of a new session is on its
way is measured. Last, one worker of each at the pace of production, with nothing to do: how many transactions each makes.
Options: --loans <n> (6).`

export async function run(args: string[]): Promise<Outcome> {
  const loans = option(args, 'loans', 6)
  const installation = await startInstallation({ ownServers: true })
  const receiver = await startReceiver()
  const all = checks()
  try {
    const { db, tenant, seal, platformUrl, processes } = installation
    await db.tx((tx) => registerEndpoint(tx, seal, tenant, { url: receiver.url, statuses: null, at: new Date() }))
    const traffic = send(Number(new URL(platformUrl).port), {
      senders: 4,
      next: sessions(installation, 'workers'),
      pauseMs: 100,
    })
    const lives = Promise.all(Array.from({ length: loans }, (_, i) => completePartnerLoan(installation, panOf(i))))
    lives.catch(() => {})
    const before = await worked(processes)
    const [dying, staying] = halves(processes)
    for (const each of dying) await each.kill()
    console.log(`killed: ${dying.map(({ program, mode }) => `${mode} of the ${program}`).join(', ')}`)
    const cases = await lives
    await traffic.finish()
    const events = await exchanged(installation, cases)
    all.note(`${loans} loans are made and every event of both sides is applied once`, true, `${events} events`)
    all.note('each loan was paid out once', (await payouts(installation)) === loans)
    all.note(
      'every session that was acknowledged is there',
      (await missingOf(installation, traffic)) === 0,
      traffic.accepted.size,
    )
    all.note('no request was rejected', traffic.refused.size === 0)
    const { updates, repeated, absent, disordered, reversed } = await delivered(installation, receiver)
    all.note('every update has arrived', absent === 0, `${updates} updates, ${repeated} of them twice or more`)
    all.note('the updates of each journey arrived in order', disordered === 0)
    all.note('control: in reverse, they are detected as out of order', reversed > 0, reversed)
    const after = await workOf(staying.filter(({ mode }) => mode === 'worker'))
    const shares = shareOf(before, after)
    all.note(
      'all four workers had work',
      shares.every(({ done }) => done > 0),
      shares.map(({ name, done }) => `${name} ${done}`).join(', '),
    )
    const wake = await wakeUpMs(15, () => opened(installation, receiver))
    all.note(
      'an update is at its receiver within 100 ms of the answer, by the median',
      wake <= 100,
      `${wake.toFixed(0)} ms`,
    )
    await installation.stop()
    const idle = await idleWorkers()
    for (const [program, rate] of Object.entries(idle))
      all.note(
        `the worker of the ${program}, with nothing to do, makes at most 2 transactions a second`,
        rate <= 2,
        rate.toFixed(1),
      )
    const counts = `${loans} loans, ${events} events, ${traffic.accepted.size} sessions, ${updates} updates, longest gap ${(traffic.longestGapMs() / 1000).toFixed(1)} s, woken in ${wake.toFixed(0)} ms, idle ${idle.platform.toFixed(1)} and ${idle.partner.toFixed(1)} transactions/s`
    return { passed: all.failed.length === 0, figures: `${counts}; ${wordsOf(all)}` }
  } finally {
    receiver.stop()
    await installation.stop()
  }
}

/** One borrower per loan, because the lender limits what it lends to one person. */
const panOf = (number: number): string => `ABCPE${1200 + number}F`

/** The first of each kind is killed, the second keeps running. */
function halves(processes: Process[]): [dying: Process[], staying: Process[]] {
  const isFirst = (each: Process) =>
    processes.find(({ program, mode }) => program === each.program && mode === each.mode) === each
  return [processes.filter(isFirst), processes.filter((each) => !isFirst(each))]
}

/** Transactions per second of one idle worker of each program, with the default intervals. */
async function idleWorkers(): Promise<Awaited<ReturnType<typeof idleTransactions>>> {
  const env = {
    BANK_POLL_SECONDS: '20',
    STATUS_POLL_SECONDS: '30',
    PARTNER_STATUS_SECONDS: '30',
    LENDLOOM_TIME_SCALE: '1',
  }
  // Transactions by PostgreSQL itself do not count.
  const installation = await startInstallation({ each: 1, env, settings: { autovacuum: 'off' } })
  try {
    for (const { mode, kill } of installation.processes) if (mode === 'api') await kill()
    return await idleTransactions(installation, 60)
  } finally {
    await installation.stop()
  }
}

/** Opens one session; returns a function that checks whether its update has arrived. */
async function opened({ platformUrl, tenant }: Installation, { came }: Receiver): Promise<() => boolean> {
  const sample = sampleBorrower(`idle-${randomUUID()}`)
  const body = JSON.stringify({ ...sample, profile: { ...sample.profile, contactNumber: `8${randomDigits()}` } })
  const headers = { authorization: `Bearer ${tenant.apiKey}`, 'content-type': 'application/json' }
  const before = came.length
  const { status } = await fetch(`${platformUrl}/api/lab/sessions`, { method: 'POST', headers, body })
  if (status >= 300) throw new Error(`a session was answered with ${status}`)
  return () => came.length > before
}

const randomDigits = (): string => String(randomInt(1e9)).padStart(9, '0')

interface Work {
  process: Process
  done: number
}

const counted = ['inbox_settled_total', 'outbox_tries_total', 'webhook_tries_total', 'jobs_total']

/** The work done by each process, from its own metrics. */
const workOf = (workers: Process[]): Promise<Work[]> =>
  Promise.all(
    workers.map(async (process) => {
      const text = await (await fetch(`http://127.0.0.1:${process.port}/metrics`)).text()
      const lines = text.split('\n').filter((line) => counted.some((name) => line.startsWith(name)))
      return { process, done: lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0) }
    }),
  )

/** The work that each worker has done before one is killed. */
const least = 10

/** Waits until each worker has done that much work. */
async function worked(processes: Process[]): Promise<Work[]> {
  const workers = processes.filter(({ mode }) => mode === 'worker')
  let work: Work[] = []
  await until(
    async () => {
      work = await workOf(workers)
      return work.every(({ done }) => done >= least)
    },
    'every worker has worked',
    120,
  )
  return work
}

const shareOf = (before: Work[], after: Work[]) =>
  before.map(({ process, done }, i) => ({
    name: `${process.program} ${(i % 2) + 1}`,
    done: after.find((each) => each.process === process)?.done ?? done,
  }))

/** Waits until the events of each side are delivered and applied exactly once at the other; returns the number of events. */
async function exchanged({ db, partnerDb }: Installation, cases: string[]): Promise<number> {
  for (const caseRef of cases) {
    await assertAllApplied(db, partnerDb, caseRef)
    await assertAllApplied(partnerDb, db, caseRef)
  }
  const counts = await Promise.all(
    [db, partnerDb].map((side) => side<{ count: number }>`select count(*)::int as count from outbox`),
  )
  return counts.reduce((sum, [row]) => sum + (row?.count ?? 0), 0)
}
