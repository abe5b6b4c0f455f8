// A contact with a borrower about what is owed: written down with its own time, and with the rule that it broke, if any.

import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { daysAfter, secondsAfter } from '#kit/runtime/clock.ts'
import { mayContact } from '#partner/collection/hours.ts'
import { policyOn } from '#partner/collection/policy/store.ts'
import { agentOf, type Breach, type ContactNote, insertContact, noticeOf } from './store.ts'

/** A contact must be recorded within this many days. */
export const lateDays = 7

/** The note, and whether the contact was made although it broke a rule. */
interface NewContact extends Omit<ContactNote, 'breach'> {
  wasMade: boolean
}

/** The text about each rule that a contact breaks. */
const breaches: Record<Breach, string> = {
  OUTSIDE_HOURS: 'it is outside the hours in which borrowers may be contacted',
  AGENT_UNKNOWN: 'the borrower was not sent the name and the contact of their agent before it',
}

/**
 * Records a contact, under the lock of its case. One that breaks a rule is refused as `wrong-state`, to prevent it; if
 * it was made anyway, it is recorded with the rule, which is returned. Refused as `invalid`: in the future, or more
 * than seven days ago.
 */
export async function noteContact(tx: Tx, { wasMade, ...note }: NewContact): Promise<Breach | null> {
  const { contactedAt, notedAt } = note
  if (contactedAt > notedAt || contactedAt < daysAfter(notedAt, -lateDays))
    throw new Refusal('invalid', `a contact is of the last ${lateDays} days`, { field: 'contactedAt' })
  const breach = await breachOf(tx, note)
  if (breach && !wasMade) throw new Refusal('wrong-state', breaches[breach], { field: 'wasMade', breach })
  await insertContact(tx, { ...note, breach })
  return breach
}

/** Letters are not limited by the hour, and may introduce an agent. */
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
