// Sends the signed head of an audit log out each day, so that a later verification detects removed entries.

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

/** Runs one daily job for all processes. Outside the sandbox, logs a warning if no head can be sent. */
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
