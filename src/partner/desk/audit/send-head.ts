// Sends the signed head of the desk's audit log out each day, so that `lendloom desk verify` finds entries that were cut off.

import { headSeconds, signedHead, whyHeadsStay } from '#kit/db/chain-head.ts'
import { enqueue, nobody, RetryLater, type Worker, work } from '#kit/messaging/queue.ts'
import { mailer } from '#kit/runtime/mail.ts'
import type { Context } from '#partner/context.ts'
import { deskLog } from './chain.ts'
import { readChain } from './store.ts'
import { headMail } from './text-en.ts'

const kind = 'audit-head'

/** One job for all processes, which comes again each day. Warns outside the sandbox where no head can be sent. */
export function sendingHead(ctx: Context): Worker {
  const { db, clock, log, config } = ctx
  const why = whyHeadsStay(config)
  if (why && !config.SANDBOX) log.warn({}, `of the audit log ${why}`)
  db.tx((tx) => enqueue(tx, { tenantId: nobody, kind, key: kind, payload: {}, dueAt: clock() })).catch((error) =>
    log.warn({ err: error }, 'sending the head of the audit log could not be scheduled; the next start will'),
  )
  return work({
    ...{ kind, db, clock, log, concurrency: 1 },
    async handle() {
      await sendHead(ctx)
      throw new RetryLater(headSeconds, 'the head of a day was sent')
    },
  })
}

/** Sends it; nothing where no address is set to get it. Throws `NotTaken`: the job tries again by its schedule. */
export async function sendHead({ db, seal, clock, config }: Context): Promise<void> {
  const { AUDIT_EMAIL: to, PARTNER_PUBLIC_URL } = config
  const send = to === 'none' ? null : mailer(config)
  const end = send && (await readChain(db))
  if (end) await send({ to, ...headMail(PARTNER_PUBLIC_URL, signedHead(seal, deskLog, end, clock())) })
}
