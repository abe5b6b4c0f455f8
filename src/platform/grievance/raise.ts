// A borrower raises a grievance about a loan: the lender is notified at once, with deadlines for its answer and
// resolution (FIS12 §20).

import { isAadhaar } from '#contract/identifier.ts'
import { bucketOf, uuidv4 } from '#kit/crypto/id.ts'
import type { Tx } from '#kit/db/sql.ts'
import type { Write } from '#kit/db/write.ts'
import { invalid, Refusal } from '#kit/http/refusal.ts'
import { durationMs } from '#kit/runtime/clock.ts'
import { required } from '#kit/runtime/record.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { updateJourney } from '#platform/journey/store.ts'
import { readNewest } from '#platform/network/archive/store.ts'
import { readConversation } from '#platform/network/store.ts'
import { readProfile } from '#platform/profile/edit.ts'
import { complainableLoan } from './channel.ts'
import { scheduleFollowUps } from './follow-up.ts'
import { type Detail, type Grievance, isOpen } from './grievance.ts'
import type { GrievanceContext } from './grievance-context.ts'
import { sendIssue } from './send-issue.ts'
import { insertGrievance, listGrievances } from './store.ts'
import { codesOf, type Topic, topics } from './topic.ts'

/** How many may be open about one loan at once. */
const mostOpen = 5

export interface RaisedComplaint {
  topic: string
  text: string
}

/**
 * Raises a grievance; repeating an open one returns it. Refused: `invalid` a wrong field · `wrong-state` complaints do
 * not use the network, with another contact, or too many are open. The caller holds the journey's lock.
 */
export async function raiseGrievance(
  ctx: GrievanceContext & Write,
  journey: Journey,
  complaint: RaisedComplaint,
): Promise<Grievance> {
  const { tx, at } = ctx
  const topic = topics.find((each) => each === complaint.topic)
  if (!topic) throw invalid({ path: 'topic', message: `must be one of ${topics.join(', ')}` })
  const text = checkedText(complaint.text)
  const loan = await complainableLoan(tx, journey)
  const open = (await listGrievances(tx, ctx.seal, journey)).filter(isOpen)
  const same = open.find((each) => each.topic === topic && each.detail.text === text)
  if (same) return same
  if (open.length >= mostOpen)
    throw new Refusal('wrong-state', `${mostOpen} complaints about this loan are open already; close one of them first`)

  const { conversationId } = loan
  const detail = await detailOf(ctx, journey, { conversationId, text })
  const fresh = freshGrievance(ctx, journey, { topic, detail, conversationId }, at)
  const grievance = await sendIssue(ctx, fresh)
  await insertGrievance(tx, ctx.seal, grievance)
  await scheduleFollowUps(tx, grievance)
  await updateJourney(tx, journey, { lastBorrowerActAt: at }, at)
  return grievance
}

function freshGrievance(
  { config }: GrievanceContext,
  { tenantId, journeyId }: Journey,
  { topic, detail, conversationId }: { topic: Topic; detail: Detail; conversationId: string },
  at: Date,
): Grievance {
  return {
    ...{ tenantId, journeyId, conversationId, topic, detail },
    grievanceId: uuidv4(bucketOf(journeyId)),
    ...codesOf(topic, config.GRIEVANCE_CODES),
    ...{ status: 'OPEN', issueType: 'ISSUE', rating: null, resolutionAction: null, refundPaise: null },
    ...dueFrom(config, at),
    ...{ lateAt: null, escalationOfferedAt: null, requestId: '', refusedCode: null, createdAt: at, updatedAt: at },
  }
}

/** Milliseconds of a validated duration. */
const msOf = (duration: string): number => required(durationMs(duration), `a duration in "${duration}"`)

/** The times that a lender has, counted from `at`. */
export const dueFrom = (config: GrievanceContext['config'], at: Date) => ({
  sinceAt: at,
  responseDueAt: new Date(at.getTime() + msOf(config.GRIEVANCE_RESPONSE_TIME)),
  resolutionDueAt: new Date(at.getTime() + msOf(config.GRIEVANCE_RESOLUTION_TIME)),
})

/** The complainant as in the lender's profile form; the loan by the lender's id. */
interface ComplaintWords {
  conversationId: string
  text: string
}

async function detailOf(
  ctx: GrievanceContext & Write,
  journey: Journey,
  { conversationId, text }: ComplaintWords,
): Promise<Detail> {
  const { tx, at } = ctx
  const { person } = await readProfile(tx, ctx, journey)
  const { personal, bank } = person
  const conversation = required(
    await readConversation(tx, journey.tenantId, journey.journeyId, conversationId),
    'the conversation of a loan',
  )
  const { orderId, offeredItemId, itemId, providerId } = conversation
  const fulfillmentIds = await fulfillmentsOf(tx, ctx, conversation)
  return {
    complainant: {
      name: personal.panName ?? bank?.accountHolderName ?? null,
      phone: personal.mobile,
      email: personal.personalEmail ?? null,
    },
    order: {
      id: required(orderId, 'the order of a loan that is complained of'),
      itemId: offeredItemId ?? itemId,
      providerId,
      fulfillmentIds,
    },
    text,
    additions: [],
    ours: [{ action: 'OPEN', at: at.toISOString(), text: 'RAISED' }],
    ...{ theirs: [], provider: null, resolution: null },
  }
}

/** As the lender named them when it confirmed the loan; not every one names them. */
async function fulfillmentsOf(
  tx: Tx,
  { seal }: GrievanceContext,
  of: { tenantId: string; journeyId: string; conversationId: string },
): Promise<string[]> {
  const confirmed = await readNewest(tx, seal, of, ['on_confirm'])
  if (!confirmed) return []
  const { message }: { message?: { order?: { fulfillments?: { id?: string }[] } } } = JSON.parse(
    confirmed.body.toString('utf8'),
  )
  return message?.order?.fulfillments?.flatMap(({ id }) => id ?? []) ?? []
}

const least = 10
const most = 2000

/**
 * The words of a complaint: what may be sent to a lender, and what must not be. The text without surrounding blanks.
 * Refused as `invalid` at `text`.
 */
export function checkedText(input: string): string {
  const text = input.trim().replaceAll('\r\n', '\n')
  if (text.length < least || text.length > most)
    throw invalid({ path: 'text', message: `must have ${least} to ${most} characters` })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u0008\u000b-\u001f\u007f]/.test(text))
    throw invalid({ path: 'text', message: 'must be plain text, without control characters' })
  if (holdsAadhaar(text)) throw invalid({ path: 'text', message: 'must not hold an Aadhaar number' })
  return text
}

/** As in a narration: the references of payments have twelve digits too, so those count in groups, or where it is spoken of. */
function holdsAadhaar(text: string): boolean {
  const form = /aadhaa?r|आधार/i.test(text)
    ? /(?<!\d)\d{4}[ -]?\d{4}[ -]?\d{4}(?!\d)/g
    : /(?<!\d)\d{4}([ -])\d{4}\1\d{4}(?!\d)/g
  return [...text.matchAll(form)].some(([digits]) => isAadhaar(digits))
}
