// Gives an endpoint a new secret; the old one goes on signing beside it until every receiver has changed over.

import type { Seal } from '#kit/crypto/seal.ts'
import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import { oldSecretHours, sealedSecret } from './endpoint.ts'
import { newSecret } from './register.ts'
import { type Owner, replaceSecret } from './store.ts'

/** The secret is shown once. A second rotation within that time drops the oldest of the three secrets at once. */
interface SecretRotation {
  endpointId: string
  at: Date
}

export async function rotate(
  tx: Tx,
  seal: Seal,
  owner: Owner,
  { endpointId, at }: SecretRotation,
): Promise<{ secret: string; oldSecretUntil: Date }> {
  const secret = newSecret()
  const oldSecretUntil = secondsAfter(at, oldSecretHours * 3600)
  const sealed = sealedSecret(seal, owner.tenantId, endpointId, secret)
  const known = await replaceSecret(tx, owner, { endpointId, secretSealed: sealed, oldSecretUntil })
  if (!known) throw new Refusal('absent', 'there is no such webhook endpoint')
  return { secret, oldSecretUntil }
}
