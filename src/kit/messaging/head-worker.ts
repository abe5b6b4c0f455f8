// Sends signed heads of audit logs out each day, so that verifying a log finds entries that were cut off.

import { headSeconds, whyHeadsAreNotSent } from '#kit/db/chain.ts'
import type { Db } from '#kit/db/sql.ts'
import type { Clock } from '#kit/runtime/clock.ts'
import type { Log } from '#kit/runtime/log.ts'
import { enqueue, noTenantId, RetryLater, type Worker, work } from './queue.ts'

interface HeadWorkerDeps {
  db: Db
  clock: Clock
  log: Log
  config: { AUDIT_EMAIL: string; SMTP_URL: string; SANDBOX: boolean }
}

/** One daily job for all processes. Warns outside the sandbox when no head can be sent. */
export function headWorker(
  { db, clock, log, config }: HeadWorkerDeps,
  kind: string,
  send: () => Promise<void>,
): Worker {
  const reason = whyHeadsAreNotSent(config)
  if (reason && !config.SANDBOX) log.warn({}, `audit log: ${reason}`)
  db.tx((tx) => enqueue(tx, { tenantId: noTenantId, kind, key: kind, payload: {}, dueAt: clock() })).catch((error) =>
    log.warn({ err: error }, 'sending the head of the audit log could not be scheduled; the next start tries again'),
  )
  return work({
    ...{ kind, db, clock, log, concurrency: 1 },
    async handle() {
      await send()
      throw new RetryLater(headSeconds, 'the head of a day was sent')
    },
  })
}
