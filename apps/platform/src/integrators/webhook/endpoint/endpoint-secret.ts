// The secrets of an endpoint, which sign its updates: sealed to be stored, and opened to sign.

import type { Seal } from '@lendloom/seal/seal'

/** The secrets of an endpoint as stored; the old one also signs for a while after a rotation. */
export interface SealedSecrets {
  endpointId: string
  secretSealed: Buffer
  oldSecretSealed: Buffer | null
  oldSecretUntil: Date | null
}

const secretContext = (tenantId: string, endpointId: string) => `webhook_endpoint:${tenantId}:${endpointId}`

/** Seals the secret of an endpoint to be stored. */
export const sealedSecret = (seal: Seal, tenantId: string, endpointId: string, secret: string): Buffer =>
  seal.bytes(Buffer.from(secret), secretContext(tenantId, endpointId))

/** Secrets already opened, because opening one for each delivery costs as much as signing it. */
const openedSecrets = new WeakMap<Seal, Map<string, string>>()

/** A full cache is emptied, not replaced one by one. */
const maxOpened = 4096

function openSecret(seal: Seal, sealed: Buffer, context: string): string {
  const opened = openedSecrets.get(seal) ?? new Map<string, string>()
  openedSecrets.set(seal, opened)
  const key = context + sealed.toString('latin1')
  const known = opened.get(key)
  if (known !== undefined) return known
  if (opened.size >= maxOpened) opened.clear()
  const secret = seal.open(sealed, context).toString('utf8')
  opened.set(key, secret)
  return secret
}

/** The secrets that are valid at an instant, newest first. */
export function secretsOf(
  seal: Seal,
  tenantId: string,
  { endpointId, secretSealed, oldSecretSealed, oldSecretUntil }: SealedSecrets,
  at: Date,
): string[] {
  const valid = [secretSealed, ...(oldSecretSealed && oldSecretUntil && oldSecretUntil > at ? [oldSecretSealed] : [])]
  return valid.map((sealed) => openSecret(seal, sealed, secretContext(tenantId, endpointId)))
}
