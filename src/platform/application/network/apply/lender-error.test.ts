// What an error of the chosen lender means for the step at hand, a visit to its branch among them, and how it is asked again (FIS12 §3.4, §9.1, §13.3).
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { bucketOf, uuidv4, uuidv7 } from '#kit/crypto/id.ts'
import type { Worker } from '#kit/messaging/queue.ts'
import { reconcileAaSession, reconcilingConsents } from '#platform/aa/reconcile.ts'
import { listAaSessions } from '#platform/aa/store.ts'
import { followingUp } from '#platform/application/network/follow-up.ts'
import { awaitsNothing } from '#platform/network/conversation.ts'
import type { LenderOrder } from '#platform/network/dialect.ts'
import type { InboundMessage } from '#platform/network/inbound/inbound-message.ts'
import { insertInbound, settle } from '#platform/network/inbound/store.ts'
import { interpretCallback } from '#platform/network/interpret-callback.ts'
import type { ConversationStage } from '#platform/network/stage.ts'
import { changeConversation } from '#platform/network/store.ts'
import { findSelected, listOffers } from '#platform/offer/store.ts'
import { spareVisited, stepReady, stepSucceeded } from '#platform/step/move.ts'
import { openStep } from '#platform/step/open.ts'
import type { StepName } from '#platform/step/store.ts'
import { exampleOf, fakeNetwork } from '#test/setup/network.ts'
import { testSubscriber, waitFor } from '#test/setup/subscriber.ts'
import { lendingAt } from '#test/setup/under-way.ts'
import { lenderError } from './lender-error.ts'
import { onLoan } from './loan.ts'
import { onSelect } from './offered.ts'

const network = await fakeNetwork()
const platform = await testSubscriber(network.url)
const { ctx } = platform
const { db } = ctx
const { underWay } = lendingAt(network, platform)

let followUps: Worker | undefined
after(() => followUps?.stop())

const lenderPage = { url: 'https://lender.example/page', formId: 'F' }

/** A gold loan whose borrower was sent to the branch, and has been there when `isVisited`. */
const atBranch = (isVisited: boolean) =>
  underWay('GOLD_LOAN', isVisited ? 'KYC_DONE' : 'FINAL_TERMS', {}, async (tx, gold, at) => {
    await stepReady(tx, gold, { name: 'kyc', page: lenderPage, at })
    await spareVisited(tx, gold, at)
    if (isVisited) await stepSucceeded(tx, gold, 'kyc', at)
  })

/** A personal loan that waits for its lender after the page of a heading, with the steps up to it done. */
const waitingAfter = (formHeading: string, done: StepName[], stage: ConversationStage = 'INITIATED') =>
  underWay('PERSONAL_LOAN', stage, { formHeading, formId: 'F' }, async (tx, loan, at) => {
    for (const name of done) {
      await stepReady(tx, loan, { name, page: lenderPage, at })
      await stepSucceeded(tx, loan, name, at)
    }
  })

/** What the journey and its step are after an error, in answer to a request unless told. */
async function erred(loan: Awaited<ReturnType<typeof underWay>>, code: string, name: StepName, solicited = true) {
  await loan.under((tx, journey, conversation, at) =>
    lenderError({ ...ctx, tx, at }, journey, conversation, { code, solicited }),
  )
  const [{ status }, { stage }, step] = [await loan.journey(), await loan.now(), await loan.step(name)]
  return [status, stage, step.status, step.diagnostics?.retryable ?? null]
}

const doneOn = (formId: string) =>
  ({
    formResponse: { formId, submissionId: uuidv4(), status: 'APPROVED', outcome: 'success' },
    orderId: null,
    form: null,
  }) as unknown as LenderOrder

const booked = {
  type: 'on_status',
  error: null,
  move: 'pageWaiting',
  order: { formResponse: { status: 'OFFLINE_PENDING' }, installments: [], documents: [], state: null },
} as unknown as InboundMessage<'on_status'>

async function afterError(code: string, isVisited: boolean) {
  const { under, journey, visit } = await atBranch(isVisited)
  await under((tx, gold, conversation, at) =>
    lenderError({ ...ctx, tx, at }, gold, conversation, { code, solicited: false }),
  )
  const { status, endReason } = await journey()
  return { status, endReason, visit: await visit() }
}

test('FIS12 §13.3: what failed at the branch is the visit, and can be made good by another one', async () => {
  for (const code of ['80205', '80206', '80207', '80209', '80217']) {
    const { status, visit } = await afterError(code, false)
    assert.deepEqual([status, visit.status, visit.diagnostics?.retryable], ['LENDER_REDIRECTED', 'FAILURE', true], code)
  }
})

test('FIS12 §9.1: a visit that failed is booked no more: another one has to be, and is news again', async () => {
  const { under, journey } = await atBranch(false)
  const isBooked = async () => (await findSelected(db, await journey()))!.visitBookedAt !== null
  await under((tx, gold, conversation, at) => onLoan({ ...ctx, tx, at }, gold, conversation, booked))
  assert.equal(await isBooked(), true)
  await under((tx, gold, conversation, at) =>
    lenderError({ ...ctx, tx, at }, gold, conversation, { code: '80209', solicited: false }),
  )
  assert.equal(await isBooked(), false)
  await under((tx, gold, conversation, at) => onLoan({ ...ctx, tx, at }, gold, conversation, booked))
  assert.equal(await isBooked(), true)
})

test('FIS12 §13.1: after the visit there is nothing to repeat, so the lender has ended it', async () => {
  for (const code of ['80207', '80208', '80218']) {
    const { status, endReason } = await afterError(code, true)
    assert.deepEqual([status, endReason], ['REJECTED', 'NOT_TAKEN_FURTHER'], code)
  }
})

test('FIS12 §9.1: how a booked visit stands is asked ever more rarely, however often it is said to be booked', async () => {
  const { conversation, under, visit, rounds } = await atBranch(false)
  const applyBooked = () => under((tx, gold, still, at) => onLoan({ ...ctx, tx, at }, gold, still, booked))
  await applyBooked()
  assert.deepEqual([(await visit()).status, await rounds()], ['IN_PROGRESS', [1]])
  // The first round has asked, and the next is due; its answer says once more that the visit is booked.
  await db`update job set payload = payload || '{"round": 2}' where kind = 'lender-follow-up'
    and payload->>'conversationId' = ${conversation.conversationId}`
  await applyBooked()
  assert.deepEqual(await rounds(), [2])
})

test('FIS12 §3.4, §13.3: a step that the lender told as done, and does not go by, is done again on its page', async () => {
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
  for (const [code, heading, done, stage, back] of cases) {
    const loan = await waitingAfter(heading, done, stage)
    const name = done.at(-1)!
    assert.deepEqual(await erred(loan, code, name), ['LENDER_REDIRECTED', back, 'FAILURE', true], code)
    await loan.under((tx, journey, _, at) => openStep({ ...ctx, tx, at }, journey, name))
    assert.equal((await loan.step(name)).status, 'IN_PROGRESS')
    const word = { type: 'on_status', solicited: false, order: doneOn('F') } as const
    assert.ok('move' in interpretCallback(await loan.now(), word), 'its page counts again')
  }
})

test('D1 §3: a page that failed and is done again without being left was tried twice, and counts so', async () => {
  for (const [name, code, stage, heading] of [
    ['kyc', '80205', 'FINAL_TERMS', 'KYC'],
    ['loanAgreement', '80209', 'AGREEMENT_REQUESTED', 'LOAN_AGREEMENT'],
  ] as const) {
    const loan = await underWay('PERSONAL_LOAN', stage, { formHeading: heading, formId: 'F' }, (tx, journey, at) =>
      stepReady(tx, journey, { name, page: lenderPage, at }),
    )
    await loan.under((tx, journey, _, at) => openStep({ ...ctx, tx, at }, journey, name))
    await erred(loan, code, name, false)
    assert.equal((await loan.step(name)).attempts, 1)
    await loan.under(async (tx, journey, conversation, at) => {
      const meaning = interpretCallback(conversation, { type: 'on_status', solicited: false, order: doneOn('F') })
      assert.ok('move' in meaning)
      const moved = await changeConversation(tx, conversation, meaning.change, at)
      const order = { ...doneOn('F'), installments: [], documents: [], state: null }
      const word = { type: 'on_status', error: null, move: meaning.move, order, solicited: false }
      await onLoan({ ...ctx, tx, at }, journey, moved, word as never)
    })
    const { status, attempts } = await loan.step(name)
    assert.deepEqual([status, attempts], ['SUCCESS', 2], name)
  }
})

test('FIS12 §3.4: KYC that failed on a page which was found by other means than our link may be tried again too', async () => {
  const loan = await underWay('PERSONAL_LOAN', 'FINAL_TERMS', { formHeading: 'KYC' }, (tx, journey, at) =>
    stepReady(tx, journey, { name: 'kyc', page: lenderPage, at }),
  )
  await db`update journey set status = 'OFFER_ACCEPTED' where journey_id = ${loan.conversation.journeyId}`
  assert.deepEqual(await erred(loan, '80205', 'kyc', false), ['OFFER_ACCEPTED', 'FINAL_TERMS', 'FAILURE', true])
})

test('FIS12 §3.3, §3.4: unasked, an error about a step that is done may be old news, and changes nothing', async () => {
  const loan = await waitingAfter('EMANDATE', ['kyc', 'bankMandate', 'eMandate'])
  for (const [code, name] of [
    ['80205', 'kyc'],
    ['80207', 'eMandate'],
  ] as const)
    assert.deepEqual(await erred(loan, code, name, false), ['LENDER_REDIRECTED', 'INITIATED', 'SUCCESS', null], code)
})

test('FIS12 §3.4, §13.1: 80204 ends the journey with KYC failed, also when it was told as done', async () => {
  for (const solicited of [true, false]) {
    const loan = await waitingAfter('KYC', ['kyc'])
    assert.deepEqual(await erred(loan, '80204', 'kyc', solicited), ['REJECTED', 'ENDED', 'FAILURE', false])
  }
})

test('FIS12 §13.1: a lender that will not go on for the sake of an account it had verified has ended it', async () => {
  const loan = await waitingAfter('EMANDATE', ['kyc', 'bankMandate', 'eMandate'])
  assert.deepEqual(await erred(loan, '80206', 'bankMandate'), ['REJECTED', 'ENDED', 'SUCCESS', null])
  assert.equal((await loan.journey()).endReason, 'NOT_TAKEN_FURTHER')
})

test('FIS12 §3.4: a page that the lender cannot show yet is asked for again; the borrower has nothing to repeat', async () => {
  const loan = await waitingAfter('EMANDATE', ['kyc', 'bankMandate', 'eMandate'])
  assert.deepEqual(await erred(loan, '80208', 'loanAgreement'), ['LENDER_REDIRECTED', 'INITIATED', 'PENDING', null])
  assert.deepEqual(await loan.rounds(), [1])
})

test('FIS12 §11.2: a lender that knows nothing of a loan, asked how it stands, has not refused it', async () => {
  const all: StepName[] = ['kyc', 'bankMandate', 'eMandate', 'loanAgreement']
  const unknown = (code: string) =>
    ({ type: 'on_status', error: { code }, order: null, move: null, solicited: true }) as InboundMessage<'on_status'>
  for (const [stage, code, asks, then] of [
    ['CONFIRM_SENT', '30018', 'confirm', []],
    ['CONFIRM_SENT', '40001', null, [1]],
    ['CONFIRMED', '30018', null, [1]],
  ] as const) {
    const loan = await waitingAfter('LOAN_AGREEMENT', all, stage)
    await loan.under((tx, journey, conversation, at) =>
      onLoan({ ...ctx, tx, at }, journey, conversation, unknown(code)),
    )
    assert.equal((await loan.journey()).status, 'LENDER_REDIRECTED')
    assert.deepEqual([(await loan.now()).awaitedAction, await loan.rounds()], [asks, then], `${stage} ${code}`)
  }
})

/** A lender of several that were asked, which answers with an error while its offer is awaited. */
async function erredBeforeChoice(code: string) {
  const loan = await underWay('PERSONAL_LOAN', 'SELECTED', {}, async () => {})
  const { journeyId } = loan.conversation
  await db`update journey set status = 'PROFILED' where journey_id = ${journeyId}`
  await db`update offer set status = 'OFFER_AWAITED', selected_at = null, terms = null where journey_id = ${journeyId}`
  const away = { type: 'on_select', error: { code }, order: null, move: null, solicited: true } as never
  await loan.under((tx, journey, conversation, at) => onSelect({ ...ctx, tx, at }, journey, conversation, away))
  const offer = async () => (await listOffers(db, await loan.journey()))[0]!
  return { ...loan, offer }
}

test('FIS12 §3.4: before the choice, a lender that cannot answer was not reached; nobody promises to try again', async () => {
  const { status, reason } = await (await erredBeforeChoice('31001')).offer()
  assert.deepEqual([status, reason], ['NO_OFFER_AVAILABLE', 'LENDER_UNREACHABLE'])
})

test('FIS12 §3.4: a lender that is busy for the moment (80219, 80223) is asked again, while its offer is awaited', async () => {
  followUps ??= followingUp(ctx)
  const { conversation, offer, rounds } = await erredBeforeChoice('80223')
  assert.deepEqual([(await offer()).status, await rounds()], ['OFFER_AWAITED', [1]])
  platform.advanceClock(11)
  await network.nextCall('/ondc/select', conversation.transactionId)
  await waitFor(async () => (await rounds())[0] === 2)
  await db`update offer set status = 'NO_OFFER_AVAILABLE' where journey_id = ${conversation.journeyId}`
  platform.advanceClock(21)
  await waitFor(async () => (await rounds()).length === 0)
})

const asking = (type: 'on_select' | 'on_update', consentHandle: string) =>
  ({
    ...{ type, error: null, move: 'consentRequested', solicited: true },
    order: { consentHandle, installments: [], documents: [], state: null },
  }) as never

/** A lender that asks for a consent, and what it is told of it; `again` is its answer that it does not see it yet. */
async function consented(type: 'on_select' | 'on_update', stage: ConversationStage) {
  const loan = await underWay('PERSONAL_LOAN', stage, { formId: 'F', orderId: 'order-7' }, async () => {})
  const { journeyId } = loan.conversation
  const receive = type === 'on_select' ? onSelect : onLoan
  return {
    ...loan,
    asks: (handle: string) =>
      loan.under(async (tx, journey, conversation, at) => {
        const received = await changeConversation(tx, conversation, { ...awaitsNothing, stage }, at)
        await receive({ ...ctx, tx, at }, journey, received, asking(type, handle))
      }),
    /** A message of this lender that was received; nobody applies it meanwhile. */
    async comes() {
      const { tenantId, conversationId } = loan.conversation
      const at = ctx.clock()
      const place = { tenantId, journeyId, inboundMessageId: uuidv7(at.getTime(), bucketOf(journeyId)) }
      const nothing = { messageKey: null, detailSealed: null, note: null }
      const row = { ...place, ...nothing, conversationId, type, key: place.inboundMessageId, late: false, at }
      await loan.under((tx) => insertInbound(tx, { ...row, state: 'WAITING' }))
      return {
        isApplied: () => loan.under((tx) => settle(tx, place, { state: 'APPLIED', note: null }, ctx.clock())),
      }
    },
    isGiven: () =>
      db`update aa_session set state = 'APPROVAL_DISPATCHED', dispatched_at = now() where journey_id = ${journeyId}`,
  }
}

test('FIS12 §3.1: a lender that finds the same request wrong five times has ended the loan; one that is only away has not', async () => {
  const loan = await waitingAfter('EMANDATE', ['kyc', 'bankMandate', 'eMandate'])
  const onItsWay = ['LENDER_REDIRECTED', 'INITIATED', 'PENDING', null]
  assert.deepEqual(await erred(loan, '30000', 'loanAgreement'), onItsWay)
  assert.deepEqual(await loan.rounds(), [1])
  const round = (now: number) =>
    db`update job set payload = jsonb_set(payload, '{round}', to_jsonb(${now}::int))
      where kind = 'lender-follow-up' and payload->>'conversationId' = ${loan.conversation.conversationId}`
  await round(4)
  assert.deepEqual(await erred(loan, '30000', 'loanAgreement'), onItsWay)
  await round(5)
  for (const code of ['80215', '30016', '31001'])
    assert.deepEqual(await erred(loan, code, 'loanAgreement'), onItsWay, code)
  assert.deepEqual(await erred(loan, '30000', 'loanAgreement', false), onItsWay, 'nothing was asked')
  assert.deepEqual((await erred(loan, '30000', 'loanAgreement')).slice(0, 2), ['REJECTED', 'ENDED'])
  assert.equal((await loan.journey()).endReason, 'NOT_TAKEN_FURTHER')

  // Once the loan is confirmed, only its status is asked for, and it may have been paid out.
  const placed = await waitingAfter('LOAN_AGREEMENT', ['kyc', 'bankMandate', 'eMandate', 'loanAgreement'], 'CONFIRMED')
  await erred(placed, '30000', 'loanAgreement')
  await db`update job set payload = jsonb_set(payload, '{round}', '9')
    where kind = 'lender-follow-up' and payload->>'conversationId' = ${placed.conversation.conversationId}`
  assert.deepEqual((await erred(placed, '30000', 'loanAgreement')).slice(0, 2), ['LENDER_REDIRECTED', 'CONFIRMED'])
})

test('FIS12 §8.1 row 19: a lender that does not see the consent to watch the account is told of it again', async () => {
  followUps ??= followingUp(ctx)
  const { conversation, asks, isGiven, comes, rounds, now } = await consented('on_update', 'MONITORING_GIVEN')
  await asks('H-1')
  await isGiven()
  await asks('H-1')
  const answer = await comes()
  platform.advanceClock(11)
  await waitFor(async () => (await rounds())[0] === 2)
  assert.equal((await now()).awaitedMessageId, null, 'its answer has come and waits to be applied')
  await answer.isApplied()
  platform.advanceClock(21)
  const { body } = await network.nextCall('/ondc/update', conversation.transactionId)
  assert.deepEqual(body.message, exampleOf('update_fulfillment', network))
})

test('D2 §4 reconcile: a lender that was told of a consent is told at once again, unless its answer is awaited', async () => {
  followUps ??= followingUp(ctx)
  const looking = reconcilingConsents(ctx)
  after(() => looking.stop())
  const { conversation, asks, isGiven, comes, under } = await consented('on_select', 'CONSENT_REQUESTED')
  await asks('H-1')
  await isGiven()
  await asks('H-1')
  const reconcile = () =>
    under(async (tx, journey, _, at) => {
      const [session] = await listAaSessions(tx, journey)
      return reconcileAaSession(tx, journey, session!, at)
    })
  assert.equal((await reconcile()).state, 'RECONCILING')
  await network.nextCall('/ondc/select', conversation.transactionId)
  await reconcile()
  const jobs = () => db`select 1 from job where kind = 'aa-look' and payload ? 'occasion'`
  await waitFor(async () => (await jobs()).length === 0)
  const sentCount = () =>
    network.calls.filter(({ path, raw }) => path === '/ondc/select' && raw.includes(conversation.transactionId)).length
  assert.equal(sentCount(), 1)

  await asks('H-1')
  const answer = await comes()
  await reconcile()
  await waitFor(async () => (await jobs()).length === 0)
  assert.equal(sentCount(), 1, 'its answer has come and waits to be applied')
  await answer.isApplied()
  await reconcile()
  await waitFor(() => sentCount() === 2)
})

// The last: the clock goes on for so long that nothing the fake lender signs counts any more.
test('FIS12 §7.8: a lender that does not see a consent is told ever more rarely, and nothing of one that is not given', async () => {
  followUps ??= followingUp(ctx)
  const { conversation, asks, isGiven, rounds } = await consented('on_select', 'CONSENT_REQUESTED')
  const sentCount = () =>
    network.calls.filter(({ path, raw }) => path === '/ondc/select' && raw.includes(conversation.transactionId)).length
  await asks('H-1')
  await isGiven()
  await asks('H-1')
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
    await asks('H-1')
  }
  await asks('H-2')
  platform.advanceClock(1801)
  await waitFor(async () => (await rounds()).length === 0)
  assert.equal(sentCount(), 4)
})
