// The requests for a drawdown: its terms, and the borrower's agreement to them, in a transaction of its own (FIS12 §27.5).

import { required } from '@lendloom/foundation/required'
import type { Tx } from '@lendloom/postgres/sql'
import { bucketOf, uuidv4 } from '@lendloom/seal/id'
import { confirmDrawdown, initDrawdown } from '@lendloom/wire/network/v230/drawdown'
import type { TxContext } from '#platform/context.ts'
import { type Conversation, hasStops } from '#platform/lenders/network/conversation.ts'
import { endConversation } from '#platform/lenders/network/open-conversation.ts'
import { askLender } from '#platform/lenders/network/queue-request.ts'
import { insertConversation, readConversation } from '#platform/lenders/network/store.ts'
import type { Drawdowns, LenderOffer } from '#platform/lending/lender/channel.ts'

/** Whether the lender of an open line takes drawdowns here: of the lenders of the network, those with stops do. */
export const takesDrawdowns = (line: Conversation): boolean =>
  hasStops(line) && line.orderId !== null && line.stage !== 'ENDED'

/** A drawdown is a conversation of its own with the lender of the line. */
export const networkDrawdowns: Drawdowns<TxContext> = {
  async arePossible({ tx }, { tenantId, journeyId, conversationId }) {
    const line = await readConversation(tx, tenantId, journeyId, conversationId)
    return line !== undefined && takesDrawdowns(line)
  },

  async request(ctx, offer, { drawdownId, requestedPaise }) {
    const line = await conversationOf(ctx.tx, offer, offer.conversationId)
    const lineOrderId = required(line.orderId, 'the order of an open credit line')
    const conversation = await openDrawdownConversation(ctx, line, { drawdownId, lineOrderId })
    const message = initDrawdown({ providerId: line.providerId, lineOrderId, amount: requestedPaise })
    await askLender(ctx, conversation, { action: 'init', message })
  },

  async agree(ctx, offer, { drawdownId }) {
    await sendAgreement(ctx, await conversationOf(ctx.tx, offer, drawdownId))
  },

  /** Sends nothing, because the network has no message for it. */
  async leave({ tx, at }, offer, { drawdownId }) {
    await endConversation(tx, await conversationOf(tx, offer, drawdownId), 'the borrower cancelled the drawdown', at)
  },
}

/** Sends the borrower's agreement, also again if the lender has not received it. */
export function sendAgreement(ctx: TxContext, conversation: Conversation): Promise<Conversation> {
  const { providerId, offeredItemId, parentItemId, fulfillmentId, extras } = conversation
  const details = required(extras.drawdown, 'the drawdown of a conversation')
  const { lineOrderId, consent, agreements = 0 } = details
  const message = confirmDrawdown({
    providerId,
    lineOrderId,
    itemId: required(offeredItemId, 'the item of a drawdown with terms'),
    parentItemId,
    fulfillmentId,
    consent: required(consent, "the borrower's stop of a drawdown with terms"),
  })
  return askLender(
    ctx,
    conversation,
    { action: 'confirm', message },
    { stage: 'CONFIRM_SENT', extras: { ...extras, drawdown: { ...details, agreements: agreements + 1 } } },
  )
}

/** The lender, version and domain are those of the line. A drawdown has no item before the lender names one. */
async function openDrawdownConversation(
  { tx, at }: TxContext,
  line: Conversation,
  { drawdownId, lineOrderId }: { drawdownId: string; lineOrderId: string },
): Promise<Conversation> {
  const { tenantId, journeyId } = line
  await insertConversation(tx, {
    tenantId,
    journeyId,
    conversationId: drawdownId,
    transactionId: uuidv4(bucketOf(journeyId)),
    lenderId: line.lenderId,
    bppId: line.bppId,
    bppUri: line.bppUri,
    providerId: line.providerId,
    itemId: drawdownId,
    version: line.version,
    stage: 'INITIATED',
    formId: null,
    formUrlSealed: null,
    formHeading: null,
    fulfillmentId: null,
    categories: line.categories,
    secondItemId: null,
    profileFormId: null,
    profileFormUrlSealed: null,
    extras: { ...(line.extras.domain && { domain: line.extras.domain }), drawdown: { lineOrderId } },
    lastMessageAt: null,
    createdAt: at,
    updatedAt: at,
  })
  return required(await readConversation(tx, tenantId, journeyId, drawdownId), 'the conversation just opened')
}

async function conversationOf(
  tx: Tx,
  { tenantId, journeyId }: LenderOffer,
  conversationId: string,
): Promise<Conversation> {
  return required(await readConversation(tx, tenantId, journeyId, conversationId), 'the conversation of a credit line')
}
