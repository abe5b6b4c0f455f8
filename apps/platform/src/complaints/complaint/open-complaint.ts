// Opens a complaint: assigns a number, forwards to a responsible lender, acknowledges and starts the deadlines.

import { Refusal } from '@lendloom/foundation/refusal'
import type { Language } from '@lendloom/lending/language'
import { inr } from '@lendloom/lending/money'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import type { ComplaintCategory, ComplaintOrigin, PartPaymentKeeps } from '@lendloom/wire/console/complaint-lists'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { readProfile } from '#platform/lending/profile/edit-profile.ts'
import { type Attachment, type Complaint, type Contact, isPending } from './complaint.ts'
import type { ActContext } from './complaint-context.ts'
import { newComplaintNumber, newReplyTag } from './complaint-number.ts'
import { scheduleDeadlines, scheduleExit } from './deadline-jobs.ts'
import { deadlinesFrom } from './deadlines.ts'
import { listEntries } from './entry/store.ts'
import { exitNoticeFor } from './exit-payment.ts'
import { loanOf } from './lender-store.ts'
import { type ExitNotice, isPaidExit, mailStandardText } from './send-mails.ts'
import { sendToLender } from './send-to-lender.ts'
import { findKeyByNumber, insertComplaint, listByJourney } from './store.ts'
import { fillPlaceholders } from './text.ts'
import { partPaymentText } from './text-en.ts'
import { addEntry, addEvent, afterTransition } from './thread.ts'

/** Keeps the page from flooding the officers; other origins have no limit. */
const maxPendingPerJourney = 10

/** The amount is in whole rupees. `keep` says whether the instalment or the term stays the same. */
interface PartPayment {
  amount: string
  keep: PartPaymentKeeps
}

export interface NewComplaint {
  tenantId: string
  origin: ComplaintOrigin
  category: ComplaintCategory
  text: string
  language: Language
  attachments: Attachment[]
  /** Overrides the contact data of the journey's profile. */
  contact?: Partial<Contact>
  /** Null when unknown. The caller holds the journey's lock. */
  journey: Journey | null
  /** The member of staff who recorded the complaint for the borrower. */
  personId?: string
  mail?: { messageId: string; subject: string; from: string; fromName: string; sourceKey: string }
  /** By default true; false for example for automatic mail. */
  shouldAcknowledge?: boolean
  /** By default true; false for a request that the lender has already granted. */
  shouldForward?: boolean
  partPayment?: PartPayment
  grievanceId?: string
}

/**
 * Opens a complaint, or returns the pending complaint that the page repeats. Throws `wrong-state` if the page opens a
 * complaint for a journey with too many pending complaints.
 */
export async function openComplaint(ctx: ActContext, input: NewComplaint): Promise<Complaint> {
  const { tx, seal } = ctx
  const { journey, origin, category, text, shouldForward = !input.grievanceId } = input
  if (journey && shouldForward) {
    const pending = (await listByJourney(tx, seal, journey)).filter(isPending)
    const repeated = origin === 'PAGE' ? await findRepeatedComplaint(ctx, pending, input) : undefined
    if (repeated) return repeated
    if (origin === 'PAGE' && pending.length >= maxPendingPerJourney)
      throw new Refusal('wrong-state', `at most ${maxPendingPerJourney} complaints may be open`)
  }
  const newComplaint = await buildComplaint(ctx, input)
  await addEntry(ctx, newComplaint, {
    author: 'BORROWER',
    kind: 'WORDS',
    shown: true,
    attachments: input.attachments,
    personId: input.personId ?? null,
    body: {
      text,
      ...(input.partPayment && { values: { ...input.partPayment } }),
      ...(input.mail && { subject: input.mail.subject, from: input.mail.from, fromName: input.mail.fromName }),
    },
    ...(input.mail && { mail: { messageId: input.mail.messageId }, sourceKey: input.mail.sourceKey }),
  })
  await addEvent(ctx, newComplaint, 'OPENED', { values: { origin, category }, personId: input.personId ?? null })
  const exit = await exitNoticeFor(ctx, newComplaint, journey)
  const forwarded = shouldForward
    ? await sendToLender(ctx, newComplaint, {
        journey,
        text: textForLender(input),
        attachments: input.attachments,
        exit,
      })
    : newComplaint
  const opened = await acknowledge(ctx, forwarded, input, exit)
  const exitAtLender = opened.route === 'LENDER_MAIL' ? exit : null
  const complaint = { ...opened, exitPayBy: exitAtLender && !isPaidExit(exitAtLender) ? exitAtLender.payBy : null }
  await insertComplaint(tx, seal, complaint)
  await scheduleDeadlines(tx, complaint)
  if (exitAtLender) await scheduleExit(tx, complaint, exitAtLender)
  return complaint
}

/** Puts an English summary of a requested part payment above the borrower's text. */
function textForLender({ text, partPayment }: NewComplaint): string {
  if (!partPayment) return text
  const amount = inr(BigInt(partPayment.amount) * 100n)
  return `${fillPlaceholders(partPaymentText[partPayment.keep], { amount })}\n\n${text}`
}

async function findRepeatedComplaint(
  ctx: ActContext,
  pending: Complaint[],
  { category, text }: NewComplaint,
): Promise<Complaint | undefined> {
  for (const each of pending.filter((complaint) => complaint.category === category)) {
    const [first] = await listEntries(ctx.tx, ctx.seal, each)
    if (first?.body.text === text) return each
  }
  return undefined
}

async function buildComplaint(ctx: ActContext, input: NewComplaint): Promise<Complaint> {
  const { tx, at, config } = ctx
  const { tenantId, origin, category, language, journey, grievanceId } = input
  const loan = journey ? await loanOf(tx, journey) : undefined
  return {
    tenantId,
    complaintId: uuidv7(at.getTime(), journey ? bucketOf(journey.journeyId) : undefined),
    number: await unusedNumber(ctx),
    replyTag: newReplyTag(),
    origin,
    category,
    language,
    status: 'NEW',
    route: grievanceId ? 'LENDER_NETWORK' : 'PLATFORM',
    journeyId: journey?.journeyId ?? null,
    borrowerId: journey?.borrowerId ?? null,
    lenderId: loan?.lenderId ?? null,
    grievanceId: grievanceId ?? null,
    mirroredStatus: grievanceId ? 'OPEN' : null,
    contact: { ...(await contactOf(ctx, journey)), ...input.contact },
    assigneeId: null,
    version: 1,
    receivedAt: at,
    ...deadlinesFrom(config, at),
    firstAnsweredAt: null,
    resolvedAt: null,
    closedAt: null,
    escalatedAt: null,
    escalatedBecause: null,
    ombudsmanAt: null,
    outcome: null,
    satisfied: null,
    reopened: 0,
    mergedInto: null,
    exitPayBy: null,
    repliedAt: null,
    createdAt: at,
    updatedAt: at,
  }
}

/** Numbers are random, so another complaint may have the new one already. */
async function unusedNumber({ tx, at }: ActContext): Promise<string> {
  for (;;) {
    const number = newComplaintNumber(at)
    if (!(await findKeyByNumber(tx, number, null))) return number
  }
}

/** The contact data of the borrower of a journey; unknown without a journey. */
export async function contactOf(ctx: Pick<ActContext, 'tx' | 'seal'>, journey: Journey | null): Promise<Contact> {
  if (!journey) return { name: null, email: null, mobile: null }
  const { person } = await readProfile(ctx.tx, ctx, journey)
  const { panName, personalEmail, mobile } = person.personal
  return { name: panName ?? null, email: personalEmail ?? person.work.officialEmail ?? null, mobile }
}

async function acknowledge(
  ctx: ActContext,
  complaint: Complaint,
  { origin, attachments, shouldAcknowledge = true }: NewComplaint,
  exit: ExitNotice | null,
): Promise<Complaint> {
  if (!shouldAcknowledge) return complaint
  const notice = complaint.route === 'PLATFORM' ? null : exit
  const text = complaint.route === 'PLATFORM' ? 'acknowledged' : (notice?.text ?? 'acknowledgedLender')
  const hasRefusedFile = attachments.some(({ objectKey }) => objectKey === null)
  const mail = await mailStandardText(ctx, complaint, text, {
    values: notice?.values ?? {},
    furtherTexts: hasRefusedFile ? ['filesNotKept'] : [],
  })
  if (!mail && origin === 'EMAIL') return complaint
  await addEvent(ctx, complaint, 'ACKNOWLEDGED', { shown: true, mail })
  const acknowledged = afterTransition(complaint, 'acknowledged')
  // The acknowledgement names one day for the answer.
  if (notice?.text === 'acknowledgedBooked') return { ...acknowledged, firstAnswerDueAt: complaint.resolutionDueAt }
  return { ...acknowledged, ...(notice && { firstAnsweredAt: ctx.at }) }
}
