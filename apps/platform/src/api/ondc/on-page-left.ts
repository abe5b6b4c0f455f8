// GET /ondc/callback: the borrower's browser tells, from the lender's page, that the page is done (FIS12 §26.2).

import { Type } from '@lendloom/foundation/schema'
import { isUuid } from '@lendloom/foundation/uuid'
import { answer, anyone } from '@lendloom/http/server'
import { type Context, route } from '#platform/context.ts'
import { hasStops } from '#platform/lenders/network/conversation.ts'
import { isInboundStored } from '#platform/lenders/network/inbound/store.ts'
import { mayStayUnreported, pageLeftKey, recordPageLeft } from '#platform/lenders/network/page-left.ts'
import { readConversations } from '#platform/lenders/network/store.ts'
import { findByTransaction, lockJourney } from '#platform/lending/journey/store.ts'

/** The page is of another origin, and keeps the borrower until it may read a 2xx answer. */
const headers = { 'access-control-allow-origin': '*', 'cache-control': 'no-store' }

/**
 * Answers the same for every transaction. The hint is not signed: it only makes us ask the lender for the status, or send
 * `init` after a page that the borrower has opened, which the lender refuses if the page is not done.
 */
export const onPageLeft = route({
  method: 'GET',
  path: '/ondc/callback',
  section: 'FIS12 §24, §26.2',
  summary: "Takes the hint that the borrower has completed a lender's page",
  auth: anyone,
  hidden: true,
  query: Type.Object(
    { transaction_id: Type.Optional(Type.String({ maxLength: 100 })) },
    { additionalProperties: true },
  ),
  async handle({ query: { transaction_id: transactionId = '' }, at }, ctx: Context) {
    if (isUuid(transactionId)) await recordHint(ctx, transactionId, at)
    return answer(200, { received: true }, headers)
  },
})

async function recordHint(ctx: Context, transactionId: string, at: Date): Promise<void> {
  const found = await findByTransaction(ctx.db, transactionId)
  if (!found) return
  const { tenantId, journeyId } = found
  const waiting = (await readConversations(ctx.db, tenantId, journeyId)).filter(
    (conversation) =>
      (hasStops(conversation) && conversation.stage === 'FINAL_TERMS') ||
      // What follows the agreement is the confirmation of the loan, for which the borrower's own word is needed.
      (mayStayUnreported(conversation) && conversation.formHeading !== 'LOAN_AGREEMENT'),
  )
  if (waiting.length === 0) return
  // Anybody may repeat a hint: a repetition takes no lock.
  const keys = await Promise.all(waiting.map((each) => pageLeftKey(ctx.db, each, at)))
  const isOver = async (key: string | null) => key === null || isInboundStored(ctx.db, tenantId, journeyId, key)
  if ((await Promise.all(keys.map(isOver))).every(Boolean)) return
  await ctx.db.tx(async (tx) => {
    const journey = await lockJourney(tx, tenantId, journeyId)
    if (!journey) return
    for (const each of waiting) await recordPageLeft({ ...ctx, tx, at }, journey, each)
  })
}
