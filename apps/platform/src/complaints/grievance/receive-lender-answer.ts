// Receives a lender's authenticated answer about a grievance. Stores and applies it in one transaction (FIS12 §20).

import { jsonIn } from '@lendloom/foundation/json'
import { next } from '@lendloom/foundation/machine'
import { fieldsOf } from '@lendloom/foundation/record'
import { invalid, Refusal } from '@lendloom/foundation/refusal'
import type { Tx } from '@lendloom/postgres/sql'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import type { LenderContext, NetworkError } from '@lendloom/wire/network/context'
import { type IgmCallback, igmRequestOf } from '@lendloom/wire/network/igm/actions'
import { igmCodecs, igmVersionOf, issueIdIn } from '@lendloom/wire/network/igm/codec'
import { maxActions, type RespondentActionName } from '@lendloom/wire/network/igm/codes'
import type { RespondentAction, RespondentAnswer } from '@lendloom/wire/network/igm/complaint'
import { isClosurePending } from '@lendloom/wire/network/igm/v200/schema'
import type { TxContext } from '#platform/context.ts'
import { checkForRepeat, requireVersion } from '#platform/lenders/network/check-received-message.ts'
import type { Conversation } from '#platform/lenders/network/conversation.ts'
import {
  type ArchivedMessage,
  archiveIncoming,
  type Headers,
  readRequest,
} from '#platform/lenders/network/messages/store.ts'
import { changeConversation, readConversation } from '#platform/lenders/network/store.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { recordRejection, saveGrievance, sendClosure } from './follow-up.ts'
import {
  type Grievance,
  type GrievanceTransition,
  grievanceMachine,
  isOpen,
  type RespondentEntry,
} from './grievance.ts'
import { findGrievance, recordIgmVersion } from './store.ts'

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
export async function receiveLenderAnswer(
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
  const requestedId = request && issueIdIn(messageOf(request))
  const grievanceId = String(error === null ? issueIdIn(message) : requestedId)
  const grievance = await findGrievance(tx, ctx.seal, journey, grievanceId)
  const conversation = grievance && (await readConversation(tx, tenantId, journeyId, grievance.conversationId))
  if (!grievance || !conversation || conversation.bppId !== party)
    throw new Refusal('wrong-state', 'the grievance does not exist at this lender')
  requireVersion(conversation, context)
  if (request && !request.isArchived && requestedId !== grievance.grievanceId)
    throw new Refusal('invalid', 'message.issue.id differs from the request', { field: 'message.issue.id' })
  const reply: RespondentReply =
    error === null ? { answer: readAnswer(grievance, received), error } : { answer: null, error }

  await archiveIncoming(tx, ctx.seal, {
    tenantId,
    journeyId,
    conversationId: conversation.conversationId,
    messageKey: uuidv7(at.getTime(), bucketOf(journeyId)),
    party,
    action,
    messageId,
    body: raw,
    headers,
    outcome: 'ACK',
    at,
  })
  await recordMessageTime(tx, conversation, context, at)
  if (reply.answer) await recordIgmVersion(tx, { tenantId, bppId: party }, grievance.igmVersion, at)
  await applyReply(ctx, journey, { grievance, reply, isIssue: action === 'on_issue', messageId })
  return 'fresh'
}

/** A complaint keeps its version: an answer in the other one is invalid. */
function readAnswer({ igmVersion, detail }: Grievance, { action, message }: ReceivedAnswer): RespondentAnswer {
  if (igmVersionOf(message) !== igmVersion)
    throw invalid({ path: 'message.issue', message: `must be in IGM ${igmVersion}, like the complaint` })
  return igmCodecs[igmVersion].readAnswer(action, message, detail.trail ?? null)
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
  const { journeyId, grievanceId, status, createdAt, detail } = grievance
  if (answer && isClosurePending(detail.trail)) {
    const known = { ...grievance, detail: { ...detail, trail: answer.trail } }
    await saveGrievance(ctx, journey, known)
    if (answer.trail?.actions.at(-1)?.descriptor.code === 'RESOLVED') await sendClosure(ctx, journey, known)
    return
  }
  if (!isOpen(grievance))
    return ctx.log.info(
      { journeyId, grievanceId, status },
      'the lender answered a grievance that has ended; the answer is ignored',
    )
  if (answer === null) {
    if (isIssue && messageId === grievance.requestId) await recordRejection(ctx, journey, { grievance, error })
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

const messageOf = ({ body }: ArchivedMessage): unknown => fieldsOf(jsonIn(body.toString('utf8'))).message

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
  const known = [...detail.theirs, ...newActions.map(entryOf)]
  const theirs = answer.trail ? known : known.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
  if (theirs.length > maxActions)
    throw invalid({ path: 'message.issue', message: `must have at most ${maxActions} actions` })
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
      trail: answer.trail,
      provider: provider ?? detail.provider,
      resolution: resolution ? { text: resolution.text, detail: resolution.detail } : detail.resolution,
    },
    updatedAt: at,
  }
  return { grievance: merged, hasChanged: newActions.length > 0 || resolution !== null }
}

/** Without ids, compares actions by kind and time. The text is ignored, because a lender may reword it. */
const isSameAction = (known: RespondentEntry, action: RespondentAction): boolean =>
  known.id === action.id && known.action === action.action && Date.parse(known.at) === action.at.getTime()

const entryOf = ({ at, ...entry }: RespondentAction): RespondentEntry => ({ ...entry, at: at.toISOString() })
