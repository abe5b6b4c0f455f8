// The job queue: workers claim jobs of one table by lease, and retry failed jobs.

import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, secondsAfter } from '@lendloom/foundation/clock'
import type { Log } from '@lendloom/foundation/log'
import { counter } from '@lendloom/foundation/metrics'
import { publicMessageOf } from '@lendloom/foundation/refusal'
import { doublingPauses, pauseSeconds, type Schedule, schedule } from '@lendloom/foundation/schedule'
import { continueTrace, type SpanFacts, type StoredTrace, storedTrace } from '@lendloom/foundation/trace'
import { type Db, type Run, sql, type Tx } from '@lendloom/postgres/sql'
import { uuidv4, uuidv7 } from '@lendloom/seal/id'
import { loop, type Worker } from './worker-loop.ts'

export { loop, type Worker } from './worker-loop.ts'

export interface Job<Payload = unknown> extends StoredTrace {
  tenantId: string
  jobId: string
  kind: string
  payload: Payload
  attempt: number
  /** Consecutive attempts in which the worker died or hung. */
  lostLeases: number
  enqueuedAt: Date
}

export interface NewJob {
  tenantId: string
  kind: string
  payload: unknown
  dueAt: Date
  /** A further job with the same tenant, kind and key is ignored until the first job is done. */
  key?: string
  /** Whether it is due more than a second later, so that the watch finds it in time and no worker is woken now. */
  isForLater?: boolean
}

/** The tenant id of rows that belong to no tenant. */
export const noTenantId = '00000000-0000-0000-0000-000000000000'

/**
 * Adds a job if the caller's transaction commits. If a worker of this process has a free slot, the job is added as
 * claimed by it.
 */
export async function enqueue(tx: Tx, { tenantId, kind, key, payload, dueAt, isForLater }: NewJob): Promise<void> {
  const slot = isForLater ? null : tx.reserve(kind, dueAt)
  const claim = slot ? { dueAt: slot.leaseEnd, attempt: 1, unansweredClaims: 1 } : { dueAt }
  const row = { tenantId, jobId: uuidv7(), kind, key: key ?? null, payload: JSON.stringify(payload), ...claim }
  const added = await tx<Omit<Job, 'lostLeases'>>`insert into job ${tx({ ...row, ...storedTrace() })}
    ${key === undefined ? sql`` : sql`on conflict (tenant_id, kind, key) do nothing`}
    returning tenant_id, job_id, kind, payload, attempt, enqueued_at, correlation_id, traceparent`
  if (slot && added[0]) slot.hand({ ...added[0], lostLeases: 0 })
  else if (!isForLater) tx.wake(kind)
}

type JobKey = Required<Pick<NewJob, 'tenantId' | 'kind' | 'key'>>

/** Returns the payload of a waiting or running job; null for an unknown key. */
export async function payloadOf<Payload>(db: Run, { tenantId, kind, key }: JobKey): Promise<Payload | null> {
  const [job] = await db<{ payload: Payload }>`
    select payload from job where tenant_id = ${tenantId} and kind = ${kind} and key = ${key}`
  return job?.payload ?? null
}

/**
 * Makes a waiting job due now. The caller must know that no worker is running it. The job gets a new id, so that a
 * worker that has just run it can no longer postpone it.
 */
export async function makeDueNow(tx: Tx, { tenantId, kind, key }: JobKey, at: Date): Promise<void> {
  await tx`
    update job set job_id = ${uuidv7()}, due_at = ${at} where tenant_id = ${tenantId} and kind = ${kind} and key = ${key}`
  tx.wake(kind)
}

export const removeJob = (db: Run, { tenantId, kind, key }: JobKey) =>
  db`delete from job where tenant_id = ${tenantId} and kind = ${kind} and key = ${key}`

type LeasedJob = Pick<Job, 'tenantId' | 'jobId' | 'attempt'>

/**
 * Removes a finished job in the transaction of its effect. Throws `LeaseLost` if another worker has claimed the job
 * meanwhile; the exception rolls the effect back, so that the job has only one effect.
 */
export async function finish(tx: Run, job: LeasedJob): Promise<void> {
  if (!(await remove(tx, job))) throw new LeaseLost('another worker has claimed the job')
  finished.add(job)
}

/** Jobs that their handler removed. If that was rolled back, the job is due again when its lease ends. */
const finished = new WeakSet<LeasedJob>()

export class LeaseLost extends Error {}

/** Every claim increments `attempt`, so the attempt identifies a lease independently of clocks. */
async function remove(db: Run, { tenantId, jobId, attempt }: LeasedJob): Promise<boolean> {
  const deleted = await db`
    delete from job where tenant_id = ${tenantId} and job_id = ${jobId} and attempt = ${attempt} returning 1`
  return deleted.length > 0
}

/** Thrown by a handler that must run again, after `seconds` or, when null, by the schedule. Not logged as a failure. */
export class RetryLater extends Error {
  readonly seconds: number | null

  constructor(seconds: number | null, why: string) {
    super(why)
    this.seconds = seconds
  }
}

export interface WorkOptions<Payload> {
  kind: string
  db: Db
  clock: Clock
  log: Log
  handle(job: Job<Payload>): Promise<void>
  /** After this time another worker claims the job of a dead process. A running worker renews its lease. */
  leaseSeconds?: number
  concurrency?: number
  /** Polling interval of this queue; by default the database watches the queue instead. */
  pollMs?: number
  /** Retry schedule of failed jobs; it must repeat forever. By default the pause doubles, up to five minutes. */
  schedule?: Schedule
  /** Handles a job whose worker died or hung twice in a row; by default `lostLeaseSchedule` postpones the job. */
  setAside?(job: Job<Payload>): Promise<void>
}

const jobs = counter('jobs_total', 'Jobs that were worked on', ['kind', 'outcome'])

export const jobSchedule = doublingPauses(2, 300)

/** After this many consecutive lost leases a job is postponed or passed to `setAside`. */
const lostLeasesBeforePostponing = 2

/**
 * Pauses after a worker died or hung twice in a row on the same job. The job is never dropped, because other work may
 * wait for it. The first pauses are short, because programs are also killed for other reasons.
 */
export const lostLeaseSchedule = schedule(['PT30S', 'PT2M', 'PT10M', 'PT1H', 'PT4H'], 'repeat')

/** Starts a worker for the jobs of one kind. Removes a job when its handler returns, unless the handler removed it. */
export function work<Payload>(options: WorkOptions<Payload>): Worker {
  const { kind, db, clock, log, leaseSeconds = 15, concurrency = 16, pollMs } = options
  jobs.inc({ kind, outcome: 'abandoned' }, 0)
  return loop<Job<Payload>>({
    queue: kind,
    db,
    log,
    concurrency,
    pollMs,
    claimsAll: true,
    lease: { clock, seconds: leaseSeconds },
    due: { clock, next: sql`select due_at from job where kind = ${kind} order by due_at limit 1` },
    claim: (free) => claimJobs<Payload>(db, { kind, at: clock(), leaseSeconds, limit: free }),
    async handle(job) {
      const stopRenewing = renewLease(options, job, leaseSeconds)
      try {
        await (job.lostLeases === 0
          ? runHandler(options, job)
          : runOneAtATime(leaseSeconds, () => retryAfterLostLease(options, job)))
      } finally {
        stopRenewing()
      }
    },
  })
}

const spanOf = ({ kind, jobId, attempt }: Job): SpanFacts => ({
  name: `job ${kind}`,
  kind: 'consumer',
  attributes: { 'lendloom.job_id': jobId, 'lendloom.attempt': attempt },
  isExpected: (error) => error instanceof RetryLater || error instanceof LeaseLost,
})

async function runHandler<Payload>(options: WorkOptions<Payload>, job: Job<Payload>): Promise<void> {
  const { kind, db, setAside } = options
  try {
    await continueTrace(job, spanOf(job), async () =>
      setAside && job.lostLeases >= lostLeasesBeforePostponing ? setAside(job) : options.handle(job),
    )
    if (!finished.has(job)) await remove(db, job)
    jobs.inc({ kind, outcome: 'done' })
  } catch (error) {
    await retryOrPostpone(options, job, error)
  }
}

/**
 * Retries a job whose worker died or hung. Counts a lost lease only here, so that jobs that wait for their turn count
 * none. Every second retry only postpones the job and counts it as abandoned, which alerts operators.
 */
async function retryAfterLostLease<Payload>(options: WorkOptions<Payload>, job: Job<Payload>): Promise<void> {
  const { tenantId, jobId, attempt, lostLeases } = job
  const updated = await options.db`
    update job set unanswered_claims = ${lostLeases + 1}
    where tenant_id = ${tenantId} and job_id = ${jobId} and attempt = ${attempt} returning 1`
  if (updated.length === 0) return
  const isPostponed =
    !options.setAside && lostLeases >= lostLeasesBeforePostponing && lostLeases % lostLeasesBeforePostponing === 0
  await (isPostponed ? postponeAfterLostLeases(options, job) : runHandler(options, job))
}

/** Resolves when the previous retry has ended or hung. */
let previousRetry: Promise<unknown> = Promise.resolve()

/** Runs one retry at a time in this process. A hung retry delays the next until its last lease ends. */
function runOneAtATime(leaseSeconds: number, work: () => Promise<void>): Promise<void> {
  const run = previousRetry.then(work)
  previousRetry = Promise.race([
    run.catch(() => {}),
    previousRetry.then(() => sleep(leaseSeconds * maxLeases * 1000, null, { ref: false })),
  ])
  return run
}

async function postponeAfterLostLeases({ kind, db, clock, log }: WorkOptions<never>, job: Job): Promise<void> {
  const seconds = pauseSeconds(lostLeaseSchedule, job.lostLeases / lostLeasesBeforePostponing)
  jobs.inc({ kind, outcome: 'abandoned' })
  log.error({ kind, jobId: job.jobId, attempt: job.attempt, seconds }, 'a job was postponed: its worker died or hung')
  const { tenantId, jobId, attempt } = job
  await db`
    update job set due_at = ${secondsAfter(clock(), seconds)}, last_error = 'its worker died or hung'
    where tenant_id = ${tenantId} and job_id = ${jobId} and attempt = ${attempt}`
}

async function retryOrPostpone(
  { kind, db, clock, log, schedule = jobSchedule }: WorkOptions<never>,
  job: Job,
  error: unknown,
): Promise<void> {
  const facts = { kind, jobId: job.jobId, attempt: job.attempt }
  jobs.inc({ kind, outcome: outcomeOf(error) })
  if (error instanceof LeaseLost) return log.warn(facts, 'another worker took over a job whose lease expired')
  const requested = error instanceof RetryLater ? error.seconds : null
  const seconds = requested ?? pauseSeconds(schedule, job.attempt)
  const dueAt = secondsAfter(clock(), seconds)
  const errorId = uuidv4()
  const isRequested = error instanceof RetryLater
  if (!isRequested) log.warn({ ...facts, err: error, errorId, seconds }, 'a job failed and will be retried')
  await postpone(db, job, dueAt, isRequested ? error.message : publicMessageOf(error, errorId))
  db.wakeAfter(kind, seconds * 1000)
}

function outcomeOf(error: unknown): string {
  if (error instanceof LeaseLost) return 'lost'
  return error instanceof RetryLater ? 'later' : 'failed'
}

interface JobClaim {
  kind: string
  at: Date
  leaseSeconds: number
  limit: number
}

/** Finds due jobs and claims them by compare-and-set on `attempt`, so that only one worker gets each job. */
async function claimJobs<Payload>(db: Db, { kind, at, leaseSeconds, limit }: JobClaim): Promise<Job<Payload>[]> {
  const due = await db<LeasedJob & Pick<Job, 'lostLeases'>>`
    select tenant_id, job_id, attempt, unanswered_claims as lost_leases
    from job where kind = ${kind} and due_at <= ${at} order by due_at limit ${limit}`
  if (due.length === 0) return []
  // The claim itself counts as one lost lease until the attempt ends: so the next claim knows whether this worker died.
  const claimed = await db<Omit<Job<Payload>, 'lostLeases'>>`
    update job set due_at = ${secondsAfter(at, leaseSeconds)}, attempt = job.attempt + 1,
      unanswered_claims = greatest(job.unanswered_claims, 1)
    from unnest((select ${due.map((row) => row.tenantId)}::uuid[]), ${due.map((row) => row.jobId)}::uuid[], ${due.map((row) => row.attempt)}::int[]) as seen (tenant_id, job_id, attempt)
    where job.tenant_id = seen.tenant_id and job.job_id = seen.job_id and job.attempt = seen.attempt and job.due_at <= ${at}
    returning job.tenant_id, job.job_id, job.kind, job.payload, job.attempt, job.enqueued_at, job.correlation_id, job.traceparent`
  // Another worker was faster: more jobs than this worker found may be due.
  if (claimed.length < due.length && due.length === limit) db.wake(kind)
  const byId = new Map(claimed.map((job) => [job.jobId, job]))
  return due.flatMap(({ jobId, lostLeases }) => {
    const job = byId.get(jobId)
    return job ? [{ ...job, lostLeases }] : []
  })
}

/** A handler that runs longer than this many leases counts as hung, and another worker may claim the job. */
const maxLeases = 10

/** Renews the lease of a running job; returns a function that stops the renewal. */
function renewLease(
  { db, clock, log, kind }: Pick<WorkOptions<never>, 'db' | 'clock' | 'log' | 'kind'>,
  { tenantId, jobId, attempt }: LeasedJob,
  leaseSeconds: number,
): () => void {
  const until = performance.now() + leaseSeconds * maxLeases * 1000
  const timer = setInterval(
    async () => {
      if (performance.now() > until) return clearInterval(timer)
      await db`
        update job set due_at = ${secondsAfter(clock(), leaseSeconds)}
        where tenant_id = ${tenantId} and job_id = ${jobId} and attempt = ${attempt}`.catch((error) =>
        log.warn({ err: error, kind, jobId, attempt }, 'a lease could not be renewed'),
      )
    },
    (leaseSeconds * 1000) / 3,
  ).unref()
  return () => clearInterval(timer)
}

/** Postpones a job, unless another worker has claimed it. */
async function postpone(db: Db, { tenantId, jobId, attempt }: LeasedJob, dueAt: Date, why: string): Promise<void> {
  await db`
    update job set due_at = ${dueAt}, last_error = ${why.slice(0, 500)}, unanswered_claims = 0
    where tenant_id = ${tenantId} and job_id = ${jobId} and attempt = ${attempt}`
}
