// Mail to the grievance address: it opens a complaint, or is added to the one whose tag or thread it has; automatic mail is never answered.
import { Refusal } from '#kit/http/refusal.ts'
import { daysAfter } from '#kit/runtime/clock.ts'
import { emailDigest } from '#platform/borrower/borrower.ts'
import type { TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { lockJourney } from '#platform/journey/store.ts'
import type { IncomingMail } from '#platform/mail/handle.ts'
import { platformTenant } from '#platform/staff/person.ts'
import { reopenComplaint } from './act.ts'
import { addWords } from './borrower-act.ts'
import { type Complaint, type ComplaintEntry, type ComplaintKey, isPending, mayReopen } from './complaint.ts'
import type { ActContext } from './complaint-context.ts'
import { settleEntry } from './entry/store.ts'
import { lenderOfficers } from './officer.ts'
import { openComplaint } from './open.ts'
import { borrowersByEmail, contactDigest, countFromAddress, placeByMessage, placeByTag } from './store.ts'
import { keptWords, languageOf } from './text.ts'
import { addEntry, addEvent, findHeld, keep, type LockedComplaint, moved } from './thread.ts'

/**
 * How many complaints of one address per day are answered with their number, so that two machines do not write to each
 * other endlessly.
 */
const mostAnswered = 3
/** How many merges are followed to the complaint that continues. */
const longestChain = 10

/** Takes a mail in the transaction in which it is noted as taken, once. */
export async function receiveComplaintMail(ctx: TxContext, mail: IncomingMail): Promise<void> {
  const place = await placeOf(ctx, mail)
  const held = place && (await goingOn(ctx, place))
  if (held) await addMail(ctx, held, mail)
  else await openByMail(ctx, mail, null)
}

/** Our tag identifies the complaint; without one, the mail that this one answers does. */
const placeOf = async (
  { tx }: ActContext,
  { tag, inReplyTo, references }: IncomingMail,
): Promise<ComplaintKey | undefined> =>
  (tag ? await placeByTag(tx, tag) : undefined) ??
  (await placeByMessage(tx, [...(inReplyTo ? [inReplyTo] : []), ...references]))

async function goingOn(ctx: ActContext, place: ComplaintKey): Promise<LockedComplaint | undefined> {
  let held = await findHeld(ctx, place)
  for (let i = 0; held?.complaint.mergedInto && i < longestChain; i++) {
    const { tenantId, mergedInto: complaintId } = held.complaint
    held = await findHeld(ctx, { tenantId, complaintId })
  }
  return held
}

const wordsOf = ({ text, subject }: IncomingMail): string => keptWords(text) || keptWords(subject) || '–'

const sourceOf = (mail: IncomingMail) => ({
  mail: { messageId: mail.messageId },
  sourceKey: `mail:${mail.mailId}`,
  body: { subject: mail.subject, from: mail.from, ...(mail.fromName && { fromName: mail.fromName }) },
})

async function addMail(ctx: TxContext, held: LockedComplaint, mail: IncomingMail): Promise<void> {
  const { complaint } = held
  const { attachments } = mail
  const text = wordsOf(mail)
  const author = await authorOf(ctx, complaint, mail.from)
  const source = sourceOf(mail)
  const body = { ...source.body, text }
  // Automatic replies have no effect: absences and bounces of our own mail.
  if (mail.isAutomatic)
    await addEntry(ctx, complaint, { ...source, author: author ?? 'SYSTEM', kind: 'NOTE', attachments, body })
  else if (author === null)
    await addEntry(ctx, complaint, { ...source, author: 'BORROWER', kind: 'UNVERIFIED', attachments, body })
  else if (author === 'LENDER') {
    await addEntry(ctx, complaint, { ...source, author, kind: 'WORDS', attachments, body })
    const isBorrowersTurn = complaint.status === 'WAITING_FOR_BORROWER'
    if (isPending(complaint) && !isBorrowersTurn) return void (await keep(ctx, moved(complaint, 'taken')))
  } else if (isPending(complaint) || mayReopen(complaint, ctx.config, ctx.at))
    return void (await addWords(ctx, held, { text, attachments, source }))
  else return openByMail(ctx, mail, complaint)
  await keep(ctx, complaint)
}

/** The author of a mail from one of the complaint's addresses; null for any other. */
async function authorOf(ctx: ActContext, complaint: Complaint, from: string): Promise<'BORROWER' | 'LENDER' | null> {
  const is = (address: string | null | undefined) => !!address && address.toLowerCase() === from.toLowerCase()
  if (is(complaint.contact.email)) return 'BORROWER'
  const { tenantId, lenderId } = complaint
  const lender = lenderId === null ? undefined : await lenderOfficers(ctx.tx, ctx, { tenantId, lenderId })
  return is(lender?.officer.email) || is(lender?.nodal.email) ? 'LENDER' : null
}

/** `before` is the complaint that it belongs to and that was closed too long ago. */
async function openByMail(ctx: TxContext, mail: IncomingMail, before: Complaint | null): Promise<void> {
  const { tx, seal, at } = ctx
  const { attachments, from, fromName, subject, messageId } = mail
  const journey = before ? await journeyOf(ctx, before) : await journeyFrom(ctx, from)
  const text = wordsOf(mail)
  const isOften = (await countFromAddress(tx, contactDigest(seal, from), daysAfter(at, -1))) >= mostAnswered
  const opened = await openComplaint(ctx, {
    ...{ tenantId: journey?.tenantId ?? platformTenant, origin: 'EMAIL', category: before?.category ?? 'OTHER', text },
    ...{ language: before?.language ?? languageOf(text), attachments, journey },
    contact: { email: from, ...(!journey && fromName && { name: fromName }) },
    mail: { messageId, subject, from, fromName: fromName ?? '', sourceKey: sourceOf(mail).sourceKey },
    mayMail: !mail.isAutomatic && !isOften && !isOurs(ctx, from),
  })
  if (before) await addEvent(ctx, opened, 'FOLLOWS', { values: { other: before.number } })
}

const isOurs = ({ config }: ActContext, address: string): boolean =>
  address.toLowerCase().endsWith(`@${config.MAIL_DOMAIN}`)

const journeyOf = async ({ tx }: ActContext, { tenantId, journeyId }: Complaint): Promise<Journey | null> =>
  journeyId === null ? null : ((await lockJourney(tx, tenantId, journeyId)) ?? null)

/** The only borrower with that address; with two, an officer decides. */
async function journeyFrom(ctx: ActContext, from: string): Promise<Journey | null> {
  const [known, ...others] = await borrowersByEmail(ctx.tx, emailDigest(ctx, from))
  if (!known || others.length > 0) return null
  return (await lockJourney(ctx.tx, known.tenantId, known.journeyId)) ?? null
}

/** An officer decides whether a mail from another address is the borrower's. */
export async function settleMail(
  ctx: ActContext,
  { complaint, journey }: LockedComplaint,
  { entry, isAccepted, personId }: { entry: ComplaintEntry; isAccepted: boolean; personId: string | null },
): Promise<Complaint> {
  const { tx, at, config } = ctx
  if (entry.kind !== 'UNVERIFIED') throw new Refusal('wrong-state', 'nothing is to be said about this entry')
  await settleEntry(tx, entry, isAccepted ? { kind: 'WORDS', shown: true } : { kind: 'NOTE', shown: false })
  await addEvent(ctx, complaint, isAccepted ? 'ACCEPTED' : 'DISMISSED', { personId })
  if (!isAccepted) return keep(ctx, complaint)
  if (isPending(complaint)) return keep(ctx, { ...moved(complaint, 'answered'), repliedAt: at })
  if (!mayReopen(complaint, config, at)) return keep(ctx, complaint)
  return reopenComplaint(ctx, { complaint, journey }, { by: 'BORROWER', personId })
}
