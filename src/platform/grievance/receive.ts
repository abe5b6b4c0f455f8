// Receives a lender's authenticated answer about a grievance. Stores and applies it in one transaction (FIS12 §20).
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
import { checkForRepeat, requireVersion } from '#platform/network/receive.ts'
import { changeConversation, readConversation } from '#platform/network/store.ts'
import { recordRejection, saveGrievance } from './follow-up.ts'
import {
  type Grievance,
  type GrievanceTransition,
  grievanceMachine,
  isOpen,
  type RespondentEntry,
} from './grievance.ts'
import { findGrievance } from './store.ts'

export interface ReceivedAnswer {
  action: IgmCallback
  context: LenderContext
  message: unknown
  /** The error that the lender sent instead of a message. */
  error: NetworkError | null
  raw: Buffer
  headers: Headers
}

/**
 * Stores and applies an answer, even a late one; returns `known` for a repeated message. The caller holds the journey's
 * lock and acknowledges after the commit. Throws `wrong-state` for an unknown grievance, `invalid` for a faulty answer.
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
  if (await checkForRepeat(ctx, journey, received)) return 'known'
  const request = await readRequest(tx, ctx.seal, journey, { messageId, action: igmRequestOf(action) })
  if (!request && action === 'on_issue')
    throw new Refusal('wrong-state', 'this on_issue does not belong to any of our requests')
  const reply: RespondentReply =
    error === null ? { answer: readRespondent(action, message), error } : { answer: null, error }
  const issueId = reply.answer?.issueId ?? (request && issueIdIn(request))
  const grievance = issueId ? await findGrievance(tx, ctx.seal, journey, issueId) : undefined
  const conversation = grievance && (await readConversation(tx, tenantId, journeyId, grievance.conversationId))
  if (!grievance || !conversation || conversation.bppId !== party)
    throw new Refusal('wrong-state', 'the grievance does not exist at this lender')
  requireVersion(conversation, context)
  if (request && issueIdIn(request) !== grievance.grievanceId)
    throw new Refusal('invalid', 'message.issue.id differs from the request', { field: 'message.issue.id' })

  await archiveIncoming(tx, ctx.seal, {
    ...{
      tenantId,
      journeyId,
      conversationId: conversation.conversationId,
      messageKey: uuidv7(at.getTime(), bucketOf(journeyId)),
    },
    ...{ party, action, messageId, body: raw, headers, outcome: 'ACK', at },
  })
  await recordMessageTime(tx, conversation, context, at)
  await applyReply(ctx, journey, { grievance, reply, isIssue: action === 'on_issue', messageId })
  return 'fresh'
}

type RespondentReply = { answer: RespondentAnswer; error: null } | { answer: null; error: NetworkError }

interface ReceivedReply {
  grievance: Grievance
  reply: RespondentReply
  /** Whether the message is an `on_issue` (otherwise an `on_issue_status`). */
  isIssue: boolean
  messageId: string
}

async function applyReply(
  ctx: TxContext,
  journey: Journey,
  { grievance, reply, isIssue, messageId }: ReceivedReply,
): Promise<void> {
  const { at } = ctx
  const { answer, error } = reply
  const { journeyId, grievanceId, status, createdAt } = grievance
  if (!isOpen(grievance))
    return ctx.log.info(
      { journeyId, grievanceId, status },
      'the lender answered a grievance that has ended; the answer is ignored',
    )
  if (answer === null) {
    if (isIssue && messageId === grievance.requestId)
      await recordRejection(ctx, journey, { grievance, code: error.code })
    return
  }
  if (answer.createdAt.getTime() !== createdAt.getTime())
    ctx.log.warn(
      { journeyId, grievanceId },
      'the lender sent a different created_at for a grievance; the value is ignored',
    )
  const merged = mergeAnswer(grievance, answer, at)
  if (merged.hasChanged) await saveGrievance(ctx, journey, merged.grievance)
}

/** Returns the issue id in our request, an `issue` or an `issue_status`. */
function issueIdIn({ body }: ArchivedMessage): string | undefined {
  const { message }: { message: { issue?: { id: string }; issue_id?: string } } = JSON.parse(body.toString('utf8'))
  return message.issue?.id ?? message.issue_id
}

/** Records the time of the lender's message, because our next message must have a later time (FIS12 §3.3). */
async function recordMessageTime(
  tx: Tx,
  conversation: Conversation,
  { timestamp }: LenderContext,
  at: Date,
): Promise<void> {
  const sentAt = new Date(timestamp)
  if (conversation.lastMessageAt === null || sentAt > conversation.lastMessageAt)
    await changeConversation(tx, conversation, { lastMessageAt: sentAt }, at)
}

const transitions: Record<RespondentActionName, GrievanceTransition> = {
  PROCESSING: 'workStarted',
  CASCADED: 'workStarted',
  'NEED-MORE-INFO': 'infoRequested',
  RESOLVED: 'resolved',
}

interface MergeResult {
  grievance: Grievance
  hasChanged: boolean
}

/**
 * Merges a lender's answer into a grievance (FIS12 §20). Each answer lists all lender actions, so known actions are
 * skipped. The status changes only if the latest action is new, so repeated and late answers do not change the status.
 * The provider and the resolution come from the latest answer.
 */
function mergeAnswer(grievance: Grievance, answer: RespondentAnswer, at: Date): MergeResult {
  const { detail } = grievance
  const newActions = answer.actions.filter(
    (each) => !detail.theirs.some((knownAction) => isSameAction(knownAction, each)),
  )
  const theirs = [...detail.theirs, ...newActions.map(entryOf)].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
  const newest = theirs.at(-1)
  const isLatestActionNew = newest !== undefined && newActions.some((each) => isSameAction(newest, each))
  const nextStatus = isLatestActionNew
    ? next(grievanceMachine, grievance.status, transitions[newest.action])
    : undefined
  const isStale = answer.actions.length < detail.theirs.length
  const { resolution, provider } = isStale ? { resolution: null, provider: null } : answer
  const merged: Grievance = {
    ...grievance,
    status: nextStatus ?? grievance.status,
    refusedCode: isLatestActionNew ? null : grievance.refusedCode,
    ...(resolution && { resolutionAction: resolution.action, refundPaise: resolution.refund }),
    detail: {
      ...detail,
      theirs,
      provider: provider ?? detail.provider,
      resolution: resolution ? { text: resolution.text, detail: resolution.detail } : detail.resolution,
    },
    updatedAt: at,
  }
  return { grievance: merged, hasChanged: newActions.length > 0 || resolution !== null }
}

/** Compares actions by kind and time. The text is ignored, because a lender may reword it. */
const isSameAction = (known: RespondentEntry, action: RespondentAction): boolean =>
  known.action === action.action && Date.parse(known.at) === action.at.getTime()

const entryOf = ({ at, ...entry }: RespondentAction): RespondentEntry => ({ ...entry, at: at.toISOString() })
