// The worker that answers acknowledged requests: at most one change of the conversation and one callback per request.

import { parseJson } from '@lendloom/foundation/json'
import { fieldsOf } from '@lendloom/foundation/record'
import type { Run, Tx } from '@lendloom/postgres/sql'
import { finish, type Job, type Worker, work } from '@lendloom/queue/queue'
import { requireContext } from '@lendloom/wire/network/context'
import { anyCallbackOf, isAnyRequest } from '@lendloom/wire/network/igm/actions'
import type { Context } from '#sandbox/core/context.ts'
import type { ExternalData, ReplyContent } from '#sandbox/lender/core/buyer-request.ts'
import type { ProductPolicy, Reply } from '#sandbox/lender/core/product.ts'
import { type CallbackToSend, sendCallback } from '#sandbox/lender/core/send-callback.ts'
import { lockConversation, messageOf, requireConversation } from '#sandbox/lender/core/store.ts'
import { policyFor } from '#sandbox/lender/products/products.ts'

export const answerKind = 'answer request'

interface AnswerJob {
  conversationId: string
  /** The message number, a bigint as text. */
  number: string
}

export const answerWorker = (ctx: Context): Worker =>
  work<AnswerJob>({
    kind: answerKind,
    ...ctx,
    async handle(job) {
      const conversation = await requireConversation(ctx.db, job.payload.conversationId)
      const policy = policyFor(conversation)
      const { action, message } = await requestOf(ctx.db, ctx, job.payload)
      const externalData = await policy.product.fetchExternalData(ctx, policy, conversation, { action, message })
      await ctx.db.tx((tx) => answer(tx, ctx, job, externalData))
    },
  })

async function requestOf(db: Run, { seal }: Context, { conversationId, number }: AnswerJob) {
  const { action, body } = await messageOf(db, seal, conversationId, BigInt(number))
  const request: unknown = parseJson(body)
  if (!isAnyRequest(action)) throw new Error(`${action} is not a request`)
  return { action, context: requireContext(request), message: fieldsOf(request).message }
}

async function answer(tx: Tx, ctx: Context, job: Job<AnswerJob>, externalData: ExternalData): Promise<void> {
  const conversation = await lockConversation(tx, job.payload.conversationId)
  const { action, context, message } = await requestOf(tx, ctx, job.payload)
  const policy = policyFor(conversation)
  const at = ctx.clock()
  const unsupported: ReplyContent = { error: { code: '40001', message: `${action} is not possible here` } }
  const handler = policy.product.handlers[action]
  const request = { messageId: context.message_id, ttl: context.ttl }
  const reply = handler
    ? await handler(tx, { ctx, policy, conversation, action, message, request, ...externalData, at })
    : { conversation, content: unsupported }
  if (reply) await sendReply(tx, ctx, policy, { reply, action: anyCallbackOf(action), request, at })
  await finish(tx, job)
}

interface ReplyToSend extends Pick<CallbackToSend, 'action' | 'at'> {
  reply: Reply
  request: NonNullable<CallbackToSend['request']>
}

/** Sends the answer, and what follows it unasked: a message must be later than the one before (FIS12 §3.3). */
async function sendReply(
  tx: Tx,
  ctx: Context,
  policy: ProductPolicy,
  { reply: { followedBy, ...reply }, action, request, at }: ReplyToSend,
): Promise<void> {
  await sendCallback(tx, ctx, policy, { ...reply, action, request, at })
  if (followedBy)
    await sendCallback(tx, ctx, policy, {
      ...followedBy,
      conversation: reply.conversation,
      at: new Date(at.getTime() + 1),
    })
}
