// Sends the signed heads of all audit logs out each day, so that `lendloom audit verify` finds entries that were cut off.

import { headSeconds, signedHead, whyHeadsStay } from '#kit/db/chain-head.ts'
import { enqueue, nobody, RetryLater, type Worker, work } from '#kit/messaging/queue.ts'
import type { Context, TxContext } from '#platform/context.ts'
import { queueMail } from '#platform/mail/queue-mail.ts'
import { headsMail } from '#platform/staff/text-en.ts'
import { listChains, readChain } from './store.ts'

const kind = 'audit-heads'

/** One job for all processes, which comes again each day. Warns outside the sandbox where no head can be sent. */
export function sendingHeads(ctx: Context): Worker {
  const { db, clock, log, config } = ctx
  const why = whyHeadsStay(config)
  if (why && !config.SANDBOX) log.warn({}, `of the audit logs ${why}`)
  db.tx((tx) => enqueue(tx, { tenantId: nobody, kind, key: kind, payload: {}, dueAt: clock() })).catch((error) =>
    log.warn({ err: error }, 'sending the heads of audit logs could not be scheduled; the next start will'),
  )
  return work({
    ...{ kind, db, clock, log, concurrency: 1 },
    async handle() {
      await db.tx((tx) => sendHeads({ ...ctx, tx, at: clock() }))
      throw new RetryLater(headSeconds, 'the heads of a day are on their way')
    },
  })
}

/** Queues the mail with the heads of all logs; nothing where none is set to get it. */
export async function sendHeads(ctx: TxContext): Promise<void> {
  const { tx, at, seal, config } = ctx
  const { AUDIT_EMAIL: to, PUBLIC_URL } = config
  if (whyHeadsStay(config)) return
  const heads: string[] = []
  for (const { tenantId } of await listChains(tx)) {
    const end = await readChain(tx, tenantId)
    if (end) heads.push(signedHead(seal, tenantId, end, at))
  }
  await queueMail(ctx, {
    ...{ tenantId: nobody, kind: 'audit-head', subjectId: nobody, to, ...headsMail(PUBLIC_URL, heads) },
    ...{ replyTag: null, inReplyTo: null, attachments: [] },
  })
}
