// Pages of a lender whose version need not report them: when the platform goes on, and what a refusal or a late report does.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { fakeNetwork } from '@lendloom/tests/setup/network'
import { testSubscriber, waitFor } from '@lendloom/tests/setup/subscriber'
import { lenderJourneys } from '@lendloom/tests/setup/under-way'
import type { UnsealedChange } from '#platform/lenders/network/conversation.ts'
import type { LenderOrder } from '#platform/lenders/network/dialect.ts'
import type { InboundMessage } from '#platform/lenders/network/inbound/inbound-message.ts'
import type { LenderCallback } from '#platform/lenders/network/inbound/move-of-callback.ts'
import { followUpWorker } from '#platform/lenders/network/reactions/follow-up-worker.ts'
import type { ConversationStage } from '#platform/lenders/network/stage.ts'
import { markStepReady } from '#platform/lending/step/move-step.ts'
import { openStep, returnFromStep } from '#platform/lending/step/open-step.ts'
import type { StepName } from '#platform/lending/step/step.ts'
import { applyLenderError } from './lender-error.ts'
import { onPageLeft } from './page-progress.ts'

const network = await fakeNetwork()
const platform = await testSubscriber(network.url)
const { ctx } = platform
const { journeyAtLender } = lenderJourneys(network, platform)
const applyByDefault = platform.onApply.run
platform.onApply.run = async (tx, applyCtx, journey, conversation, inbound, at) =>
  inbound.type === 'page_left'
    ? onPageLeft({ ...applyCtx, tx, at }, journey, conversation, inbound as InboundMessage<'page_left'>)
    : applyByDefault(tx, applyCtx, journey, conversation, inbound, at)

let followUps: { stop(): Promise<void> } | undefined
after(() => followUps?.stop())

/** Creates a loan in 2.0.1 at a page that the borrower has opened, unless `isOpened` is false. */
async function loanAtPage(
  stage: ConversationStage,
  [name, heading]: [StepName, string],
  { isOpened = true, version = '2.0.1' } = {},
) {
  const due: UnsealedChange = { formId: 'PAGE', formHeading: heading, submissionId: null }
  const loan = await journeyAtLender('PERSONAL_LOAN', stage, due, async (tx, journey, at) => {
    await tx`update conversation set version = ${version} where journey_id = ${journey.journeyId}`
    const page = { url: 'https://lender.example/page', formId: 'PAGE' }
    await markStepReady({ ...ctx, tx }, journey, { name, page, at })
    if (isOpened) await openStep({ ...ctx, tx, at }, journey, name)
  })
  const { conversationId, transactionId } = loan.conversation
  return {
    ...loan,
    returnToApp: () => loan.underJourneyLock((tx, journey, _, at) => returnFromStep({ ...ctx, tx, at }, journey, name)),
    sendHint: () => fetch(`${platform.url}/ondc/callback?transaction_id=${transactionId}`),
    nextRequest: (action: 'init' | 'confirm') => network.nextCall(`/ondc/${action}`, transactionId),
    isFollowed: async () =>
      (
        await ctx.db`
        select 1 from job where kind = 'lender-follow-up' and payload->>'conversationId' = ${conversationId}`
      ).length > 0,
    /** Applies a report of the page without a form id, as 2.0.1 has it, and returns the move that it means. */
    report: (status: 'APPROVED' | 'PENDING') => loan.applyCallback(reportOf(status)),
    /** Applies the lender's request for a page, and returns the move that it means. */
    requestPage: (heading: string, id: string) => {
      const form = { id, url: 'https://lender.example/page', heading, mimeType: 'application/html' }
      const message = { type: 'on_init', solicited: true, order: { ...reportOf('').order, form, formResponse: null } }
      return loan.applyCallback(message as unknown as LenderCallback)
    },
    refuse: (code: string, solicited = true) =>
      loan.underJourneyLock((tx, journey, conversation, at) =>
        applyLenderError({ ...ctx, tx, at }, journey, conversation, { code, solicited }),
      ),
  }
}

const reportOf = (status: string): LenderCallback => {
  const outcome = status === 'APPROVED' ? 'success' : 'waiting'
  const formResponse = { formId: null, submissionId: 'THEIRS', status, outcome } as const
  const order = { orderId: null, form: null, stops: [], installments: [], documents: [], state: null, formResponse }
  return { type: 'on_status', solicited: false, order: order as unknown as LenderOrder }
}

/** Lets the borrower return, and the time for the lender's report pass. */
async function passPage(loan: Awaited<ReturnType<typeof loanAtPage>>, action: 'init' | 'confirm') {
  followUps ??= followUpWorker(ctx)
  await loan.returnToApp()
  await waitFor(loan.isFollowed)
  platform.advanceClock(6)
  const { body } = await loan.nextRequest(action)
  return body.message.order.items[0].xinput
}

const pages = [
  ['FINAL_TERMS', ['kyc', 'KYC'], 'init', 'INITIATED'],
  ['MANDATE_REQUESTED', ['eMandate', 'EMANDATE'], 'init', 'INITIATED'],
  ['AGREEMENT_REQUESTED', ['loanAgreement', 'LOAN_AGREEMENT'], 'confirm', 'CONFIRM_SENT'],
] as const satisfies [ConversationStage, [StepName, string], 'init' | 'confirm', ConversationStage][]

test('FIS12 §24: without a report, the next request follows the borrower’s return, with a submission of ours', async () => {
  for (const [stage, [step, heading], action, then] of pages) {
    const loan = await loanAtPage(stage, [step, heading])
    const { form, form_response: response } = await passPage(loan, action)
    assert.deepEqual(form, { id: 'PAGE' }, stage)
    assert.equal(response.status, 'SUCCESS')
    assert.match(response.submission_id, /^[0-9a-f-]{36}$/)
    assert.equal((await loan.currentConversation()).stage, then)
    assert.equal((await loan.step(step)).status, 'IN_PROGRESS', 'done when the lender goes on')
  }
})

test('FIS12 §24: a lender that says that the page is not done gets it opened again, and the next return counts', async () => {
  for (const [stage, [step, heading], action] of pages) {
    const loan = await loanAtPage(stage, [step, heading])
    await passPage(loan, action)
    await loan.refuse('30000')
    assert.equal((await loan.currentConversation()).stage, stage)
    const { status, diagnostics } = await loan.step(step)
    assert.equal(status, 'FAILURE')
    assert.equal(diagnostics?.problem, 'LENDER_PAGE_NOT_DONE')
    assert.equal(diagnostics?.retryable, true)
    await loan.underJourneyLock((tx, journey, _, at) => openStep({ ...ctx, tx, at }, journey, step))
    await passPage(loan, action)
  }
})

test('FIS12 §24, §3.4: an unsolicited error after an unreported page may be old and reopens nothing', async () => {
  const codes = { kyc: '80205', eMandate: '80207', loanAgreement: '80208' }
  for (const [stage, [step, heading], action, then] of pages) {
    const loan = await loanAtPage(stage, [step, heading])
    await passPage(loan, action)
    for (const code of [codes[step], '30000', '40000']) await loan.refuse(code, false)
    assert.equal((await loan.currentConversation()).stage, then)
    assert.equal((await loan.step(step)).status, 'IN_PROGRESS')
    await loan.refuse('80204', false)
    assert.equal((await loan.journey()).status, 'REJECTED', 'a final one ends the loan')
  }
})

test('FIS12 §24: a final refusal after an unreported page ends the loan', async () => {
  const loan = await loanAtPage('FINAL_TERMS', ['kyc', 'KYC'])
  await passPage(loan, 'init')
  await loan.refuse('40003')
  assert.equal((await loan.journey()).status, 'REJECTED')
})

test('FIS12 §24: a report that comes after the next request is repeated to the lender if it refuses the request', async () => {
  const loan = await loanAtPage('FINAL_TERMS', ['kyc', 'KYC'])
  await passPage(loan, 'init')
  assert.equal(await loan.report('APPROVED'), 'reportedLate')
  await loan.refuse('30000')
  const { body } = await loan.nextRequest('init')
  assert.equal(body.message.order.items[0].xinput.form_response.submission_id, 'THEIRS')
})

test('FIS12 §24: a late report of the signature sends no second confirmation unless the lender refuses the first', async () => {
  const loan = await loanAtPage('AGREEMENT_REQUESTED', ['loanAgreement', 'LOAN_AGREEMENT'])
  await passPage(loan, 'confirm')
  const confirmed = await loan.currentConversation()
  assert.notEqual(confirmed.awaitedMessageId, null)
  assert.equal(await loan.report('APPROVED'), 'reportedLate')
  const reported = await loan.currentConversation()
  assert.equal(reported.stage, 'CONFIRM_SENT')
  assert.equal(reported.awaitedMessageId, confirmed.awaitedMessageId, 'the same confirmation is still to be answered')
  await loan.refuse('30000')
  const { body } = await loan.nextRequest('confirm')
  assert.equal(body.message.order.items[0].xinput.form_response.submission_id, 'THEIRS')
  assert.equal((await loan.step('loanAgreement')).status, 'SUCCESS')
})

test('FIS12 §24: a step whose late report was repeated to the lender is done', async () => {
  const loan = await loanAtPage('FINAL_TERMS', ['kyc', 'KYC'])
  await passPage(loan, 'init')
  await loan.report('APPROVED')
  await loan.refuse('30000')
  assert.equal((await loan.step('kyc')).status, 'SUCCESS')
  assert.equal(await loan.requestPage('EMANDATE', 'MANDATE'), 'mandateRequested')
})

test('FIS12 §24: a lender may answer the request after a page with the same page', async () => {
  const loan = await loanAtPage('MANDATE_REQUESTED', ['eMandate', 'EMANDATE'])
  await passPage(loan, 'init')
  assert.equal(await loan.requestPage('EMANDATE', 'PAGE'), 'mandateRequested')
  assert.equal((await loan.step('eMandate')).status, 'READY')
})

test('FIS12 §24: after the lender’s error about the page, the next return counts, and not the one before', async () => {
  const codes = { kyc: '80205', eMandate: '80207', loanAgreement: '80208' }
  for (const [stage, [step, heading], action] of pages) {
    const loan = await loanAtPage(stage, [step, heading])
    await loan.returnToApp()
    await waitFor(loan.isFollowed)
    await loan.refuse(codes[step])
    await loan.underJourneyLock((tx, journey, _, at) => openStep({ ...ctx, tx, at }, journey, step))
    platform.advanceClock(6)
    await waitFor(async () => (await loan.followUpRounds()).includes(2))
    assert.equal((await loan.currentConversation()).stage, stage)
    await passPage(loan, action)
  }
})

test('FIS12 §24: a lender that has reported a page is waited for', async () => {
  const loan = await loanAtPage('FINAL_TERMS', ['kyc', 'KYC'])
  assert.equal(await loan.report('PENDING'), 'pageWaiting')
  await loan.returnToApp()
  assert.equal(await loan.isFollowed(), false)
  assert.equal(await loan.report('APPROVED'), 'pageDone')
  const { body } = await loan.nextRequest('init')
  assert.equal(body.message.order.items[0].xinput.form_response.submission_id, 'THEIRS')
})

test('FIS12 §24: a browser’s hint counts only for a page that was opened, and of a version that reports no pages', async () => {
  const opened = await loanAtPage('FINAL_TERMS', ['kyc', 'KYC'])
  await opened.sendHint()
  await waitFor(opened.isFollowed)
  const hintsOf = async ({ conversation }: typeof opened) =>
    (
      await ctx.db<{ state: string }>`
        select state from inbound_message where journey_id = ${conversation.journeyId} and type = 'page_left'`
    ).map(({ state }) => state)
  const unopened = await loanAtPage('FINAL_TERMS', ['kyc', 'KYC'], { isOpened: false })
  await unopened.sendHint()
  await unopened.returnToApp()
  assert.deepEqual(await hintsOf(unopened), [])
  await unopened.underJourneyLock((tx, journey, _, at) => openStep({ ...ctx, tx, at }, journey, 'kyc'))
  await unopened.returnToApp()
  await waitFor(unopened.isFollowed)
  await unopened.sendHint()
  assert.equal((await hintsOf(unopened)).length, 1, 'one report for each time that the page is opened')
  const reporting = await loanAtPage('FINAL_TERMS', ['kyc', 'KYC'], { version: '2.0.2' })
  await reporting.sendHint()
  await reporting.returnToApp()
  assert.deepEqual(await hintsOf(reporting), [])
})

test('FIS12 §24: a browser’s hint does not confirm a loan, because anybody may send it', async () => {
  const loan = await loanAtPage('AGREEMENT_REQUESTED', ['loanAgreement', 'LOAN_AGREEMENT'])
  const answered = await loan.sendHint()
  assert.equal(answered.status, 200)
  const { journeyId } = loan.conversation
  assert.deepEqual(
    await ctx.db`select 1 from inbound_message where journey_id = ${journeyId} and type = 'page_left'`,
    [],
  )
  await passPage(loan, 'confirm')
})
