// Escalates a complaint to the nodal officer: on its deadline, by an officer, or when the borrower is dissatisfied.

import { Refusal } from '@lendloom/foundation/refusal'
import type { EscalationReason } from '@lendloom/wire/console/complaint-lists'
import { escalateGrievance } from '#platform/complaints/grievance/borrower-acts.ts'
import { mayEscalate } from '#platform/complaints/grievance/grievance.ts'
import { findGrievance } from '#platform/complaints/grievance/store.ts'
import { type Complaint, isPending } from './complaint.ts'
import type { ActContext } from './complaint-context.ts'
import { listEntries } from './entry/store.ts'
import { platformOfficers } from './officer.ts'
import { type LenderMail, mailLender, mailStaff, mailStandardText } from './send-mails.ts'
import { addEntry, addEvent, type LockedComplaint, saveComplaint } from './thread.ts'

interface Escalation {
  because: EscalationReason
  /** The officer; null if a deadline or the borrower causes the escalation. */
  personId: string | null
}

/**
 * Escalates a complaint, and also at a lender that handles it. Throws `wrong-state` if the complaint was already escalated
 * or is not pending.
 */
export async function escalateComplaint(
  ctx: ActContext,
  locked: LockedComplaint,
  { because, personId }: Escalation,
): Promise<Complaint> {
  const { complaint } = locked
  if (complaint.escalatedAt !== null) throw new Refusal('wrong-state', 'the complaint has already been escalated')
  if (!isPending(complaint))
    throw new Refusal('wrong-state', `the complaint is ${complaint.status}`, { status: complaint.status })
  const { nodal } = await platformOfficers(ctx.tx, ctx)
  const notice = await mailStandardText(ctx, complaint, because === 'TIME' ? 'escalated' : 'escalatedByHand')
  await addEvent(ctx, complaint, 'ESCALATED', {
    shown: true,
    personId,
    mail: notice,
    values: { nodal: nodal.name, because },
  })
  await mailStaff(ctx, complaint, 'NODAL', complaint.resolutionDueAt)
  await escalateAtLender(ctx, locked)
  return saveComplaint(ctx, { ...complaint, escalatedAt: ctx.at, escalatedBecause: because })
}

async function escalateAtLender(ctx: ActContext, { complaint, journey }: LockedComplaint): Promise<void> {
  const { grievanceId, route } = complaint
  if (route === 'LENDER_NETWORK' && journey && grievanceId !== null) {
    const grievance = await findGrievance(ctx.tx, ctx.seal, journey, grievanceId)
    if (grievance && mayEscalate(grievance, ctx.at)) await escalateGrievance(ctx, journey, grievanceId)
  }
  if (route === 'LENDER_MAIL') await mailLenderAgain(ctx, complaint, { isEscalation: true })
}

/** Mails the lender all messages of the borrower. */
export async function mailLenderAgain(
  ctx: ActContext,
  complaint: Complaint,
  options: Omit<LenderMail, 'message'>,
): Promise<void> {
  const messages = (await listEntries(ctx.tx, ctx.seal, complaint)).filter(({ author }) => author === 'BORROWER')
  const message = messages.map(({ body }) => body.text).join('\n\n')
  const mail = await mailLender(ctx, complaint, { message, ...options })
  if (mail)
    await addEntry(ctx, complaint, { author: 'SYSTEM', kind: 'FORWARD', mail, body: { text: message, to: mail.to } })
}
