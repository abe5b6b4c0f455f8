// Merges two complaints about the same matter, and matches an unmatched complaint to a borrower.
import { invalid, Refusal } from '@lendloom/foundation/refusal'
import { readFile, storeMailFile } from '#platform/mail/attachment.ts'
import { platformTenant } from '#platform/people/person.ts'
import { type Attachment, answerableEmail, type Complaint, type ComplaintEntry, isPending } from './complaint.ts'
import type { ActContext } from './complaint-context.ts'
import { scheduleDeadlines } from './deadline-jobs.ts'
import { insertEntry, listEntries } from './entry/store.ts'
import { loanOf } from './officer/store.ts'
import { contactOf, type NewComplaint } from './open-complaint.ts'
import { mailBorrower } from './send-mails.ts'
import { deleteUnmatched, insertComplaint } from './store.ts'
import { borrowerText } from './text.ts'
import { addEntry, addEvent, afterTransition, type LockedComplaint, saveComplaint } from './thread.ts'

/**
 * Merges `complaint` into `into`, which also receives later replies to `complaint`. Throws `invalid` unless they are two
 * complaints of one borrower, `wrong-state` if one has ended or a network lender handles `complaint`.
 */
export async function mergeComplaint(
  ctx: ActContext,
  { complaint }: LockedComplaint,
  { into, personId }: { into: Complaint; personId: string | null },
): Promise<Complaint> {
  if (into.complaintId === complaint.complaintId) throw invalid({ path: 'into', message: 'is the same complaint' })
  if (into.tenantId !== complaint.tenantId || !isSameBorrower(complaint, into))
    throw invalid({ path: 'into', message: 'is not a complaint of this borrower' })
  if (!isPending(into)) throw new Refusal('wrong-state', `complaint ${into.number} is ${into.status}`)
  if (complaint.route === 'LENDER_NETWORK')
    throw new Refusal(
      'wrong-state',
      'a complaint at a network lender cannot be merged; merge the other complaint into it',
    )
  const merged = {
    ...afterTransition(complaint, 'merged'),
    mergedInto: into.complaintId,
    closedAt: ctx.at,
    repliedAt: null,
  }
  for (const { author, kind, at, body } of await listEntries(ctx.tx, ctx.seal, complaint))
    if (author === 'BORROWER' && kind === 'WORDS')
      await addEntry(ctx, into, { author, kind, at, body, attachments: body.attachments, shown: true })
  await addEvent(ctx, into, 'MERGED_IN', { personId, shown: true, values: { other: complaint.number } })
  const mail = await mailMergeNotice(ctx, complaint, into)
  await addEvent(ctx, complaint, 'MERGED', { personId, shown: true, mail, values: { other: into.number } })
  await saveComplaint(ctx, { ...into, repliedAt: complaint.repliedAt ?? into.repliedAt })
  return saveComplaint(ctx, merged)
}

const isSameBorrower = (a: Complaint, b: Complaint): boolean =>
  a.borrowerId !== null || b.borrowerId !== null
    ? a.borrowerId === b.borrowerId
    : a.contact.email !== null && a.contact.email === b.contact.email

function mailMergeNotice(ctx: ActContext, complaint: Complaint, { number: other }: Complaint) {
  const { number } = complaint
  return mailBorrower(ctx, complaint, { text: borrowerText(complaint, 'merged', { number, other }) })
}

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
