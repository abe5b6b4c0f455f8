// Agreements with a lender that does not report the borrower's signature before the confirmation (FIS12 §19.3).
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { uuidv4 } from '@lendloom/seal/id'
import { fakeNetwork } from '@lendloom/tests/setup/network'
import { testSubscriber, waitFor } from '@lendloom/tests/setup/subscriber'
import { lenderJourneys } from '@lendloom/tests/setup/under-way'
import { noAwaitedAnswer } from '#platform/lenders/network/conversation.ts'
import type { LenderOrder } from '#platform/lenders/network/dialect.ts'
import type { InboundMessage } from '#platform/lenders/network/inbound/inbound-message.ts'
import { moveOfCallback } from '#platform/lenders/network/inbound/move-of-callback.ts'
import { onAgreementVisited } from '#platform/lenders/network/reactions/appliers/disbursed-loan.ts'
import { onLoanCallback } from '#platform/lenders/network/reactions/appliers/loan-callback.ts'
import { followUpWorker } from '#platform/lenders/network/reactions/follow-up-worker.ts'
import { changeConversation } from '#platform/lenders/network/store.ts'
import { updateJourney } from '#platform/lending/journey/store.ts'
import { markStepReady, markStepSucceeded } from '#platform/lending/step/move-step.ts'
import { openStep, returnFromStep } from '#platform/lending/step/open-step.ts'
import { applyLenderError } from './lender-error.ts'
import { onPageLeft } from './page-progress.ts'

const network = await fakeNetwork()
const platform = await testSubscriber(network.url)
const { ctx } = platform
const { journeyAtLender } = lenderJourneys(network, platform)
const applyByDefault = platform.onApply.run
platform.onApply.run = async (tx, applyCtx, journey, conversation, inbound, at) => {
  if (inbound.type === 'agreement_visited')
    return onAgreementVisited(
      { ...applyCtx, tx, at },
      journey,
      conversation,
      inbound as InboundMessage<'agreement_visited'>,
    )
  if (inbound.type === 'page_left')
    return onPageLeft({ ...applyCtx, tx, at }, journey, conversation, inbound as InboundMessage<'page_left'>)
  return applyByDefault(tx, applyCtx, journey, conversation, inbound, at)
}

let followUps: { stop(): Promise<void> } | undefined
after(() => followUps?.stop())

const page = { url: 'https://lender.example/agreement', formId: 'F' }
const dueAgreement = { formHeading: 'LOAN_AGREEMENT', formId: 'F', submissionId: null }

/** Creates a loan whose only remaining step is the agreement; the borrower has opened the agreement's page. */
async function journeyWithOpenAgreement(version = '2.0.3') {
  const loan = await journeyAtLender('PERSONAL_LOAN', 'AGREEMENT_REQUESTED', dueAgreement, async (tx, journey, at) => {
    await tx`update conversation set version = ${version} where journey_id = ${journey.journeyId}`
    await markStepReady({ ...ctx, tx }, journey, { name: 'kyc', page, at })
    await markStepSucceeded(tx, journey, 'kyc', at)
    await markStepReady({ ...ctx, tx }, journey, { name: 'loanAgreement', page, at })
    await updateJourney(tx, journey, { lenderMode: 'OFFLINE' }, at)
    await openStep({ ...ctx, tx, at }, { ...journey, lenderMode: 'OFFLINE' }, 'loanAgreement')
  })
  const { conversationId } = loan.conversation
  return {
    ...loan,
    returnToApp: () =>
      loan.underJourneyLock((tx, journey, _, at) => returnFromStep({ ...ctx, tx, at }, journey, 'loanAgreement')),
    /** Seconds until the next follow-up round; null when none is scheduled. */
    async secondsUntilDue() {
      const [job] = await ctx.db<{ dueAt: Date }>`
        select due_at from job where kind = 'lender-follow-up' and payload->>'conversationId' = ${conversationId}`
      return job ? (job.dueAt.getTime() - ctx.clock().getTime()) / 1000 : null
    },
    receiveError: (code: string) =>
      loan.underJourneyLock((tx, journey, conversation, at) =>
        applyLenderError({ ...ctx, tx, at }, journey, conversation, { code, solicited: true }),
      ),
  }
}

const signatureReport = {
  formResponse: { formId: 'F', submissionId: uuidv4(), status: 'APPROVED', outcome: 'success' },
  orderId: null,
  form: null,
} as unknown as LenderOrder

test('FIS12 §19.3: the loan is confirmed without a form answer when the borrower returns from the agreement', async () => {
  followUps ??= followUpWorker(ctx)
  const { conversation, returnToApp, secondsUntilDue, currentConversation, underJourneyLock, step } =
    await journeyWithOpenAgreement()
  await waitFor(async () => ((await secondsUntilDue()) ?? 0) > 60)
  await returnToApp()
  await waitFor(async () => ((await secondsUntilDue()) ?? 60) <= 5)
  platform.advanceClock(6)
  const { body } = await network.nextCall('/ondc/confirm', conversation.transactionId)
  assert.equal(body.message.order.items[0].xinput, undefined)
  const sent = await currentConversation()
  assert.equal(sent.stage, 'CONFIRM_SENT')
  await underJourneyLock(async (tx, journey, _, at) => {
    const confirmed = await changeConversation(tx, sent, { ...noAwaitedAnswer, stage: 'CONFIRMED', orderId: 'O-1' }, at)
    const order = { installments: [], documents: [], state: 'SANCTIONED' }
    const message = { type: 'on_confirm', error: null, move: 'confirmed', order, solicited: true }
    await onLoanCallback({ ...ctx, tx, at }, journey, confirmed, message as unknown as InboundMessage<'on_confirm'>)
  })
  assert.equal((await step('loanAgreement')).status, 'SUCCESS', 'a placed order implies the signature')
})

test('FIS12 §19.3: the loan is confirmed two minutes after the borrower opened the agreement', async () => {
  followUps ??= followUpWorker(ctx)
  const { conversation, secondsUntilDue } = await journeyWithOpenAgreement()
  await waitFor(async () => ((await secondsUntilDue()) ?? 0) > 60)
  platform.advanceClock(121)
  await network.nextCall('/ondc/confirm', conversation.transactionId)
})

test('FIS12 §19.3, §24: the opened agreement of a lender of 2.0.1 is confirmed after two minutes', async () => {
  followUps ??= followUpWorker(ctx)
  const { conversation, secondsUntilDue } = await journeyWithOpenAgreement('2.0.1')
  await waitFor(async () => ((await secondsUntilDue()) ?? 0) > 60)
  platform.advanceClock(121)
  const { body } = await network.nextCall('/ondc/confirm', conversation.transactionId)
  assert.equal(body.message.order.items[0].xinput, undefined)
})

test('FIS12 §19.3, §24: one confirmation follows the return from the agreement of a lender of 2.0.1', async () => {
  followUps ??= followUpWorker(ctx)
  const { conversation, returnToApp, secondsUntilDue, currentConversation } = await journeyWithOpenAgreement('2.0.1')
  await waitFor(async () => ((await secondsUntilDue()) ?? 0) > 60)
  await returnToApp()
  await waitFor(async () => ((await secondsUntilDue()) ?? 60) <= 5)
  platform.advanceClock(6)
  const { body } = await network.nextCall('/ondc/confirm', conversation.transactionId)
  assert.equal(body.message.order.items[0].xinput.form_response.status, 'SUCCESS')
  const { awaitedMessageId } = await currentConversation()
  // The next round of the follow-up at the agreement finds that the agreement is done.
  platform.advanceClock(21)
  await waitFor(async () => (await secondsUntilDue()) === null)
  assert.equal((await currentConversation()).awaitedMessageId, awaitedMessageId)
})

test('FIS12 §19.3: an error before the signature does not end the loan unless the lender rejects the borrower', async () => {
  // The error code, and the resulting stage of the conversation, status of the journey and status of the step.
  for (const [code, stage, status, step] of [
    ['30000', 'AGREEMENT_REQUESTED', 'LENDER_REDIRECTED', 'IN_PROGRESS'],
    ['99999', 'AGREEMENT_REQUESTED', 'LENDER_REDIRECTED', 'IN_PROGRESS'],
    ['80209', 'AGREEMENT_REQUESTED', 'LENDER_REDIRECTED', 'FAILURE'],
    ['80228', 'ENDED', 'REJECTED', 'IN_PROGRESS'],
    ['40003', 'ENDED', 'REJECTED', 'IN_PROGRESS'],
  ] as const) {
    const loan = await journeyWithOpenAgreement()
    await loan.underJourneyLock((tx, _, conversation, at) =>
      changeConversation(tx, conversation, { stage: 'CONFIRM_SENT' }, at),
    )
    await loan.receiveError(code)
    const conversationNow = await loan.currentConversation()
    const journey = await loan.journey()
    const agreement = await loan.step('loanAgreement')
    assert.equal(conversationNow.stage, stage, code)
    assert.equal(journey.status, status, code)
    assert.equal(agreement.status, step, code)
  }
})

test('FIS12 §19.3: a signature that is reported after the confirmation is accepted once', async () => {
  const { underJourneyLock, currentConversation } = await journeyWithOpenAgreement()
  const sent = await underJourneyLock((tx, _, conversation, at) =>
    changeConversation(tx, conversation, { stage: 'CONFIRM_SENT' }, at),
  )
  const message = { type: 'on_status', solicited: false, order: signatureReport } as const
  const meaning = moveOfCallback(sent, message)
  assert.ok('move' in meaning && meaning.move === 'pageDone' && meaning.change.stage === 'AGREEMENT_DONE')
  const repeatedMeaning = moveOfCallback({ ...(await currentConversation()), submissionId: uuidv4() }, message)
  assert.ok('outOfSequence' in repeatedMeaning, 'a confirmed signature is not reported twice')
})
