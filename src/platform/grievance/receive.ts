// Takes a lender's word about a grievance, proven to be its own: kept once, and applied with it (FIS12 §20).
import type { LenderContext, NetworkError } from '#contract/network/context.ts'
import { type IgmCallback, igmRequestOf } from '#contract/network/igm/actions.ts'
import { type RespondentAction, type RespondentAnswer, readRespondent } from '#contract/network/igm/read.ts'
import type { RespondentActionName } from '#contract/network/igm/schema.ts'
import { bucketOf, uuidv7 } from '#kit/crypto/id.ts'
import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { next } from '#kit/runtime/machine.ts'
import type { TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { type ArchivedMessage, archiveIncoming, type Headers, readRequest } from '#platform/network/archive/store.ts'
import type { Conversation } from '#platform/network/conversation.ts'
import { isRepeated } from '#platform/network/receive.ts'
import { changeConversation, readConversation } from '#platform/network/store.ts'
import { keep, refuse } from './follow-up.ts'
import { type Grievance, type GrievanceMove, grievanceMachine, isOpen, type RespondentEntry } from './grievance.ts'
import { findGrievance } from './store.ts'

export interface ReceivedAnswer {
  action: IgmCallback
  context: LenderContext
  message: unknown
  /** The lender's error in place of a message. */
  error: NetworkError | null
  raw: Buffer
  headers: Headers
}

/**
 * Stores and applies an answer. The caller holds the journey's lock and acknowledges after the commit. A grievance has
 * its own order and may outlive its journey, so it does not wait for messages about the loan. Late answers are
 * accepted. Refused as `wrong-state` for an unknown grievance, as `invalid` when it cannot be parsed.
 */
export async function receiveAnswer(
  ctx: TxContext,
  journey: Journey,
  received: ReceivedAnswer,
): Promise<'fresh' | 'known'> {
  const { tx, at } = ctx
  const { action, context, message, error, raw, headers } = received
  const { tenantId, journeyId } = journey
  const party = context.bpp_id
  const messageId = context.message_id
  if (await isRepeated(ctx, journey, received)) return 'known'
  const request = await readRequest(tx, ctx.seal, journey, { messageId, action: igmRequestOf(action) })
  if (!request && action === 'on_issue') throw new Refusal('wrong-state', 'this on_issue answers no request of ours')
  const reply: RespondentReply =
    error === null ? { answer: readRespondent(action, message), error } : { answer: null, error }
  const issueId = reply.answer?.issueId ?? (request && issueIdIn(request))
  const grievance = issueId ? await findGrievance(tx, ctx.seal, journey, issueId) : undefined
  const conversation = grievance && (await readConversation(tx, tenantId, journeyId, grievance.conversationId))
  if (!grievance || !conversation || conversation.bppId !== party)
    throw new Refusal('wrong-state', 'there is no such grievance with this lender')
  if (request && issueIdIn(request) !== grievance.grievanceId)
    throw new Refusal('invalid', 'message.issue.id is not that of the request', { field: 'message.issue.id' })

  await archiveIncoming(tx, ctx.seal, {
    ...{
      tenantId,
      journeyId,
      conversationId: conversation.conversationId,
      messageKey: uuidv7(at.getTime(), bucketOf(journeyId)),
    },
    ...{ party, action, messageId, body: raw, headers, outcome: 'ACK', at },
  })
  await rememberTime(tx, conversation, context, at)
  await apply(ctx, journey, { grievance, reply, isIssue: action === 'on_issue', messageId })
  return 'fresh'
}

/** The lender's answer, or its no in place of one. */
type RespondentReply = { answer: RespondentAnswer; error: null } | { answer: null; error: NetworkError }

interface AnswerToApply {
  grievance: Grievance
  reply: RespondentReply
  /** Answers an `issue` instead of reporting its state. */
  isIssue: boolean
  messageId: string
}

async function apply(
  ctx: TxContext,
  journey: Journey,
  { grievance, reply, isIssue, messageId }: AnswerToApply,
): Promise<void> {
  const { at } = ctx
  const { answer, error } = reply
  const { journeyId, grievanceId, status, createdAt } = grievance
  if (!isOpen(grievance)) return ctx.log.info({ journeyId, grievanceId, status }, 'an answer came after the end')
  if (answer === null) {
    if (isIssue && messageId === grievance.requestId) await refuse(ctx, journey, { grievance, code: error.code })
    return
  }
  if (answer.createdAt.getTime() !== createdAt.getTime())
    ctx.log.warn({ journeyId, grievanceId }, 'a lender changed when a complaint was raised; ours stays')
  const merged = answered(grievance, answer, at)
  if (merged.changed) await keep(ctx, journey, merged.grievance)
}

/** The issue id of our own `issue` or `issue_status`. */
function issueIdIn({ body }: ArchivedMessage): string | undefined {
  const { message }: { message: { issue?: { id: string }; issue_id?: string } } = JSON.parse(body.toString('utf8'))
  return message.issue?.id ?? message.issue_id
}

/** Our next message must have a later time (FIS12 §3.3). */
async function rememberTime(tx: Tx, conversation: Conversation, { timestamp }: LenderContext, at: Date): Promise<void> {
  const sentAt = new Date(timestamp)
  if (conversation.lastMessageAt === null || sentAt > conversation.lastMessageAt)
    await changeConversation(tx, conversation, { lastMessageAt: sentAt }, at)
}

const moves: Record<RespondentActionName, GrievanceMove> = {
  PROCESSING: 'taken',
  CASCADED: 'taken',
  'NEED-MORE-INFO': 'questioned',
  RESOLVED: 'resolved',
}

/** `changed`: whether the answer had anything new. */
interface MergeResult {
  grievance: Grievance
  changed: boolean
}

/**
 * Merges a lender's answer into a grievance; pure (FIS12 §20). Its lists are cumulative, so entries that we have are
 * skipped. Only a new action that is also the latest moves the grievance, so a repeated or late answer changes nothing.
 * The resolver and the resolution are taken from the latest answer.
 */
function answered(grievance: Grievance, answer: RespondentAnswer, at: Date): MergeResult {
  const { detail } = grievance
  const fresh = answer.actions.filter((each) => !detail.theirs.some((known) => isSame(known, each)))
  const theirs = [...detail.theirs, ...fresh.map(entryOf)].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
  const newest = theirs.at(-1)
  const isNews = newest !== undefined && fresh.some((each) => isSame(newest, each))
  const to = isNews ? next(grievanceMachine, grievance.status, moves[newest.action]) : undefined
  const isStale = answer.actions.length < detail.theirs.length
  const { resolution, provider } = isStale ? { resolution: null, provider: null } : answer
  const now: Grievance = {
    ...grievance,
    status: to ?? grievance.status,
    refusedCode: isNews ? null : grievance.refusedCode,
    ...(resolution && { resolutionAction: resolution.action, refundPaise: resolution.refund }),
    detail: {
      ...detail,
      theirs,
      provider: provider ?? detail.provider,
      resolution: resolution ? { text: resolution.text, detail: resolution.detail } : detail.resolution,
    },
    updatedAt: at,
  }
  return { grievance: now, changed: fresh.length > 0 || resolution !== null }
}

/** The same action, compared by its instant, because its text may be spelled differently. */
const isSame = (known: RespondentEntry, action: RespondentAction): boolean =>
  known.action === action.action && Date.parse(known.at) === action.at.getTime()

const entryOf = ({ at, ...entry }: RespondentAction): RespondentEntry => ({ ...entry, at: at.toISOString() })
