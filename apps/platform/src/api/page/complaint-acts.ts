// The borrower's acts on complaints on the hosted page, also after the journey has ended (D3 §1).

import { invalid, Refusal } from '@lendloom/foundation/refusal'
import { Closed, Uuid } from '@lendloom/foundation/schema'
import { businessDate } from '@lendloom/lending/calendar'
import type { Run } from '@lendloom/postgres/sql'
import {
  type EmbedComplaint,
  type EmbedComplaintEntry,
  EmbedComplaintJudgement,
  EmbedComplaintReply,
  EmbedComplaintRequest,
  type EmbedComplaints,
  EmbedComplaintsReply,
  EmbedComplaintWithdrawal,
  EmbedComplaintWords,
} from '@lendloom/wire/hosted/embed-complaint'
import { addBorrowerMessage, judgeResolution, withdrawComplaint } from '#platform/complaints/complaint/borrower-acts.ts'
import { type Complaint, type ComplaintEntry, isPending, mayReopen } from '#platform/complaints/complaint/complaint.ts'
import type { ActContext } from '#platform/complaints/complaint/complaint-context.ts'
import { acceptsFiles, checkFiles, storeComplaintFiles } from '#platform/complaints/complaint/complaint-files.ts'
import { dueAtOf } from '#platform/complaints/complaint/deadlines.ts'
import { listEntries } from '#platform/complaints/complaint/entry/store.ts'
import { exitNoticeFor } from '#platform/complaints/complaint/exit-payment.ts'
import { validateComplaintText } from '#platform/complaints/complaint/incoming-text.ts'
import { loanOf } from '#platform/complaints/complaint/lender-store.ts'
import { platformOfficers } from '#platform/complaints/complaint/officer.ts'
import { openComplaint } from '#platform/complaints/complaint/open-complaint.ts'
import { type ExitNotice, isPaidExit } from '#platform/complaints/complaint/send-mails.ts'
import { listByJourney } from '#platform/complaints/complaint/store.ts'
import { type LockedComplaint, noSuchComplaint, requireLockedComplaint } from '#platform/complaints/complaint/thread.ts'
import { type Context, route } from '#platform/context.ts'
import { embedSession, type SessionBorrower } from '#platform/integrators/access/embed-session.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { findJourney, listEarlierJourneys, updateJourney } from '#platform/lending/journey/store.ts'
import { pageViewOf } from './page-view.ts'
import { withLockedJourney } from './run-act.ts'

const common = { section: 'D3 §1', auth: embedSession, hidden: true } as const
const path = '/api/embed/complaints'
const params = Closed({ complaintID: Uuid })
const reply = { 200: EmbedComplaintReply }
const minMessageLength = 2

/** Runs an act under the lock of the journey, which may have ended, and records the borrower's activity. */
async function runAct(
  ctx: Context,
  who: SessionBorrower,
  at: Date,
  act: (actContext: ActContext, journey: Journey) => Promise<unknown>,
) {
  await withLockedJourney(
    ctx,
    who,
    async (tx, journey) => {
      await act({ ...ctx, tx, at }, journey)
      await updateJourney(tx, journey, { lastBorrowerActAt: at }, at)
    },
    { isAllowedAfterEnd: true },
  )
  return { view: await pageViewOf(ctx, who, null, at), complaints: await complaintsOf(ctx, who, at) }
}

/** Locks a complaint of this journey, or of an earlier one of the borrower; throws `absent` for any other. */
async function lockOwnComplaint(
  actContext: ActContext,
  journey: Journey,
  complaintId: string,
): Promise<LockedComplaint> {
  const locked = await requireLockedComplaint(actContext, { tenantId: journey.tenantId, complaintId })
  if (!locked.journey || !isOfBorrower(locked.journey, journey)) throw noSuchComplaint()
  return locked
}

const isOfBorrower = (earlier: Journey, { journeyId, applicationId, borrowerId, type }: Journey): boolean =>
  earlier.journeyId === journeyId ||
  (earlier.journeyId < journeyId &&
    earlier.applicationId === applicationId &&
    earlier.borrowerId === borrowerId &&
    earlier.type === type)

const list = route({
  ...common,
  method: 'GET',
  path,
  summary: "List the borrower's complaints, with answers",
  reply: { 200: EmbedComplaintsReply },
  handle: async ({ who, at }, ctx) => ({ complaints: await complaintsOf(ctx, who, at) }),
})

const open = route({
  ...common,
  method: 'POST',
  path,
  summary: 'Open a complaint',
  body: EmbedComplaintRequest,
  reply,
  ...acceptsFiles,
  async handle({ who, body, form, at }, ctx) {
    const { category, language, partPayment } = body
    if (partPayment && category !== 'PART_PAYMENT')
      throw invalid({ path: 'partPayment', message: 'is allowed only with the category PART_PAYMENT' })
    const text = validateComplaintText(body.text)
    const files = await checkFiles(ctx, form)
    return runAct(ctx, who, at, async (actContext, journey) => {
      const { tenantId } = journey
      const attachments = await storeComplaintFiles(actContext, tenantId, files)
      const details = { category, text, language, attachments, journey, ...(partPayment && { partPayment }) }
      return openComplaint(actContext, { tenantId, origin: 'PAGE', ...details })
    })
  },
})

const add = route({
  ...common,
  method: 'POST',
  path: `${path}/{complaintID}/words`,
  summary: 'Add text and files to a complaint',
  params,
  body: EmbedComplaintWords,
  reply,
  ...acceptsFiles,
  async handle({ who, params, body, form, headers, at }, ctx) {
    const text = validateComplaintText(body.text, 'text', minMessageLength)
    const files = await checkFiles(ctx, form)
    const key = headers['idempotency-key']
    return runAct(ctx, who, at, async (actContext, journey) => {
      const lockedComplaint = await lockOwnComplaint(actContext, journey, params.complaintID)
      const attachments = await storeComplaintFiles(actContext, journey.tenantId, files)
      const source = typeof key === 'string' ? { sourceKey: `page:${key}` } : {}
      return addBorrowerMessage(actContext, lockedComplaint, { text, attachments, source })
    })
  },
})

const judge = route({
  ...common,
  method: 'POST',
  path: `${path}/{complaintID}/judge`,
  summary: 'Accept or object to a resolution',
  params,
  body: EmbedComplaintJudgement,
  reply,
  handle: ({ who, params, body, at }, ctx) =>
    runAct(ctx, who, at, async (actContext, journey) =>
      judgeResolution(actContext, await lockOwnComplaint(actContext, journey, params.complaintID), body.settled),
    ),
})

const withdraw = route({
  ...common,
  method: 'POST',
  path: `${path}/{complaintID}/withdraw`,
  summary: 'Withdraw a complaint',
  params,
  body: EmbedComplaintWithdrawal,
  reply,
  handle: ({ who, params, at }, ctx) =>
    runAct(ctx, who, at, async (actContext, journey) =>
      withdrawComplaint(actContext, await lockOwnComplaint(actContext, journey, params.complaintID)),
    ),
})

export const complaintRoutes = [list, open, add, judge, withdraw]

/**
 * Reads the complaints of a session's journey, and the pending ones of the borrower's earlier journeys, whose loans may be
 * closed. Throws `absent` if the journey was deleted.
 */
const complaintsOf = (ctx: Context, { tenantId, journeyId }: SessionBorrower, at: Date): Promise<EmbedComplaints> =>
  ctx.db.snapshot(async (db) => {
    const journey = await findJourney(db, tenantId, journeyId)
    if (!journey) throw new Refusal('absent', 'there is no such journey')
    const { officer, nodal } = await platformOfficers(db, ctx)
    const lender = await lenderNameOf(db, journey)
    const items = await threadsOf(ctx, { db, at, journey, lender }, await listByJourney(db, ctx.seal, journey))
    for (const earlier of await listEarlierJourneys(db, journey)) {
      const open = (await listByJourney(db, ctx.seal, earlier)).filter(isNotClosed)
      const facts = { db, at, journey: earlier, lender: open.length > 0 ? await lenderNameOf(db, earlier) : null }
      items.push(...(await threadsOf(ctx, facts, open)))
    }
    return { officer: contact(officer), nodal: contact(nodal), lender, items }
  })

/** Whether the borrower may still withdraw the complaint, or judge its resolution. */
const isNotClosed = (complaint: Complaint): boolean => isPending(complaint) || complaint.status === 'RESOLVED'

const lenderNameOf = async (db: Run, journey: Journey): Promise<string | null> =>
  (await loanOf(db, journey))?.lenderName ?? null

interface ThreadFacts {
  db: Run
  at: Date
  journey: Journey
  lender: string | null
}

async function threadsOf(
  ctx: Context,
  { db, at, journey, lender: lenderName }: ThreadFacts,
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
