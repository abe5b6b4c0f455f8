// Conversations with the fake network's lender at any stage, and readers of their state.

import {
  type Conversation,
  sealForm,
  type UnsealedChange,
} from '@lendloom/platform/src/lenders/network/conversation.ts'
import { type ArchivedMessage, readMessages } from '@lendloom/platform/src/lenders/network/messages/store.ts'
import { openConversations } from '@lendloom/platform/src/lenders/network/open-conversation.ts'
import { searchNetwork } from '@lendloom/platform/src/lenders/network/search.ts'
import type { ConversationStage } from '@lendloom/platform/src/lenders/network/stage.ts'
import { changeConversation } from '@lendloom/platform/src/lenders/network/store.ts'
import type { Journey } from '@lendloom/platform/src/lending/journey/journey.ts'
import type { AwaitedRequest } from '@lendloom/wire/network/sequence'
import { exampleOf, type FakeNetwork, type NetworkCall } from './network.ts'
import { type TestSubscriber, waitFor } from './subscriber.ts'

export interface ConversationHelpers {
  /** Creates a journey with its conversation at a stage. */
  conversationAt(
    stage: ConversationStage,
    change?: UnsealedChange,
  ): Promise<{ journey: Journey; conversation: Conversation }>
  /** Waits for the next request to the gateway or lender, and until its outcome is recorded; advance the clock only then. */
  nextAcknowledged(journey: Journey, action: AwaitedRequest): Promise<NetworkCall>
  currentConversation(journey: Journey): Promise<Conversation>
  messages(journey: Journey): Promise<ArchivedMessage[]>
}

export function conversationHelpers(network: FakeNetwork, platform: TestSubscriber): ConversationHelpers {
  const { ctx, url } = platform
  platform.onApply.run = async (tx, _, journey, __, inbound, at) => {
    if (inbound.type === 'on_search' && inbound.found?.dialect === '2.0.3')
      await openConversations({ ...ctx, tx, at }, journey, inbound.sender, inbound.found.items)
  }
  const messages: ConversationHelpers['messages'] = ({ tenantId, journeyId }) =>
    readMessages(ctx.db, ctx.seal, tenantId, journeyId)
  return {
    async conversationAt(stage, change = {}) {
      const journey = await platform.newJourney()
      await ctx.db.tx((tx) => searchNetwork({ ...ctx, tx, at: ctx.clock() }, journey))
      const { body } = await network.nextCall('/gateway/search', journey.networkTransactionId)
      const ids = { transactionId: body.context.transaction_id, messageId: body.context.message_id }
      await network.postSigned(url, network.callback('on_search', { ...ids, message: exampleOf('on_search', network) }))
      await platform.waitForInbound(journey, 'on_search')
      const [discovered] = await platform.conversations(journey)
      const stageChange = { submissionId: 'f2c1d6b4-0000-4000-8000-000000000001', ...change, stage }
      const conversation = await ctx.db.tx((tx) =>
        changeConversation(tx, discovered!, sealForm(ctx.seal, journey, stageChange), ctx.clock()),
      )
      return { journey, conversation }
    },
    async nextAcknowledged(journey, action) {
      const path = action === 'search' ? '/gateway/search' : `/ondc/${action}`
      const request = await network.nextCall(path, journey.networkTransactionId)
      await waitFor(async () =>
        (await messages(journey)).every(({ direction, outcome }) => direction !== 'sent' || outcome),
      )
      return request
    },
    currentConversation: async (journey) => (await platform.conversations(journey))[0]!,
    messages,
  }
}
