// Records contacts with borrowers about arrears, and breaches of the contact rules.

import { daysAfter, secondsAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import { businessDate } from '@lendloom/lending/calendar'
import type { Tx } from '@lendloom/postgres/sql'
import { mayContact } from '#partner/servicing/collection/collection-calendar.ts'
import { policyOn } from '#partner/servicing/collection/policy/store.ts'
import { agentOf, type Breach, type ContactNote, insertContact, noticeOf } from './store.ts'

/** A contact must be recorded within this many days. */
export const recordWithinDays = 7

interface NewContact extends Omit<ContactNote, 'breach'> {
  /** Whether the contact has already happened, so that a breach is recorded instead of rejected. */
  wasMade: boolean
}

const breachMessages: Record<Breach, string> = {
  OUTSIDE_HOURS: 'this time is outside the contact hours',
  AGENT_UNKNOWN: 'the borrower had not been sent the name and the contact details of the agent',
}

/**
 * Records a contact and returns its breach, under the lock of the case. Throws `wrong-state` if a planned contact would
 * break a rule. Throws `invalid` for a time in the future or more than seven days ago.
 */
export async function recordContact(tx: Tx, { wasMade, ...note }: NewContact): Promise<Breach | null> {
  const { contactedAt, notedAt } = note
  if (contactedAt > notedAt || contactedAt < daysAfter(notedAt, -recordWithinDays))
    throw new Refusal('invalid', `a contact must be recorded within ${recordWithinDays} days`, { field: 'contactedAt' })
  const breach = await breachOf(tx, note)
  if (breach && !wasMade) throw new Refusal('wrong-state', breachMessages[breach], { field: 'wasMade', breach })
  await insertContact(tx, { ...note, breach })
  return breach
}

/** Returns the rule that a contact breaks. A posted paper breaks none: it may go at any hour. */
export async function breachOf(
  tx: Tx,
  { caseRef, staffId, way, contactedAt }: Pick<ContactNote, 'caseRef' | 'staffId' | 'way' | 'contactedAt'>,
): Promise<Breach | null> {
  if (way === 'POST') return null
  if (!mayContact(await policyOn(tx, businessDate(contactedAt)), contactedAt)) return 'OUTSIDE_HOURS'
  if ((await agentOf(tx, caseRef)) !== staffId) return null
  const notice = await noticeOf(tx, { caseRef, staffId })
  // A contact is recorded without seconds, so a notice in the same minute counts as earlier.
  const isAgentKnown =
    notice?.state === 'SENT' && notice.settledAt !== null && notice.settledAt < secondsAfter(contactedAt, 60)
  return isAgentKnown ? null : 'AGENT_UNKNOWN'
}
