// The consent to monitoring after the sanction: a handle that is repeated with the disbursal, and a refusal.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import { conversationHelpers } from '@lendloom/tests/setup/conversation'
import { exampleOf, fakeNetwork } from '@lendloom/tests/setup/network'
import { testSubscriber } from '@lendloom/tests/setup/subscriber'
import { tagGroup } from '@lendloom/wire/network/tags'
import { applyConsentStatus } from '#platform/lenders/network/consent/apply-consent-status.ts'
import { listStoredAaSessions } from '#platform/lenders/network/consent/store.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'

const network = await fakeNetwork()
const platform = await testSubscriber(network.url)
const { ctx, url } = platform
const { conversationAt, currentConversation } = conversationHelpers(network, platform)

/** A sanctioned loan whose lender requested the monitoring consent H-1. */
async function loanWithMonitoring(
  stage: 'MONITORING_REQUESTED' | 'MONITORING_GIVEN',
  session: { state: string; dispatchedAt?: Date },
) {
  const message = exampleOf('on_update_disbursed', network)
  const { journey, conversation } = await conversationAt(stage, { orderId: message.order.id })
  const { tenantId, journeyId } = journey
  const at = ctx.clock()
  const key = { bucket: bucketOf(journeyId), tenantId, journeyId, conversationId: conversation.conversationId }
  const offerId = uuidv7(at.getTime(), key.bucket)
  await ctx.db`insert into offer ${ctx.db({
    ...key,
    offerId,
    lenderId: conversation.lenderId,
    status: 'OFFER_RECEIVED',
    limits: '{}',
    selectedAt: at,
    createdAt: at,
    updatedAt: at,
  })}`
  await ctx.db`insert into aa_session ${ctx.db({
    ...key,
    offerId,
    aaSessionId: uuidv7(at.getTime(), key.bucket),
    purpose: 'MONITORING',
    adapter: 'sandbox',
    aggregatorId: 'sandbox-aa',
    consentHandle: 'H-1',
    handleWanted: false,
    aaIdSealed: Buffer.alloc(1),
    createdAt: at,
    updatedAt: at,
    ...session,
  })}`
  return {
    journey,
    /** The lender reports the disbursal with this handle; returns the move and the new stage. */
    async disburse(handle: string) {
      const [item] = message.order.items
      const items = [{ ...item, tags: [...item.tags, tagGroup('CONSENT_INFO', { CONSENT_HANDLER: handle })] }]
      const content = { transactionId: journey.networkTransactionId, message: { order: { ...message.order, items } } }
      await network.postSigned(url, network.callback('on_update', content))
      const { move } = await platform.waitForInbound(journey, 'on_update')
      const { stage } = await currentConversation(journey)
      return { move, stage }
    },
  }
}

test('FIS12 §8.1: a handle that was answered before is not requested again with the disbursal', async () => {
  const given = { state: 'APPROVAL_DISPATCHED', dispatchedAt: new Date() }
  const cases = [
    ['MONITORING_GIVEN', given],
    ['MONITORING_GIVEN', { ...given, state: 'CONFIRMED' }],
    ['MONITORING_REQUESTED', { state: 'FAILED' }],
    ['MONITORING_REQUESTED', { state: 'EXPIRED' }],
  ] as const
  for (const [stage, session] of cases) {
    const loan = await loanWithMonitoring(stage, session)
    assert.deepEqual(await loan.disburse('H-1'), { move: 'disbursed', stage: 'DISBURSED' }, session.state)
  }
})

test('FIS12 §8.1: a handle without an answer, or another handle, is requested before the disbursal counts', async () => {
  for (const [state, handle] of [
    ['REQUIRED', 'H-1'],
    ['FAILED', 'H-2'],
  ] as const) {
    const loan = await loanWithMonitoring('MONITORING_REQUESTED', { state })
    assert.deepEqual(await loan.disburse(handle), { move: 'consentRequested', stage: 'MONITORING_REQUESTED' }, handle)
  }
})

test('FIS12 §7.8: after the borrower has refused the consent, the lender is asked what becomes of the loan', async () => {
  for (const status of ['REJECTED', 'EXPIRED'] as const) {
    const { journey } = await loanWithMonitoring('MONITORING_REQUESTED', { state: 'IN_PROGRESS' })
    const { tenantId, journeyId } = journey
    await ctx.db.tx(async (tx) => {
      const [session] = await listStoredAaSessions(tx, journey, (await currentConversation(journey)).conversationId)
      const locked = (await lockJourney(tx, tenantId, journeyId))!
      await applyConsentStatus({ ...ctx, tx, at: ctx.clock() }, locked, session!, { status, artefact: null } as never)
    })
    const followUps = await ctx.db`
      select 1 from job where kind = 'lender-follow-up' and payload->>'journeyId' = ${journeyId}`
    assert.equal(followUps.length, 1, status)
  }
})
