// Works on the requests that were acknowledged: each becomes at most one change of its conversation and one callback.
import type { MessageContext } from '#contract/network/context.ts'
import { type AnyRequest, type IgmRequest, igmCallbackOf, isIgmAction } from '#contract/network/igm/actions.ts'
import { callbackOf, type Request } from '#contract/network/sequence.ts'
import type { Tx } from '#kit/db/sql.ts'
import { finish, type Job, type Worker, work } from '#kit/messaging/queue.ts'
import type { Context } from '#sandbox/context.ts'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import type { Policy } from '#sandbox/lender/core/policy.ts'
import { type Content, sendCallback } from '#sandbox/lender/core/send-callback.ts'
import { conversationOf, lockById, messageOf } from '#sandbox/lender/core/store.ts'
import { answerIssue, answerIssueStatus } from '#sandbox/lender/grievance/answer-issue.ts'
import { answerLamfOrder } from '#sandbox/lender/mutual-fund-loan/answer-order.ts'
import { answerLamfSearch } from '#sandbox/lender/mutual-fund-loan/answer-search.ts'
import { answerLamfStatus } from '#sandbox/lender/mutual-fund-loan/answer-status.ts'
import { answerLamfUpdate } from '#sandbox/lender/mutual-fund-loan/answer-update.ts'
import { type PortfolioNews, portfolioNews } from '#sandbox/lender/mutual-fund-loan/news.ts'
import { policyFor } from '#sandbox/lender/products/policy-for.ts'
import { answerOrder } from '#sandbox/lender/v203/answer-order.ts'
import { answerSearch } from '#sandbox/lender/v203/answer-search.ts'
import { answerStatus } from '#sandbox/lender/v203/answer-status.ts'
import { answerUpdate } from '#sandbox/lender/v203/answer-update.ts'
import { type BankNews, bankNews } from '#sandbox/lender/v203/bank-news.ts'

export const answerKind = 'answer request'

/** A request as its answerer sees it, with its conversation locked. */
export interface BuyerRequest {
  ctx: Context
  policy: Policy
  conversation: Conversation
  action: Request
  message: unknown
  /** How an answer to it is addressed. */
  request: { messageId: string; ttl: string }
  /** What the account aggregator says, where the answer depends on it; asked before the conversation was locked. */
  bank: BankNews | null
  /** What the borrower holds, where the answer depends on it; asked for as early. */
  portfolio: PortfolioNews | null
  at: Date
}

/** What is said, and the conversation as it is after it. */
export interface Reply {
  conversation: Conversation
  content: Content
}

/** Null where the lender says nothing. */
type Answerers = Partial<Record<AnyRequest, (tx: Tx, asked: BuyerRequest) => Promise<Reply | null>>>

const answerers: Answerers = {
  search: answerSearch,
  select: answerOrder,
  init: answerOrder,
  confirm: answerOrder,
  status: answerStatus,
  update: answerUpdate,
  issue: answerIssue,
  issue_status: answerIssueStatus,
}

const lamfAnswerers: Answerers = {
  search: answerLamfSearch,
  select: answerLamfOrder,
  init: answerLamfOrder,
  confirm: answerLamfOrder,
  status: answerLamfStatus,
  update: answerLamfUpdate,
}

interface Work {
  conversationId: string
  /** Of the message; a bigint as text. */
  number: string
}

export const answering = (ctx: Context): Worker =>
  work<Work>({
    kind: answerKind,
    db: ctx.db,
    clock: ctx.clock,
    log: ctx.log,
    async handle(job) {
      const { product } = (await conversationOf(ctx.db, job.payload.conversationId))!
      const bank = product === 'LAMF' ? null : await bankNews(ctx, job.payload)
      const portfolio = product === 'LAMF' ? await portfolioNews(ctx, job.payload) : null
      await ctx.db.tx((tx) => answer(tx, ctx, job, { bank, portfolio }))
    },
  })

type News = Pick<BuyerRequest, 'bank' | 'portfolio'>

async function answer(tx: Tx, ctx: Context, job: Job<Work>, news: News): Promise<void> {
  const { conversationId, number } = job.payload
  const conversation = await lockById(tx, conversationId)
  const kept = await messageOf(tx, ctx.seal, conversationId, BigInt(number))
  const { context, message } = JSON.parse(kept.body.toString('utf8')) as { context: MessageContext; message: unknown }
  const policy = policyFor(conversation)
  const action = kept.action as AnyRequest
  const at = ctx.clock()
  const notHere: Content = { error: { code: '40001', message: `${action} is not possible here` } }
  const answerer = (conversation.product === 'LAMF' ? lamfAnswerers : answerers)[action]
  const request = { messageId: context.message_id, ttl: context.ttl }
  const reply = answerer
    ? await answerer(tx, { ctx, policy, conversation, action: action as Request, message, request, ...news, at })
    : { conversation, content: notHere }
  const callback = isIgmAction(action) ? igmCallbackOf(action as IgmRequest) : callbackOf(action)
  if (reply) await sendCallback(tx, ctx, policy, { ...reply, action: callback, request, at })
  await finish(tx, job)
}
