// Matches a complaint without a borrower to a journey.

import { Refusal } from '@lendloom/foundation/refusal'
import { platformTenant } from '#platform/people/person.ts'
import { answerableEmail, type Complaint, isPending } from './complaint.ts'
import type { ActContext } from './complaint-context.ts'
import { scheduleDeadlines } from './deadline-jobs.ts'
import { insertEntry, listEntries } from './entry/store.ts'
import { copyEntryToTenant } from './merge-complaints.ts'
import { loanOf } from './officer/store.ts'
import { contactOf, type NewComplaint } from './open-complaint.ts'
import { deleteUnmatched, insertComplaint } from './store.ts'
import { addEvent, type LockedComplaint } from './thread.ts'

/**
 * Matches a complaint to the borrower of a journey, and moves its thread and files to the journey's tenant. The caller
 * holds the journey's lock. Throws `wrong-state` if the complaint already has a borrower.
 */
export async function matchComplaint(
  ctx: ActContext,
  { complaint }: LockedComplaint,
  { journey, personId }: { journey: NonNullable<NewComplaint['journey']>; personId: string | null },
): Promise<Complaint> {
  const { tx, seal } = ctx
  if (complaint.tenantId !== platformTenant) throw new Refusal('wrong-state', 'the complaint already has a borrower')
  const { tenantId, journeyId, borrowerId } = journey
  const entries = await listEntries(tx, seal, complaint)
  const profileContact = await contactOf(ctx, journey)
  const loan = await loanOf(tx, journey)
  await deleteUnmatched(tx, complaint.complaintId)
  const matched: Complaint = {
    ...complaint,
    tenantId,
    journeyId,
    borrowerId,
    lenderId: loan?.lenderId ?? null,
    updatedAt: ctx.at,
    contact: {
      ...profileContact,
      email: answerableEmail(complaint.contact) ?? profileContact.email ?? complaint.contact.email,
      name: profileContact.name ?? complaint.contact.name,
    },
    version: complaint.version + 1,
  }
  await insertComplaint(tx, seal, matched)
  for (const entry of entries) await insertEntry(tx, seal, await copyEntryToTenant(ctx, entry, tenantId))
  await addEvent(ctx, matched, 'MATCHED', { personId })
  if (isPending(matched)) await scheduleDeadlines(tx, matched)
  return matched
}
