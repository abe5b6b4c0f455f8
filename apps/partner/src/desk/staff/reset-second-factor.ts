// Resets a person's second factor, after which the person signs in with the password alone.

import { Refusal } from '@lendloom/foundation/refusal'
import { keyOf } from '@lendloom/identity/person'
import { removeFactors } from '@lendloom/identity/second-factor'
import type { Tx } from '@lendloom/postgres/sql'
import { type Actor, staffOf } from '#partner/desk/staff/staff.ts'
import { noteAct } from '#partner/desk/staff/staff-acts.ts'
import { commandLineKey, possibleUsers } from '#partner/people/one-person.ts'
import { writeKnownTo } from '#partner/people/store.ts'

/**
 * Removes every factor of a person and ends their sessions. A remover who knows the password could then sign in as
 * them, so both accounts count as one person until a password reset by mail. Refused as `absent` for an unknown person.
 */
export async function resetSecondFactor(tx: Tx, email: string, { account, at }: Actor): Promise<void> {
  const { staffId, email: subject, knownTo } = await staffOf(tx, email)
  if (account?.staffId === staffId) throw new Refusal('forbidden', 'another admin must reset your second factor')
  const requesters = account ? possibleUsers(account) : [commandLineKey]
  // Locks the person, so that a concurrent sign-in comes either before or after this.
  await writeKnownTo(tx, staffId, [...new Set([...knownTo, ...requesters])])
  await removeFactors(tx, keyOf({ tenantId: null, personId: staffId }))
  await noteAct(tx, { staffId: account?.staffId ?? null, act: 'SECOND_FACTOR_RESET', about: { subject }, at })
}
