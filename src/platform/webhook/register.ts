// Adds a webhook endpoint to an application; its secret is shown once.

import { randomBytes } from 'node:crypto'
import type { LifecycleStatus } from '#contract/hosted/lifecycle.ts'
import { secretOf } from '#contract/webhook/signature.ts'
import { uuidv7 } from '#kit/crypto/id.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import type { Tx } from '#kit/db/sql.ts'
import { whyUnresolvable } from '#kit/http/client.ts'
import { invalid, Refusal } from '#kit/http/refusal.ts'
import { type DeliveryPolicy, urlFault } from './delivery-policy.ts'
import { type Endpoint, mostEndpoints, sealedSecret } from './endpoint.ts'
import { countEndpointsLocked, insertEndpoint, type Owner } from './store.ts'

export interface NewEndpoint {
  url: string
  /** Null for all. */
  statuses: LifecycleStatus[] | null
}

/** Asks the name server, so it is called before the transaction begins. Refused as `invalid` at `url` when it cannot be called. */
export async function checkEndpointUrl(url: string, policy: DeliveryPolicy): Promise<void> {
  const fault = urlFault(url, policy, 'url')
  if (fault) throw invalid(fault)
  const why = await whyUnresolvable(url, policy.egress)
  if (why) throw invalid({ path: 'url', message: `cannot be called: it is ${why}` })
}

/** Refused as `wrong-state` when the application has as many endpoints as it may. */
export async function register(
  tx: Tx,
  seal: Seal,
  { tenantId, applicationId }: Owner,
  { url, statuses, at }: NewEndpoint & { at: Date },
): Promise<{ endpoint: Endpoint; secret: string }> {
  const count = await countEndpointsLocked(tx, { tenantId, applicationId })
  if (count >= mostEndpoints)
    throw new Refusal('wrong-state', `an application has at most ${mostEndpoints} webhook endpoints; remove one first`)
  const endpointId = uuidv7(at.getTime())
  const secret = newSecret()
  const endpoint = { tenantId, applicationId, endpointId, url, statuses, createdAt: at }
  await insertEndpoint(tx, { ...endpoint, secretSealed: sealedSecret(seal, tenantId, endpointId, secret) })
  return { endpoint: { ...endpoint, disabledAt: null, disabledBecause: null }, secret }
}

export const newSecret = (): string => secretOf(randomBytes(32))
