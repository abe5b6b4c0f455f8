// Records contacts with borrowers about arrears, with their time and any breach of the contact rules.

import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { daysAfter, secondsAfter } from '#kit/runtime/clock.ts'
import { mayContact } from '#partner/collection/hours.ts'
import { policyOn } from '#partner/collection/policy/store.ts'
import { agentOf, type Breach, type ContactNote, insertContact, noticeOf } from './store.ts'

/** A contact must be recorded within this many days. */
export const recordWithinDays = 7

/** A note; `wasMade`: the contact has already happened, so a breach is recorded instead of rejected. */
interface NewContact extends Omit<ContactNote, 'breach'> {
  wasMade: boolean
}

/** Message for each breach. */
const breaches: Record<Breach, string> = {
  OUTSIDE_HOURS: 'this time is outside the contact hours',
  AGENT_UNKNOWN: 'the borrower had not been sent the name and the contact details of the agent',
}

/**
 * Records a contact, under the lock of its case. Throws `wrong-state` for a contact that would break a rule; if it has
 * already happened, records and returns the breach. Throws `invalid` for a time in the future or over seven days ago.
 */
export async function recordContact(tx: Tx, { wasMade, ...note }: NewContact): Promise<Breach | null> {
  const { contactedAt, notedAt } = note
  if (contactedAt > notedAt || contactedAt < daysAfter(notedAt, -recordWithinDays))
    throw new Refusal('invalid', `a contact must be recorded within ${recordWithinDays} days`, { field: 'contactedAt' })
  const breach = await breachOf(tx, note)
  if (breach && !wasMade) throw new Refusal('wrong-state', breaches[breach], { field: 'wasMade', breach })
  await insertContact(tx, { ...note, breach })
  return breach
}

/** Returns the rule that a contact breaks. Letters may be sent at any hour, and may introduce an agent. */
export async function breachOf(
  tx: Tx,
  { caseRef, staffId, way, contactedAt }: Pick<ContactNote, 'caseRef' | 'staffId' | 'way' | 'contactedAt'>,
): Promise<Breach | null> {
  if (way === 'POST') return null
  if (!mayContact(await policyOn(tx, businessDate(contactedAt)), contactedAt)) return 'OUTSIDE_HOURS'
  if ((await agentOf(tx, caseRef)) !== staffId) return null
  const notice = await noticeOf(tx, { caseRef, staffId })
  // Contact times are precise to the minute.
  const isKnown =
    notice?.state === 'SENT' && notice.settledAt !== null && notice.settledAt < secondsAfter(contactedAt, 60)
  return isKnown ? null : 'AGENT_UNKNOWN'
}
