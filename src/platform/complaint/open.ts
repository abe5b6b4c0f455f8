// Opens a complaint: it gets its number at once, goes to the responsible officer, and its deadlines start.
import {
  type ComplaintCategory,
  type ComplaintOrigin,
  type ComplaintRoute,
  isLendersMatter,
  type PartPaymentKeeps,
} from '#contract/console/complaint-lists.ts'
import type { Language } from '#contract/language.ts'
import { bucketOf, uuidv7 } from '#kit/crypto/id.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { inr } from '#kit/money/money.ts'
import { channelOf } from '#platform/grievance/channel.ts'
import { raiseGrievance } from '#platform/grievance/raise.ts'
import { chosenLoan } from '#platform/grievance/store.ts'
import { type Topic, topics } from '#platform/grievance/topic.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { readProfile } from '#platform/profile/edit.ts'
import { schedule } from './clock.ts'
import { type Attachment, type Complaint, type Contact, isPending, newNumber, newTag, timesFrom } from './complaint.ts'
import type { ActContext } from './complaint-context.ts'
import { listEntries } from './entry/store.ts'
import { loanOf } from './officer/store.ts'
import { lenderOfficers } from './officer.ts'
import { mailLender, tellBorrower } from './post.ts'
import { insertComplaint, listOfJourney, placeByNumber } from './store.ts'
import { filled } from './text.ts'
import { partPaymentText } from './text-en.ts'
import { addEntry, addEvent, moved } from './thread.ts'

/** How many of one journey may be pending at once. */
const mostPending = 10

/** How much, in whole rupees, and what is to stay as it was. */
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
  /** The complainant, when no journey identifies them, or differently from the journey. */
  contact?: Partial<Contact>
  /** The journey, whose lock the caller holds; null when unknown. */
  journey: Journey | null
  /** The member of staff who recorded it for the borrower. */
  personId?: string
  /** The mail that brought it. */
  mail?: { messageId: string; subject: string; from: string; fromName: string; sourceKey: string }
  /** Whether the number may be mailed: never in answer to an automatic mail. */
  mayMail?: boolean
  /** The details of a part payment. */
  partPayment?: PartPayment
  /** The grievance that the lender has already. */
  grievanceId?: string
}

/**
 * Opens it; the same words about the same thing, while that is pending on the page, are the same complaint. Refused as
 * `wrong-state` when too many of the journey are pending.
 */
export async function openComplaint(ctx: ActContext, given: NewComplaint): Promise<Complaint> {
  const { tx, seal } = ctx
  const { journey, origin, category, text } = given
  if (journey && !given.grievanceId) {
    const pending = (await listOfJourney(tx, seal, journey)).filter(isPending)
    const same = origin === 'PAGE' ? await sameAmong(ctx, pending, given) : undefined
    if (same) return same
    if (origin === 'PAGE' && pending.length >= mostPending)
      throw new Refusal('wrong-state', `${mostPending} complaints are open already; they are answered first`)
  }
  const fresh = await freshComplaint(ctx, given)
  await addEntry(ctx, fresh, {
    ...{ author: 'BORROWER', kind: 'WORDS', shown: true, attachments: given.attachments },
    personId: given.personId ?? null,
    body: {
      text,
      ...(given.partPayment && { values: { ...given.partPayment } }),
      ...(given.mail && { subject: given.mail.subject, from: given.mail.from, fromName: given.mail.fromName }),
    },
    ...(given.mail && { mail: { messageId: given.mail.messageId }, sourceKey: given.mail.sourceKey }),
  })
  await addEvent(ctx, fresh, 'OPENED', { values: { origin, category }, personId: given.personId ?? null })
  const routed = given.grievanceId
    ? fresh
    : await sendToLender(ctx, fresh, { journey, text: forLender(given), attachments: given.attachments })
  const opened = await acknowledged(ctx, routed, given)
  await insertComplaint(tx, seal, opened)
  await schedule(tx, opened)
  return opened
}

/** The borrower's words, and above them what is asked for in the language of lenders. */
function forLender({ text, partPayment }: NewComplaint): string {
  if (!partPayment) return text
  const amount = inr(BigInt(partPayment.amount) * 100n)
  return `${filled(partPaymentText[partPayment.keep], { amount })}\n\n${text}`
}

async function sameAmong(
  ctx: ActContext,
  pending: Complaint[],
  { category, text }: NewComplaint,
): Promise<Complaint | undefined> {
  for (const each of pending.filter((one) => one.category === category)) {
    const [first] = await listEntries(ctx.tx, ctx.seal, each)
    if (first?.body.text === text) return each
  }
  return undefined
}

async function freshComplaint(ctx: ActContext, given: NewComplaint): Promise<Complaint> {
  const { tx, at, config } = ctx
  const { tenantId, origin, category, language, journey, grievanceId } = given
  const loan = journey ? await loanOf(tx, journey) : undefined
  return {
    ...{
      tenantId,
      complaintId: uuidv7(at.getTime(), journey ? bucketOf(journey.journeyId) : undefined),
      number: await unusedNumber(ctx),
      replyTag: newTag(),
    },
    ...{ origin, category, language, status: 'NEW', route: grievanceId ? 'LENDER_NETWORK' : 'PLATFORM' },
    ...{
      journeyId: journey?.journeyId ?? null,
      borrowerId: journey?.borrowerId ?? null,
      lenderId: loan?.lenderId ?? null,
    },
    ...{ grievanceId: grievanceId ?? null, mirroredStatus: grievanceId ? 'OPEN' : null },
    contact: { ...(await contactOf(ctx, journey)), ...given.contact },
    ...{ assigneeId: null, version: 1, receivedAt: at, ...timesFrom(config, at) },
    ...{ firstAnsweredAt: null, resolvedAt: null, closedAt: null, escalatedAt: null, escalatedBecause: null },
    ...{
      ombudsmanAt: null,
      outcome: null,
      satisfied: null,
      reopened: 0,
      mergedInto: null,
      repliedAt: null,
      createdAt: at,
      updatedAt: at,
    },
  }
}

async function unusedNumber({ tx, at }: ActContext): Promise<string> {
  for (;;) {
    const number = newNumber(at)
    if (!(await placeByNumber(tx, number, null))) return number
  }
}

/** From the journey's profile. */
export async function contactOf(ctx: Pick<ActContext, 'tx' | 'seal'>, journey: Journey | null): Promise<Contact> {
  if (!journey) return { name: null, email: null, mobile: null }
  const { person } = await readProfile(ctx.tx, ctx, journey)
  const { panName, personalEmail, mobile } = person.personal
  return { name: panName ?? null, email: personalEmail ?? person.work.officialEmail ?? null, mobile }
}

interface Matter {
  journey: Journey | null
  text: string
  attachments: Attachment[]
}

/**
 * Sends it to the lender when its category is the lender's, over the channel of this lender; otherwise it stays with
 * us.
 */
export async function sendToLender(ctx: ActContext, complaint: Complaint, matter: Matter): Promise<Complaint> {
  const { journey, text, attachments } = matter
  if (!journey || complaint.lenderId === null || !isLendersMatter(complaint.category)) return complaint
  const lender = await lenderOfficers(ctx.tx, ctx, { tenantId: complaint.tenantId, lenderId: complaint.lenderId })
  const by = (route: ComplaintRoute, change: Partial<Complaint> = {}): Complaint => ({ ...complaint, ...change, route })
  const values = { lender: lender?.lender ?? '' }
  const grievanceId = await raised(ctx, journey, complaint, text)
  if (grievanceId !== null) {
    await addEvent(ctx, complaint, 'SENT_TO_LENDER', { shown: true, values: { ...values, by: 'LENDER_NETWORK' } })
    return by('LENDER_NETWORK', { grievanceId, mirroredStatus: 'OPEN' })
  }
  const mail = await mailLender(ctx, complaint, { words: text, attachments })
  if (!mail) return complaint
  await addEntry(ctx, complaint, {
    ...{ author: 'SYSTEM', kind: 'FORWARD', attachments, mail },
    body: { text, to: mail.to },
  })
  await addEvent(ctx, complaint, 'SENT_TO_LENDER', { shown: true, values: { ...values, by: 'MAIL' } })
  return by('LENDER_MAIL')
}

/** Over the network, where the loan can be complained about there; null where it cannot. */
async function raised(
  ctx: ActContext,
  journey: Journey,
  { category, number }: Complaint,
  text: string,
): Promise<string | null> {
  if (channelOf(await chosenLoan(ctx.tx, journey)) !== 'network') return null
  const topic: Topic = topics.find((each) => each === category) ?? 'OTHER'
  try {
    return (await raiseGrievance(ctx, journey, { topic, text: networkText(text, number) })).grievanceId
  } catch (error) {
    // The lender has too many open ones, or rejects the text: it is mailed instead.
    if (error instanceof Refusal && (error.kind === 'wrong-state' || error.kind === 'invalid')) return null
    throw error
  }
}

const longestOfNetwork = 2000
const shortestOfNetwork = 10

/** Truncates a text that is too long for the network; the officer has the rest. */
export function networkText(text: string, number: string): string {
  if (text.length < shortestOfNetwork) return `${text} (${number})`
  return text.length <= longestOfNetwork ? text : `${text.slice(0, longestOfNetwork - 2)} …`
}

/** Reports the number: on the page, by telephone, or by mail when an address is known. */
async function acknowledged(
  ctx: ActContext,
  complaint: Complaint,
  { origin, mayMail = true }: NewComplaint,
): Promise<Complaint> {
  if (!mayMail) return complaint
  const mail = await tellBorrower(
    ctx,
    complaint,
    complaint.route === 'PLATFORM' ? 'acknowledged' : 'acknowledgedLender',
  )
  if (!mail && origin === 'EMAIL') return complaint
  await addEvent(ctx, complaint, 'ACKNOWLEDGED', { shown: true, mail })
  return moved(complaint, 'acknowledged')
}
