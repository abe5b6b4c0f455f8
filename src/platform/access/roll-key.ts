// Rolls a key: creates a new one of the same kind; the old one works until servers have switched.

import { Refusal } from '#kit/http/refusal.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import { isOneOf } from '#kit/runtime/record.ts'
import type { TxContext } from '#platform/context.ts'
import { issueKey, scopes } from './api-key.ts'
import { endKey, listKeys } from './store.ts'

export interface KeyToRoll {
  tenantId: string
  keyId: string
  overlapHours: number
  /** Whether the new key is for real loans. */
  live: boolean
}

/**
 * Creates a key with the label, scopes and addresses of another one, which then expires after the overlap or at its own
 * expiry, whichever is sooner. Refused as `absent` when the key does not exist, `wrong-state` when it is no longer
 * valid.
 */
export async function rollKey(
  { tx, at }: Pick<TxContext, 'tx' | 'at'>,
  { tenantId, keyId, overlapHours, live }: KeyToRoll,
): Promise<{ keyId: string; apiKey: string }> {
  const former = (await listKeys(tx, tenantId)).find((each) => each.keyId === keyId)
  if (!former) throw new Refusal('absent', 'there is no such key')
  const { applicationId, label, addresses, revokedAt, expiresAt } = former
  if (revokedAt || (expiresAt && expiresAt <= at))
    throw new Refusal('wrong-state', 'the key was revoked or has expired; make a new one')
  const end = secondsAfter(at, overlapHours * 3600)
  await endKey(tx, { tenantId, keyId, expiresAt: expiresAt && expiresAt < end ? expiresAt : end })
  const same = former.scopes.filter((each) => isOneOf(scopes, each))
  return issueKey(tx, { tenantId, applicationId, label, scopes: same, live, expiresAt: null, addresses }, at)
}
