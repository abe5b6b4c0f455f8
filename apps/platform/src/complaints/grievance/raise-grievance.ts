// Raises a borrower's grievance. Notifies the lender at once, with deadlines for an answer and a resolution (FIS12 §20).

import { invalid, Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import type { Tx } from '@lendloom/postgres/sql'
import type { Write } from '@lendloom/postgres/write'
import { bucketOf, uuidv4 } from '@lendloom/seal/id'
import { withoutAadhaar } from '@lendloom/wire/remove-aadhaar'
import type { Conversation } from '#platform/lenders/network/conversation.ts'
import { readNewest } from '#platform/lenders/network/messages/store.ts'
import { readConversation } from '#platform/lenders/network/store.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { updateJourney } from '#platform/lending/journey/store.ts'
import { readProfile } from '#platform/lending/profile/edit-profile.ts'
import { requireNetworkLoan } from './complaint-channel.ts'
import { scheduleFollowUps } from './follow-up.ts'
import { type Detail, type Grievance, isOpen } from './grievance.ts'
import type { GrievanceContext } from './grievance-context.ts'
import { lenderDeadlines } from './lender-deadlines.ts'
import { sendIssue } from './send-issue.ts'
import { igmVersionOfLender, insertGrievance, listGrievances } from './store.ts'
import { codesOf, topics } from './topic.ts'

/** So many grievances about one loan may be open, so that a page cannot flood the lender. */
const maxOpen = 5

export interface RaisedComplaint {
  topic: string
  text: string
}

/**
 * Raises a grievance, or returns an open grievance with the same topic and text. The caller holds the journey's lock.
 * Throws `invalid` for an invalid field, `wrong-state` if complaints cannot use the network or too many are open.
 */
export async function raiseGrievance(
  ctx: GrievanceContext & Write,
  journey: Journey,
  complaint: RaisedComplaint,
): Promise<Grievance> {
  const { tx, at } = ctx
  const topic = topics.find((each) => each === complaint.topic)
  if (!topic) throw invalid({ path: 'topic', message: `must be one of ${topics.join(', ')}` })
  const text = validatedText(complaint.text)
  const loan = await requireNetworkLoan(tx, journey)
  const open = (await listGrievances(tx, ctx.seal, journey)).filter(isOpen)
  const repeated = open.find((each) => each.topic === topic && each.detail.text === text)
  if (repeated) return repeated
  if (open.length >= maxOpen)
    throw new Refusal('wrong-state', `at most ${maxOpen} complaints about a loan may be open; close one of them first`)

  const { conversationId } = loan
  const conversation = required(
    await readConversation(tx, journey.tenantId, journey.journeyId, conversationId),
    'the conversation of a loan',
  )
  const igmVersion =
    (await igmVersionOfLender(tx, journey.tenantId, conversation.bppId)) ?? ctx.config.GRIEVANCE_VERSION
  const detail = await detailOf(ctx, journey, { conversation, text })
  const newGrievance = grievanceFor(ctx, journey, { topic, detail, conversationId, igmVersion }, at)
  const grievance = await sendIssue(ctx, newGrievance)
  await insertGrievance(tx, ctx.seal, grievance)
  await scheduleFollowUps(ctx, grievance)
  await updateJourney(tx, journey, { lastBorrowerActAt: at }, at)
  return grievance
}

function grievanceFor(
  { config }: GrievanceContext,
  { tenantId, journeyId }: Journey,
  draft: Pick<Grievance, 'topic' | 'detail' | 'conversationId' | 'igmVersion'>,
  at: Date,
): Grievance {
  return {
    tenantId,
    journeyId,
    ...draft,
    grievanceId: uuidv4(bucketOf(journeyId)),
    ...codesOf(draft.topic, config.GRIEVANCE_CODES),
    status: 'OPEN',
    issueType: 'ISSUE',
    rating: null,
    resolutionAction: null,
    refundPaise: null,
    ...lenderDeadlines(config, at),
    lateAt: null,
    escalationOfferedAt: null,
    requestId: '',
    refusedCode: null,
    createdAt: at,
    updatedAt: at,
  }
}

interface DetailSource {
  conversation: Conversation
  text: string
}

/** Builds the detail. The complainant comes from the borrower's profile, the order from the lender's messages. */
async function detailOf(
  ctx: GrievanceContext & Write,
  journey: Journey,
  { conversation, text }: DetailSource,
): Promise<Detail> {
  const { tx, at } = ctx
  const { person } = await readProfile(tx, ctx, journey)
  const { personal, bank } = person
  const { orderId, offeredItemId, itemId, providerId } = conversation
  const fulfillmentIds = await fulfillmentsOf(tx, ctx, conversation)
  return {
    complainant: {
      name: personal.panName ?? bank?.accountHolderName ?? null,
      phone: personal.mobile,
      email: personal.personalEmail ?? null,
    },
    order: {
      id: required(orderId, "the order of the complaint's loan"),
      itemId: offeredItemId ?? itemId,
      providerId,
      fulfillmentIds,
    },
    text,
    additions: [],
    ours: [{ action: 'OPEN', at: at.toISOString(), text: 'RAISED' }],
    theirs: [],
    provider: null,
    resolution: null,
  }
}

/** Returns the fulfillment ids in the lender's `on_confirm`. Some lenders send no ids. */
async function fulfillmentsOf(
  tx: Tx,
  { seal }: GrievanceContext,
  conversation: { tenantId: string; journeyId: string; conversationId: string },
): Promise<string[]> {
  const confirmed = await readNewest(tx, seal, conversation, ['on_confirm'])
  if (!confirmed) return []
  const { message }: { message?: { order?: { fulfillments?: { id?: string }[] } } } = JSON.parse(
    confirmed.body.toString('utf8'),
  )
  return message?.order?.fulfillments?.flatMap(({ id }) => id ?? []) ?? []
}

/** The lengths of a text that the network accepts. */
const minLength = 10
const maxLength = 2000

/**
 * Returns the trimmed text of a complaint. Throws `invalid` for the field `text` if the length is wrong, or if the text
 * contains control characters or an Aadhaar number.
 */
export function validatedText(input: string): string {
  const text = input.trim().replaceAll('\r\n', '\n')
  if (text.length < minLength || text.length > maxLength)
    throw invalid({ path: 'text', message: `must have ${minLength} to ${maxLength} characters` })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
  if (/[\u0000-\u0008\u000b-\u001f\u007f]/.test(text))
    throw invalid({ path: 'text', message: 'must be plain text, without control characters' })
  if (text !== withoutAadhaar(text)) throw invalid({ path: 'text', message: 'must not contain an Aadhaar number' })
  return text
}
