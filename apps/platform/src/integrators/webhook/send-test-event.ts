// Sends a test event to one endpoint at once, without a journey and without retries.

import type { AttemptOutcome } from '@lendloom/queue/delivery-engine'
import { uuidv7 } from '@lendloom/seal/id'
import type { Context } from '#platform/context.ts'
import { openAccess } from '#platform/integrators/webhook/endpoint/endpoint-access.ts'
import { secretsOf } from '#platform/integrators/webhook/endpoint/endpoint-secret.ts'
import { type DeliveryPolicy, deliveryPolicyOf } from './delivery-policy.ts'
import { type EndpointRow, secretsOfEndpoint } from './endpoint/store.ts'
import { headersOf, postSigned } from './post-signed.ts'

export interface SentTest extends Pick<AttemptOutcome, 'answer' | 'body'> {
  isSuccess: boolean
  tookMs: number
  headers: Record<string, string>
  sent: Buffer
}

/** Sends the sample `update` with `test: true` as its first field and a `webhook-id` that begins with `test_`. */
export async function sendTest(
  { db, seal, config }: Pick<Context, 'db' | 'seal' | 'config'>,
  endpoint: EndpointRow,
  update: object,
  at: Date,
): Promise<SentTest> {
  const { tenantId, applicationId, endpointId, url } = endpoint
  const signingSecrets = await secretsOfEndpoint(db, { tenantId, endpointId })
  const secrets = signingSecrets.flatMap((each) => secretsOf(seal, tenantId, each, at))
  const sent = Buffer.from(
    JSON.stringify({ test: true, ...update, tenant_id: tenantId, application_id: applicationId }),
  )
  const request = { url, eventId: `test_${uuidv7(at.getTime())}`, secrets, body: sent, correlationId: null }
  const policy: DeliveryPolicy = deliveryPolicyOf(config)
  const startedAt = performance.now()
  const { outcome, answer, body } = await postSigned(
    { ...request, access: openAccess(seal, endpoint), isTest: true },
    policy,
    at,
  )
  const tookMs = Math.round(performance.now() - startedAt)
  return { isSuccess: outcome === 'delivered', answer, body, tookMs, headers: headersOf(request, at), sent }
}
