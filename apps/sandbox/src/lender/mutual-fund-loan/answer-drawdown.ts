// Answers init, confirm and status of a drawdown from an open credit line (FIS12 §27.5).

import { type Paise, rupees } from '@lendloom/lending/money'
import type { Tx } from '@lendloom/postgres/sql'
import { uuidv7 } from '@lendloom/seal/id'
import type { NetworkError } from '@lendloom/wire/network/context'
import { readDrawdownConfirm, readDrawdownInit } from '@lendloom/wire/network/v230/drawdown'
import { readStatus } from '@lendloom/wire/network/v230/update-and-status'
import { type Conversation, hasLapsed, nextStatus, requireNextStatus } from '#sandbox/lender/core/conversation.ts'
import { validityOf } from '#sandbox/lender/core/lending-decision.ts'
import { failedReply, type ProductRequest, type Reply } from '#sandbox/lender/core/product.ts'
import { failedStatus } from '#sandbox/lender/core/status-request.ts'
import { type ConversationChange, writeConversation } from '#sandbox/lender/core/store.ts'
import { scheduleDisbursal } from '#sandbox/lender/servicing/loan-state.ts'
import { drawdownItem, drawdownOrder, lockLine } from './drawdown-order.ts'
import { dropClosing, freeOf, isClosed } from './line-account.ts'
import { providerId } from './message-parts.ts'

/** What a request changes, or the error that answers it; a repeated request changes nothing. */
type Effect = { change: ConversationChange | null } | { error: NetworkError; change?: ConversationChange }

/** The terms of this amount, which may change until the borrower agrees. */
export async function answerDrawdownInit(tx: Tx, request: ProductRequest): Promise<Reply> {
  const { policy, conversation, message, at } = request
  const asked = readDrawdownInit(message)
  const line = await lockLine(tx, conversation)
  const fault = namesFault(request, line, asked) ?? stateFault(request)
  if (fault) return reply(tx, request, line, fault)
  if (conversation.scenario === 'drawdown-refused') {
    const status = requireNextStatus(policy.product, conversation, 'refuse')
    return reply(tx, request, line, { ...errorOf('80203', 'the drawdown is refused'), change: { status } })
  }
  const status = nextStatus(policy.product, conversation, 'quote')
  if (status === undefined) return reply(tx, request, line, errorOf('40001', 'the borrower has agreed to the terms'))
  const limitFault = await faultOfLine(tx, line, asked.amount)
  if (limitFault) return reply(tx, request, line, limitFault)
  const { annualBps } = line
  const change = { status, principal: asked.amount, annualBps, ...validityOf(policy, conversation.scenario, at) }
  return reply(tx, request, line, { change })
}

/** The order, whose money is paid out soon. A repeated request is answered again, and draws nothing more. */
export async function answerDrawdownConfirm(tx: Tx, request: ProductRequest): Promise<Reply> {
  const { ctx, policy, conversation, message, at } = request
  const agreed = readDrawdownConfirm(message)
  const line = await lockLine(tx, conversation)
  const fault = namesFault(request, line, agreed)
  if (fault) return reply(tx, request, line, fault)
  if (conversation.orderId !== null) return reply(tx, request, line, { change: null })
  const early = stateFault(request)
  if (early) return reply(tx, request, line, early)
  const { principal } = conversation
  if (principal === null) return reply(tx, request, line, errorOf('40001', 'there are no terms to agree to'))
  if (agreed.itemId !== drawdownItem(policy).id)
    return reply(tx, request, line, errorOf('30004', 'there is no such item'))
  if (!agreed.isAgreed) return reply(tx, request, line, errorOf('80216', 'CONSENT_REQUIRED must be APPROVED'))
  const limitFault = await faultOfLine(tx, line, principal)
  if (limitFault) return reply(tx, request, line, limitFault)
  const status = requireNextStatus(policy.product, conversation, 'sanction')
  const change = { status, orderId: `ORDER-${uuidv7(at.getTime())}`, sanctionedAt: at }
  const answer = await reply(tx, request, line, { change })
  await dropClosing(tx, line)
  await scheduleDisbursal(tx, ctx, answer.conversation, at)
  return answer
}

/** Answers status with the drawdown: its terms, or the order (FIS12 §11.2). */
export async function answerDrawdownStatus(tx: Tx, request: ProductRequest): Promise<Reply> {
  const { conversation, message } = request
  const failure = failedStatus(request, [], readStatus(message), '80203')
  if (failure) return failure
  if (conversation.principal === null) return failedReply(request, '30018', 'there are no terms yet')
  return reply(tx, request, await lockLine(tx, conversation), { change: null })
}

const errorOf = (code: string, message: string) => ({ error: { code, message } })

/** The error of another lender or another line than that of the conversation. */
function namesFault(
  { policy }: ProductRequest,
  line: Conversation,
  named: { providerId: string; lineOrderId: string },
): Effect | null {
  if (named.providerId !== providerId(policy)) return errorOf('30001', 'there is no such provider')
  return named.lineOrderId === line.orderId ? null : errorOf('30018', 'the drawdown is from another line')
}

/** The error of terms that have lapsed, and of a drawdown that was refused. */
function stateFault({ policy, conversation, at }: ProductRequest): Effect | null {
  if (hasLapsed(policy.product, conversation, at))
    return { ...errorOf('40003', 'the terms have lapsed'), change: { status: 'EXPIRED' } }
  if (conversation.status === 'EXPIRED') return errorOf('40003', 'the terms have lapsed')
  return conversation.status === 'REFUSED' ? errorOf('80203', 'the drawdown is refused') : null
}

/** The error of a line that is closed, or has less free than the amount. */
async function faultOfLine(tx: Tx, line: Conversation, amount: Paise): Promise<Effect | null> {
  if (await isClosed(tx, line)) return errorOf('40001', 'the credit line is closed')
  const free = await freeOf(tx, line)
  return amount > free ? errorOf('80227', `the line has ${rupees(free)} left to draw`) : null
}

async function reply(tx: Tx, request: ProductRequest, line: Conversation, effect: Effect): Promise<Reply> {
  const { ctx, policy, at } = request
  const conversation = effect.change
    ? await writeConversation(tx, request.conversation, effect.change, at)
    : request.conversation
  if ('error' in effect) return { conversation, content: { error: effect.error } }
  const order = await drawdownOrder(tx, { deps: ctx, policy, conversation }, line)
  return { conversation, content: { message: order } }
}
