// Sends a complaint to the responsible lender: as a grievance on the network, otherwise by mail.

import { Refusal } from '@lendloom/foundation/refusal'
import { type ComplaintRoute, isLendersMatter } from '@lendloom/wire/console/complaint-lists'
import { channelOf } from '#platform/complaints/grievance/complaint-channel.ts'
import { raiseGrievance } from '#platform/complaints/grievance/raise-grievance.ts'
import { chosenLoan } from '#platform/complaints/grievance/store.ts'
import { type Topic, topics } from '#platform/complaints/grievance/topic.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import type { Attachment, Complaint } from './complaint.ts'
import type { ActContext } from './complaint-context.ts'
import { lenderOfficers } from './officer.ts'
import { type ExitNotice, mailLender } from './send-mails.ts'
import { addEntry, addEvent } from './thread.ts'

interface ForwardedMessage {
  journey: Journey | null
  /** What the borrower is informed of about the payment of an exit. */
  exit?: ExitNotice | null
  text: string
  attachments: Attachment[]
}

/** Sends a complaint to the lender if the lender is responsible for the category; otherwise changes nothing. */
export async function sendToLender(
  ctx: ActContext,
  complaint: Complaint,
  message: ForwardedMessage,
): Promise<Complaint> {
  const { journey, text, attachments, exit = null } = message
  if (!journey || complaint.lenderId === null || !isLendersMatter(complaint.category)) return complaint
  const lender = await lenderOfficers(ctx.tx, ctx, { tenantId: complaint.tenantId, lenderId: complaint.lenderId })
  const withRoute = (route: ComplaintRoute, change: Partial<Complaint> = {}): Complaint => ({
    ...complaint,
    ...change,
    route,
  })
  const values = { lender: lender?.lender ?? '' }
  const grievanceId = await raiseAtNetworkLender(ctx, journey, complaint, text)
  if (grievanceId !== null) {
    await addEvent(ctx, complaint, 'SENT_TO_LENDER', {
      shown: true,
      values: { ...values, by: 'LENDER_NETWORK' },
    })
    return withRoute('LENDER_NETWORK', { grievanceId, mirroredStatus: 'OPEN' })
  }
  const mail = await mailLender(ctx, complaint, { message: text, attachments, exit })
  if (!mail) return complaint
  await addEntry(ctx, complaint, {
    author: 'SYSTEM',
    kind: 'FORWARD',
    attachments,
    mail,
    body: { text, to: mail.to },
  })
  await addEvent(ctx, complaint, 'SENT_TO_LENDER', { shown: true, values: { ...values, by: 'MAIL' } })
  return withRoute('LENDER_MAIL')
}

/** Raises a network grievance and returns its id; null when the loan does not support grievances. */
async function raiseAtNetworkLender(
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
    // The lender has too many open grievances or the network rejects the text, so the complaint is mailed instead.
    if (error instanceof Refusal && (error.kind === 'wrong-state' || error.kind === 'invalid')) return null
    throw error
  }
}

/** The lengths of a grievance's text that the network accepts. */
const networkMaxLength = 2000

const networkMinLength = 10

/** Adjusts a text to the lengths that the network accepts. The complaint has the whole text. */
export function networkText(text: string, number: string): string {
  if (text.length < networkMinLength) return `${text} (${number})`
  return text.length <= networkMaxLength ? text : `${text.slice(0, networkMaxLength - 2)} …`
}
