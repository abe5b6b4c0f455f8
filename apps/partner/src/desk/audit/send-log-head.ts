// Mails the signed head of the desk's audit log each day, so that `lendloom desk verify` detects a truncated log.

import { readChain } from '@lendloom/identity/audit/store'
import { headsMail } from '@lendloom/identity/mail-texts-en'
import { noTenant } from '@lendloom/identity/person'
import { mailer } from '@lendloom/mail/mail'
import { signHead } from '@lendloom/postgres/chain-head'
import { headWorker } from '@lendloom/queue/audit-head-worker'
import type { Worker } from '@lendloom/queue/queue'
import type { Context } from '#partner/context.ts'
import { deskLogName } from './store.ts'

export const auditHeadWorker = (ctx: Context): Worker => headWorker(ctx, 'audit-head', () => sendLogHead(ctx))

/** Mails the head unless AUDIT_EMAIL is `none`. Throws `MailRejection` if the server refuses the mail. */
export async function sendLogHead({ db, seal, clock, config }: Context): Promise<void> {
  const { AUDIT_EMAIL: to, PARTNER_PUBLIC_URL } = config
  const send = to === 'none' ? null : mailer(config)
  const chainHead = send && (await readChain(db, noTenant))
  if (!chainHead) return
  const head = signHead(seal, deskLogName, chainHead, clock())
  await send({ to, ...headsMail(`the audit log of the desk at ${PARTNER_PUBLIC_URL}`, 'lendloom desk verify', [head]) })
}
