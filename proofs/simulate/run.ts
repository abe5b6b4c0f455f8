// One run: loans of the lending partner under the faults of a seed, until all is quiet, and what is wrong then.

import { required } from '@lendloom/foundation/required'
import type { SandboxTenant } from '@lendloom/platform/src/integrators/access/sandbox-tenants.ts'
import { registerEndpoint } from '@lendloom/platform/src/integrators/webhook/manage-endpoints.ts'
import { platformColumns } from '@lendloom/platform/src/sealed-columns.ts'
import { connect, type Db, isTransient } from '@lendloom/postgres/sql'
import { sealWith } from '@lendloom/seal/seal'
import { enableOnlyLenders } from '@lendloom/tests/setup/lenders'
import { completePartnerLoan } from '@lendloom/tests/setup/lending-life'
import { nextActClaim, noteBooks, noteDrained, noteExchange, noteOnce, withoutNextAct } from '../chaos/counts.ts'
import { panOf } from '../chaos/loans.ts'
import type { Checks } from '../setup/checks.ts'
import { delivered } from '../setup/receiver.ts'
import { causeFaults, type Fault, lastFaultMs } from './faults.ts'
import { boot, databaseUrl, drive, kill, openSite, programNames, type Site, type Template, urlOf } from './programs.ts'
import { type Owner, within } from './scheduler.ts'

export interface RunOptions {
  seed: number
  loans: number
  faults: Fault[]
  /** Days that pass after the loans. */
  days: number
  /** The time in which borrowers begin. */
  windowMs: number
  onStep?: (line: string) => void
}

export interface Failure {
  claim: string
  what: unknown
}

export interface RunResult {
  /** What does not hold; empty if all does. */
  failures: Failure[]
  steps: number
  simulatedMs: number
  /** Of all steps: the same for the same options. */
  digest: string
  figures: string
}

const receiverUrl = 'http://127.0.0.1:6009/hook'
const hourMs = 3_600_000
const dayMs = 86_400_000
const pauseMs = 5000
/** Pause between two looks for journeys without a next act. */
const lookMs = 250

export async function runSeed(template: Template, options: RunOptions): Promise<RunResult> {
  const site = await openSite(options.seed, template)
  const { scheduler } = site
  const beganAt = scheduler.now
  scheduler.onStep = ({ owner, what }) =>
    options.onStep?.(`${((scheduler.now - beganAt) / 1000).toFixed(6)} ${owner?.name ?? '-'} ${what}`)
  const run: Run = { site, options, people: [], failures: [], caseRefs: [] }
  const figures = await play(run).catch((error: Error) => {
    run.failures.push({ claim: 'the run ends', what: error.message })
    return 'not judged'
  })
  const { failures } = run
  const result = {
    failures,
    steps: scheduler.steps,
    simulatedMs: scheduler.now - beganAt,
    digest: scheduler.digest(),
    figures,
  }
  await endRun(run)
  return result
}

interface Run {
  site: Site
  options: RunOptions
  /** Owners that are not programs. */
  people: Owner[]
  failures: Failure[]
  caseRefs: string[]
}

const person = ({ people }: Run, name: string): Owner => {
  const owner = { name, isAlive: true, skewMs: 0 }
  people.push(owner)
  return owner
}

async function play(run: Run): Promise<string> {
  const { site, options } = run
  const { scheduler } = site
  await drive(scheduler, Promise.all(programNames.map((name) => boot(site, name))), 'the programs start')
  const judge = person(run, 'judge')
  const databases = within(judge, () => ({
    db: connect(databaseUrl('platform'), { connections: 2 }),
    partnerDb: connect(databaseUrl('partner'), { connections: 2 }),
    sandboxDb: connect(databaseUrl('sandbox'), { connections: 2 }),
  }))
  const { tenant } = required(site.announced.get('platform'), 'the announcement of the platform').sandbox as {
    tenant: SandboxTenant
  }
  const came = receive(site, person(run, 'receiver'))
  await drive(
    scheduler,
    within(judge, () => prepareTenant(site, databases.db, tenant)),
    'the tenant is prepared',
  )
  causeFaults(site, options.faults)
  within(judge, () => watchJourneys(run, databases.db))
  const loans = Array.from({ length: options.loans }, (_, i) =>
    within(person(run, `borrower ${i}`), () => borrow(run, { number: i, tenant, db: databases.db })),
  )
  const faultsEndAt = scheduler.now + lastFaultMs(options.faults)
  await drive(scheduler, Promise.all(loans), 'the loans', hourMs)
  await passTime(site, Math.max(0, faultsEndAt - scheduler.now) + pauseMs)
  for (let day = 0; day < options.days; day++) {
    scheduler.now += dayMs
    await passTime(site, pauseMs)
  }
  const judging = within(judge, () => judgeAll(run, databases, came))
  return drive(scheduler, judging, 'the judgement', hourMs)
}

/** The partner is the only lender, and the integrator receives updates. */
const prepareTenant = (site: Site, db: Db, tenant: SandboxTenant): Promise<void> =>
  db.tx(async (tx) => {
    await enableOnlyLenders(tx, tenant.tenantId, [])
    const seal = sealWith(site.env.platform.LENDLOOM_KEYS ?? '', '', platformColumns)
    await registerEndpoint(tx, seal, tenant, { url: receiverUrl, statuses: null, at: new Date() })
  })

interface Borrowing {
  number: number
  tenant: SandboxTenant
  db: Db
}

async function borrow({ options, failures, caseRefs }: Run, { number, tenant, db }: Borrowing): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, (number * options.windowMs) / options.loans))
  await completePartnerLoan({ platformUrl: urlOf('platform'), tenant, db }, panOf(number)).then(
    (caseRef) => void caseRefs.push(caseRef),
    (error: Error) => void failures.push({ claim: 'every loan reached its end', what: `${number}: ${error.message}` }),
  )
}

interface Databases {
  db: Db
  partnerDb: Db
  sandboxDb: Db
}

async function judgeAll({ failures, caseRefs }: Run, databases: Databases, came: string[]): Promise<string> {
  const all: Checks = {
    total: 0,
    failed: [],
    note(claim, holds, what) {
      all.total++
      if (!holds) failures.push({ claim, what })
    },
  }
  await noteDrained(databases, all, 60)
  const updates = await delivered(databases, { came })
  all.note('every update has arrived', updates.absent === 0, updates.absent)
  all.note('the updates of each journey arrived in order', updates.disordered === 0, updates.disordered)
  const events = await noteExchange(databases, all)
  await noteOnce(databases, all, caseRefs.length)
  await noteBooks(databases, all, caseRefs)
  return `${caseRefs.length} loans, ${events} events, ${updates.updates} updates, ${all.total} checks`
}

/**
 * Looks again and again, and so after every fault, for an active journey that has neither an act of the borrower nor a job.
 * While the database is down there is nothing to see.
 */
async function watchJourneys({ site, options, failures }: Run, db: Db): Promise<void> {
  const beganAt = site.scheduler.now
  const isLosingJobs = () =>
    options.faults.some(
      (fault) =>
        fault.kind === 'lost jobs' &&
        beganAt + fault.at <= site.scheduler.now &&
        site.scheduler.now < beganAt + fault.at + fault.ms,
    )
  const seen = new Set<string>()
  let areLost = false
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, lookMs))
    if (isLosingJobs() !== areLost)
      await loseJobs(db, !areLost).then(
        () => (areLost = !areLost),
        () => {},
      )
    const found = await withoutNextAct(db, new Date()).catch((error: Error) =>
      isTransient(error) ? [] : [error.message],
    )
    for (const what of found) if (!seen.has(what)) failures.push({ claim: nextActClaim, what })
    for (const what of found) seen.add(what)
  }
}

/** Runs the steps of this span. */
async function passTime({ scheduler }: Site, ms: number): Promise<void> {
  const until = scheduler.now + ms
  while ((scheduler.nextAt() ?? until) < until) await scheduler.step()
  scheduler.now = Math.max(scheduler.now, until)
}

/** The integrator's webhook receiver; returns the `webhook-id` of each request. */
function receive({ network }: Site, owner: Owner): string[] {
  const came: string[] = []
  network.listen(Number(new URL(receiverUrl).port), {
    owner,
    async answer({ headers }) {
      came.push(String(headers['webhook-id']))
      return { status: 204, headers: {}, body: Buffer.alloc(0) }
    },
  })
  return came
}

const maxLastSteps = 100_000

/** Ends all that this run began: memory that runs share, such as the queue of retries, must not wait for it. */
async function endRun({ site, people }: Run): Promise<void> {
  for (const name of programNames) kill(site, name)
  for (const each of people) each.isAlive = false
  site.scheduler.onStep = undefined
  for (let i = 0; i < maxLastSteps; i++) if (!(await site.scheduler.step())) return
}

/** Makes PostgreSQL store no job, or store them again. A worker that is handed a new job at once gets none either. */
async function loseJobs(db: Db, areLost: boolean): Promise<void> {
  await db`drop trigger if exists lose_jobs on job`
  if (!areLost) return
  await db`create or replace function lose_job() returns trigger language plpgsql as 'begin return null; end'`
  await db`create trigger lose_jobs before insert on job for each row execute function lose_job()`
  await db`delete from job`
}
