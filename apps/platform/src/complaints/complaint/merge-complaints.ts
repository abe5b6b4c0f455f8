// Merges two complaints about the same matter.
import { invalid, Refusal } from '@lendloom/foundation/refusal'
import { type Complaint, isPending } from './complaint.ts'
import type { ActContext } from './complaint-context.ts'
import { listEntries } from './entry/store.ts'
import { mailBorrower } from './send-mails.ts'
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
