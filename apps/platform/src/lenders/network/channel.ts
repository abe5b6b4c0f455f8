// The lender channel of the open network: one conversation per lender (FIS12 §8.1, §9.1, §10.2).

import type { Tx } from '@lendloom/postgres/sql'
import { customerFormHeading } from '@lendloom/wire/network/v203/xinput'
import type { TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import type { ChosenTerms, LenderChannel, LenderOffer, ServicingRequest } from '#platform/lending/lender/channel.ts'
import { finalTermsFrom } from '#platform/lending/offer/final-terms.ts'
import { productOf } from '#platform/lending/product/products.ts'
import { oldestUnpaid } from '#platform/lending/servicing/repayment-schedule.ts'
import { hasLiveConsent } from './consent/store.ts'
import { type Conversation, hasStops, isExitPriced, takesPayments } from './conversation.ts'
import { isSecured } from './dialect.ts'
import { networkDrawdowns } from './drawdown/send-drawdown.ts'
import { recordInternalEvent } from './inbound/store.ts'
import { askServicing, canSendRequest, requestLoanStatus, sendInit } from './lender-requests.ts'
import { endConversation } from './open-conversation.ts'
import { mayStayUnreported, recordPageLeft } from './page-left.ts'
import { searchNetwork, searchNetworkAgain } from './search.ts'
import { sendPledge } from './secured-loan-requests.ts'
import { changeConversation, hasPaidOut, informedLenders, readConversation, readConversations } from './store.ts'
import { amountAnswers, requestAmountForm, submitForm } from './submit-form.ts'

export const networkChannel: LenderChannel<TxContext> = {
  requestOffers: (ctx, journey, { isRepeated }) =>
    isRepeated ? searchNetworkAgain(ctx, journey) : searchNetwork(ctx, journey),

  async select(ctx, journey, choice) {
    const { tx, at } = ctx
    for (const conversation of await conversationsOf(tx, journey))
      if (conversation.conversationId !== choice.offer.conversationId)
        await endConversation(tx, conversation, 'the borrower chose another offer', at)
      else if (isSecured(conversation)) await sendPledge(ctx, conversation, choice.pledges)
      else await requestFinalTerms(ctx, journey, conversation, choice)
  },

  // Sends nothing, because the next request implies the acceptance.
  accept: async () => {},

  /** Sends nothing, because the network has no message for a declined offer. */
  async decline({ tx, at }, _journey, offer, _reason) {
    const conversation = await readConversation(tx, offer.tenantId, offer.journeyId, offer.conversationId)
    if (conversation) await endConversation(tx, conversation, 'the borrower declined the offer', at)
  },

  withdraw: ({ tx, at }, journey) => endAll(tx, journey, 'the borrower withdrew the consent', at),

  lapse: ({ tx, at }, journey) => endAll(tx, journey, 'the offer has lapsed', at),

  async submitAccount(ctx, journey, offer, account) {
    const { tx } = ctx
    const conversation = await conversationOfOffer(tx, offer)
    if (productOf(journey).network.orderContainsAccount)
      await sendInit(ctx, conversation, finalTermsFrom(offer, account))
    else {
      const { accountHolderName: accHolderName, accountType: acctype, accountNumber: accNo, ifsc: ifscCode } = account
      await submitForm(ctx, conversation, 'BANK', { accHolderName, acctype, accNo, ifscCode })
    }
    return 'verifying'
  },

  /** Records the visit, because a lender may not report the end of a page (FIS12 §24) or the signature (§19.3). */
  async pageVisited(ctx, journey, offer, { isBack, number }) {
    const conversation = await conversationOfOffer(ctx.tx, offer)
    if (isBack && mayStayUnreported(conversation)) return recordPageLeft(ctx, journey, conversation)
    if (conversation.stage !== 'AGREEMENT_REQUESTED' || isSecured(conversation) || journey.lenderMode !== 'OFFLINE')
      return
    const { conversationId, formId } = conversation
    const key = `agreement_visited:${formId}:${number}:${isBack ? 'back' : 'opened'}`
    await recordInternalEvent(ctx, journey, { type: 'agreement_visited', isBack }, { conversationId, key })
  },

  drawdowns: networkDrawdowns,

  takesPayments: async ({ tx }, _, offer) => takesPayments(await conversationOfOffer(tx, offer)),

  /** The lender decides what is missed, even if we know of no overdue instalment (FIS12 §18.5). */
  missedInstalment: async ({ at }, { installments }) => oldestUnpaid(installments, at),

  async requestServicing(ctx, offer, request, [oldest]) {
    const { tx } = ctx
    const conversation = await confirmExit(ctx, await conversationOfOffer(tx, offer), request)
    if (!oldest || !canSendRequest(conversation)) return { kind: 'waiting' }
    await askServicing(ctx, conversation, oldest)
    return { kind: 'requested', operationId: oldest.operationId }
  },

  /** Some lenders report a payment only in answer to `status` (FIS12 §4.1). */
  async refresh(ctx, offer, _) {
    const { tx } = ctx
    await requestLoanStatus(ctx, await conversationOfOffer(tx, offer))
  },

  informedLenders,

  hasPaidOut,

  /** The borrower takes time to give a consent, and the lender to read the data. */
  hasMoreTime: hasLiveConsent,

  /** The search asks no lender in particular: a lender is listed once it answers. */
  hasUnlistedLender: async () => false,

  /** Only journeys show which lenders the network has. */
  hasLender: async () => false,
}

async function requestFinalTerms(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  { offer, branchId }: ChosenTerms,
): Promise<void> {
  const { tx, at } = ctx
  const updated = await changeConversation(tx, conversation, { branchId }, at)
  if (hasStops(updated)) return requestAmountForm(ctx, journey, updated, offer.offerId)
  // The handler of the event fills the second form about the borrower with the profile.
  if (updated.formHeading === customerFormHeading) await requestAmountForm(ctx, journey, updated, offer.offerId)
  else await submitForm(ctx, updated, 'AMOUNT', amountAnswers(journey))
}

/** Records that the borrower closes the loan at the price that the lender stated today (FIS12 §25). */
async function confirmExit(
  { tx, at }: TxContext,
  conversation: Conversation,
  { kind }: Pick<ServicingRequest, 'kind'>,
): Promise<Conversation> {
  const { extras } = conversation
  const { cancellation } = extras
  if (kind !== 'FORECLOSURE' || !cancellation || !isExitPriced(extras, at)) return conversation
  const confirmed = { ...extras, cancellation: { ...cancellation, confirmedAt: at.toISOString() } }
  return changeConversation(tx, conversation, { extras: confirmed }, at)
}

const conversationsOf = (tx: Tx, { tenantId, journeyId }: Journey): Promise<Conversation[]> =>
  readConversations(tx, tenantId, journeyId)

async function endAll(tx: Tx, journey: Journey, reason: string, at: Date): Promise<void> {
  for (const conversation of await conversationsOf(tx, journey)) await endConversation(tx, conversation, reason, at)
}

async function conversationOfOffer(
  tx: Tx,
  { tenantId, journeyId, conversationId }: LenderOffer,
): Promise<Conversation> {
  const conversation = await readConversation(tx, tenantId, journeyId, conversationId)
  if (!conversation) throw new Error(`a network offer has no conversation ${conversationId}`)
  return conversation
}
