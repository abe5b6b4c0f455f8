// Tests a lender that requests the agreement but never requested the bank account or mandate (FIS12 §13.3, §19.3).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conversationHelpers } from '@lendloom/tests/setup/conversation'
import { fakeNetwork } from '@lendloom/tests/setup/network'
import { testSubscriber } from '@lendloom/tests/setup/subscriber'
import type { InboundMessage } from '#platform/lenders/network/inbound/inbound-message.ts'
import { onLoanCallback } from '#platform/lenders/network/reactions/appliers/loan-callback.ts'
import { findJourney, lockJourney } from '#platform/lending/journey/store.ts'
import { markStepReady, markStepSucceeded, moveStep } from '#platform/lending/step/move-step.ts'
import { listSteps } from '#platform/lending/step/store.ts'

const network = await fakeNetwork()
const platform = await testSubscriber(network.url)
const { ctx } = platform
const { db } = ctx
const { conversationAt } = conversationHelpers(network, platform)

const agreement = {
  type: 'on_init',
  error: null,
  move: 'agreementRequested',
  order: {
    form: { id: 'F', url: 'https://lender.example/sign', mimeType: 'application/html', heading: 'LOAN_AGREEMENT' },
    installments: [],
    documents: [],
    state: 'INITIATED',
  },
} as unknown as InboundMessage<'on_init'>

/** Makes the agreement due and returns the lender's mode and the steps. */
async function stateAtAgreement(isAccountRequested: boolean) {
  const { journey, conversation } = await conversationAt('AGREEMENT_REQUESTED')
  const { tenantId, journeyId } = journey
  await db`update journey set status = 'LENDER_REDIRECTED', lender_mode = 'ONLINE' where journey_id = ${journeyId}`
  await db.tx(async (tx) => {
    const locked = (await lockJourney(tx, tenantId, journeyId))!
    const at = ctx.clock()
    await markStepReady({ ...ctx, tx }, locked, {
      name: 'kyc',
      page: { url: 'https://lender.example/kyc', formId: 'K' },
      at,
    })
    await markStepSucceeded(tx, locked, 'kyc', at)
    if (isAccountRequested)
      await moveStep(tx, locked, { step: 'bankMandate', move: 'begun', change: { attempts: 1 }, at })
    await onLoanCallback({ ...ctx, tx, at }, locked, conversation, agreement)
  })
  const steps = await listSteps(db, journey)
  return {
    mode: (await findJourney(db, tenantId, journeyId))!.lenderMode,
    steps: Object.fromEntries(steps.map(({ name, status }) => [name, status])),
  }
}

test('FIS12 §19.3: a lender that never requested the bank account becomes OFFLINE', async () => {
  const commonSteps = { kyc: 'SUCCESS', eMandate: 'NOT_REQUIRED', loanAgreement: 'READY' }
  assert.deepEqual(await stateAtAgreement(false), {
    mode: 'OFFLINE',
    steps: { ...commonSteps, bankMandate: 'NOT_REQUIRED' },
  })
  assert.deepEqual(
    await stateAtAgreement(true),
    { mode: 'ONLINE', steps: { ...commonSteps, bankMandate: 'SUCCESS' } },
    'FIS12 §13.3: a missing mandate step alone does not make the lender OFFLINE',
  )
})
