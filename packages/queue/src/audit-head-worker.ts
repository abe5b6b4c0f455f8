// Sends the signed head of an audit log to operators every day, so that a later check detects removed entries.

import type { Clock } from '@lendloom/foundation/clock'
import type { Log } from '@lendloom/foundation/log'
import { headSeconds, whyHeadsAreNotSent } from '@lendloom/postgres/chain-head'
import type { Db } from '@lendloom/postgres/sql'
import { RetryLater, type Worker, work } from './queue.ts'
import { enqueueRecurring } from './recurring-job.ts'

interface HeadWorkerDeps {
  db: Db
  clock: Clock
  log: Log
  config: { AUDIT_EMAIL: string; SMTP_URL: string; SANDBOX: boolean }
}

/** All processes share one daily job. Outside the sandbox, logs a warning if the settings prevent sending. */
export function headWorker(
  { db, clock, log, config }: HeadWorkerDeps,
  kind: string,
  send: () => Promise<void>,
): Worker {
  const obstacle = whyHeadsAreNotSent(config)
  if (obstacle && !config.SANDBOX) log.warn({}, `audit log: ${obstacle}`)
  const warning = 'sending the head of the audit log could not be scheduled; the next start tries again'
  enqueueRecurring({ db, clock, log }, kind, warning)
  return work({
    kind,
    db,
    clock,
    log,
    concurrency: 1,
    async handle() {
      await send()
      throw new RetryLater(headSeconds, 'the head of this day was sent')
    },
  })
}
