// What the hosted page shows of the borrower's complaints: their threads, and what the borrower may do (D3 §1).

import { Refusal } from '@lendloom/foundation/refusal'
import { businessDate } from '@lendloom/lending/calendar'
import type { Run } from '@lendloom/postgres/sql'
import type { EmbedComplaint, EmbedComplaintEntry, EmbedComplaints } from '@lendloom/wire/hosted/embed-complaint'
import { type Complaint, type ComplaintEntry, isPending, mayReopen } from '#platform/complaints/complaint/complaint.ts'
import { dueAtOf } from '#platform/complaints/complaint/deadlines.ts'
import { listEntries } from '#platform/complaints/complaint/entry/store.ts'
import { exitNoticeFor } from '#platform/complaints/complaint/exit-payment.ts'
import { loanOf } from '#platform/complaints/complaint/lender-store.ts'
import { platformOfficers } from '#platform/complaints/complaint/officer.ts'
import { type ExitNotice, isPaidExit } from '#platform/complaints/complaint/send-mails.ts'
import { listByJourney } from '#platform/complaints/complaint/store.ts'
import type { Context } from '#platform/context.ts'
import type { SessionBorrower } from '#platform/integrators/access/embed-session.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { findJourney, listEarlierJourneys } from '#platform/lending/journey/store.ts'

/**
 * Reads the complaints of a session's journey, and the pending ones of the borrower's earlier journeys, whose loans may be
 * closed. Throws `absent` if the journey was deleted.
 */
export const complaintsOf = (
  ctx: Context,
  { tenantId, journeyId }: SessionBorrower,
  at: Date,
): Promise<EmbedComplaints> =>
  ctx.db.snapshot(async (db) => {
    const journey = await findJourney(db, tenantId, journeyId)
    if (!journey) throw new Refusal('absent', 'there is no such journey')
    const { officer, nodal } = await platformOfficers(db, ctx)
    const lender = await lenderNameOf(db, journey)
    const items = await threadsOf(ctx, { db, at, journey, lender }, await listByJourney(db, ctx.seal, journey))
    for (const earlier of await listEarlierJourneys(db, journey)) {
      const open = (await listByJourney(db, ctx.seal, earlier)).filter(isNotClosed)
      const source = { db, at, journey: earlier, lender: open.length > 0 ? await lenderNameOf(db, earlier) : null }
      items.push(...(await threadsOf(ctx, source, open)))
    }
    return { officer: contact(officer), nodal: contact(nodal), lender, items }
  })

/** Whether the borrower may still withdraw the complaint, or judge its resolution. */
const isNotClosed = (complaint: Complaint): boolean => isPending(complaint) || complaint.status === 'RESOLVED'

const lenderNameOf = async (db: Run, journey: Journey): Promise<string | null> =>
  (await loanOf(db, journey))?.lenderName ?? null

interface ThreadSource {
  db: Run
  at: Date
  journey: Journey
  lender: string | null
}

async function threadsOf(
  ctx: Context,
  { db, at, journey, lender: lenderName }: ThreadSource,
  complaints: Complaint[],
): Promise<EmbedComplaint[]> {
  const items: EmbedComplaint[] = []
  for (const complaint of complaints) {
    const entries = (await listEntries(db, ctx.seal, complaint)).filter(({ shown }) => shown)
    const lender = complaint.route === 'PLATFORM' ? null : lenderName
    const exit = isPending(complaint) && lender ? await exitNoticeFor({ ...ctx, tx: db }, complaint, journey) : null
    const mayAdd = isPending(complaint) || mayReopen(complaint, ctx.config, at)
    items.push(itemOf(complaint, { entries, lender, exit, mayAdd }, at))
  }
  return items
}

const contact = ({ name, email, phone }: EmbedComplaints['officer']) => ({ name, email, phone })

interface ComplaintThread {
  entries: ComplaintEntry[]
  lender: string | null
  exit: ExitNotice | null
  mayAdd: boolean
}

function itemOf(complaint: Complaint, { entries, lender, exit, mayAdd }: ComplaintThread, at: Date): EmbedComplaint {
  const dueAt = dueAtOf(complaint)
  return {
    id: complaint.complaintId,
    number: complaint.number,
    category: complaint.category,
    status: complaint.status,
    lender,
    receivedAt: complaint.receivedAt.toISOString(),
    dueAt: dueAt?.toISOString() ?? null,
    overdue: dueAt !== null && dueAt < at,
    exit: exit && exitView(complaint, exit, at),
    outcome: complaint.outcome,
    escalated: complaint.escalatedAt !== null,
    ombudsman: complaint.ombudsmanAt !== null,
    mayAdd,
    mayJudge: complaint.status === 'RESOLVED',
    mayWithdraw: isPending(complaint),
    entries: entries.map(entryOf),
  }
}

function exitView({ status, repliedAt }: Complaint, exit: ExitNotice, at: Date): EmbedComplaint['exit'] {
  const { payBy } = exit
  if (isPaidExit(exit)) return { payBy, state: 'PAID' }
  // Once the officer has acted or the borrower has written again, the thread says what comes next.
  if (status !== 'ACKNOWLEDGED' || repliedAt !== null) return null
  return { payBy, state: businessDate(at) > payBy ? 'MISSED' : 'PAY' }
}

function entryOf({ at, author, kind, code, body }: ComplaintEntry): EmbedComplaintEntry {
  const { assigneeId: _, ...values } = body.values ?? {}
  return {
    at: at.toISOString(),
    by: author === 'TENANT' ? 'OFFICER' : author,
    kind,
    code,
    text: body.text,
    values,
    files: body.attachments.map(({ name }) => name),
  }
}
