// Looks at webhook endpoints once a minute, by what waits for them: outages begin and end here, never while something is delivered.

import { uuidv7 } from '#kit/crypto/id.ts'
import { enqueue, noTenantId, RetryLater, type Worker, work } from '#kit/messaging/queue.ts'
import type { Context } from '#platform/context.ts'
import { type Figures, isOver, whyFailing } from './alert.ts'
import { settingsOf } from './settings.ts'
import { beginOutage, endOfRemoved, endOutage, figuresOf, listSuspects, type Suspect } from './store.ts'
import { tell } from './tell.ts'

const kind = 'webhook-check'
const everySeconds = 60

/** One job for all processes. */
export function checkingEndpoints(ctx: Context): Worker {
  const { db, clock, log } = ctx
  db.tx((tx) => enqueue(tx, { tenantId: noTenantId, kind, key: kind, payload: {}, dueAt: clock() })).catch((error) =>
    log.warn({ err: error }, 'the check of webhook endpoints could not be scheduled; the next start will'),
  )
  return work({
    ...{ kind, db, clock, log, concurrency: 1 },
    async handle() {
      await checkEndpoints(ctx)
      throw new RetryLater(everySeconds, 'endpoints are looked at again')
    },
  })
}

/** Looks at all endpoints once. */
export async function checkEndpoints(ctx: Context): Promise<void> {
  const { db, clock } = ctx
  await endOfRemoved(db, clock())
  for (const suspect of await listSuspects(db)) await checkOne(ctx, suspect)
}

async function checkOne(ctx: Context, suspect: Suspect): Promise<void> {
  const { db, seal, clock } = ctx
  const at = clock()
  const [settings, figures] = await Promise.all([settingsOf(db, seal, suspect.tenantId), figuresOf(db, suspect)])
  const why = whyFailing(settings, figures, at)
  const { tenantId, endpointId, url, outageId, beganAt } = suspect
  if (outageId !== null && beganAt !== null) {
    if (!isOver({ beganAt }, why, figures)) return
    await db.tx(async (tx) => {
      const ended = await endOutage(tx, tenantId, outageId, at)
      if (ended && settings.isOn) await tell({ ...ctx, tx, at }, { settings, url }, ended, 'working')
    })
    return
  }
  if (why === null || !settings.isOn) return
  const { failures, waitingSince } = figures
  const outage = {
    ...{
      tenantId,
      outageId: uuidv7(at.getTime()),
      endpointId,
      why,
      failures,
      waitingSince,
      beganAt: at,
      endedAt: null,
    },
    lastAnswer: lastAnswer(suspect, figures),
  }
  await db.tx(async (tx) => {
    if (await beginOutage(tx, outage)) await tell({ ...ctx, tx, at }, { settings, url }, outage, 'failing')
  })
}

const lastAnswer = ({ disabledBecause }: Suspect, { lastAnswer }: Figures): string | null =>
  disabledBecause ?? lastAnswer
