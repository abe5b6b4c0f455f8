// The open network as a channel to lenders: a conversation with each of them (FIS12 §8.1, §9.1, §10.2).
import { customerForm } from '#contract/network/v203/page.ts'
import type { Tx } from '#kit/db/sql.ts'
import type { Context } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import type { ChosenTerms, LenderChannel, LenderOffer } from '#platform/lender/channel.ts'
import { productOf } from '#platform/product/products.ts'
import { agreedBy } from './agreed.ts'
import { init, status } from './ask-lender.ts'
import { askServicing, isFree } from './ask-payment.ts'
import { pledge } from './ask-secured.ts'
import type { Conversation } from './conversation.ts'
import { isSecured } from './dialect.ts'
import { note } from './inbound/note.ts'
import { endConversation } from './open-conversation.ts'
import { search, searchAgain } from './search.ts'
import { changeConversation, readConversation, readConversations } from './store.ts'
import { submitForm } from './submit-form.ts'

export const networkChannel: LenderChannel<Context> = {
  requestOffers: (tx, ctx, journey, { isRepeated }, at) =>
    isRepeated ? searchAgain(tx, ctx, journey, at) : search(tx, ctx, journey, at),

  // Who answers the search is listed as it does.
  hasUnlisted: async () => false,

  async select(tx, ctx, journey, chosen, at) {
    for (const conversation of await conversationsOf(tx, journey))
      if (conversation.conversationId !== chosen.offer.conversationId)
        await endConversation(tx, conversation, 'the borrower chose another offer', at)
      else if (isSecured(conversation)) await pledge(tx, ctx, conversation, chosen.pledges, at)
      else await askFinalTerms(tx, ctx, journey, conversation, chosen, at)
  },

  // It is told by going on.
  accept: async () => {},

  /** The network has no message for it. */
  async decline(tx, _, __, offer, ___, at) {
    const conversation = await readConversation(tx, offer.tenantId, offer.journeyId, offer.conversationId)
    if (conversation) await endConversation(tx, conversation, 'the borrower turned the offer down', at)
  },

  withdraw: (tx, _, journey, at) => endAll(tx, journey, 'the borrower withdrew the consent', at),

  lapse: (tx, _, journey, at) => endAll(tx, journey, 'its offer has lapsed', at),

  async submitAccount(tx, ctx, journey, offer, account, at) {
    const conversation = await conversationAbout(tx, offer)
    if (productOf(journey).network.isAccountInOrder) await init(tx, ctx, conversation, agreedBy(offer, account), at)
    else {
      const { accountHolderName: accHolderName, accountType: acctype, accountNumber: accNo, ifsc: ifscCode } = account
      await submitForm(tx, ctx, conversation, 'BANK', { accHolderName, acctype, accNo, ifscCode }, at)
    }
    return 'verifying'
  },

  async requestServicing(tx, ctx, offer, _, [oldest], at) {
    const conversation = await conversationAbout(tx, offer)
    if (!oldest || !isFree(conversation)) return { kind: 'waiting' }
    await askServicing(tx, ctx, conversation, oldest, at)
    return { kind: 'asked', operationId: oldest.operationId }
  },

  /** Once the lender was asked how the loan stands, it may tell of a payment only when asked again (FIS12 §4.1). */
  async refresh(tx, ctx, offer, _, at) {
    await status(tx, ctx, await conversationAbout(tx, offer), at)
  },
}

async function askFinalTerms(
  tx: Tx,
  ctx: Context,
  journey: Journey,
  conversation: Conversation,
  { offer, answers, branchId }: ChosenTerms,
  at: Date,
): Promise<void> {
  const chosen = await changeConversation(tx, conversation, { branchId }, at)
  const due = { type: 'form_due', answers } as const
  // A second form about the borrower asks what only the profile knows.
  if (chosen.formHeading === customerForm)
    await note(tx, ctx, journey, chosen.conversationId, due, `form_due:${offer.offerId}`, at)
  else await submitForm(tx, ctx, chosen, 'AMOUNT', answers, at)
}

const conversationsOf = (tx: Tx, { tenantId, journeyId }: Journey): Promise<Conversation[]> =>
  readConversations(tx, tenantId, journeyId)

async function endAll(tx: Tx, journey: Journey, because: string, at: Date): Promise<void> {
  for (const conversation of await conversationsOf(tx, journey)) await endConversation(tx, conversation, because, at)
}

async function conversationAbout(tx: Tx, { tenantId, journeyId, conversationId }: LenderOffer): Promise<Conversation> {
  const conversation = await readConversation(tx, tenantId, journeyId, conversationId)
  if (!conversation) throw new Error(`an offer of the network has no conversation ${conversationId}`)
  return conversation
}
