// A lender with one page for all steps after its offer: when it is asked, when the loan is confirmed, and what may end it.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { fakeNetwork } from '@lendloom/tests/setup/network'
import { testSubscriber, waitFor } from '@lendloom/tests/setup/subscriber'
import { lenderJourneys } from '@lendloom/tests/setup/under-way'
import type { InboundMessage } from '#platform/lenders/network/inbound/inbound-message.ts'
import { type LenderCallback, moveOfCallback } from '#platform/lenders/network/inbound/move-of-callback.ts'
import { followUpWorker } from '#platform/lenders/network/reactions/follow-up-worker.ts'
import type { ConversationStage } from '#platform/lenders/network/stage.ts'
import { changeConversation } from '#platform/lenders/network/store.ts'
import { expireIdle, expireJourney } from '#platform/lending/journey/advance.ts'
import { listOffers } from '#platform/lending/offer/store.ts'
import { markStepReady } from '#platform/lending/step/move-step.ts'
import { applyLenderError } from './lender-error.ts'
import { onLoanCallback } from './loan-callback.ts'
import { onPageLeft } from './page-progress.ts'
import { onNacked } from './rejected-or-unanswered.ts'

const network = await fakeNetwork()
const platform = await testSubscriber(network.url)
const { ctx } = platform
const { journeyAtLender } = lenderJourneys(network, platform)

const stops = (kyc: string) => [
  { type: 'SINGLE_REDIRECTION', state: 'IN_PROGRESS' },
  { type: 'KYC', state: kyc },
]

const page = { formId: 'PAGE', formHeading: 'SINGLE_REDIRECTION', submissionId: null }

/** Creates a loan whose borrower is on the lender's page. */
async function loanOnPage(stage: ConversationStage = 'FINAL_TERMS') {
  const extras = { progress: { stops: stops('PENDING') } }
  const loan = await journeyAtLender('PERSONAL_LOAN', stage, { ...page, extras }, (tx, journey, at) =>
    markStepReady({ ...ctx, tx }, journey, {
      name: 'kyc',
      page: { url: 'https://lender.example/page', formId: 'PAGE' },
      at,
    }),
  )
  const { conversationId } = loan.conversation
  return {
    ...loan,
    /** Applies a report of the lender, and returns the move that it means. */
    report: (state: string, status: string, solicited = false, orderId: string | null = null) =>
      loan.applyCallback(reportOf(state, status, solicited, orderId)),
    leavePage: () =>
      loan.underJourneyLock((tx, journey, conversation, at) =>
        onPageLeft({ ...ctx, tx, at }, journey, conversation, { type: 'page_left' } as InboundMessage<'page_left'>),
      ),
    /** Seconds until the lender is asked; null if it is not going to be. */
    async secondsUntilAsked() {
      const [job] = await ctx.db<{ dueAt: Date }>`
        select due_at from job where kind = 'lender-follow-up' and payload->>'conversationId' = ${conversationId}`
      return job ? Math.round((job.dueAt.getTime() - ctx.clock().getTime()) / 1000) : null
    },
  }
}

const reportOf = (state: string, status: string, solicited: boolean, orderId: string | null) =>
  ({
    type: 'on_status',
    solicited,
    order: {
      state,
      orderId,
      form: null,
      stops: stops('SUCCESSFUL'),
      lenderTerms: null,
      installments: [],
      documents: [],
      formResponse: {
        formId: 'PAGE',
        submissionId: 'SUB-7',
        status,
        outcome: status === 'REJECTED' ? 'failure' : status === 'COMPLETED' ? 'success' : 'waiting',
      },
    },
  }) as unknown as LenderCallback

test('FIS12 §26.2: the lender is asked after the browser’s hint, but never before its first report', async () => {
  const loan = await loanOnPage()
  await loan.leavePage()
  assert.ok((await loan.secondsUntilAsked())! >= 299, 'no report has come')
  assert.equal(await loan.report('INITIATED', 'OFFLINE_PENDING'), 'refreshed')
  assert.ok((await loan.secondsUntilAsked())! <= 0, 'the page was left before the report')
  const { extras } = await loan.currentConversation()
  assert.deepEqual(extras.progress!.stops, stops('SUCCESSFUL'))
  assert.deepEqual(extras.progress!.answer, { formId: 'PAGE', submissionId: 'SUB-7', status: 'OFFLINE_PENDING' })

  const withoutHint = await loanOnPage()
  assert.equal(await withoutHint.report('INITIATED', 'COMPLETED'), 'refreshed', 'COMPLETED alone is no payout')
  assert.ok((await withoutHint.secondsUntilAsked())! >= 299, 'the borrower is on the page')
  await withoutHint.leavePage()
  assert.ok((await withoutHint.secondsUntilAsked())! <= 0)
})

test('FIS12 §26.2: a payout is confirmed once the lender repeats it in answer to a request, with its last report', async () => {
  const loan = await loanOnPage()
  assert.equal(await loan.report('DISBURSED', 'COMPLETED'), 'refreshed')
  const seconds = (await loan.secondsUntilAsked())!
  assert.ok(seconds > 0 && seconds <= 15, `the browser's hint has ${seconds} s`)
  assert.equal(await loan.report('DISBURSED', 'COMPLETED', true), 'paidOut')
  const { body } = await network.nextCall('/ondc/confirm', loan.conversation.transactionId)
  const { order } = body.message
  assert.deepEqual(order.items[0].xinput, {
    form: { id: 'PAGE' },
    form_response: { status: 'COMPLETED', submission_id: 'SUB-7' },
  })
  assert.equal(order.payments, undefined)
  assert.deepEqual(
    order.tags.map(({ descriptor }: { descriptor: { code: string } }) => descriptor.code),
    ['BAP_TERMS', 'BPP_TERMS'],
  )
  const kyc = await loan.step('kyc')
  assert.equal(kyc.status, 'SUCCESS')
  assert.equal((await loan.currentConversation()).stage, 'CONFIRM_SENT')
  assert.equal((await loan.journey()).status, 'LENDER_REDIRECTED', 'until the lender has an order')
})

test('FIS12 §26.2: no error ends a loan that is paid out; the lender is asked again', async () => {
  const loan = await loanOnPage()
  await loan.report('INITIATED', 'OFFLINE_PENDING', true)
  assert.equal(await loan.report('DISBURSED', 'COMPLETED'), 'paidOut', 'the lender was asked before')
  for (const code of ['40000', '80228', '30000'])
    await loan.underJourneyLock((tx, journey, conversation, at) =>
      applyLenderError({ ...ctx, tx, at }, journey, conversation, { code, solicited: true }),
    )
  assert.match(
    await loan.report('REJECTED', 'REJECTED'),
    /at CONFIRM_SENT$/,
    'a report without an order changes nothing',
  )
  const { active, status } = await loan.journey()
  assert.ok(active)
  assert.equal(status, 'LENDER_REDIRECTED')
  assert.notEqual(await loan.secondsUntilAsked(), null)
})

test('FIS12 §26.2: a payout after the journey has expired makes it active again, and is confirmed at once', async () => {
  for (const isAsked of [true, false]) {
    const loan = await loanOnPage()
    await loan.report('INITIATED', 'OFFLINE_PENDING', isAsked)
    await loan.underJourneyLock((tx, journey, _, at) => expireJourney(tx, journey, 'NOT_CONTINUED', at))
    assert.equal(await loan.report('DISBURSED', 'COMPLETED'), isAsked ? 'paidOut' : 'refreshed')
    await network.nextCall('/ondc/confirm', loan.conversation.transactionId)
    assert.equal((await loan.currentConversation()).stage, 'CONFIRM_SENT')
    assert.ok((await loan.journey()).active)
  }
})

test('FIS12 §26.2: a page that failed without a payout ends the application; with one the money counts', async () => {
  const failed = await loanOnPage()
  assert.equal(await failed.report('INITIATED', 'REJECTED'), 'pageFailed')
  assert.equal((await failed.journey()).status, 'REJECTED')
  const paid = await loanOnPage()
  assert.equal(await paid.report('DISBURSED', 'REJECTED', true), 'paidOut')
  assert.ok((await paid.journey()).active)
})

test('FIS12 §26.2: a reported payout protects the loan before the lender has repeated it', async () => {
  for (const end of ['page', 'order', '40000', '80228', '80204']) {
    const loan = await loanOnPage()
    assert.equal(await loan.report('DISBURSED', 'COMPLETED'), 'refreshed')
    if (end === 'page') await loan.report('INITIATED', 'REJECTED')
    else if (end === 'order') await loan.report('REJECTED', 'COMPLETED')
    else
      await loan.underJourneyLock((tx, journey, conversation, at) =>
        applyLenderError({ ...ctx, tx, at }, journey, conversation, { code: end, solicited: true }),
      )
    assert.ok((await loan.journey()).active, end)
    assert.notEqual(await loan.secondsUntilAsked(), null, end)
    assert.equal(await loan.report('DISBURSED', 'COMPLETED', true), 'paidOut', end)
    await network.nextCall('/ondc/confirm', loan.conversation.transactionId)
  }
})

test('FIS12 §26.2: a payout counts also if the lender gives the order its id before we confirm it', async () => {
  const loan = await loanOnPage()
  assert.equal(await loan.report('DISBURSED', 'COMPLETED', true, 'ORDER-9'), 'paidOut')
  await network.nextCall('/ondc/confirm', loan.conversation.transactionId)
})

test('FIS12 §26.2: a loan that was paid out after its expiry is not idle', async () => {
  const loan = await loanOnPage()
  const { tenantId, journeyId } = loan.conversation
  await ctx.db`
    update journey set last_borrower_act_at = last_borrower_act_at - interval '40 days'
    where tenant_id = ${tenantId} and journey_id = ${journeyId}`
  await assert.rejects(expireIdle(ctx), /the next sweep/)
  assert.equal((await loan.journey()).active, false)
  await loan.report('DISBURSED', 'COMPLETED', true)
  await assert.rejects(expireIdle(ctx), /the next sweep/)
  assert.ok((await loan.journey()).active)
})

test('FIS12 §26.2: a loan that is paid out does not expire while its lender leaves the confirmation unanswered', async () => {
  const loan = await loanOnPage()
  await loan.report('DISBURSED', 'COMPLETED', true)
  const { tenantId, journeyId } = loan.conversation
  await ctx.db`
    update journey set last_borrower_act_at = last_borrower_act_at - interval '40 days'
    where tenant_id = ${tenantId} and journey_id = ${journeyId}`
  await assert.rejects(expireIdle(ctx), /the next sweep/)
  assert.ok((await loan.journey()).active)
})

test('FIS12 §26.2: a payout that is reported while idle journeys expire keeps the loan open', async () => {
  const loan = await loanOnPage()
  const { tenantId, journeyId } = loan.conversation
  await ctx.db`
    update journey set last_borrower_act_at = last_borrower_act_at - interval '40 days'
    where tenant_id = ${tenantId} and journey_id = ${journeyId}`
  let sweep: Promise<void> | undefined
  await loan.underJourneyLock(async (tx, _, conversation, at) => {
    const extras = { progress: { ...conversation.extras.progress!, isPaidOut: true } }
    await changeConversation(tx, conversation, { extras }, at)
    sweep = assert.rejects(expireIdle(ctx), /the next sweep/)
    await waitFor(async () => {
      const waiting = await ctx.db`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%from journey%'`
      return waiting.length > 0
    })
  })
  await sweep
  assert.ok((await loan.journey()).active)
})

test('FIS12 §26.2: a payout that a lender reports before its offer is chosen keeps no journey from expiring', async () => {
  const loan = await loanOnPage('OFFERED')
  const { tenantId, journeyId } = loan.conversation
  assert.equal(await loan.report('DISBURSED', 'COMPLETED'), 'refreshed')
  assert.equal((await loan.currentConversation()).extras.progress!.isPaidOut, undefined)
  await ctx.db`
    update journey set status = 'OFFERED', last_borrower_act_at = last_borrower_act_at - interval '40 days'
    where tenant_id = ${tenantId} and journey_id = ${journeyId}`
  await assert.rejects(expireIdle(ctx), /the next sweep/)
  assert.equal((await loan.journey()).active, false)
})

test('FIS12 §26.2: a lender that cannot answer a request for the status says nothing about the loan', async () => {
  for (const code of ['30018', '40000', '40001']) {
    const loan = await loanOnPage()
    await loan.leavePage()
    await loan.underJourneyLock((tx, journey, conversation, at) =>
      onNacked({ ...ctx, tx, at }, journey, conversation, {
        type: 'nacked',
        action: 'status',
        error: { code },
      } as InboundMessage<'nacked'>),
    )
    assert.ok((await loan.journey()).active, code)
    assert.notEqual(await loan.secondsUntilAsked(), null, code)
  }
})

test('FIS12 §11.3: a lender that refuses before the choice ends its own offer, and the application only if none is left', async () => {
  for (const search of ['OPEN', 'CLOSED']) {
    const loan = await loanOnPage('OFFERED')
    const { tenantId, journeyId } = loan.conversation
    await ctx.db`
      update journey set status = 'OFFERED', search = ${search}
      where tenant_id = ${tenantId} and journey_id = ${journeyId}`
    await loan.report('REJECTED', 'COMPLETED')
    assert.equal((await loan.currentConversation()).stage, 'ENDED')
    const { status, active } = await loan.journey()
    const [offer] = await listOffers(ctx.db, { tenantId, journeyId })
    if (search === 'OPEN') {
      assert.deepEqual({ status, active }, { status: 'OFFERED', active: true })
      assert.equal(offer!.status, 'NO_OFFER_AVAILABLE')
    } else assert.deepEqual({ status, active }, { status: 'REJECTED', active: false })
  }
})

const fundStops = (esign: string) => [
  { type: 'SINGLE_REDIRECTION', state: 'IN_PROGRESS' },
  { type: 'KYC', state: 'COMPLETED' },
  { type: 'ESIGN', state: esign },
]

/** Creates a loan against mutual funds whose borrower is on the page; `report` applies a report of its lender. */
async function fundLoanOnPage() {
  const extras = { progress: { stops: fundStops('PENDING') } }
  const agreed = { offeredItemId: 'CHILD', fulfillmentId: 'F18' }
  const loan = await journeyAtLender('LAMF_LOAN', 'FINAL_TERMS', { ...page, ...agreed, extras }, (tx, journey, at) =>
    markStepReady({ ...ctx, tx }, journey, {
      name: 'kyc',
      page: { url: 'https://lender.example/page', formId: 'PAGE' },
      at,
    }),
  )
  const report = (esign: string, submissionId: string) =>
    loan.underJourneyLock(async (tx, journey, conversation, at) => {
      const message = reportOf('INITIATED', 'PENDING', false, null)
      const formResponse = { ...message.order.formResponse!, submissionId }
      const told = { ...message, order: { ...message.order, stops: fundStops(esign), formResponse } }
      const meaning = moveOfCallback(conversation, told)
      assert.ok('move' in meaning && meaning.move === 'refreshed')
      const { formUrl: _, ...change } = meaning.change
      const changed = await changeConversation(tx, conversation, change, at)
      const inbound = { ...told, error: null, move: meaning.move } as unknown as InboundMessage<'on_status'>
      await onLoanCallback({ ...ctx, tx, at }, journey, changed, inbound)
    })
  const leave = () =>
    loan.underJourneyLock((tx, journey, conversation, at) =>
      onPageLeft({ ...ctx, tx, at }, journey, conversation, { type: 'page_left' } as InboundMessage<'page_left'>),
    )
  const nextSelect = async () => {
    const { networkTransactionId } = await loan.journey()
    const { body } = await network.nextCall('/ondc/select', networkTransactionId)
    return body.message.order.items[0].xinput.form_response
  }
  return { ...loan, report, leave, nextSelect }
}

test('FIS12 §27.2: the lender hears that its page is done, by its last submission, once the browser has told so', async () => {
  const loan = await fundLoanOnPage()
  await loan.report('PENDING', 'S-1')
  await loan.leave()
  assert.equal((await loan.currentConversation()).stage, 'FINAL_TERMS', 'a hint alone ends no page')
  await loan.report('COMPLETED', 'S-2')
  assert.deepEqual(await loan.nextSelect(), { status: 'SUCCESS', submission_id: 'S-2' })
  const { stage, awaitedAction } = await loan.currentConversation()
  assert.equal(stage, 'CONFIRM_SENT')
  assert.equal(awaitedAction, 'select')
  assert.equal((await loan.visit()).status, 'SUCCESS')
  const { decision } = await loan.journey()
  assert.notEqual(decision, 'APPROVED', 'the lender has not placed the order')

  const later = await fundLoanOnPage()
  await later.report('COMPLETED', 'S-3')
  assert.equal((await later.currentConversation()).stage, 'FINAL_TERMS', 'the borrower is on the page')
  await later.leave()
  assert.deepEqual(await later.nextSelect(), { status: 'SUCCESS', submission_id: 'S-3' })
})

test('FIS12 §27.2: without a hint, the end of the page is told a moment after the last report', async () => {
  const loan = await fundLoanOnPage()
  await loan.report('COMPLETED', 'S-4')
  assert.equal((await loan.currentConversation()).stage, 'FINAL_TERMS')
  const followUps = followUpWorker(ctx)
  after(() => followUps.stop())
  platform.advanceClock(16)
  assert.deepEqual(await loan.nextSelect(), { status: 'SUCCESS', submission_id: 'S-4' })
})
