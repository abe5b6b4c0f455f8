// Mails the signed head of the desk's audit log each day, so that `lendloom desk verify` detects a truncated log.

import { signHead } from '#kit/db/chain.ts'
import { headWorker } from '#kit/messaging/head-worker.ts'
import type { Worker } from '#kit/messaging/queue.ts'
import { mailer } from '#kit/runtime/mail.ts'
import { readChain } from '#kit/staff/audit/store.ts'
import { noTenant } from '#kit/staff/person.ts'
import { headsMail } from '#kit/staff/text-en.ts'
import type { Context } from '#partner/context.ts'
import { deskLogName } from './store.ts'

export const auditHeadWorker = (ctx: Context): Worker => headWorker(ctx, 'audit-head', () => sendHead(ctx))

/** Mails the head unless AUDIT_EMAIL is `none`. Throws `MailRejection` if the server refuses the mail. */
export async function sendHead({ db, seal, clock, config }: Context): Promise<void> {
  const { AUDIT_EMAIL: to, PARTNER_PUBLIC_URL } = config
  const send = to === 'none' ? null : mailer(config)
  const chainHead = send && (await readChain(db, noTenant))
  if (!chainHead) return
  const head = signHead(seal, deskLogName, chainHead, clock())
  await send({ to, ...headsMail(`the audit log of the desk at ${PARTNER_PUBLIC_URL}`, 'lendloom desk verify', [head]) })
}
