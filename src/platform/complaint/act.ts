// Officers' acts on a complaint: answer, ask, resolve, close, reopen, note, assign; each in one transaction.
import type { ComplaintCategory, ComplaintOutcome } from '#contract/console/complaint-lists.ts'
import { invalid, Refusal } from '#kit/http/refusal.ts'
import { platformTenant } from '#platform/staff/person.ts'
import { findPerson } from '#platform/staff/store.ts'
import { schedule, scheduleClose } from './clock.ts'
import { type Attachment, type Complaint, isPending, timesFrom } from './complaint.ts'
import type { ActContext } from './complaint-context.ts'
import { sendToLender } from './open.ts'
import { mailBorrower, tellBorrower } from './post.ts'
import { clearReplied } from './store.ts'
import { checkedWords } from './text.ts'
import { addEntry, addEvent, keep, type LockedComplaint, moved } from './thread.ts'

export interface StaffAnswer {
  text: string
  /** WORDS informs, QUESTION waits for the borrower, RESOLUTION settles it with an outcome. */
  kind: 'WORDS' | 'QUESTION' | 'RESOLUTION'
  outcome?: ComplaintOutcome | null
  attachments?: Attachment[]
  personId: string | null
}

/**
 * Answers the borrower on the page, and by mail when an address is known. Refused: `invalid` the text, an unfilled
 * placeholder, a missing outcome · `wrong-state` nothing is pending.
 */
export async function answerComplaint(
  ctx: ActContext,
  { complaint }: LockedComplaint,
  answer: StaffAnswer,
): Promise<Complaint> {
  const { at, tx, config } = ctx
  const { kind, personId, attachments = [], outcome = null } = answer
  const text = checkedWords(answer.text)
  const [unfilled] = /\{\w+\}/.exec(text) ?? []
  if (unfilled) throw invalid({ path: 'text', message: `still has the place ${unfilled} in it` })
  if (kind === 'RESOLUTION' && outcome === null) throw invalid({ path: 'outcome', message: 'is required' })
  const next = {
    ...moved(complaint, kind === 'QUESTION' ? 'questioned' : kind === 'RESOLUTION' ? 'resolved' : 'taken'),
    firstAnsweredAt: complaint.firstAnsweredAt ?? at,
    repliedAt: null,
    assigneeId: complaint.assigneeId ?? personId,
    ...(kind === 'RESOLUTION' && { resolvedAt: at, outcome }),
  }
  const mail = await mailBorrower(ctx, next, {
    text,
    attachments,
    also: kind === 'RESOLUTION' ? ['resolvedFooter'] : [],
    personId,
  })
  await addEntry(ctx, complaint, {
    ...{ author: 'OFFICER', kind, shown: true, personId, attachments, mail },
    body: { text, ...(outcome && { values: { outcome } }) },
  })
  if (kind === 'RESOLUTION') await scheduleClose(tx, { ...next, resolvedAt: at }, config)
  return keep(ctx, next)
}

/** A note that only staff see; `author` tells whether it is the platform's or the tenant's. */
export async function noteComplaint(
  ctx: ActContext,
  complaint: Complaint,
  note: { text: string; personId: string | null; author: 'OFFICER' | 'TENANT' },
): Promise<void> {
  const { personId, author } = note
  await addEntry(ctx, complaint, { author, kind: 'NOTE', personId, body: { text: checkedWords(note.text, 'text', 2) } })
  if (author === 'OFFICER') await clearReplied(ctx.tx, complaint)
}

/** An officer has read the borrower's last message and no answer is needed. */
export const markSeen = async (ctx: ActContext, complaint: Complaint): Promise<Complaint> =>
  (await clearReplied(ctx.tx, complaint)) ? { ...complaint, repliedAt: null } : complaint

interface Assignment {
  /** Null removes the assignment. */
  assigneeId: string | null
  personId: string | null
}

const working = ['operator', 'grievance-officer', 'admin']

/** Refused as `invalid` when no complaint officer of the platform has that id. */
export async function assignComplaint(
  ctx: ActContext,
  { complaint }: LockedComplaint,
  { assigneeId, personId }: Assignment,
): Promise<Complaint> {
  const person = assigneeId === null ? undefined : await findPerson(ctx.tx, platformTenant, assigneeId)
  if (assigneeId !== null && !(person && working.includes(person.role)))
    throw invalid({ path: 'assigneeId', message: 'is nobody who works on complaints' })
  if (complaint.assigneeId === assigneeId) return complaint
  await addEvent(ctx, complaint, 'ASSIGNED', { personId, values: assigneeId === null ? {} : { assigneeId } })
  const isBegun = assigneeId !== null && (complaint.status === 'ACKNOWLEDGED' || complaint.status === 'NEW')
  return keep(ctx, { ...(isBegun ? moved(complaint, 'taken') : complaint), assigneeId })
}

/** Corrects the category. */
export async function categorizeComplaint(
  ctx: ActContext,
  { complaint }: LockedComplaint,
  { category, personId }: { category: ComplaintCategory; personId: string | null },
): Promise<Complaint> {
  if (complaint.category === category) return complaint
  await addEvent(ctx, complaint, 'CATEGORIZED', { personId, values: { category } })
  return keep(ctx, { ...complaint, category })
}

/**
 * Forwards it to the lender of the loan. Refused as `wrong-state` when it is already there, or no lender can be
 * reached.
 */
export async function forwardComplaint(
  ctx: ActContext,
  { complaint, journey }: LockedComplaint,
  { text, attachments = [] }: { text: string; attachments?: Attachment[] },
): Promise<Complaint> {
  if (!isPending(complaint)) throw new Refusal('wrong-state', `the complaint is ${complaint.status}`)
  if (complaint.route !== 'PLATFORM') throw new Refusal('wrong-state', 'the complaint is with the lender already')
  const sent = await sendToLender(ctx, complaint, { journey, text: checkedWords(text), attachments })
  if (sent.route === 'PLATFORM')
    throw new Refusal(
      'wrong-state',
      'no lender answers for this: none was chosen, it is no matter of a lender, or nobody there has an address',
    )
  return keep(ctx, moved(sent, 'taken'))
}

interface ClosingDetails {
  outcome?: ComplaintOutcome | null
  personId: string | null
}

/** Ends it. One that was not resolved needs an outcome. */
export async function closeComplaint(
  ctx: ActContext,
  { complaint }: LockedComplaint,
  { outcome = null, personId }: ClosingDetails,
): Promise<Complaint> {
  const { at } = ctx
  if (complaint.outcome === null && outcome === null) throw invalid({ path: 'outcome', message: 'is required' })
  const closed = {
    ...moved(complaint, 'closed'),
    ...{ closedAt: at, resolvedAt: complaint.resolvedAt ?? at, outcome: outcome ?? complaint.outcome },
    ...{ firstAnsweredAt: complaint.firstAnsweredAt ?? at, repliedAt: null },
  }
  const mail = await tellBorrower(ctx, closed, 'closed')
  await addEvent(ctx, complaint, 'CLOSED', { shown: true, personId, mail, values: { by: 'OFFICER' } })
  return keep(ctx, closed)
}

/** Reopens it and restarts its deadlines. */
export async function reopenComplaint(
  ctx: ActContext,
  { complaint }: LockedComplaint,
  { by, personId }: { by: 'BORROWER' | 'OFFICER'; personId: string | null },
): Promise<Complaint> {
  const { at, config, tx } = ctx
  const open: Complaint = {
    ...moved(complaint, 'reopened'),
    ...timesFrom(config, at),
    ...{ firstAnsweredAt: null, resolvedAt: null, closedAt: null, outcome: null, satisfied: null },
    ...(by === 'BORROWER' && { repliedAt: at }),
    reopened: complaint.reopened + 1,
  }
  await addEvent(ctx, complaint, 'REOPENED', { shown: true, personId, values: { by } })
  await schedule(tx, open)
  return keep(ctx, open)
}
