// Tests what an error of the chosen lender does to the current step or branch visit, and when the lender is asked again
// (FIS12 §3.4, §9.1, §13.3).
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Worker } from '@lendloom/queue/queue'
import { bucketOf, uuidv4, uuidv7 } from '@lendloom/seal/id'
import { exampleOf, fakeNetwork } from '@lendloom/tests/setup/network'
import { testSubscriber, waitFor } from '@lendloom/tests/setup/subscriber'
import { lenderJourneys } from '@lendloom/tests/setup/under-way'
import { consentReconcileWorker, reconcileAaSession } from '#platform/lenders/network/consent/poll-consent-status.ts'
import { listAaSessions } from '#platform/lenders/network/consent/store.ts'
import { noAwaitedAnswer, sealForm } from '#platform/lenders/network/conversation.ts'
import type { LenderOrder } from '#platform/lenders/network/dialect.ts'
import type { InboundMessage } from '#platform/lenders/network/inbound/inbound-message.ts'
import { moveOfCallback } from '#platform/lenders/network/inbound/move-of-callback.ts'
import { insertInbound, recordResult } from '#platform/lenders/network/inbound/store.ts'
import { onLoanCallback } from '#platform/lenders/network/reactions/appliers/loan-callback.ts'
import { onFormDue, onSelect } from '#platform/lenders/network/reactions/appliers/select-answer.ts'
import { followUpWorker } from '#platform/lenders/network/reactions/follow-up-worker.ts'
import type { ConversationStage } from '#platform/lenders/network/stage.ts'
import { changeConversation } from '#platform/lenders/network/store.ts'
import { amountAnswers, submitForm } from '#platform/lenders/network/submit-form.ts'
import { findSelected, listOffers } from '#platform/lending/offer/store.ts'
import { markStepReady, markStepSucceeded, skipStepsDoneAtBranch } from '#platform/lending/step/move-step.ts'
import { openStep } from '#platform/lending/step/open-step.ts'
import type { StepName } from '#platform/lending/step/step.ts'
import { applyLenderError } from './lender-error.ts'
import { onUnanswered } from './rejected-or-unanswered.ts'

const network = await fakeNetwork()
const platform = await testSubscriber(network.url)
const { ctx } = platform
const { db } = ctx
const { journeyAtLender } = lenderJourneys(network, platform)

let followUps: Worker | undefined
after(() => followUps?.stop())

const lenderPage = { url: 'https://lender.example/page', formId: 'F' }

/** Creates a gold loan with a branch visit. With `isVisited` the visit is completed. */
const goldLoanAtBranch = (isVisited: boolean) =>
  journeyAtLender('GOLD_LOAN', isVisited ? 'KYC_DONE' : 'FINAL_TERMS', {}, async (tx, gold, at) => {
    await markStepReady({ ...ctx, tx }, gold, { name: 'kyc', page: lenderPage, at })
    await skipStepsDoneAtBranch(tx, gold, at)
    if (isVisited) await markStepSucceeded(tx, gold, 'kyc', at)
  })

/** Creates a personal loan whose borrower completed the page with this heading and now waits for the lender. */
const loanWaitingAfter = (formHeading: string, completedSteps: StepName[], stage: ConversationStage = 'INITIATED') =>
  journeyAtLender('PERSONAL_LOAN', stage, { formHeading, formId: 'F' }, async (tx, loan, at) => {
    for (const name of completedSteps) {
      await markStepReady({ ...ctx, tx }, loan, { name, page: lenderPage, at })
      await markStepSucceeded(tx, loan, name, at)
    }
  })

/** Applies an error. Returns the journey's status, the conversation's stage, and the step's status and `retryable`. */
async function stateAfterError(
  loan: Awaited<ReturnType<typeof journeyAtLender>>,
  code: string,
  name: StepName,
  solicited = true,
) {
  await loan.underJourneyLock((tx, journey, conversation, at) =>
    applyLenderError({ ...ctx, tx, at }, journey, conversation, { code, solicited }),
  )
  const { status } = await loan.journey()
  const { stage } = await loan.currentConversation()
  const step = await loan.step(name)
  return { status, stage, stepStatus: step.status, retryable: step.diagnostics?.retryable ?? null }
}

const completedPage = (formId: string) =>
  ({
    formResponse: { formId, submissionId: uuidv4(), status: 'APPROVED', outcome: 'success' },
    orderId: null,
    form: null,
  }) as unknown as LenderOrder

const bookedVisit = {
  type: 'on_status',
  error: null,
  move: 'pageWaiting',
  order: { formResponse: { status: 'OFFLINE_PENDING' }, visitAt: null, installments: [], documents: [], state: null },
} as unknown as InboundMessage<'on_status'>

async function visitAfterError(code: string, isVisited: boolean) {
  const { underJourneyLock, journey, visit } = await goldLoanAtBranch(isVisited)
  await underJourneyLock((tx, gold, conversation, at) =>
    applyLenderError({ ...ctx, tx, at }, gold, conversation, { code, solicited: false }),
  )
  const { status, endReason } = await journey()
  return { status, endReason, visit: await visit() }
}

test('FIS12 §13.3: an error during the branch visit fails the visit as retryable', async () => {
  for (const code of ['80205', '80206', '80207', '80209', '80217']) {
    const { status, visit } = await visitAfterError(code, false)
    assert.equal(status, 'LENDER_REDIRECTED', code)
    assert.equal(visit.status, 'FAILURE', code)
    assert.equal(visit.diagnostics?.retryable, true, code)
  }
})

test('FIS12 §9.1: a new booking is recorded after a failed visit has cleared the old one', async () => {
  const { underJourneyLock, journey } = await goldLoanAtBranch(false)
  const isBooked = async () => (await findSelected(db, await journey()))!.visitBookedAt !== null
  await underJourneyLock((tx, gold, conversation, at) =>
    onLoanCallback({ ...ctx, tx, at }, gold, conversation, bookedVisit),
  )
  assert.equal(await isBooked(), true)
  await underJourneyLock((tx, gold, conversation, at) =>
    applyLenderError({ ...ctx, tx, at }, gold, conversation, { code: '80209', solicited: false }),
  )
  assert.equal(await isBooked(), false)
  await underJourneyLock((tx, gold, conversation, at) =>
    onLoanCallback({ ...ctx, tx, at }, gold, conversation, bookedVisit),
  )
  assert.equal(await isBooked(), true)
})

test('FIS12 §13.1: an error after the branch visit ends the loan', async () => {
  for (const code of ['80207', '80208', '80218']) {
    const { status, endReason } = await visitAfterError(code, true)
    assert.equal(status, 'REJECTED', code)
    assert.equal(endReason, 'NOT_TAKEN_FURTHER', code)
  }
})

test('FIS12 §9.1: a repeated report of a booked visit does not reset the back-off of the follow-ups', async () => {
  const { conversation, underJourneyLock, visit, followUpRounds: rounds } = await goldLoanAtBranch(false)
  const applyBooked = () =>
    underJourneyLock((tx, gold, current, at) => onLoanCallback({ ...ctx, tx, at }, gold, current, bookedVisit))
  await applyBooked()
  assert.equal((await visit()).status, 'IN_PROGRESS')
  assert.deepEqual(await rounds(), [1])
  // The answer to the follow-up of round 2 reports the same booking again.
  await db`update job set payload = payload || '{"round": 2}' where kind = 'lender-follow-up'
    and payload->>'conversationId' = ${conversation.conversationId}`
  await applyBooked()
  assert.deepEqual(await rounds(), [2])
})

test('FIS12 §3.4, §13.3: the borrower can repeat a completed step that the lender then rejects', async () => {
  const cases: [string, string, StepName[], ConversationStage, ConversationStage][] = [
    ['80205', 'KYC', ['kyc'], 'INITIATED', 'FINAL_TERMS'],
    ['80217', 'KYC', ['kyc'], 'INITIATED', 'FINAL_TERMS'],
    ['80207', 'EMANDATE', ['kyc', 'bankMandate', 'eMandate'], 'INITIATED', 'MANDATE_REQUESTED'],
    [
      '80209',
      'LOAN_AGREEMENT',
      ['kyc', 'bankMandate', 'eMandate', 'loanAgreement'],
      'CONFIRM_SENT',
      'AGREEMENT_REQUESTED',
    ],
  ]
  for (const [code, heading, done, stage, stageAfter] of cases) {
    const loan = await loanWaitingAfter(heading, done, stage)
    const name = done.at(-1)!
    assert.deepEqual(
      await stateAfterError(loan, code, name),
      { status: 'LENDER_REDIRECTED', stage: stageAfter, stepStatus: 'FAILURE', retryable: true },
      code,
    )
    await loan.underJourneyLock((tx, journey, _, at) => openStep({ ...ctx, tx, at }, journey, name))
    assert.equal((await loan.step(name)).status, 'IN_PROGRESS')
    const message = { type: 'on_status', solicited: false, order: completedPage('F') } as const
    assert.ok(
      'move' in moveOfCallback(await loan.currentConversation(), message),
      'the lender can report the page as completed again',
    )
  }
})

test('D1 §3: a page that fails and then succeeds without being reopened counts as two attempts', async () => {
  for (const [name, code, stage, heading] of [
    ['kyc', '80205', 'FINAL_TERMS', 'KYC'],
    ['loanAgreement', '80209', 'AGREEMENT_REQUESTED', 'LOAN_AGREEMENT'],
  ] as const) {
    const loan = await journeyAtLender(
      'PERSONAL_LOAN',
      stage,
      { formHeading: heading, formId: 'F' },
      (tx, journey, at) => markStepReady({ ...ctx, tx }, journey, { name, page: lenderPage, at }),
    )
    await loan.underJourneyLock((tx, journey, _, at) => openStep({ ...ctx, tx, at }, journey, name))
    await stateAfterError(loan, code, name, false)
    assert.equal((await loan.step(name)).attempts, 1)
    await loan.underJourneyLock(async (tx, journey, conversation, at) => {
      const meaning = moveOfCallback(conversation, {
        type: 'on_status',
        solicited: false,
        order: completedPage('F'),
      })
      assert.ok('move' in meaning)
      const moved = await changeConversation(tx, conversation, sealForm(ctx.seal, journey, meaning.change), at)
      const order = { ...completedPage('F'), installments: [], documents: [], state: null }
      const message = { type: 'on_status', error: null, move: meaning.move, order, solicited: false }
      await onLoanCallback({ ...ctx, tx, at }, journey, moved, message as never)
    })
    const { status, attempts } = await loan.step(name)
    assert.equal(status, 'SUCCESS', name)
    assert.equal(attempts, 2, name)
  }
})

test('FIS12 §3.4: failed KYC is retryable even if the borrower never opened the page through our link', async () => {
  const loan = await journeyAtLender('PERSONAL_LOAN', 'FINAL_TERMS', { formHeading: 'KYC' }, (tx, journey, at) =>
    markStepReady({ ...ctx, tx }, journey, { name: 'kyc', page: lenderPage, at }),
  )
  await db`update journey set status = 'OFFER_ACCEPTED' where journey_id = ${loan.conversation.journeyId}`
  assert.deepEqual(await stateAfterError(loan, '80205', 'kyc', false), {
    status: 'OFFER_ACCEPTED',
    stage: 'FINAL_TERMS',
    stepStatus: 'FAILURE',
    retryable: true,
  })
})

test('FIS12 §3.3, §3.4: an unsolicited error about a completed step changes nothing', async () => {
  const loan = await loanWaitingAfter('EMANDATE', ['kyc', 'bankMandate', 'eMandate'])
  for (const [code, name] of [
    ['80205', 'kyc'],
    ['80207', 'eMandate'],
  ] as const)
    assert.deepEqual(
      await stateAfterError(loan, code, name, false),
      { status: 'LENDER_REDIRECTED', stage: 'INITIATED', stepStatus: 'SUCCESS', retryable: null },
      code,
    )
})

test('FIS12 §3.4, §13.1: error 80204 ends the journey, even after the lender reported KYC as completed', async () => {
  for (const solicited of [true, false]) {
    const loan = await loanWaitingAfter('KYC', ['kyc'])
    assert.deepEqual(await stateAfterError(loan, '80204', 'kyc', solicited), {
      status: 'REJECTED',
      stage: 'ENDED',
      stepStatus: 'FAILURE',
      retryable: false,
    })
  }
})

test('FIS12 §13.1: an error about an already verified bank account ends the loan', async () => {
  const loan = await loanWaitingAfter('EMANDATE', ['kyc', 'bankMandate', 'eMandate'])
  assert.deepEqual(await stateAfterError(loan, '80206', 'bankMandate'), {
    status: 'REJECTED',
    stage: 'ENDED',
    stepStatus: 'SUCCESS',
    retryable: null,
  })
  assert.equal((await loan.journey()).endReason, 'NOT_TAKEN_FURTHER')
})

test('FIS12 §3.4: an error about a page that the lender has not sent yet schedules a follow-up', async () => {
  const loan = await loanWaitingAfter('EMANDATE', ['kyc', 'bankMandate', 'eMandate'])
  assert.deepEqual(await stateAfterError(loan, '80208', 'loanAgreement'), {
    status: 'LENDER_REDIRECTED',
    stage: 'INITIATED',
    stepStatus: 'PENDING',
    retryable: null,
  })
  assert.deepEqual(await loan.followUpRounds(), [1])
})

test('FIS12 §11.2: an error in answer to a status request does not reject the loan', async () => {
  const allSteps: StepName[] = ['kyc', 'bankMandate', 'eMandate', 'loanAgreement']
  const statusError = (code: string) =>
    ({ type: 'on_status', error: { code }, order: null, move: null, solicited: true }) as InboundMessage<'on_status'>
  for (const [stage, code, action, rounds] of [
    ['CONFIRM_SENT', '30018', 'confirm', []],
    ['CONFIRM_SENT', '40001', null, [1]],
    ['CONFIRMED', '30018', null, [1]],
  ] as const) {
    const loan = await loanWaitingAfter('LOAN_AGREEMENT', allSteps, stage)
    await loan.underJourneyLock((tx, journey, conversation, at) =>
      onLoanCallback({ ...ctx, tx, at }, journey, conversation, statusError(code)),
    )
    assert.equal((await loan.journey()).status, 'LENDER_REDIRECTED')
    assert.equal((await loan.currentConversation()).awaitedAction, action, `${stage} ${code}`)
    assert.deepEqual(await loan.followUpRounds(), rounds, `${stage} ${code}`)
  }
})

/** Applies an error of a lender whose offer is awaited, before the borrower has chosen an offer. */
async function failBeforeChoice(code: string) {
  const loan = await journeyAtLender('PERSONAL_LOAN', 'SELECTED', {}, async () => {})
  const { journeyId } = loan.conversation
  await db`update journey set status = 'PROFILED' where journey_id = ${journeyId}`
  await db`update offer set status = 'OFFER_AWAITED', selected_at = null, terms = null where journey_id = ${journeyId}`
  const failure = { type: 'on_select', error: { code }, order: null, move: null, solicited: true } as never
  await loan.underJourneyLock((tx, journey, conversation, at) =>
    onSelect({ ...ctx, tx, at }, journey, conversation, failure),
  )
  const offer = async () => (await listOffers(db, await loan.journey()))[0]!
  return { ...loan, offer }
}

test('FIS12 §3.4: error 31001 before the choice of an offer marks the lender as unreachable', async () => {
  const { status, reason } = await (await failBeforeChoice('31001')).offer()
  assert.equal(status, 'NO_OFFER_AVAILABLE')
  assert.equal(reason, 'LENDER_UNREACHABLE')
})

test('FIS12 §3.4: a temporarily unavailable lender (80223) is asked again only while its offer is awaited', async () => {
  followUps ??= followUpWorker(ctx)
  const { conversation, offer, followUpRounds: rounds } = await failBeforeChoice('80223')
  assert.equal((await offer()).status, 'OFFER_AWAITED')
  assert.deepEqual(await rounds(), [1])
  platform.advanceClock(11)
  await network.nextCall('/ondc/select', conversation.transactionId)
  await waitFor(async () => (await rounds())[0] === 2)
  await db`update offer set status = 'NO_OFFER_AVAILABLE' where journey_id = ${conversation.journeyId}`
  platform.advanceClock(21)
  await waitFor(async () => (await rounds()).length === 0)
})

test('FIS12 §7.7: the form for the chosen amount is submitted again, with growing pauses, after the lender was unreachable', async () => {
  followUps ??= followUpWorker(ctx)
  const formUrl = `${network.url}/form/amount`
  const change = { formHeading: 'SET_LOAN_AMOUNT', formId: 'F', formUrl, submissionId: null }
  const loan = await journeyAtLender('PERSONAL_LOAN', 'OFFERED', change, async () => {})
  const { journeyId } = loan.conversation
  await db`
    update journey set status = 'OFFER_SELECTED', preferred_amount_paise = 10000000, preferred_tenure_months = 12
    where journey_id = ${journeyId}`
  const { run: apply } = platform.onApply
  platform.onApply.run = async (tx, ...applied) => {
    const [, journey, conversation, inbound, at] = applied
    if (inbound.type === 'unanswered') await onUnanswered({ ...ctx, tx, at }, journey, conversation, inbound)
    else if (inbound.type === 'form_due') await onFormDue({ ...ctx, tx, at }, journey, conversation, inbound)
    else await apply(tx, ...applied)
  }
  const submissions = async (type: string) => {
    const rows = await db`
      select 1 from inbound_message where journey_id = ${journeyId} and type = ${type} and state = 'APPLIED'`
    return rows.length
  }
  network.on('GET /form/amount', () => ({ status: 503, body: 'busy' }))
  await loan.underJourneyLock((tx, journey, conversation, at) =>
    submitForm({ ...ctx, tx, at }, conversation, 'AMOUNT', amountAnswers(journey)),
  )
  platform.advanceClock(31)
  await waitFor(async () => (await submissions('unanswered')) === 1)
  assert.deepEqual(await loan.followUpRounds(), [1])
  platform.advanceClock(11)
  await waitFor(async () => (await submissions('form_due')) === 1)
  await waitFor(async () => (await loan.followUpRounds())[0] === 2)
  platform.advanceClock(20)
  await waitFor(async () => (await loan.followUpRounds())[0] === 3)
  platform.advanceClock(11)
  await waitFor(async () => (await submissions('unanswered')) === 2)
  assert.deepEqual(await loan.followUpRounds(), [3])
  assert.equal(await submissions('form_due'), 1)
  const fields = '<input name="requestAmount"><input name="requestTerm">'
  const page = `<form action="/form/amount" method="post">${fields}</form>`
  network.on('GET /form/amount', () => ({ status: 200, body: page }))
  platform.advanceClock(61)
  const { raw } = await network.nextCall('/form/amount')
  assert.deepEqual(Object.fromEntries(new URLSearchParams(raw)), { requestAmount: '100000', requestTerm: '12' })
  await platform.waitForInbound(await loan.journey(), 'form_accepted')
  assert.equal((await loan.currentConversation()).stage, 'AMOUNT_ACCEPTED')
  platform.onApply.run = apply
})

const consentRequest = (type: 'on_select' | 'on_update', consentHandle: string) =>
  ({
    type,
    error: null,
    move: 'consentRequested',
    solicited: true,
    order: { consentHandle, installments: [], documents: [], state: null },
  }) as never

/** A loan whose lender requests consents. A lender that repeats a request does not see the approved consent yet. */
async function loanWithConsentRequests(type: 'on_select' | 'on_update', stage: ConversationStage) {
  const loan = await journeyAtLender('PERSONAL_LOAN', stage, { formId: 'F', orderId: 'order-7' }, async () => {})
  const { journeyId } = loan.conversation
  const receive = type === 'on_select' ? onSelect : onLoanCallback
  return {
    ...loan,
    requestConsent: (handle: string) =>
      loan.underJourneyLock(async (tx, journey, conversation, at) => {
        const received = await changeConversation(tx, conversation, { ...noAwaitedAnswer, stage }, at)
        await receive({ ...ctx, tx, at }, journey, received, consentRequest(type, handle))
      }),
    /** Records a message of this lender without applying it. */
    async receiveUnapplied() {
      const { tenantId, conversationId } = loan.conversation
      const at = ctx.clock()
      const messageKey = { tenantId, journeyId, inboundMessageId: uuidv7(at.getTime(), bucketOf(journeyId)) }
      const empty = { messageKey: null, detailSealed: null, note: null }
      const row = { ...messageKey, ...empty, conversationId, type, key: messageKey.inboundMessageId, late: false, at }
      await loan.underJourneyLock((tx) => insertInbound(tx, { ...row, state: 'WAITING' }))
      return {
        markApplied: () =>
          loan.underJourneyLock((tx) => recordResult(tx, messageKey, { state: 'APPLIED', note: null }, ctx.clock())),
      }
    },
    markConsentGiven: () =>
      db`update aa_session set state = 'APPROVAL_DISPATCHED', dispatched_at = now() where journey_id = ${journeyId}`,
  }
}

test('FIS12 §3.1: only the fifth rejection of the same request ends the loan', async () => {
  const loan = await loanWaitingAfter('EMANDATE', ['kyc', 'bankMandate', 'eMandate'])
  const unchanged = { status: 'LENDER_REDIRECTED', stage: 'INITIATED', stepStatus: 'PENDING', retryable: null }
  assert.deepEqual(await stateAfterError(loan, '30000', 'loanAgreement'), unchanged)
  assert.deepEqual(await loan.followUpRounds(), [1])
  const setRound = (round: number) =>
    db`update job set payload = jsonb_set(payload, '{round}', to_jsonb(${round}::int))
      where kind = 'lender-follow-up' and payload->>'conversationId' = ${loan.conversation.conversationId}`
  await setRound(4)
  assert.deepEqual(await stateAfterError(loan, '30000', 'loanAgreement'), unchanged)
  await setRound(5)
  for (const code of ['80215', '30016', '31001'])
    assert.deepEqual(await stateAfterError(loan, code, 'loanAgreement'), unchanged, code)
  assert.deepEqual(await stateAfterError(loan, '30000', 'loanAgreement', false), unchanged, 'the error is unsolicited')
  const rejected = await stateAfterError(loan, '30000', 'loanAgreement')
  assert.equal(rejected.status, 'REJECTED')
  assert.equal(rejected.stage, 'ENDED')
  assert.equal((await loan.journey()).endReason, 'NOT_TAKEN_FURTHER')

  // After the confirmation no number of errors ends the loan, because the loan may already be disbursed.
  const confirmedLoan = await loanWaitingAfter(
    'LOAN_AGREEMENT',
    ['kyc', 'bankMandate', 'eMandate', 'loanAgreement'],
    'CONFIRMED',
  )
  await stateAfterError(confirmedLoan, '30000', 'loanAgreement')
  await db`update job set payload = jsonb_set(payload, '{round}', '9')
    where kind = 'lender-follow-up' and payload->>'conversationId' = ${confirmedLoan.conversation.conversationId}`
  const confirmed = await stateAfterError(confirmedLoan, '30000', 'loanAgreement')
  assert.equal(confirmed.status, 'LENDER_REDIRECTED')
  assert.equal(confirmed.stage, 'CONFIRMED')
})

test('FIS12 §8.1 row 19: a lender that requests the approved monitoring consent again is notified again', async () => {
  followUps ??= followUpWorker(ctx)
  const {
    conversation,
    requestConsent,
    markConsentGiven,
    receiveUnapplied,
    followUpRounds: rounds,
    currentConversation,
  } = await loanWithConsentRequests('on_update', 'MONITORING_GIVEN')
  await requestConsent('H-1')
  await markConsentGiven()
  await requestConsent('H-1')
  const answer = await receiveUnapplied()
  platform.advanceClock(11)
  await waitFor(async () => (await rounds())[0] === 2)
  assert.equal(
    (await currentConversation()).awaitedMessageId,
    null,
    'the answer of the lender is recorded but not applied yet',
  )
  await answer.markApplied()
  platform.advanceClock(21)
  const { body } = await network.nextCall('/ondc/update', conversation.transactionId)
  assert.deepEqual(body.message, exampleOf('update_fulfillment', network))
})

test('D2 §4 reconcile: notifies the lender of the consent again, but not while an answer of the lender is unapplied', async () => {
  followUps ??= followUpWorker(ctx)
  const reconciler = consentReconcileWorker(ctx)
  after(() => reconciler.stop())
  const { conversation, requestConsent, markConsentGiven, receiveUnapplied, underJourneyLock } =
    await loanWithConsentRequests('on_select', 'CONSENT_REQUESTED')
  await requestConsent('H-1')
  await markConsentGiven()
  await requestConsent('H-1')
  const reconcile = () =>
    underJourneyLock(async (tx, journey, _, at) => {
      const [session] = await listAaSessions(tx, journey)
      return reconcileAaSession(tx, journey, session!, at)
    })
  /** On a slow machine the repetition would come due meanwhile, beside the ones that are counted here. */
  const postponeRepetition = () =>
    db`update job set due_at = due_at + interval '1 hour'
      where kind = 'lender-follow-up' and payload->>'conversationId' = ${conversation.conversationId}`
  await postponeRepetition()
  assert.equal((await reconcile()).state, 'RECONCILING')
  await network.nextCall('/ondc/select', conversation.transactionId)
  await reconcile()
  // The kind of a reconcile job; `occasion` marks a job that runs once.
  const onceOnlyJobs = () => db`select 1 from job where kind = 'aa-look' and payload ? 'occasion'`
  await waitFor(async () => (await onceOnlyJobs()).length === 0)
  const sentCount = () =>
    network.calls.filter(({ path, raw }) => path === '/ondc/select' && raw.includes(conversation.transactionId)).length
  assert.equal(sentCount(), 1)

  await requestConsent('H-1')
  await postponeRepetition()
  const answer = await receiveUnapplied()
  await reconcile()
  await waitFor(async () => (await onceOnlyJobs()).length === 0)
  assert.equal(sentCount(), 1, 'the answer of the lender is recorded but not applied yet')
  await answer.markApplied()
  await reconcile()
  await waitFor(() => sentCount() === 2)
})

// Keep this test last: it moves the clock so far that the fake lender's signatures expire.
test('FIS12 §7.8: a lender that requests the approved consent again is notified again with growing pauses', async () => {
  followUps ??= followUpWorker(ctx)
  const {
    conversation,
    requestConsent,
    markConsentGiven,
    followUpRounds: rounds,
  } = await loanWithConsentRequests('on_select', 'CONSENT_REQUESTED')
  const sentCount = () =>
    network.calls.filter(({ path, raw }) => path === '/ondc/select' && raw.includes(conversation.transactionId)).length
  const unrecordedCalls = () =>
    db`select 1 from job where kind = 'network-call' and payload->>'journeyId' = ${conversation.journeyId}`
  await requestConsent('H-1')
  await markConsentGiven()
  await requestConsent('H-1')
  for (const [round, seconds] of [
    [1, 10],
    [2, 20],
    [3, 60],
    [4, 300],
  ] as const) {
    assert.deepEqual(await rounds(), [round])
    platform.advanceClock(seconds + 1)
    await waitFor(async () => (await rounds())[0] === round + 1)
    await waitFor(() => sentCount() === round)
    // A call that is not recorded yet would outlive its lease when the clock moves, and be made again.
    await waitFor(async () => (await unrecordedCalls()).length === 0)
    await requestConsent('H-1')
  }
  await requestConsent('H-2')
  platform.advanceClock(1801)
  await waitFor(async () => (await rounds()).length === 0)
  assert.equal(sentCount(), 4)
})
