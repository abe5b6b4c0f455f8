// Creates journeys that wait for their lender, at any stage of the conversation.

import type { Conversation, UnsealedChange } from '@lendloom/platform/src/lenders/network/conversation.ts'
import { type LenderCallback, moveOfCallback } from '@lendloom/platform/src/lenders/network/inbound/move-of-callback.ts'
import { onLoanCallback } from '@lendloom/platform/src/lenders/network/reactions/appliers/loan-callback.ts'
import type { ConversationStage } from '@lendloom/platform/src/lenders/network/stage.ts'
import { changeConversation, readConversation } from '@lendloom/platform/src/lenders/network/store.ts'
import { type BorrowerDetails, detailsContext } from '@lendloom/platform/src/lending/borrower/borrower.ts'
import { newBorrowers } from '@lendloom/platform/src/lending/borrower/store.ts'
import type { Journey } from '@lendloom/platform/src/lending/journey/journey.ts'
import { findJourney, lockJourney } from '@lendloom/platform/src/lending/journey/store.ts'
import { toStoredTerms } from '@lendloom/platform/src/lending/journey/stored-terms.ts'
import type { StepName } from '@lendloom/platform/src/lending/step/step.ts'
import { findStep } from '@lendloom/platform/src/lending/step/store.ts'
import type { Tx } from '@lendloom/postgres/sql'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import { conversationHelpers } from './conversation.ts'
import type { FakeNetwork } from './network.ts'
import { terms } from './offered.ts'
import type { TestSubscriber } from './subscriber.ts'

export function lenderJourneys(network: FakeNetwork, platform: TestSubscriber) {
  const { ctx } = platform
  const { db } = ctx
  const { conversationAt, currentConversation } = conversationHelpers(network, platform)

  /** Creates a journey with its lender, its conversation at a stage, and the steps from `prepare`. */
  async function journeyAtLender(
    type: Journey['type'],
    stage: ConversationStage,
    change: UnsealedChange,
    prepare: (tx: Tx, journey: Journey, at: Date) => Promise<unknown>,
  ) {
    const { journey, conversation } = await conversationAt(stage, change)
    const { tenantId, journeyId, borrowerId } = journey
    const at = ctx.clock()
    await db`insert into offer ${db({
      bucket: bucketOf(journeyId),
      tenantId,
      journeyId,
      offerId: uuidv7(at.getTime(), bucketOf(journeyId)),
      limits: '{}',
      selectedAt: at,
      createdAt: at,
      updatedAt: at,
      conversationId: conversation.conversationId,
      lenderId: conversation.lenderId,
      status: 'OFFER_RECEIVED',
      terms: JSON.stringify(toStoredTerms(terms)),
    })}`
    const mobileDigest = Buffer.alloc(32)
    await db`${newBorrowers([{ tenantId, borrowerId, externalId: borrowerId, mobileDigest, createdAt: at }], null)}`
    const person: BorrowerDetails = { personal: { mobile: '9876500001' }, work: {}, address: {}, gold: {} }
    const profileSealed = ctx.seal.json(person, detailsContext(tenantId, journeyId))
    await db`insert into profile ${db({ bucket: bucketOf(journeyId), tenantId, journeyId, profileSealed, updatedAt: at })}`
    await db`update journey set status = 'LENDER_REDIRECTED', type = ${type} where journey_id = ${journeyId}`
    const underJourneyLock = <T>(
      act: (tx: Tx, lockedJourney: Journey, lockedConversation: Conversation, at: Date) => Promise<T>,
    ): Promise<T> =>
      db.tx(async (tx) => {
        const lockedJourney = (await lockJourney(tx, tenantId, journeyId))!
        return act(
          tx,
          lockedJourney,
          (await readConversation(tx, tenantId, journeyId, conversation.conversationId))!,
          ctx.clock(),
        )
      })
    await underJourneyLock((tx, lockedJourney, _, lockedAt) => prepare(tx, lockedJourney, lockedAt))
    /** Applies a callback of the lender as the inbox does, and returns the move that it means. */
    const applyCallback = (message: LenderCallback) =>
      underJourneyLock(async (tx, lockedJourney, lockedConversation, lockedAt) => {
        const meaning = moveOfCallback(lockedConversation, message)
        if (!('move' in meaning)) return meaning.outOfSequence
        const { formUrl: _, ...meant } = meaning.change
        const changed = await changeConversation(tx, lockedConversation, meant, lockedAt)
        const inbound = { ...message, error: null, move: meaning.move }
        type Applied = Parameters<typeof onLoanCallback>[3]
        await onLoanCallback({ ...ctx, tx, at: lockedAt }, lockedJourney, changed, inbound as unknown as Applied)
        return meaning.move
      })
    const step = (name: StepName) => findStep(db, { tenantId, journeyId }, name)
    return {
      conversation,
      underJourneyLock,
      applyCallback,
      journey: async () => (await findJourney(db, tenantId, journeyId))!,
      currentConversation: () => currentConversation(journey),
      visit: () => step('kyc'),
      step,
      followUpRounds: async () =>
        (
          await db<{ round: number }>`
            select (payload->>'round')::int as round from job
            where kind = 'lender-follow-up' and payload->>'conversationId' = ${conversation.conversationId}`
        ).map(({ round }) => round),
    }
  }

  return { journeyAtLender }
}
