// Nothing is lost or doubled although programs, database and disk fail again and again while loans are made.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { advanceClock, simulatedTime } from '@lendloom/cli/src/clock/advance.ts'
import { clockFile } from '@lendloom/cli/src/installation.ts'
import { registerEndpoint } from '@lendloom/platform/src/integrators/webhook/manage-endpoints.ts'
import { option } from '../bench/setup/api.ts'
import { noteBooks, noteDrained, noteExchange, noteNextActs, noteOnce } from './chaos/counts.ts'
import { type Chaos, causeFaults, faultKinds, mountSmallDisk } from './chaos/faults.ts'
import { type Loans, products, runLoans } from './chaos/loans.ts'
import type { Outcome } from './main.ts'
import { type Checks, checks, wordsOf } from './setup/checks.ts'
import { type Installation, startInstallation } from './setup/installation.ts'
import { delivered, type Receiver, startReceiver } from './setup/receiver.ts'
import { missingOf, sessions } from './setup/sessions.ts'
import { send, type Traffic } from './setup/traffic.ts'

export const about = `Programs killed and frozen, database crashed, disk full, while loans of every product run: nothing lost or doubled
Two APIs and two workers each of platform and partner, the sandbox, one PostgreSQL. Borrowers go from their session to the money at
the lending partner, over the network, with gold and against funds, while other sessions are opened. Faults come at seeded random
moments: a kill of one or two processes, a freeze of seconds, or of more than a worker's lease, a crash of the database, a full
disk for the partner's files (needs root). Then the clock moves by eight days in steps, so that instalments are debited, with
further kills. Every loan must reach its end; every session that was acknowledged must be there; every update must have come, in the
order of its journey; every event of both sides must be applied once and in order; every payout and debit must be made once; the
books must balance; and no queue may hold anything.
Options: --kills <n> (50), --seed <n> (1).`

export async function run(args: string[]): Promise<Outcome> {
  const times = option(args, 'kills', 50)
  const seed = option(args, 'seed', 1)
  const home = mkdtempSync(join(tmpdir(), 'lendloom-chaos-'))
  const disk = mountSmallDisk()
  if (!disk) console.log('SKIPPED: full disk, which needs the right to mount a file system')
  const env = { CLOCK_FILE: clockFile(home), ...(disk && { PARTNER_FILES_DIR: join(disk.directory, 'files') }) }
  const installation = await startInstallation({ env })
  const receiver = await startReceiver()
  const all = checks()
  try {
    const { db, tenant, seal, platformUrl } = installation
    await db.tx((tx) => registerEndpoint(tx, seal, tenant, { url: receiver.url, statuses: null, at: new Date() }))
    const traffic = send(Number(new URL(platformUrl).port), {
      senders: 2,
      next: sessions(installation, 'chaos'),
      pauseMs: 250,
    })
    let isOver = false
    const [chaos, loans] = await Promise.all([
      causeFaults(installation, disk, { times, seed }).finally(() => {
        isOver = true
      }),
      runLoans(installation, () => isOver),
    ])
    await chaos.settle()
    await traffic.finish()
    await noteNextActs(installation, all, new Date())
    await passDays(installation, home, seed)
    await noteNextActs(installation, all, new Date(simulatedTime(clockFile(home))))
    return await judge(installation, { all, chaos, loans, traffic, receiver })
  } finally {
    receiver.stop()
    await installation.stop()
    disk?.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

/** Eight days, in which the first instalments are debited, with more kills. */
async function passDays(installation: Installation, home: string, seed: number): Promise<void> {
  const kills = causeFaults(installation, null, { times: 4, seed: seed + 1 })
  const dayMs = 86_400_000
  const passing = advanceClock({
    file: clockFile(home),
    env: {},
    programs: [],
    otherDatabaseUrls: Object.values(installation.databaseUrls),
    spanMs: 8 * dayMs,
    stepMs: dayMs,
    // Hundreds of credit lines are polled every day, each at its own second.
    minStepMs: 60_000,
  })
  await Promise.all([passing, kills])
  await (await kills).settle()
}

/** How far each lender of the journey is. */
const lendersOf = ({ db }: Installation, journeyId: string): Promise<object[]> =>
  db`select c.stage, c.awaited_action, c.awaited_until, c.awaited_try, c.ended_because, c.updated_at, o.status, o.reason
    from conversation c left join offer o using (tenant_id, journey_id, conversation_id) where c.journey_id = ${journeyId}`

interface Run {
  all: Checks
  chaos: Chaos
  loans: Loans
  traffic: Traffic
  receiver: Receiver
}

const drainSeconds = 240

async function judge(installation: Installation, { all, chaos, loans, traffic, receiver }: Run): Promise<Outcome> {
  for (const failure of loans.failures) {
    console.log(`STUCK: ${failure}`)
    const [journeyId = null] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(failure) ?? []
    const lenders = journeyId ? await lendersOf(installation, journeyId) : []
    if (lenders.length > 0) console.table(lenders)
  }
  all.note(
    'every loan reached its end',
    loans.failures.length === 0,
    `${loans.started - loans.failures.length} of ${loans.started}`,
  )
  await noteDrained(installation, all, drainSeconds)
  const missing = await missingOf(installation, traffic)
  all.note('every session that was acknowledged is there', missing === 0, `${missing} of ${traffic.accepted.size} lost`)
  all.note('no request was rejected', traffic.refused.size === 0, [...traffic.refused].join(' '))
  const updates = await delivered(installation, receiver, drainSeconds)
  all.note(
    'every update has arrived',
    updates.absent === 0,
    `${updates.updates}, ${updates.repeated} of them twice or more`,
  )
  all.note('the updates of each journey arrived in order', updates.disordered === 0, updates.disordered)
  all.note('control: in reverse, they are out of order', updates.reversed > 0, updates.reversed)
  const events = await noteExchange(installation, all)
  await noteOnce(installation, all, loans.cases.length)
  await noteBooks(installation, all, loans.cases)
  const faults = faultKinds.map((kind) => `${chaos.counts[kind]} ${kind}`).join(', ')
  const made = products.map((product) => `${loans.ended[product]} ${product}`).join(', ')
  const figures = `${faults}; ${made}; ${traffic.accepted.size} sessions, ${updates.updates} updates, ${events} events; ${wordsOf(all)}`
  return { passed: all.failed.length === 0, figures }
}
