// A lender that leaves only the agreement to the borrower, whatever it called the page before it (FIS12 §13.3, §19.3).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findJourney, lockJourney } from '#platform/journey/store.ts'
import type { InboundMessage } from '#platform/network/inbound/inbound-message.ts'
import { moveStep, stepReady, stepSucceeded } from '#platform/step/move.ts'
import { listSteps } from '#platform/step/store.ts'
import { conversationHelpers } from '#test/setup/conversation.ts'
import { fakeNetwork } from '#test/setup/network.ts'
import { testSubscriber } from '#test/setup/subscriber.ts'
import { onLoan } from './loan.ts'

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

/** What is left to do once the agreement is due, where the account was asked for or not. */
async function left(isAccountGiven: boolean) {
  const { journey, conversation } = await conversationAt('AGREEMENT_REQUESTED')
  const { tenantId, journeyId } = journey
  await db`update journey set status = 'LENDER_REDIRECTED', lender_mode = 'ONLINE' where journey_id = ${journeyId}`
  await db.tx(async (tx) => {
    const locked = (await lockJourney(tx, tenantId, journeyId))!
    const at = ctx.clock()
    await stepReady(tx, locked, { name: 'kyc', page: { url: 'https://lender.example/kyc', formId: 'K' }, at })
    await stepSucceeded(tx, locked, 'kyc', at)
    if (isAccountGiven) await moveStep(tx, locked, { name: 'bankMandate', move: 'begun', change: { attempts: 1 }, at })
    await onLoan({ ...ctx, tx, at }, locked, conversation, agreement)
  })
  const steps = await listSteps(db, journey)
  return {
    mode: (await findJourney(db, tenantId, journeyId))!.lenderMode,
    steps: Object.fromEntries(steps.map(({ name, status }) => [name, status])),
  }
}

test('FIS12 §19.3: after a page called KYC, a step that was never requested is not required, and the lender is OFFLINE', async () => {
  const sparing = { kyc: 'SUCCESS', eMandate: 'NOT_REQUIRED', loanAgreement: 'READY' }
  assert.deepEqual(await left(false), { mode: 'OFFLINE', steps: { ...sparing, bankMandate: 'NOT_REQUIRED' } })
  assert.deepEqual(
    await left(true),
    { mode: 'ONLINE', steps: { ...sparing, bankMandate: 'SUCCESS' } },
    'FIS12 §13.3: without a mandate of its own, a loan is as much online as any other',
  )
})
