// Replaces an API key by a new key with the same rights. The old key works until the end of an overlap.

import { secondsAfter } from '@lendloom/foundation/clock'
import { isOneOf } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'
import type { TxContext } from '#platform/context.ts'
import { issueKey, scopes } from './api-key.ts'
import { listKeys, setKeyExpiry } from './store.ts'

export interface KeyToRoll {
  tenantId: string
  keyId: string
  overlapHours: number
  isLive: boolean
}

/**
 * Creates a key with the label, scopes and addresses of an old key. The old key then expires after the overlap, or at
 * its own expiry if that is sooner. Throws `absent` for an unknown key, `wrong-state` for a revoked or expired key.
 */
export async function rollKey(
  { tx, at }: Pick<TxContext, 'tx' | 'at'>,
  { tenantId, keyId, overlapHours, isLive }: KeyToRoll,
): Promise<{ keyId: string; apiKey: string }> {
  const oldKey = (await listKeys(tx, tenantId)).find((each) => each.keyId === keyId)
  if (!oldKey) throw new Refusal('absent', 'there is no such key')
  const { applicationId, label, addresses, revokedAt, expiresAt } = oldKey
  if (revokedAt || (expiresAt && expiresAt <= at))
    throw new Refusal('wrong-state', 'the key was revoked or has expired; create a new one')
  const overlapEnd = secondsAfter(at, overlapHours * 3600)
  await setKeyExpiry(tx, { tenantId, keyId, expiresAt: expiresAt && expiresAt < overlapEnd ? expiresAt : overlapEnd })
  const sameScopes = oldKey.scopes.filter((each) => isOneOf(scopes, each))
  return issueKey(tx, { tenantId, applicationId, label, scopes: sameScopes, isLive, expiresAt: null, addresses }, at)
}
