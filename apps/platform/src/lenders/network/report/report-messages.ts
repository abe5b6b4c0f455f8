// Reports every message of the network to its collector, if one is configured (FIS12 §23).

import { daysAfter, secondsAfter } from '@lendloom/foundation/clock'
import { counter, gauge } from '@lendloom/foundation/metrics'
import { doublingPauses, pauseSeconds } from '@lendloom/foundation/schedule'
import { messageOf } from '@lendloom/foundation/thrown'
import { call, UnreachableError } from '@lendloom/http/client'
import { egressPolicyOf } from '@lendloom/http/egress-policy'
import { noTenantId, RetryLater, removeJob, type Worker, work } from '@lendloom/queue/queue'
import { enqueueRecurring } from '@lendloom/queue/recurring-job'
import { loop, measureRegularly, spaceClaims } from '@lendloom/queue/worker-loop'
import { collectorAnswerOf, type MessageReport, reportsOf } from '@lendloom/wire/network/collector-reports'
import type { Context } from '#platform/context.ts'
import { readMessage } from '#platform/lenders/network/messages/store.ts'
import { countDays, recentDays } from './count-reports.ts'
import {
  addReports,
  claimReports,
  countReportProblems,
  deleteReports,
  dropReport,
  type LeasedReport,
  nextReport,
  type ReportResult,
  recordResult,
} from './store.ts'

const queue = 'network-report'
const sweep = 'network-report-sweep'
const secondsBetweenSweeps = 60
/** A message is committed, and its answer known, within this time; the hourly sweep finds the others. */
const recentSeconds = 15 * 60
const hourSeconds = 3600
/** After this time a report is given up, and a message that was never found is not searched for. */
const reportDays = 7
/** For this long a report is kept after its message. */
export const keptDays = 90
/** A report is not given up before this many attempts, even if this process did not run for days. */
const leastAttempts = 8

/** Pauses between the attempts of a report: from five seconds, doubled up to a quarter of an hour. */
export const reportSchedule = doublingPauses(5, 900)

/** Whether a collector is configured. */
export const isReporting = ({ config }: Pick<Context, 'config'>): boolean => config.NETWORK_OBSERVABILITY_URL !== ''

/** The configurations whose token the collector refused last. */
const unauthorized = new WeakSet<Context['config']>()

/** A fault for the readiness of the process; null if the collector has not refused our token. */
export const reportFault = ({ config }: Pick<Context, 'config'>): string | null =>
  unauthorized.has(config) ? 'the collector of the network refuses NETWORK_OBSERVABILITY_TOKEN' : null

/** The workers; without a collector none, and the search for unreported messages is removed. */
export function reportWork(ctx: Context): Worker[] {
  if (isReporting(ctx)) return [sweepWorker(ctx), reportWorker(ctx), measureWorker(ctx)]
  removeJob(ctx.db, { tenantId: noTenantId, kind: sweep, key: sweep }).catch((error) =>
    ctx.log.warn({ err: error }, 'the search for unreported messages could not be removed; the next start will'),
  )
  return []
}

/** Adds the messages that have no report: recent ones each minute, all of the last days at the start and each hour. */
function sweepWorker(ctx: Context): Worker {
  const { db, clock, log } = ctx
  let completeAt = new Date(0)
  enqueueRecurring(ctx, sweep, 'the search for unreported messages could not be scheduled; the next start will')
  return work({
    kind: sweep,
    db,
    clock,
    log,
    async handle() {
      const at = clock()
      const isComplete = at >= completeAt
      await addUnreported(ctx, isComplete ? daysAfter(at, -reportDays) : secondsAfter(at, -recentSeconds))
      if (isComplete) {
        await deleteReports(db, daysAfter(at, -keptDays))
        completeAt = secondsAfter(at, hourSeconds)
      }
      throw new RetryLater(secondsBetweenSweeps, 'the next search for unreported messages')
    },
  })
}

/** Adds the messages since `from`, hour by hour, so that no statement runs long. */
export async function addUnreported({ db, clock }: Pick<Context, 'db' | 'clock'>, from: Date): Promise<void> {
  const end = secondsAfter(clock(), 1)
  for (let start = from; start < end; start = secondsAfter(start, hourSeconds)) {
    const until = new Date(Math.min(secondsAfter(start, hourSeconds).getTime(), end.getTime()))
    if ((await addReports(db, { from: start, until }, clock())) > 0) db.wake(queue)
  }
}

/** Longer than the calls of a report. */
const leaseSeconds = 60
const callMs = 10_000
/** Pause between claims, so that each finds several reports. */
const claimPauseMs = 20
/** After a refused token nothing is reported for this time, because every report would be refused. */
const unauthorizedSeconds = 60

function reportWorker(ctx: Context): Worker {
  const { db, clock, log, config } = ctx
  for (const outcome of ['reported', 'refused', 'retried', 'unauthorized']) reportCounter.inc({ outcome }, 0)
  let pausedUntil = new Date(0)
  function setAuthorized(isAuthorized: boolean): void {
    if (isAuthorized) unauthorized.delete(config)
    else {
      unauthorized.add(config)
      pausedUntil = secondsAfter(clock(), unauthorizedSeconds)
    }
    unauthorizedReports.set(isAuthorized ? 0 : 1)
  }
  return loop<LeasedReport>({
    queue,
    db,
    log,
    due: { clock, next: nextReport },
    claim: spaceClaims(claimPauseMs, async (free) => {
      const at = clock()
      return at < pausedUntil ? [] : claimReports(db, at, secondsAfter(at, leaseSeconds), free)
    }),
    async handle(held) {
      const result = await report(ctx, held).catch((error) => failed(ctx, held, error))
      if (result === null) return dropReport(db, held)
      if (result.outcome === 'unauthorized') {
        if (clock() >= pausedUntil) log.error({}, 'the collector of the network refuses NETWORK_OBSERVABILITY_TOKEN')
        setAuthorized(false)
      } else if (result.outcome === 'reported') setAuthorized(true)
      reportCounter.inc({ outcome: result.outcome })
      await recordResult(db, held, result, clock())
      if (result.dueAt) db.wakeAfter(queue, result.dueAt.getTime() - clock().getTime())
    },
  })
}

interface Attempt extends ReportResult {
  outcome: 'reported' | 'refused' | 'retried' | 'unauthorized'
}

/** Reports the message and then its answer; null if an erasure has deleted the message. */
async function report(ctx: Context, held: LeasedReport): Promise<Attempt | null> {
  const message = await readMessage(ctx.db, ctx.seal, held)
  if (!message) return null
  const [first, ...answers] = reportsOf(message)
  let { isMessageAccepted }: { isMessageAccepted: boolean } = held
  let note: string | null = null
  for (const entry of isMessageAccepted ? answers : [first, ...answers]) {
    const given = await post(ctx, entry)
    note = given.note && `${entry.type}: ${given.note}`
    if (given.result !== 'accepted') return resultOf(ctx, { ...held, isMessageAccepted }, given.result, note)
    isMessageAccepted = true
  }
  return { outcome: 'reported', state: 'REPORTED', isMessageAccepted, dueAt: null, attempt: held.attempt + 1, note }
}

async function post({ config }: Context, entry: MessageReport) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${config.NETWORK_OBSERVABILITY_TOKEN}` }
  try {
    const url = config.NETWORK_OBSERVABILITY_URL
    const body = JSON.stringify(entry)
    return collectorAnswerOf(
      await call({ method: 'POST', url, headers, body, timeoutMs: callMs, egress: egressPolicyOf(config) }),
    )
  } catch (error) {
    if (error instanceof UnreachableError) return { result: 'retry', note: error.message } as const
    throw error
  }
}

function failed(ctx: Context, held: LeasedReport, error: unknown): Attempt {
  ctx.log.warn({ err: error }, 'a message could not be reported to the network')
  return resultOf(ctx, held, 'retry', messageOf(error))
}

function resultOf(
  { clock }: Pick<Context, 'clock'>,
  { at: sentAt, attempt: before, isMessageAccepted }: LeasedReport,
  cause: 'refused' | 'retry' | 'unauthorized',
  note: string | null,
): Attempt {
  const at = clock()
  if (cause === 'unauthorized') {
    const dueAt = secondsAfter(at, unauthorizedSeconds)
    return { outcome: cause, state: 'WAITING', isMessageAccepted, dueAt, attempt: before, note }
  }
  const attempt = before + 1
  const isGivenUp = attempt >= leastAttempts && sentAt < daysAfter(at, -reportDays)
  if (cause === 'refused' || isGivenUp)
    return { outcome: 'refused', state: 'REFUSED', isMessageAccepted, dueAt: null, attempt, note }
  const dueAt = secondsAfter(at, pauseSeconds(reportSchedule, attempt))
  return { outcome: 'retried', state: 'WAITING', isMessageAccepted, dueAt, attempt, note }
}

/** Counting the journal of two days is too expensive for every measurement. */
const countSeconds = 600

function measureWorker({ db, clock, log }: Context): Worker {
  let countedAt = new Date(0)
  return measureRegularly(log, 'could not count the reports to the network', async () => {
    const at = clock()
    const { oldestAt } = await countReportProblems(db.background, { lateBefore: at, since: at })
    oldestReportSeconds.set(oldestAt === null ? 0 : (at.getTime() - oldestAt.getTime()) / 1000)
    if (at < secondsAfter(countedAt, countSeconds)) return
    const counts = await countDays(db.background, recentDays(at), at)
    for (const state of ['reported', 'waiting', 'refused'] as const)
      reportGauge.set(
        { state },
        counts.reduce((all, count) => all + count[state], 0),
      )
    countedAt = at
  })
}

const reportCounter = counter('network_reports_total', "Attempts to report messages to the network's collector", [
  'outcome',
])
const reportGauge = gauge(
  'network_reports',
  'Messages in the journal of today and yesterday by the state of their reports',
  ['state'],
)
const oldestReportSeconds = gauge(
  'network_report_oldest_seconds',
  'Age of the oldest message that waits to be reported',
)
const unauthorizedReports = gauge(
  'network_reports_unauthorized',
  "Whether the network's collector refuses our token: 1 or 0",
)
