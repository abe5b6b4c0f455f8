// A webhook endpoint of an application: where its updates go, which ones it wants, and the secrets that sign them.
import type { LifecycleStatus } from '#contract/hosted/lifecycle.ts'
import type { Seal } from '#kit/crypto/seal.ts'

/** More would let one application multiply every update of its journeys. */
export const mostEndpoints = 20

/** How long the old secret still signs after a rotation, beside the new one. */
export const oldSecretHours = 24

export interface Endpoint {
  tenantId: string
  applicationId: string
  endpointId: string
  url: string
  /** Null for all. */
  statuses: LifecycleStatus[] | null
  createdAt: Date
  disabledAt: Date | null
  disabledBecause: string | null
  /** Since when what is to be delivered to it waits; null while it is not paused. */
  pausedAt: Date | null
}

export interface SealedSecrets {
  endpointId: string
  secretSealed: Buffer
  oldSecretSealed: Buffer | null
  oldSecretUntil: Date | null
}

const secretContext = (tenantId: string, endpointId: string) => `webhook_endpoint:${tenantId}:${endpointId}`

export const sealedSecret = (seal: Seal, tenantId: string, endpointId: string, secret: string): Buffer =>
  seal.bytes(Buffer.from(secret), secretContext(tenantId, endpointId))

/** The secrets that are valid at an instant, the newest first. */
export function secretsOf(
  seal: Seal,
  tenantId: string,
  { endpointId, secretSealed, oldSecretSealed, oldSecretUntil }: SealedSecrets,
  at: Date,
): string[] {
  const valid = [secretSealed, ...(oldSecretSealed && oldSecretUntil && oldSecretUntil > at ? [oldSecretSealed] : [])]
  return valid.map((sealed) => seal.open(sealed, secretContext(tenantId, endpointId)).toString('utf8'))
}
