// Notifies a tenant that an endpoint is failing or works again, by mail and by a signed event to other endpoints.

import { enqueue, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import type { Context, TxContext } from '#platform/context.ts'
import { deliveryPolicyOf } from '#platform/integrators/webhook/delivery-policy.ts'
import { openAccess } from '#platform/integrators/webhook/endpoint/endpoint-access.ts'
import { secretsOf } from '#platform/integrators/webhook/endpoint/endpoint-secret.ts'
import { findEndpoint, secretsOfEndpoint } from '#platform/integrators/webhook/endpoint/store.ts'
import { postSigned } from '#platform/integrators/webhook/post-signed.ts'
import type { OutgoingMail } from '#platform/mail/outgoing-mail.ts'
import { queueMail } from '#platform/mail/queue-mail.ts'
import { identityOf } from '#platform/people/person.ts'
import type { AlertSettings, OutageRow } from './outage.ts'
import { listAlertRecipients } from './store.ts'
import { failingMail, workingMail } from './text-en.ts'

const kind = 'webhook-alert'
export const maxAttempts = 10

const alertEvents = { failing: 'webhook_endpoint.failing', working: 'webhook_endpoint.working' } as const
export type AlertEvent = keyof typeof alertEvents

interface AlertPost {
  endpointId: string
  eventId: string
  body: Record<string, unknown>
}

/** Queues mails and events. Call it in the transaction that begins or ends the outage: each is then reported once. */
export async function notifyTenant(
  ctx: TxContext,
  { settings, url }: { settings: AlertSettings; url: string },
  outage: OutageRow,
  event: AlertEvent,
): Promise<void> {
  const { tx, at, config } = ctx
  const { tenantId, endpointId, outageId } = outage
  const { host, pathname } = new URL(url)
  // The link names the tenant, so that it also works for platform staff.
  const link = `${config.PUBLIC_URL}/console/webhooks/${endpointId}?tenant=${tenantId}`
  const mail = (event === 'failing' ? failingMail : workingMail)(outage, host + pathname, link)
  const envelope: Omit<OutgoingMail, 'to' | 'subject' | 'text'> = {
    tenantId,
    kind,
    subjectId: endpointId,
    replyTag: null,
    inReplyTo: null,
    attachments: [],
  }
  for (const to of config.SMTP_URL === 'none' ? [] : await recipients(ctx, settings, tenantId))
    await queueMail(ctx, { ...envelope, ...mail, to })
  const body = { event: alertEvents[event], tenant_id: tenantId, ...eventFields(outage, host) }
  for (const target of settings.endpointIds.filter((each) => each !== endpointId))
    await enqueue(tx, {
      tenantId,
      kind,
      key: `${outageId}:${event}:${target}`,
      dueAt: at,
      payload: { endpointId: target, eventId: `alert_${outageId}_${event}`, body } satisfies AlertPost,
    })
}

async function recipients({ tx, seal }: TxContext, { emails }: AlertSettings, tenantId: string): Promise<string[]> {
  if (emails !== null) return emails
  return (await listAlertRecipients(tx, tenantId)).map((row) => identityOf(seal, row).email)
}

const eventFields = (
  { endpointId, why, failures, waitingSince, lastAnswer, beganAt, endedAt }: OutageRow,
  host: string,
) => ({
  endpoint_id: endpointId,
  endpoint_host: host,
  reason: why,
  failures,
  waiting_since: waitingSince?.toISOString() ?? null,
  last_answer: lastAnswer,
  began_at: beganAt.toISOString(),
  ended_at: endedAt?.toISOString() ?? null,
})

/** Posts alert events. Gives up after ten attempts, because the mail has the same content. */
export const alertWorker = (ctx: Context): Worker =>
  work<AlertPost>({
    kind,
    ...ctx,
    concurrency: 4,
    async handle({ tenantId, payload: { endpointId, eventId, body }, attempt, correlationId }) {
      const { db, seal, clock, config, log } = ctx
      const at = clock()
      const endpoint = await findEndpoint(db, tenantId, endpointId)
      if (!endpoint || endpoint.disabledAt !== null) return
      const signingSecrets = await secretsOfEndpoint(db, { tenantId, endpointId })
      const secrets = signingSecrets.flatMap((each) => secretsOf(seal, tenantId, each, at))
      const request = { url: endpoint.url, eventId, secrets, body: Buffer.from(JSON.stringify(body)), correlationId }
      const { outcome, answer } = await postSigned(
        { ...request, access: openAccess(seal, endpoint) },
        deliveryPolicyOf(config),
        at,
      )
      if (outcome === 'delivered') return
      if (attempt < maxAttempts) throw new RetryLater(null, answer)
      log.warn({ endpointId, eventId, answer }, 'an alert event could not be delivered')
    },
  })
