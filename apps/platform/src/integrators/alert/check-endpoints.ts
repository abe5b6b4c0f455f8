// Checks the pending deliveries of webhook endpoints once a minute, and begins and ends outages.

import { RetryLater, type Worker, work } from '@lendloom/queue/queue'
import { enqueueRecurring } from '@lendloom/queue/recurring-job'
import { uuidv7 } from '@lendloom/seal/id'
import type { Context } from '#platform/context.ts'
import { notifyTenant } from './notify-tenant.ts'
import { type EndpointFigures, isOutageOver, whyFailing } from './outage.ts'
import { settingsOf } from './settings.ts'
import { beginOutage, endOutage, endOutagesOfRemovedEndpoints, figuresOf, listSuspects, type Suspect } from './store.ts'

const kind = 'webhook-check'
const intervalSeconds = 60

/** Starts the worker and schedules the recurring check; all processes share one job. */
export function endpointCheckWorker(ctx: Context): Worker {
  const { db, clock, log } = ctx
  enqueueRecurring(ctx, kind, 'the check of webhook endpoints could not be scheduled; the next process start retries')
  return work({
    kind,
    db,
    clock,
    log,
    concurrency: 1,
    async handle() {
      await checkEndpoints(ctx)
      throw new RetryLater(intervalSeconds, 'the next check is due')
    },
  })
}

/** Tries of updates that were given up earlier are not counted. */
const givenUpMs = 3_600_000

export async function checkEndpoints(ctx: Context): Promise<void> {
  const { db, clock } = ctx
  await endOutagesOfRemovedEndpoints(db, clock())
  for (const suspect of await listSuspects(db, new Date(clock().getTime() - givenUpMs)))
    await checkEndpoint(ctx, suspect)
}

async function checkEndpoint(ctx: Context, suspect: Suspect): Promise<void> {
  const { db, seal, clock } = ctx
  const at = clock()
  const [settings, figures] = await Promise.all([settingsOf(db, seal, suspect.tenantId), figuresOf(db, suspect)])
  const cause = whyFailing(settings, figures, at)
  const { tenantId, endpointId, url, outageId, beganAt } = suspect
  if (outageId !== null && beganAt !== null) {
    if (!isOutageOver({ beganAt }, cause, figures)) return
    await db.tx(async (tx) => {
      const ended = await endOutage(tx, tenantId, outageId, at)
      if (ended && settings.isOn) await notifyTenant({ ...ctx, tx, at }, { settings, url }, ended, 'working')
    })
    return
  }
  if (cause === null || !settings.isOn) return
  const { failures, failingSince, waitingSince } = figures
  const outage = {
    tenantId,
    outageId: uuidv7(at.getTime()),
    endpointId,
    why: cause,
    failures,
    waitingSince,
    beganAt: (cause !== 'DISABLED' && failingSince) || at,
    endedAt: null,
    lastAnswer: lastAnswer(suspect, figures),
  }
  await db.tx(async (tx) => {
    if (await beginOutage(tx, outage)) await notifyTenant({ ...ctx, tx, at }, { settings, url }, outage, 'failing')
  })
}

const lastAnswer = ({ disabledBecause }: Suspect, { lastAnswer }: EndpointFigures): string | null =>
  disabledBecause ?? lastAnswer
