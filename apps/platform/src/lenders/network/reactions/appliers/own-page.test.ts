// Tests a lender whose single page covers all steps, and a credit line that the lender closes (FIS12 §13.1, §17.5).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conversationHelpers } from '@lendloom/tests/setup/conversation'
import { fakeNetwork } from '@lendloom/tests/setup/network'
import { testSubscriber } from '@lendloom/tests/setup/subscriber'
import type { InboundMessage } from '#platform/lenders/network/inbound/inbound-message.ts'
import { onLoanCallback } from '#platform/lenders/network/reactions/appliers/loan-callback.ts'
import { findJourney, lockJourney } from '#platform/lending/journey/store.ts'
import { listSteps } from '#platform/lending/step/store.ts'

const network = await fakeNetwork()
const platform = await testSubscriber(network.url)
const { ctx } = platform
const { db } = ctx
const { conversationAt } = conversationHelpers(network, platform)

/** A message that requests a page. With `offline` the page covers all steps. */
const pageRequest = (offline: boolean) =>
  ({
    type: 'on_init',
    error: null,
    move: 'kycRequested',
    order: {
      form: { id: 'F', url: 'https://lender.example/page', mimeType: 'application/html', heading: 'JOURNEY_OFFLINE' },
      secured: { offline },
      installments: [],
      documents: [],
      state: 'INITIATED',
    },
  }) as unknown as InboundMessage<'on_init'>

async function stateAfterPage(offline: boolean) {
  const { journey, conversation } = await conversationAt('FINAL_TERMS')
  const { tenantId, journeyId } = journey
  await db`update journey set status = 'OFFER_ACCEPTED', type = 'LAMF_LOAN', lender_mode = 'ONLINE' where journey_id = ${journeyId}`
  await db.tx(async (tx) => {
    const locked = (await lockJourney(tx, tenantId, journeyId))!
    await onLoanCallback({ ...ctx, tx, at: ctx.clock() }, locked, conversation, pageRequest(offline))
  })
  const steps = await listSteps(db, journey)
  return {
    mode: (await findJourney(db, tenantId, journeyId))!.lenderMode,
    steps: Object.fromEntries(steps.map(({ name, status }) => [name, status])),
  }
}

test('FIS12 §13.1: a page that covers all steps makes the lender OFFLINE', async () => {
  assert.deepEqual(await stateAfterPage(true), {
    mode: 'OFFLINE',
    steps: { kyc: 'READY', bankMandate: 'SUCCESS', eMandate: 'NOT_REQUIRED', loanAgreement: 'NOT_REQUIRED' },
  })
  assert.deepEqual(await stateAfterPage(false), { mode: 'ONLINE', steps: { kyc: 'READY', bankMandate: 'SUCCESS' } })
})

test('FIS12 §17.5: closing an undrawn credit line closes the journey without changing its status', async () => {
  const { journey, conversation } = await conversationAt('ENDED', { orderId: 'order-7' })
  const { tenantId, journeyId } = journey
  await db`update journey set status = 'LENDER_REDIRECTED', type = 'LAMF_LOAN' where journey_id = ${journeyId}`
  const order = {
    orderId: 'order-7',
    state: 'COMPLETED',
    installments: [],
    servicing: [],
    documents: [],
    form: null,
    secured: { line: { limit: 5n, utilization: 0n } },
  }
  const message = { type: 'on_update', error: null, move: 'completed', order } as unknown as InboundMessage<'on_update'>
  await db.tx(async (tx) => {
    const locked = (await lockJourney(tx, tenantId, journeyId))!
    await onLoanCallback({ ...ctx, tx, at: ctx.clock() }, locked, conversation, message)
  })
  const { status, active, closedAt } = (await findJourney(db, tenantId, journeyId))!
  assert.equal(status, 'LENDER_REDIRECTED')
  assert.equal(active, false)
  assert.notEqual(closedAt, null)
})
