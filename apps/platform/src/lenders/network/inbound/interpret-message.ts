// Interprets a stored inbound message: parses it, finds its move, and changes the stage of its conversation.

import { parseJson } from '@lendloom/foundation/json'
import { next } from '@lendloom/foundation/machine'
import { isOneOf, ownValue } from '@lendloom/foundation/record'
import { required } from '@lendloom/foundation/required'
import type { Tx } from '@lendloom/postgres/sql'
import type { LenderContext, NetworkError } from '@lendloom/wire/network/context'
import { type Callback, callbacks, requestOf } from '@lendloom/wire/network/sequence'
import type { Context, TxContext } from '#platform/context.ts'
import {
  type Conversation,
  noAwaitedAnswer,
  sealForm,
  type UnsealedChange,
} from '#platform/lenders/network/conversation.ts'
import { dialectReaders, type LenderOrder } from '#platform/lenders/network/dialect.ts'
import { readCallback } from '#platform/lenders/network/messages/store.ts'
import { type ConversationStage, conversationStages } from '#platform/lenders/network/stage.ts'
import { changeConversation, isAnsweredConsent, readConversation } from '#platform/lenders/network/store.ts'
import type { InboundContent, InboundMessage, InternalEvent, LenderMessage } from './inbound-message.ts'
import { moveOfCallback, moveOfSearchAnswer } from './move-of-callback.ts'
import { detailContext, type InboundRow } from './store.ts'

/** `result`: the state of the row after the message was applied. `ignored`: why the message is not applied. */
export type Interpretation =
  | { inbound: InboundMessage; conversation: Conversation | null; result: InboundResult }
  | { ignored: string }

type InboundResult = Pick<InboundRow, 'note'> & { state: 'APPLIED' | 'NOT_UNDERSTOOD' }

/** Parses a message and changes its conversation. The caller holds the journey's lock and applies the result. */
export async function interpretMessage(ctx: TxContext, row: InboundRow): Promise<Interpretation> {
  const { tx, at } = ctx
  const { tenantId, journeyId, inboundMessageId, number, late } = row
  const [before, received] = await Promise.all([
    row.conversationId ? readConversation(tx, tenantId, journeyId, row.conversationId) : undefined,
    isCallback(row) ? parseMessage(ctx, row) : null,
  ])
  const common = { inboundMessageId, number, at: row.at, late }
  if (before && before.stage === 'ENDED' && !before.isDrawdown) return interpretAfterEnd(ctx, row, before, received)
  const read = received
    ? await interpretCallback(ctx, row, before || null, received)
    : interpretEvent(ctx, row, before || null)
  if (read.content === null) return { ignored: read.ignoredBecause }
  const conversation = before ? await changeConversation(tx, before, sealForm(ctx.seal, before, read.change), at) : null
  const inbound = { ...common, ...read.content }
  return { inbound, conversation, result: resultOf(inbound, before?.stage !== conversation?.stage) }
}

/** Lists unknown states, or the lender's error, in the note. With them, a message that changes no stage is NOT_UNDERSTOOD (FIS12 §7.6). */
function resultOf(inbound: InboundMessage, isMoved: boolean): InboundResult {
  const unknownCodeWarnings = ('order' in inbound && inbound.order?.unknownCodeWarnings) || []
  const isUnderstood = isMoved || unknownCodeWarnings.length === 0
  const errorNote = 'error' in inbound && inbound.error ? `error ${plainCode(inbound.error.code)}` : null
  return { state: isUnderstood ? 'APPLIED' : 'NOT_UNDERSTOOD', note: unknownCodeWarnings.join(', ') || errorNote }
}

/** The lender's text, bounded for a line of the operator's list. */
const plainCode = (code: string): string => code.replace(/\p{Cc}/gu, '').slice(0, 40)

type CallbackRow = InboundRow & { type: Callback; messageKey: string }

const isCallback = (row: InboundRow): row is CallbackRow => row.messageKey !== null && isOneOf(callbacks, row.type)

/** Ignores the message, but records an accepted profile. Logs an error if the lender continued the loan. */
async function interpretAfterEnd(
  ctx: TxContext,
  row: InboundRow,
  ended: Conversation,
  received: ParsedMessage | null,
): Promise<Interpretation> {
  const { tx, at } = ctx
  const internalEvent = row.messageKey ? null : eventIn(ctx, row)
  if (internalEvent?.type === 'form_accepted' && internalEvent.purpose === 'PROFILE')
    await changeConversation(tx, ended, { formReceived: true }, at)
  const state = received && received.type !== 'on_search' ? stateIn(received) : null
  if (state === 'DISBURSED' || state === 'SANCTIONED')
    ctx.log.error(
      { journeyId: row.journeyId, bppId: ended.bppId, state },
      'a lender continued a loan after its conversation had ended',
    )
  return { ignored: `the conversation has ended: ${ended.endedBecause}${state ? `; the lender reports ${state}` : ''}` }
}

type ContentResult = { content: InboundContent; change: UnsealedChange } | { content: null; ignoredBecause: string }

async function interpretCallback(
  ctx: TxContext,
  row: InboundRow,
  conversation: Conversation | null,
  { type, context, error, content, solicited }: ParsedMessage,
): Promise<ContentResult> {
  const { bpp_id: bppId, bpp_uri: bppUri, version, domain } = context
  const sender = { bppId, bppUri, sentAt: new Date(context.timestamp), version, domain }
  if (type === 'on_search') {
    const found = error
      ? null
      : dialectReaders[context.version].readOnSearch(content, conversation?.categories ?? undefined)
    const answer = { type, sender, found, error, move: null, offer: null } as const
    // A search to a single lender contains the profile, so an answer means that the lender has it (D1 §2.4 `lenders`).
    if (!conversation || found?.dialect !== '2.3.0')
      return { content: answer, change: conversation ? { formReceived: true } : {} }
    const meaning = moveOfSearchAnswer(conversation, found)
    if ('outOfSequence' in meaning)
      return { content: null, ignoredBecause: `out of sequence: ${meaning.outOfSequence}` }
    return { content: { ...answer, move: meaning.move, offer: meaning.offer }, change: meaning.change }
  }
  const message: LenderMessage = { type, sender, order: null, error, move: null, solicited }
  if (error) return { content: message, change: {} }
  const parsed = dialectReaders[context.version].readOrder(content, conversation?.categories ?? undefined)
  const order = await withoutRepeatedConsent(ctx.tx, row, parsed)
  if (order.warnings.length > 0)
    ctx.log.info({ bppId: sender.bppId, type, warnings: order.warnings }, 'faults of an order were ignored')
  // Its stage follows from the drawdown, which the applier changes.
  if (conversation?.isDrawdown) return { content: { ...message, order }, change: {} }
  const meaning = moveOfCallback(required(conversation, 'the conversation of an order'), { type, order, solicited })
  if ('outOfSequence' in meaning)
    return {
      content: null,
      ignoredBecause: [`out of sequence: ${meaning.outOfSequence}`, ...order.unknownCodeWarnings].join('; '),
    }
  return { content: { ...message, order, move: meaning.move }, change: meaning.change }
}

/** Drops an answered consent that a lender repeats with the disbursal, which is not a new request (FIS12 §8.1). */
const withoutRepeatedConsent = async (tx: Tx, row: InboundRow, order: LenderOrder): Promise<LenderOrder> =>
  order.state === 'DISBURSED' && order.consentHandle !== null && (await isAnsweredConsent(tx, row, order.consentHandle))
    ? { ...order, consentHandle: null }
    : order

interface CallbackBody {
  context: LenderContext
  error?: NetworkError
  message?: unknown
}

interface ParsedMessage {
  type: Callback
  solicited: boolean
  context: LenderContext
  error: NetworkError | null
  content: unknown
}

const stateIn = ({ context, content }: ParsedMessage) =>
  content === undefined ? null : dialectReaders[context.version].readOrder(content).state

async function parseMessage({ tx, seal }: TxContext, row: CallbackRow): Promise<ParsedMessage> {
  const { type } = row
  const callback = required(await readCallback(tx, seal, row, requestOf(type)), 'the message of a callback')
  const { context, error, message }: CallbackBody = parseJson(callback.body)
  return { type, solicited: callback.isAnswer, context, error: error ?? null, content: message }
}

const eventIn = (ctx: Context, row: InboundRow): InternalEvent =>
  ({
    type: row.type,
    ...(row.detailSealed && ctx.seal.openJson<object>(row.detailSealed, detailContext(row))),
  }) as InternalEvent

/** The stages in which an action awaits its answer. In other stages a timeout or NACK has no effect. */
const stagesAwaiting: Record<string, ConversationStage[]> = {
  search: ['SELECTED', 'CONSENT_GIVEN'],
  select: ['DEDUPE_SENT', 'SELECTED', 'CONSENT_GIVEN', 'RESELECTED', 'CONFIRM_SENT'],
  init: ['INITIATED'],
  confirm: ['CONFIRM_SENT'],
}

/** The events that change no stage. */
const passive: InternalEvent['type'][] = ['search_closed', 'form_due', 'page_left']

function interpretEvent(ctx: Context, row: InboundRow, conversation: Conversation | null): ContentResult {
  const content = eventIn(ctx, row)
  if (conversation === null || passive.includes(content.type)) return { content, change: {} }
  const { stage } = conversation
  if (content.type === 'agreement_visited')
    return stage === 'AGREEMENT_REQUESTED'
      ? { content, change: {} }
      : { content: null, ignoredBecause: `the agreement is done at ${stage}` }
  if (content.type === 'nacked' || (content.type === 'unanswered' && content.action !== 'form')) {
    const awaitingStages = ownValue(stagesAwaiting, content.action)
    return !awaitingStages || awaitingStages.includes(stage)
      ? { content, change: {} }
      : { content: null, ignoredBecause: `${content.action} was answered at ${stage}` }
  }
  const nextStage = next(conversationStages, stage, content.type === 'form_accepted' ? 'formAccepted' : 'formRefused')
  if (nextStage === undefined) return { content: null, ignoredBecause: `out of sequence: ${content.type} at ${stage}` }
  if (content.type !== 'form_accepted') return { content, change: { stage: nextStage } }
  const { submissionId } = content
  const received = content.purpose === 'PROFILE' ? { formReceived: true, profileSubmissionId: submissionId } : {}
  return { content, change: { ...noAwaitedAnswer, ...received, stage: nextStage, submissionId } }
}
