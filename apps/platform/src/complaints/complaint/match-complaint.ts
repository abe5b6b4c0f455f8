// Matches a complaint without a borrower to a journey.

import { Refusal } from '@lendloom/foundation/refusal'
import { readFile, storeMailFile } from '#platform/mail/attachment.ts'
import { platformTenant } from '#platform/people/person.ts'
import { type Attachment, answerableEmail, type Complaint, type ComplaintEntry, isPending } from './complaint.ts'
import type { ActContext } from './complaint-context.ts'
import { scheduleDeadlines } from './deadline-jobs.ts'
import { insertEntry, listEntries } from './entry/store.ts'
import { loanOf } from './lender-store.ts'
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

/** Copies an entry with its files, because the files of a tenant are stored under its id. */
async function copyEntryToTenant(ctx: ActContext, entry: ComplaintEntry, tenantId: string): Promise<ComplaintEntry> {
  const attachments: Attachment[] = []
  for (const each of entry.body.attachments)
    attachments.push(
      each.objectKey === null
        ? each
        : {
            ...each,
            objectKey: await storeMailFile(
              ctx,
              tenantId,
              await readFile({ db: ctx.tx, seal: ctx.seal }, each.objectKey),
            ),
          },
    )
  return { ...entry, tenantId, body: { ...entry.body, attachments } }
}
