// What the hosted page shows of complaints: how each stands, and of its thread what the borrower may see.
import type { EmbedComplaint, EmbedComplaintEntry, EmbedComplaints } from '#contract/hosted/embed-complaint.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Borrower } from '#platform/access/embed-session.ts'
import { type Complaint, dueAtOf, type Entry, isPending, mayReopen } from '#platform/complaint/complaint.ts'
import { listEntries } from '#platform/complaint/entry/store.ts'
import { loanOf } from '#platform/complaint/officer/store.ts'
import { platformOfficers } from '#platform/complaint/officer.ts'
import { listOfJourney } from '#platform/complaint/store.ts'
import type { Context } from '#platform/context.ts'
import { findJourney } from '#platform/journey/store.ts'

/** Of the journey of a session, from one state of the database; `absent` when that is gone. */
export const complaintsOf = (ctx: Context, { tenantId, journeyId }: Borrower, at: Date): Promise<EmbedComplaints> =>
  ctx.db.snapshot(async (db) => {
    const journey = await findJourney(db, tenantId, journeyId)
    if (!journey) throw new Refusal('absent', 'there is no such journey')
    const { officer, nodal } = await platformOfficers(db, ctx)
    const loan = await loanOf(db, journey)
    const items: EmbedComplaint[] = []
    for (const complaint of await listOfJourney(db, ctx.seal, journey)) {
      const entries = (await listEntries(db, ctx.seal, complaint)).filter(({ shown }) => shown)
      const lender = complaint.route === 'PLATFORM' ? null : (loan?.lenderName ?? null)
      items.push(
        itemOf(
          complaint,
          { entries, lender, mayAdd: isPending(complaint) || mayReopen(complaint, ctx.config, at) },
          at,
        ),
      )
    }
    return { officer: contact(officer), nodal: contact(nodal), lender: loan?.lenderName ?? null, items }
  })

const contact = ({ name, email, phone }: EmbedComplaints['officer']) => ({ name, email, phone })

interface Shown {
  entries: Entry[]
  lender: string | null
  mayAdd: boolean
}

function itemOf(complaint: Complaint, { entries, lender, mayAdd }: Shown, at: Date): EmbedComplaint {
  const dueAt = dueAtOf(complaint)
  return {
    ...{ id: complaint.complaintId, number: complaint.number, category: complaint.category, status: complaint.status },
    ...{ lender, receivedAt: complaint.receivedAt.toISOString(), dueAt: dueAt?.toISOString() ?? null },
    overdue: dueAt !== null && dueAt < at,
    ...{ escalated: complaint.escalatedAt !== null, ombudsman: complaint.ombudsmanAt !== null, mayAdd },
    ...{ mayJudge: complaint.status === 'RESOLVED', mayWithdraw: isPending(complaint) },
    entries: entries.map(entryOf),
  }
}

/** Officers have no names here: they change, and answer for the same. */
function entryOf({ at, author, kind, code, body }: Entry): EmbedComplaintEntry {
  const { assigneeId: _, ...values } = body.values ?? {}
  return {
    ...{ at: at.toISOString(), by: author === 'TENANT' ? 'OFFICER' : author, kind, code, text: body.text, values },
    files: body.attachments.map(({ name }) => name),
  }
}
