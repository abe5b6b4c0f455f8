// Applies a mail to the grievance address: adds the mail to an existing complaint or opens a new complaint.

import { daysAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import { noTenantId } from '@lendloom/queue/queue'
import { aadhaarRemover } from '@lendloom/wire/remove-aadhaar'
import type { TxContext } from '#platform/context.ts'
import { emailDigest } from '#platform/lending/borrower/digests.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { storeMailFile } from '#platform/mail/attachment.ts'
import type { IncomingMail } from '#platform/mail/incoming-mail.ts'
import { platformTenant } from '#platform/people/person.ts'
import { addBorrowerMessage } from './borrower-acts.ts'
import { type Complaint, type ComplaintEntry, type ComplaintKey, isPending, mayReopen } from './complaint.ts'
import type { ActContext } from './complaint-context.ts'
import { updateUnverifiedEntry } from './entry/store.ts'
import { languageOf, plainText, storableText } from './incoming-text.ts'
import { borrowersByEmail, countFromAddress, findKeyByMessage, findKeyByTag } from './mail-match-store.ts'
import { lenderOfficers } from './officer.ts'
import { reopenComplaint } from './officer-acts.ts'
import { openComplaint } from './open-complaint.ts'
import { contactDigest } from './store.ts'
import {
  addEntry,
  addEvent,
  afterTransition,
  type LockedComplaint,
  lockComplaintWithJourney,
  saveComplaint,
} from './thread.ts'

/** Limit per address and day, so that two mail robots do not answer each other endlessly. */
const maxAcknowledgements = 3
const maxMergeDepth = 10

/** Handles a mail in the transaction that marks it as handled. */
export async function applyComplaintMail(ctx: TxContext, received: IncomingMail): Promise<void> {
  const mail = await withWholeText(ctx, withoutAadhaarNumbers(received))
  const key = await findComplaintKey(ctx, mail)
  const locked = key && (await lockAfterMerges(ctx, key))
  if (locked) await addMail(ctx, locked, mail)
  else await openByMail(ctx, mail, null)
}

/** Removes Aadhaar numbers wherever the complaint shows the mail. One of its texts may say what the digits of another are. */
function withoutAadhaarNumbers(mail: IncomingMail): IncomingMail {
  const { subject, fromName, text, wholeText } = mail
  const names = mail.attachments.map(({ name }) => name)
  const context = [subject, fromName, wholeText, ...names].join('\n')
  const removed = aadhaarRemover(context)
  return {
    ...mail,
    subject: removed(subject),
    fromName: fromName && removed(fromName),
    text: removed(text),
    wholeText: removed(wholeText),
    attachments: mail.attachments.map(({ name, why, ...file }) => ({
      ...file,
      name: removed(name),
      why: why && removed(why),
    })),
  }
}

/** Adds a file with the whole text to a mail of which the complaint shows only a part. */
async function withWholeText(ctx: TxContext, mail: IncomingMail): Promise<IncomingMail> {
  const whole = plainText(mail.wholeText)
  if (whole === storableText(mail.text)) return mail
  const bytes = Buffer.from(whole)
  const objectKey = await storeMailFile(ctx, noTenantId, bytes)
  const file = { name: 'The whole mail.txt', type: 'text/plain', size: bytes.length, objectKey, why: null }
  return { ...mail, attachments: [...mail.attachments, file] }
}

/** Finds the complaint by the reply tag, or else by the In-Reply-To and References headers. */
async function findComplaintKey(
  { tx, seal }: ActContext,
  { tag, from, inReplyTo, references }: IncomingMail,
): Promise<ComplaintKey | undefined> {
  const tagged = tag === null ? undefined : await findKeyByTag(tx, tag)
  if (tagged) return tagged
  // The last reference is the mail that was answered.
  const messageIds = references.toReversed()
  if (inReplyTo !== null) messageIds.unshift(inReplyTo)
  return findKeyByMessage(tx, messageIds, contactDigest(seal, from))
}

async function lockAfterMerges(ctx: ActContext, key: ComplaintKey): Promise<LockedComplaint | undefined> {
  let locked = await lockComplaintWithJourney(ctx, key)
  for (let i = 0; locked?.complaint.mergedInto && i < maxMergeDepth; i++) {
    const { tenantId, mergedInto: complaintId } = locked.complaint
    locked = await lockComplaintWithJourney(ctx, { tenantId, complaintId })
  }
  return locked
}

const textOf = ({ text, subject }: IncomingMail): string => storableText(text) || storableText(subject) || '–'

const sourceOf = (mail: IncomingMail) => ({
  mail: { messageId: mail.messageId },
  sourceKey: `mail:${mail.mailId}`,
  body: { subject: mail.subject, from: mail.from, ...(mail.fromName && { fromName: mail.fromName }) },
})

async function addMail(ctx: TxContext, locked: LockedComplaint, mail: IncomingMail): Promise<void> {
  const { complaint } = locked
  const { attachments } = mail
  const text = textOf(mail)
  const author = await authorOf(ctx, complaint, mail.from)
  const source = sourceOf(mail)
  const body = { ...source.body, text }
  // Automatic replies, such as absence notices and bounces, become notes.
  if (mail.isAutomatic)
    await addEntry(ctx, complaint, { ...source, author: author ?? 'SYSTEM', kind: 'NOTE', attachments, body })
  else if (author === null)
    await addEntry(ctx, complaint, { ...source, author: 'BORROWER', kind: 'UNVERIFIED', attachments, body })
  else if (author === 'LENDER') {
    await addEntry(ctx, complaint, { ...source, author, kind: 'WORDS', attachments, body })
    const isBorrowersTurn = complaint.status === 'WAITING_FOR_BORROWER'
    if (isPending(complaint) && !isBorrowersTurn)
      return void (await saveComplaint(ctx, afterTransition(complaint, 'taken')))
  } else if (isPending(complaint) || mayReopen(complaint, ctx.config, ctx.at))
    return void (await addBorrowerMessage(ctx, locked, { text, attachments, source }))
  else return openByMail(ctx, mail, complaint)
  await saveComplaint(ctx, complaint)
}

/** Returns the author by the sender's address; null for an unknown address, whose mail an officer must verify. */
async function authorOf(ctx: ActContext, complaint: Complaint, from: string): Promise<'BORROWER' | 'LENDER' | null> {
  const isSender = (address: string | null | undefined) => !!address && address.toLowerCase() === from.toLowerCase()
  if (isSender(complaint.contact.email)) return 'BORROWER'
  const { tenantId, lenderId } = complaint
  const lender = lenderId === null ? undefined : await lenderOfficers(ctx.tx, ctx, { tenantId, lenderId })
  return isSender(lender?.officer.email) || isSender(lender?.nodal.email) ? 'LENDER' : null
}

/** Opens a complaint. `earlier` is the complaint of the mail's thread, which can no longer be reopened. */
async function openByMail(ctx: TxContext, mail: IncomingMail, earlier: Complaint | null): Promise<void> {
  const { tx, seal, at } = ctx
  const { attachments, from, fromName, subject, messageId } = mail
  const journey = earlier ? await journeyOf(ctx, earlier) : await findSenderJourney(ctx, from)
  const text = textOf(mail)
  const isOverLimit = (await countFromAddress(tx, contactDigest(seal, from), daysAfter(at, -1))) >= maxAcknowledgements
  const opened = await openComplaint(ctx, {
    tenantId: journey?.tenantId ?? platformTenant,
    origin: 'EMAIL',
    category: earlier?.category ?? 'OTHER',
    text,
    language: earlier?.language ?? languageOf(text),
    attachments,
    journey,
    contact: { email: from || null, ...(!journey && fromName && { name: fromName }) },
    mail: { messageId, subject, from, fromName: fromName ?? '', sourceKey: sourceOf(mail).sourceKey },
    shouldAcknowledge: !mail.isAutomatic && !mail.refusesAnswer && !isOverLimit && !isPlatformAddress(ctx, from),
  })
  if (earlier) await addEvent(ctx, opened, 'FOLLOWS', { values: { other: earlier.number } })
}

const isPlatformAddress = ({ config }: ActContext, address: string): boolean =>
  address.toLowerCase().endsWith(`@${config.MAIL_DOMAIN}`)

const journeyOf = async ({ tx }: ActContext, { tenantId, journeyId }: Complaint): Promise<Journey | null> =>
  journeyId === null ? null : ((await lockJourney(tx, tenantId, journeyId)) ?? null)

/** Finds the journey of the borrower with this address. If two borrowers have the address, an officer must choose. */
async function findSenderJourney(ctx: ActContext, from: string): Promise<Journey | null> {
  const [borrower, ...others] = await borrowersByEmail(ctx.tx, emailDigest(ctx, from))
  if (!borrower || others.length > 0) return null
  return (await lockJourney(ctx.tx, borrower.tenantId, borrower.journeyId)) ?? null
}

/** Records whether an officer accepts an unverified mail as the borrower's message. */
export async function reviewUnverifiedMail(
  ctx: ActContext,
  { complaint, journey }: LockedComplaint,
  { entry, isAccepted, personId }: { entry: ComplaintEntry; isAccepted: boolean; personId: string | null },
): Promise<Complaint> {
  const { tx, at, config } = ctx
  if (entry.kind !== 'UNVERIFIED') throw new Refusal('wrong-state', 'the entry is not an unverified mail')
  await updateUnverifiedEntry(tx, entry, isAccepted ? { kind: 'WORDS', shown: true } : { kind: 'NOTE', shown: false })
  await addEvent(ctx, complaint, isAccepted ? 'ACCEPTED' : 'DISMISSED', { personId })
  if (!isAccepted) return saveComplaint(ctx, complaint)
  if (isPending(complaint)) return saveComplaint(ctx, { ...afterTransition(complaint, 'answered'), repliedAt: at })
  if (!mayReopen(complaint, config, at)) return saveComplaint(ctx, complaint)
  return reopenComplaint(ctx, { complaint, journey }, { by: 'BORROWER', personId })
}
