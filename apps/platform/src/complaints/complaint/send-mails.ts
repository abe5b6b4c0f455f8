// Mails about complaints: to the borrower, to the lender's officers and to the platform's officers.

import { daysAfter } from '@lendloom/foundation/clock'
import { startOf } from '@lendloom/lending/calendar'
import type { Paise } from '@lendloom/lending/money'
import type { Run } from '@lendloom/postgres/sql'
import { isRequestCategory } from '@lendloom/wire/console/complaint-lists'
import type { MailAttachment, QueuedMail } from '#platform/mail/outgoing-mail.ts'
import { queueMail } from '#platform/mail/queue-mail.ts'
import { identityOf as personOf, platformTenant } from '#platform/people/person.ts'
import { findPerson } from '#platform/people/store.ts'
import { type Attachment, answerableEmail, type Complaint } from './complaint.ts'
import type { ActContext, ComplaintContext } from './complaint-context.ts'
import type { ComplaintDeadline } from './deadlines.ts'
import { newestMessageId } from './entry/store.ts'
import { loanOf } from './lender-store.ts'
import { lenderOfficers, type OfficerContact, type Officers, platformOfficers } from './officer.ts'
import { type BorrowerText, borrowerText, dayText, fillPlaceholders } from './text.ts'
import { categoryNames, exitTasks, lenderMail, lenderTasks, staffMail, unknownValue } from './text-en.ts'

/** The values of the placeholders in texts to the borrower of this complaint. */
export async function placeholderValuesOf(
  db: Run,
  ctx: Pick<ComplaintContext, 'seal' | 'config'>,
  complaint: Complaint,
): Promise<Record<string, string>> {
  const { tenantId, lenderId, language, contact } = complaint
  const { officer, nodal }: Officers = await platformOfficers(db, ctx)
  const lender = lenderId === null ? undefined : await lenderOfficers(db, ctx, { tenantId, lenderId })
  const day = (at: Date) => dayText(language, at)
  const endedAt = complaint.resolvedAt ?? complaint.closedAt
  return {
    number: complaint.number,
    ...(contact.name && { name: contact.name }),
    officer: officer.name,
    phone: officer.phone,
    nodal: nodal.name,
    nodalPhone: nodal.phone,
    nodalEmail: nodal.email,
    ...(lender && { lender: lender.lender }),
    firstAnswer: day(complaint.firstAnswerDueAt),
    resolution: day(complaint.resolutionDueAt),
    limit: day(complaint.limitAt),
    ...(endedAt && { reopen: day(daysAfter(endedAt, ctx.config.COMPLAINT_REOPEN_DAYS)) }),
  }
}

interface BorrowerMail {
  text: string
  /** The subject of a mail that starts its own thread; by default that of the complaint. */
  subject?: BorrowerText
  attachments?: Attachment[]
  /** Standard texts between the message and the signature. */
  standardTexts?: BorrowerText[]
  /** The member of staff who signs the mail; null for an automatic mail. */
  personId?: string | null
}

const sendableFiles = (attachments: Attachment[]): MailAttachment[] =>
  attachments.flatMap(({ name, type, objectKey }) => (objectKey === null ? [] : [{ name, type, objectKey }]))

/** What stands before and after the words of a mail to the borrower, with the values that filled it. */
export async function mailFrame(
  db: Run,
  ctx: Pick<ComplaintContext, 'seal' | 'config'>,
  complaint: Complaint,
  personId: string | null,
): Promise<{ greeting: string; closing: string; values: Record<string, string> }> {
  const values = await placeholderValuesOf(db, ctx, complaint)
  const row = personId === null ? undefined : await findPerson(db, platformTenant, personId)
  const textOf = (text: BorrowerText, furtherValues = {}) =>
    borrowerText(complaint, text, { ...values, ...furtherValues })
  const signature = row ? [textOf('signature', { signer: personOf(ctx.seal, row).name })] : []
  return {
    greeting: textOf(complaint.contact.name ? 'greeting' : 'greetingUnnamed'),
    closing: [...signature, textOf('footer')].join('\n\n'),
    values,
  }
}

/** Mails the complainant, or returns null without an address for it. A reply to the mail is added to the complaint. */
export async function mailBorrower(
  ctx: ActContext,
  complaint: Complaint,
  mail: BorrowerMail,
): Promise<QueuedMail | null> {
  const { contact, tenantId, complaintId, replyTag } = complaint
  const to = answerableEmail(contact)
  if (to === null) return null
  const { greeting, closing, values } = await mailFrame(ctx.tx, ctx, complaint, mail.personId ?? null)
  const textOf = (text: BorrowerText) => borrowerText(complaint, text, values)
  const inReplyTo = await newestMessageId(ctx.tx, complaint)
  return queueMail(ctx, {
    tenantId,
    kind: 'complaint',
    subjectId: complaintId,
    to,
    replyTag,
    inReplyTo,
    subject: `${inReplyTo === null || mail.subject ? '' : 'Re: '}${textOf(mail.subject ?? 'subject')}`,
    text: [greeting, mail.text, ...(mail.standardTexts ?? []).map(textOf), closing].join('\n\n'),
    attachments: sendableFiles(mail.attachments ?? []),
  })
}

/** Mails the borrower a standard text and nothing else. Returns null without an address. */
export async function mailStandardText(
  ctx: ActContext,
  complaint: Complaint,
  text: BorrowerText,
  additions: { values?: Record<string, string>; furtherTexts?: BorrowerText[] } = {},
): Promise<QueuedMail | null> {
  if (answerableEmail(complaint.contact) === null) return null
  const values = { ...(await placeholderValuesOf(ctx.tx, ctx, complaint)), ...additions.values }
  const standardTexts = additions.furtherTexts ?? []
  return mailBorrower(ctx, complaint, { text: borrowerText(complaint, text, values), standardTexts })
}

const languageNamesEn = new Intl.DisplayNames('en', { type: 'language' })

const matterOf = ({ category }: Complaint) =>
  isRequestCategory(category) ? { matter: 'request', Matter: 'Request' } : { matter: 'complaint', Matter: 'Complaint' }

/** What the borrower is informed of after a request to cancel: how to pay, or that the payment has arrived. */
export interface ExitNotice {
  text: keyof typeof exitTasks
  values: Record<string, string>
  /** The last day for the payment, as a date. */
  payBy: string
  /** All that the lender has, held or posted. */
  received: Paise
  /** The day of the last payment after `payBy`; null when the borrower paid in time, or may still pay. */
  paidLateOn: string | null
}

/** Whether the lender has the payment of the exit. */
export const isPaidExit = ({ text }: ExitNotice): boolean =>
  text === 'acknowledgedPaid' || text === 'acknowledgedBooked'

export interface LenderMail {
  message: string
  subject?: 'subject' | 'reminderSubject'
  attachments?: Attachment[]
  isEscalation?: boolean
  exit?: ExitNotice | null
}

/** Mails the lender's grievance officer, or its nodal officer for an escalation. Returns null without an address. */
export async function mailLender(
  ctx: ActContext,
  complaint: Complaint,
  { message, subject = 'subject', attachments = [], isEscalation = false, exit = null }: LenderMail,
): Promise<(QueuedMail & { to: string }) | null> {
  const { tx } = ctx
  const { tenantId, complaintId, lenderId, journeyId, replyTag, contact } = complaint
  const lender = lenderId === null ? undefined : await lenderOfficers(tx, ctx, { tenantId, lenderId })
  const to: OfficerContact | undefined = isEscalation ? lender?.nodal : lender?.officer
  if (!lender || !to?.email) return null
  const loan = journeyId === null ? undefined : await loanOf(tx, { tenantId, journeyId })
  const platform = await platformOfficers(tx, ctx)
  const from = isEscalation ? platform.nodal : platform.officer
  const day = (at: Date) => dayText('en', at)
  const task = exit
    ? fillPlaceholders(exitTasks[exit.text], {
        ...exit.values,
        payBy: day(startOf(exit.payBy)),
        paidOn: day(startOf(exit.paidLateOn ?? exit.payBy)),
      })
    : lenderTasks[complaint.category]
  const values = {
    ...matterOf(complaint),
    number: complaint.number,
    lender: lender.lender,
    message,
    officer: to.name,
    from: from.name,
    phone: from.phone,
    category: categoryNames[complaint.category],
    request: task === undefined ? '' : `${task}\n\n`,
    language: complaint.language === 'en' ? '' : ` (${languageNamesEn.of(complaint.language)})`,
    loan: loan?.loanId ?? loan?.orderId ?? loan?.caseRef ?? unknownValue,
    name: contact.name ?? unknownValue,
    mobile: contact.mobile ?? unknownValue,
    received: day(complaint.receivedAt),
    deadline: exit ? '' : `To be resolved by: ${day(complaint.resolutionDueAt)}\n`,
    limit: day(complaint.limitAt),
  }
  const queued = await queueMail(ctx, {
    tenantId,
    kind: 'complaint',
    subjectId: complaintId,
    to: to.email,
    replyTag,
    inReplyTo: null,
    subject: fillPlaceholders(isEscalation ? lenderMail.escalatedSubject : lenderMail[subject], values),
    text: fillPlaceholders(isEscalation ? lenderMail.escalated : lenderMail.text, values),
    attachments: sendableFiles(attachments),
  })
  return { ...queued, to: to.email }
}

/** Mails the assignee, or the platform's officer if there is no assignee. `NODAL` mails the nodal officer. */
export async function mailStaff(
  ctx: ActContext,
  complaint: Complaint,
  notice: ComplaintDeadline | 'NODAL' | 'UNRECORDED',
  dueAt: Date,
): Promise<QueuedMail> {
  const { tenantId, complaintId, number, assigneeId } = complaint
  const { officer, nodal } = await platformOfficers(ctx.tx, ctx)
  const row = assigneeId === null ? undefined : await findPerson(ctx.tx, platformTenant, assigneeId)
  const assignee = row && personOf(ctx.seal, row)
  const values = {
    ...matterOf(complaint),
    number,
    due: dayText('en', dueAt),
    link: `${ctx.config.PUBLIC_URL}/console/complaints/${complaintId}`,
  }
  return queueMail(ctx, {
    tenantId,
    kind: 'complaint',
    subjectId: complaintId,
    replyTag: null,
    inReplyTo: null,
    attachments: [],
    to: notice === 'NODAL' ? nodal.email : (assignee?.email ?? officer.email),
    subject: fillPlaceholders(staffMail.subject, { ...values, summary: staffMail.summaries[notice] }),
    text: `${fillPlaceholders(staffMail[notice === 'NODAL' ? 'RESOLUTION' : notice], values)}\n\n${fillPlaceholders(staffMail.link, values)}`,
  })
}
