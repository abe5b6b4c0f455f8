// What the console shows of a complaint: its thread with mail states, masking and the possible acts.

import { next } from '@lendloom/foundation/machine'
import { maskedNote, maskedWords, scrub } from '@lendloom/foundation/mask'
import { isOneOf } from '@lendloom/foundation/record'
import { tenantIn } from '@lendloom/identity/person'
import { inr } from '@lendloom/lending/money'
import type { ProductId } from '@lendloom/lending/product/products'
import type { Run } from '@lendloom/postgres/sql'
import {
  type ComplaintAct,
  type ComplaintDetail,
  complaintActs,
  type ListedComplaint,
  type ThreadEntry,
} from '@lendloom/wire/console/complaints'
import { maskedEmail, maskedMobile, maskedName } from '#platform/api/console/mask-borrower.ts'
import {
  answerableEmail,
  type Complaint,
  type ComplaintEntry,
  type ComplaintKey,
  complaintMachine,
  type EntryBody,
  isForTenant,
  isPending,
} from '#platform/complaints/complaint/complaint.ts'
import { dueAtOf, exitEndOf } from '#platform/complaints/complaint/deadlines.ts'
import { listEntries } from '#platform/complaints/complaint/entry/store.ts'
import { exitNoticeFor } from '#platform/complaints/complaint/exit-payment.ts'
import { lenderOfficers, platformOfficers } from '#platform/complaints/complaint/officer.ts'
import {
  findQueueRow,
  listOtherPending,
  productsOf,
  type QueueRow,
} from '#platform/complaints/complaint/queue/store.ts'
import { findComplaint } from '#platform/complaints/complaint/store.ts'
import { noSuchComplaint } from '#platform/complaints/complaint/thread.ts'
import type { ConsolePerson, Context } from '#platform/context.ts'
import { findJourney } from '#platform/lending/journey/store.ts'
import type { SentMail } from '#platform/mail/outgoing-mail.ts'
import { listMailsAbout } from '#platform/mail/queue-mail.ts'
import { platformTenant } from '#platform/people/person.ts'
import { namesOf } from './complaint-names.ts'
import { suggestJourneys } from './suggest-journeys.ts'

/** Whether a person handles complaints: platform staff except viewers. */
export const handlesComplaints = ({ tenantId, role }: ConsolePerson): boolean =>
  tenantId === null && isOneOf(['operator', 'grievance-officer', 'admin'], role)

interface VisibleComplaint extends Pick<QueueRow, 'lenderName' | 'tenantName' | 'unverified'> {
  products: Map<string, ProductId>
  /** The borrower's first message with the caller's masking. */
  first: { body: EntryBody; mask(text: string): string } | null
}

/** Returns the function that masks complaint texts for a reader. It also hides all digits from platform viewers. */
export const maskFor = (who: ConsolePerson): ((text: string) => string) =>
  handlesComplaints(who) || who.tenantId !== null ? maskedWords : (text) => scrub(maskedWords(text))

const maxLineLength = 100

/** The text must be masked before: a number that the cut shortens would not be recognized. */
function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > maxLineLength ? `${line.slice(0, maxLineLength - 1).trimEnd()}…` : line
}

function firstWords({ first }: VisibleComplaint): Pick<ListedComplaint, 'subject' | 'excerpt'> {
  if (!first) return { subject: null, excerpt: null }
  const subject = oneLine(first.mask(first.body.subject?.trim() ?? ''))
  const text = oneLine(first.mask(first.body.text))
  return subject ? { subject, excerpt: text || null } : { subject: text, excerpt: null }
}

/** A complaint as the queue lists it, with masked contact data. */
export const listedComplaint = (
  complaint: Complaint,
  queueRow: VisibleComplaint,
  names: Map<string, string>,
  at: Date,
): ListedComplaint => {
  const dueAt = dueAtOf(complaint)
  const { assigneeId } = complaint
  return {
    tenantId: tenantIn(complaint.tenantId),
    complaintId: complaint.complaintId,
    number: complaint.number,
    category: complaint.category,
    status: complaint.status,
    origin: complaint.origin,
    route: complaint.route,
    name: maskedName(complaint.contact.name),
    email: maskedEmail(answerableEmail(complaint.contact)),
    ...firstWords(queueRow),
    product: queueRow.products.get(complaint.journeyId ?? '') ?? null,
    lender: queueRow.lenderName,
    tenant: queueRow.tenantName,
    assignee: assigneeId === null ? null : { personId: assigneeId, name: names.get(assigneeId) ?? 'Former colleague' },
    dueAt: dueAt?.toISOString() ?? null,
    overdue: dueAt !== null && dueAt < at,
    escalated: complaint.escalatedAt !== null,
    unverified: queueRow.unverified,
    repliedAt: complaint.repliedAt?.toISOString() ?? null,
    exitPayBy: complaint.exitPayBy,
    exitEndsAt: exitEndOf(complaint)?.toISOString() ?? null,
    receivedAt: complaint.receivedAt.toISOString(),
    updatedAt: complaint.updatedAt.toISOString(),
  }
}

type ViewDeps = Pick<Context, 'db' | 'seal' | 'config'>

/** Throws `absent` for an unknown complaint. */
export const detailOf = (ctx: ViewDeps, who: ConsolePerson, key: ComplaintKey, at: Date): Promise<ComplaintDetail> =>
  ctx.db.snapshot((db) => readDetail(db, ctx, { who, key, at }))

async function readDetail(
  db: Run,
  ctx: ViewDeps,
  { who, key, at }: { who: ConsolePerson; key: ComplaintKey; at: Date },
): Promise<ComplaintDetail> {
  const complaint = await findComplaint(db, ctx.seal, key)
  const queueRow = await findQueueRow(db, key)
  if (!complaint || !queueRow) throw noSuchComplaint()
  const entries = (await listEntries(db, ctx.seal, key)).filter((entry) => who.tenantId === null || isForTenant(entry))
  const names = await namesOf(db, ctx.seal, complaint.tenantId, personIdsIn(complaint, entries))
  const mails = await mailsOf(db, complaint)
  const { lenderId, tenantId, contact, mergedInto } = complaint
  const lender = lenderId === null ? undefined : await lenderOfficers(db, ctx, { tenantId, lenderId })
  const mergeTarget =
    mergedInto === null ? undefined : await findComplaint(db, ctx.seal, { tenantId, complaintId: mergedInto })
  const mask = maskFor(who)
  const products = await productsOf(db, [complaint])
  const words = entries.filter(({ author }) => author === 'BORROWER').map((entry) => entry.body)
  const [body] = words
  return {
    ...listedComplaint(complaint, { ...queueRow, products, first: body ? { body, mask } : null }, names, at),
    version: complaint.version,
    language: complaint.language,
    journeyId: complaint.journeyId,
    mobile: contact.mobile && maskedMobile(contact.mobile),
    ...timesOf(complaint),
    escalatedBecause: complaint.escalatedBecause,
    outcome: complaint.outcome,
    satisfied: complaint.satisfied,
    reopened: complaint.reopened,
    grievanceStatus: complaint.mirroredStatus,
    exit: await exitOf(db, ctx, complaint),
    mergedInto: mergeTarget ? { complaintId: mergeTarget.complaintId, number: mergeTarget.number } : null,
    officers: {
      platform: officerContacts(await platformOfficers(db, ctx)),
      lender: lender ? officerContacts(lender) : null,
    },
    thread: entries.map((entry) => threadEntry(entry, names, mails, mask)),
    acts: actsOf(complaint, who),
    others: handlesComplaints(who) ? await listOtherPending(db, complaint) : [],
    suggestions: handlesComplaints(who) && tenantId === platformTenant ? await suggestJourneys(db, ctx, words) : [],
  }
}

/** Where the payment for a cancellation stands, by the notice that the borrower gets. */
const paymentByNotice = {
  acknowledgedExit: 'AWAITED',
  acknowledgedPaid: 'HELD',
  acknowledgedBooked: 'POSTED',
  unpaid: 'LATE',
} as const

async function exitOf(db: Run, { seal }: ViewDeps, complaint: Complaint): Promise<ComplaintDetail['exit']> {
  const { tenantId, journeyId } = complaint
  if (complaint.category !== 'COOLING_OFF' || journeyId === null || !isPending(complaint)) return null
  const journey = await findJourney(db, tenantId, journeyId)
  const notice = await exitNoticeFor({ tx: db, seal }, complaint, journey ?? null)
  // No job closes a reopened request that is unpaid: an officer decides it.
  if (!notice || (complaint.reopened > 0 && notice.text === 'acknowledgedExit')) return null
  const { text, payBy, received, paidLateOn, values } = notice
  return {
    payBy,
    payment: paymentByNotice[text],
    paidLateOn,
    amount: values.amount ?? null,
    received: received > 0n ? inr(received) : null,
  }
}

type Officers = ComplaintDetail['officers']['platform']
const officerContacts = ({ officer, nodal }: Officers): Officers => ({
  officer: contactOf(officer),
  nodal: contactOf(nodal),
})
const contactOf = ({ name, email, phone }: Officers['officer']): Officers['officer'] => ({ name, email, phone })

const timesOf = (complaint: Complaint) => ({
  firstAnswerDueAt: complaint.firstAnswerDueAt.toISOString(),
  resolutionDueAt: complaint.resolutionDueAt.toISOString(),
  limitAt: complaint.limitAt.toISOString(),
  firstAnsweredAt: complaint.firstAnsweredAt?.toISOString() ?? null,
  resolvedAt: complaint.resolvedAt?.toISOString() ?? null,
  closedAt: complaint.closedAt?.toISOString() ?? null,
  escalatedAt: complaint.escalatedAt?.toISOString() ?? null,
  ombudsmanAt: complaint.ombudsmanAt?.toISOString() ?? null,
})

const personIdsIn = ({ assigneeId }: Complaint, entries: ComplaintEntry[]): string[] => [
  ...new Set(
    [assigneeId, ...entries.flatMap(({ personId, body }) => [personId, body.values?.assigneeId ?? null])].filter(
      (id) => id !== null,
    ),
  ),
]

/** Mails by id. A mail from before the match to a tenant is stored under the platform's tenant id. */
async function mailsOf(db: Run, { tenantId, complaintId }: Complaint): Promise<Map<string, SentMail>> {
  const tenantMails = await listMailsAbout(db, tenantId, 'complaint', complaintId)
  const platformMails =
    tenantId === platformTenant ? [] : await listMailsAbout(db, platformTenant, 'complaint', complaintId)
  return new Map([...platformMails, ...tenantMails].map((mail) => [mail.mailId, mail]))
}

function threadEntry(
  entry: ComplaintEntry,
  names: Map<string, string>,
  mails: Map<string, SentMail>,
  mask: (text: string) => string,
): ThreadEntry {
  const { entryId, at, author, kind, code, shown, personId, body, mailId } = entry
  const mail = mailId === null ? undefined : mails.get(mailId)
  const { assigneeId, ...values } = body.values ?? {}
  return {
    entryId,
    at: at.toISOString(),
    author,
    kind,
    code,
    shown,
    person: personId === null ? null : (names.get(personId) ?? null),
    text: kind === 'NOTE' ? maskedNote(body.text) : mask(body.text),
    subject: body.subject === undefined ? null : mask(body.subject),
    from: body.from === undefined ? (body.fromName ?? null) : maskedEmail(body.from),
    values: { ...values, ...(assigneeId && { assignee: names.get(assigneeId) ?? '' }) },
    files: body.attachments.map(({ name, type, size, objectKey, why }) => ({
      name,
      type,
      size,
      kept: objectKey !== null,
      why,
    })),
    mail: mail
      ? {
          mailId: mail.mailId,
          state: mail.state,
          tries: mail.tries,
          answer: mail.answer,
          nextTryAt: mail.nextTryAt?.toISOString() ?? null,
        }
      : null,
  }
}

function actsOf(complaint: Complaint, who: ConsolePerson): ComplaintAct[] {
  const isPossibleTransition = (transition: 'taken' | 'closed' | 'reopened' | 'merged') =>
    next(complaintMachine, complaint.status, transition) !== undefined
  if (!handlesComplaints(who)) return who.tenantId === null ? [] : ['note', 'reveal']
  const isMatched = complaint.tenantId !== platformTenant
  const possible: Record<ComplaintAct, boolean> = {
    answer: isPossibleTransition('taken'),
    note: true,
    assign: complaint.status !== 'MERGED',
    categorize: isPending(complaint),
    forward: isPending(complaint) && complaint.route === 'PLATFORM' && complaint.lenderId !== null,
    close: isPossibleTransition('closed'),
    reopen: isPossibleTransition('reopened'),
    escalate: isPending(complaint) && complaint.escalatedAt === null,
    merge: isPossibleTransition('merged') && complaint.route !== 'LENDER_NETWORK',
    match: !isMatched && complaint.status !== 'MERGED',
    seen: complaint.repliedAt !== null,
    reveal: true,
  }
  return complaintActs.filter((act) => possible[act])
}
