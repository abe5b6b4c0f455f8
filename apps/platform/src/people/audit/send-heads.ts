// Mails the signed heads of all audit logs daily, so that `lendloom audit verify` detects truncation.

import { listChains, readChain } from '@lendloom/identity/audit/store'
import { headsMail } from '@lendloom/identity/mail-texts-en'
import { signHead, whyHeadsAreNotSent } from '@lendloom/postgres/chain-head'
import { headWorker } from '@lendloom/queue/audit-head-worker'
import { noTenantId, type Worker } from '@lendloom/queue/queue'
import type { Context, TxContext } from '#platform/context.ts'
import { queueMail } from '#platform/mail/queue-mail.ts'

export const auditHeadsWorker = (ctx: Context): Worker =>
  headWorker(ctx, 'audit-heads', () => ctx.db.tx((tx) => sendHeads({ ...ctx, tx, at: ctx.clock() })))

/** Queues the mail with the heads of all audit logs, if a recipient is configured. */
export async function sendHeads(ctx: TxContext): Promise<void> {
  const { tx, at, seal, config } = ctx
  const { AUDIT_EMAIL: to, PUBLIC_URL } = config
  if (whyHeadsAreNotSent(config)) return
  const heads: string[] = []
  for (const { tenantId } of await listChains(tx)) {
    const end = await readChain(tx, tenantId)
    if (end) heads.push(signHead(seal, tenantId, end, at))
  }
  await queueMail(ctx, {
    tenantId: noTenantId,
    kind: 'audit-head',
    subjectId: noTenantId,
    to,
    ...headsMail(`the audit logs of ${PUBLIC_URL}`, 'lendloom audit verify', heads),
    replyTag: null,
    inReplyTo: null,
    attachments: [],
  })
}
