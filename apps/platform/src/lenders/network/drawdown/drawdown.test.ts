// Drawdowns from a credit line over real HTTP: terms, agreement, payout, and what a lender may say out of turn.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { bucketOf, uuidv4, uuidv7 } from '@lendloom/seal/id'
import type { Json } from '@lendloom/tests/network-messages/lamf'
import { fakeNetwork, type NetworkCall } from '@lendloom/tests/setup/network'
import { until } from '@lendloom/tests/setup/programs'
import { testSubscriber } from '@lendloom/tests/setup/subscriber'
import { currentConsentVersion } from '@lendloom/wire/hosted/consent-text'
import { dialectReaders } from '#platform/lenders/network/dialect.ts'
import { followUpWorker } from '#platform/lenders/network/reactions/follow-up-worker.ts'
import { applyLoanMessage } from '#platform/lenders/network/servicing/apply-loan-message.ts'
import { insertConversation, readAllConversations, readConversations } from '#platform/lenders/network/store.ts'
import { listConsents } from '#platform/lending/borrower/store.ts'
import { type Drawdown, quoteOf } from '#platform/lending/drawdown/drawdown.ts'
import { agreeToDrawdown, cancelDrawdown, requestDrawdown } from '#platform/lending/drawdown/request-drawdown.ts'
import { findDrawdown, listDrawdowns } from '#platform/lending/drawdown/store.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { requestServicing } from '#platform/lending/servicing/request-servicing.ts'
import { eraseJourneyRows } from '#platform/records/privacy/erase/store.ts'

const network = await fakeNetwork()
const platform = await testSubscriber(network.url, { env: { STATUS_POLL_SECONDS: '60' } })
const { ctx, url } = platform
const { db } = ctx
const followUps = followUpWorker(ctx)
after(() => followUps.stop())

/** A journey with an open line of ₹5,00,000, of which ₹1,00,000 is drawn; the lender has stops. */
async function openedLine({ stops = true } = {}): Promise<Journey> {
  const journey = await platform.newJourney('LAMF_LOAN')
  const { tenantId, journeyId } = journey
  const bucket = bucketOf(journeyId)
  const at = ctx.clock()
  const conversationId = uuidv7(at.getTime(), bucket)
  const lenderId = uuidv7(at.getTime())
  await db.tx(async (tx) => {
    await insertConversation(tx, {
      tenantId,
      journeyId,
      conversationId,
      lenderId,
      bppId: network.lender.id,
      bppUri: network.lender.uri,
      providerId: 'girnar',
      itemId: 'line',
      stage: 'DISBURSED',
      formId: 'page',
      formUrlSealed: null,
      formHeading: 'SINGLE_REDIRECTION',
      fulfillmentId: 'F18',
      categories: null,
      secondItemId: null,
      profileFormId: null,
      profileFormUrlSealed: null,
      lastMessageAt: null,
      createdAt: at,
      updatedAt: at,
      ...(stops && { extras: { progress: { stops: [{ type: 'SINGLE_REDIRECTION', state: 'COMPLETED' }] } } }),
    })
    await tx`update conversation set order_id = ${`line-${journeyId}`} where conversation_id = ${conversationId}`
  })
  await db`insert into offer ${db({
    bucket,
    tenantId,
    journeyId,
    offerId: uuidv7(at.getTime(), bucket),
    conversationId,
    lenderId,
    status: 'OFFER_RECEIVED',
    limits: '{}',
    selectedAt: at,
    creditLine: true,
    lineOpenedAt: at,
    lineLimitPaise: 500_000_00n,
    lineUtilisedPaise: 100_000_00n,
    createdAt: at,
    updatedAt: at,
  })}`
  await db`update journey set status = 'DISBURSED' where journey_id = ${journeyId}`
  return journey
}

type Act<T> = (of: Parameters<typeof requestDrawdown>[0], journey: Journey) => Promise<T>
const act = <T>({ tenantId, journeyId }: Journey, run: Act<T>): Promise<T> =>
  db.tx(async (tx) => run({ ...ctx, tx, at: ctx.clock() }, (await lockJourney(tx, tenantId, journeyId))!))
const draw = (journey: Journey, rupees = 25_000n) => act(journey, (of, j) => requestDrawdown(of, j, rupees * 100n))
const agree = (journey: Journey, drawdown: Drawdown, quote = quoteOf(drawdown)!) =>
  act(journey, (of, j) =>
    agreeToDrawdown(of, j, {
      drawdownId: drawdown.drawdownId,
      quote,
      consents: [{ purpose: 'drawdown', textVersion: currentConsentVersion, language: 'en' }],
      origin: { channel: 'hosted', ip: '198.51.100.7' },
    }),
  )
const drawdownOf = async (journey: Journey, { drawdownId }: Drawdown) => (await findDrawdown(db, journey, drawdownId))!
const reaches = (journey: Journey, drawdown: Drawdown, status: Drawdown['status']) =>
  until(`the drawdown to be ${status}`, async () => {
    const now = await drawdownOf(journey, drawdown)
    return now.status === status && now
  })
const transactionOf = async ({ tenantId, journeyId }: Journey, { drawdownId }: Drawdown) =>
  (await readAllConversations(db, tenantId, journeyId)).find((each) => each.conversationId === drawdownId)!
    .transactionId

/** The lender's order of the line itself. */
const lineOrder = ({ journeyId }: Journey, used: string, status = 'ACTIVE') => ({
  order: {
    id: `line-${journeyId}`,
    status,
    provider: { id: 'girnar' },
    items: [{ id: 'child', parent_item_id: 'line', category_ids: ['101118', '104125'], fulfillment_ids: ['F18'] }],
    fulfillments: [{ id: 'F18', type: 'ONLINE', state: { descriptor: { code: 'SANCTIONED' } } }],
    quote: {
      id: 'q',
      price: { currency: 'INR', value: '0' },
      breakup: [
        { title: 'OVERDRAFT_LIMIT', price: { value: '500000', currency: 'INR' } },
        { title: 'CURRENT_UTILIZATION', price: { value: used, currency: 'INR' } },
      ],
    },
    created_at: new Date().toISOString(),
    updated_at: new Date().toISOString(),
  },
})

interface Said {
  code?: string
  orderId?: string
  status?: string
  state?: string
  payment?: Json
  edit?: (order: Json) => unknown
}

/** The lender's order, as published. */
function orderOf(journey: Journey, { code = 'PENDING', orderId, status, state = 'INITIATED', payment, edit }: Said) {
  const stop = (id: string, type: string, more: Json = {}) => ({
    id,
    type,
    ...more,
    instructions: { name: type, code },
  })
  const order: Json = {
    ...(orderId && { id: orderId, status: status ?? 'ACTIVE', created_at: new Date().toISOString() }),
    ref_order_ids: [`line-${journey.journeyId}`],
    provider: { id: 'girnar', descriptor: { name: 'Girnar Finance' } },
    items: [
      {
        id: 'draw-item',
        parent_item_id: 'line',
        descriptor: { code: 'LOAN', name: 'Drawdown' },
        fulfillment_ids: ['F19'],
        price: { currency: 'INR', value: '26000' },
        tags: [{ descriptor: { code: 'LOAN_INFO' }, list: [{ descriptor: { code: 'INTEREST_RATE' }, value: '12 %' }] }],
      },
    ],
    fulfillments: [
      {
        id: 'F19',
        type: 'DRAWDOWN',
        stops: [stop('1', 'DRAWDOWN_APPROVAL'), stop('7', 'CONSENT_REQUIRED', { parent_stop_id: '1' })],
        state: { descriptor: { code: state } },
      },
    ],
    quote: {
      id: 'lead-1',
      price: { currency: 'INR', value: '26000' },
      breakup: [
        { title: 'PRINCIPAL_AMOUNT', price: { value: '25000', currency: 'INR' } },
        { title: 'INTEREST_AMOUNT', price: { value: '1000', currency: 'INR' } },
      ],
      ttl: 'P15D',
    },
    payments: [
      {
        id: 'payout-1',
        type: 'ON_FULFILLMENT',
        collected_by: 'CONSUMER',
        status: 'NOT-PAID',
        time: { label: 'DRAWDOWN' },
        params: { bank_account_number: 'XXXXXXXX4471', amount: '25000', currency: 'INR' },
        ...payment,
      },
    ],
  }
  edit?.(order)
  return { order }
}

type Callback = 'on_init' | 'on_confirm' | 'on_status' | 'on_update'
async function lenderSays(
  action: Callback,
  message: Json | { error: Json },
  { transactionId, answers }: { transactionId: string; answers?: NetworkCall },
) {
  const answer = await network.postSigned(
    url,
    network.callback(action, {
      transactionId,
      ...(answers && { messageId: answers.body.context.message_id }),
      ...('error' in message ? message : { message }),
      context: {
        version: '2.3.0',
        bap_uri: 'http://buyer.lendloom.example/ondc',
        bpp_uri: 'http://lender.example/ondc',
      },
    }),
  )
  return answer.body.message?.ack?.status === 'ACK'
    ? 'ACK'
    : `${answer.body.error.code} ${answer.body.error.path ?? ''}`
}

const requestTo = (action: string, transactionId: string) => network.nextCall(`/ondc/${action}`, transactionId)

/** A drawdown with the lender's terms. */
async function withTerms(journey: Journey, said: Said = {}) {
  const asked = await draw(journey)
  const transactionId = await transactionOf(journey, asked)
  const init = await requestTo('init', transactionId)
  assert.equal(await lenderSays('on_init', orderOf(journey, said), { transactionId, answers: init }), 'ACK')
  return { drawdown: await reaches(journey, asked, 'TERMS_READY'), transactionId, init }
}

const countOf = (action: string, transactionId: string) =>
  network.calls.filter(({ path, raw }) => path === `/ondc/${action}` && raw.includes(transactionId)).length
const untilApplied = ({ drawdownId }: Drawdown) =>
  until('every message to be applied', async () => {
    const waiting = await db`select 1 from inbound_message where conversation_id = ${drawdownId} and state = 'WAITING'`
    return waiting.length === 0
  })

const approved = { code: 'APPROVED', orderId: 'draw-order' }
const paid = (more: Said = {}) => ({
  ...approved,
  status: 'COMPLETED',
  state: 'DISBURSED',
  payment: { status: 'PAID', params: { amount: '25000', currency: 'INR', transaction_id: 'UTR0000001' } },
  ...more,
})

test('FIS12 §27.5: a drawdown is a transaction of its own, from init over the agreement to the payout', async () => {
  const journey = await openedLine()
  const { drawdown, transactionId, init } = await withTerms(journey)
  assert.notEqual(transactionId, journey.networkTransactionId)
  const [payment] = init.body.message.order.payments
  assert.deepEqual(init.body.message.order.ref_order_ids, [`line-${journey.journeyId}`])
  assert.deepEqual(payment, { params: { amount: '25000.00', currency: 'INR' }, time: { label: 'DRAWDOWN' } })
  assert.equal(drawdown.principalPaise, 25_000_00n)
  assert.equal(drawdown.interestPaise, 1000_00n)
  assert.equal(drawdown.totalPaise, 26_000_00n)
  assert.equal(drawdown.interestRate, '12%')
  assert.equal(drawdown.accountEnding, '4471')
  await agree(journey, drawdown)
  const confirm = await requestTo('confirm', transactionId)
  const { order } = confirm.body.message
  assert.deepEqual(order.items, [{ id: 'draw-item', parent_item_id: 'line' }])
  const [stop] = order.fulfillments[0].stops
  assert.equal(stop.id, '7', "the lender's own stop")
  assert.equal(stop.parent_stop_id, '1')
  assert.equal(stop.instructions.code, 'APPROVED')
  assert.equal(await lenderSays('on_confirm', orderOf(journey, approved), { transactionId, answers: confirm }), 'ACK')
  assert.equal(await lenderSays('on_update', orderOf(journey, paid()), { transactionId }), 'ACK')
  const done = await reaches(journey, drawdown, 'PAID_OUT')
  assert.equal(done.paidPaise, 25_000_00n)
  assert.equal(done.payoutReference, 'UTR0000001')
})

test('FIS12 §27.5: the amount is at least a rupee and at most what is left to draw, and one drawdown is open at a time', async () => {
  const journey = await openedLine()
  await assert.rejects(
    act(journey, (of, j) => requestDrawdown(of, j, 99n)),
    { kind: 'invalid', message: /at least 1.00/ },
  )
  await assert.rejects(draw(journey, 400_001n), { kind: 'invalid', message: /at most 400000.00/ })
  await draw(journey, 400_000n)
  await assert.rejects(draw(journey), { kind: 'pending' })
  assert.equal((await listDrawdowns(db, journey)).length, 1, 'a refusal stores nothing')
  const close = (of: Journey) => act(of, (inTx, j) => requestServicing(inTx, j, 'FORECLOSURE', {}))
  await assert.rejects(close(journey), { kind: 'pending', message: /drawdown/ })
  const closing = await openedLine()
  const { drawdown } = await withTerms(closing)
  await close(closing)
  assert.equal((await drawdownOf(closing, drawdown)).status, 'CANCELLED', 'nobody agrees to it any more')
  await assert.rejects(draw(closing), { kind: 'pending', message: /being closed/ })
  const old = await openedLine({ stops: false })
  await assert.rejects(draw(old), { kind: 'wrong-state', message: /at the lender itself/ })
})

test('FIS12 §27.5: another amount replaces terms that wait for the borrower, and what is left is not agreed to', async () => {
  const journey = await openedLine()
  const { drawdown } = await withTerms(journey)
  const next = await draw(journey, 30_000n)
  assert.equal((await drawdownOf(journey, drawdown)).status, 'CANCELLED')
  await assert.rejects(agree(journey, drawdown), { kind: 'wrong-state', message: /CANCELLED/ })
  const left = await act(journey, (of, j) => cancelDrawdown(of, j, next.drawdownId))
  assert.equal(left.status, 'CANCELLED')
  await assert.rejects(
    act(journey, (of, j) => cancelDrawdown(of, j, uuidv4(bucketOf(journey.journeyId)))),
    { kind: 'absent' },
  )
})

test('FIS12 §27.5: the borrower agrees to what the page showed, once, and only while the terms stand', async () => {
  const journey = await openedLine()
  const { drawdown, transactionId } = await withTerms(journey)
  const changed = (edit: (order: Json) => unknown) =>
    lenderSays('on_status', orderOf(journey, { edit }), { transactionId })
  // The same total, but a part of it elsewhere, and another account.
  await changed((order) => {
    order.payments[0].params.bank_account_number = 'XXXX0666'
  })
  await until('the other account', async () => (await drawdownOf(journey, drawdown)).accountEnding === '0666')
  await assert.rejects(agree(journey, drawdown), { kind: 'wrong-state', message: /changed/ })
  assert.deepEqual(await listConsents(db, journey), [])
  const shown = await drawdownOf(journey, drawdown)
  await agree(journey, shown)
  await agree(journey, shown)
  const [consent, ...more] = await listConsents(db, journey)
  assert.equal(consent!.purpose, 'drawdown')
  assert.equal(consent!.quoteId, drawdown.drawdownId)
  assert.deepEqual(more, [])
  await requestTo('confirm', transactionId)
  const confirms = network.calls.filter(({ path, raw }) => path === '/ondc/confirm' && raw.includes(transactionId))
  assert.equal(confirms.length, 1)
  await assert.rejects(
    act(journey, (of, j) => cancelDrawdown(of, j, drawdown.drawdownId)),
    { kind: 'wrong-state' },
  )
  const other = await openedLine()
  const lapsed = await withTerms(other, { edit: (order) => Object.assign(order.quote, { ttl: 'PT0.001S' }) })
  await until(
    'the terms to have expired',
    async () => ctx.clock() > (await drawdownOf(other, lapsed.drawdown)).termsUntil!,
  )
  await assert.rejects(agree(other, lapsed.drawdown), { kind: 'wrong-state', message: /expired/ })
})

test('FIS12 §27.5: terms that cannot be a lender’s are refused with their field, and change nothing', async () => {
  const journey = await openedLine()
  const asked = await draw(journey)
  const transactionId = await transactionOf(journey, asked)
  const answers = await requestTo('init', transactionId)
  const edits: [string, (order: Json) => unknown][] = [
    ['quote.price.value', (order) => Object.assign(order.quote.price, { value: '25999' })],
    ['quote.breakup.0.price.currency', (order) => Object.assign(order.quote.breakup[0].price, { currency: 'USD' })],
    ['quote.breakup', (order) => Object.assign(order.quote.breakup[0].price, { value: '-25000' })],
    ['payments', (order) => Object.assign(order.payments[0].params, { amount: '25001' })],
    ['ref_order_ids', (order) => Reflect.deleteProperty(order, 'ref_order_ids')],
  ]
  for (const [field, edit] of edits) {
    const said = await lenderSays('on_init', orderOf(journey, { edit }), { transactionId, answers })
    assert.match(said, new RegExp(`^20006 \\$\\.message\\.order\\.${field.replaceAll('.', '\\.')}`), field)
  }
  assert.equal((await drawdownOf(journey, asked)).status, 'REQUESTED')
})

test('FIS12 §27.5: a report on the line in the drawdown’s transaction is about the line', async () => {
  const journey = await openedLine()
  const { drawdown, transactionId } = await withTerms(journey)
  assert.equal(await lenderSays('on_update', lineOrder(journey, '125000'), { transactionId }), 'ACK')
  const inbound = await platform.waitForInbound(journey, 'on_update')
  assert.equal(inbound.order!.secured!.line!.utilization, 125_000_00n)
  assert.equal((await drawdownOf(journey, drawdown)).status, 'TERMS_READY')
  const negative = await lenderSays('on_update', lineOrder(journey, '-900000'), { transactionId })
  assert.match(negative, /^20006 \$\.message\.order\.quote\.breakup/)
})

test('FIS12 §27.5: errors and silence: before the agreement the drawdown fails, after it the lender is asked', async () => {
  const journey = await openedLine()
  const asked = await draw(journey)
  const transactionId = await transactionOf(journey, asked)
  const init = await requestTo('init', transactionId)
  await lenderSays('on_init', { error: { code: '80227', message: 'too much' } }, { transactionId, answers: init })
  assert.equal((await reaches(journey, asked, 'FAILED')).reason, 'AMOUNT_OR_TERM')
  const second = await withTerms(journey)
  await agree(journey, second.drawdown)
  const confirm = await requestTo('confirm', second.transactionId)
  const of = { transactionId: second.transactionId, answers: confirm }
  await lenderSays('on_confirm', { error: { code: '80215', message: 'busy' } }, of)
  await untilApplied(second.drawdown)
  platform.advanceClock(11)
  const status = await requestTo('status', second.transactionId)
  assert.equal(status.body.message.ref_id, second.transactionId)
  const unknown = { error: { code: '30018', message: 'no order' } }
  await lenderSays('on_status', unknown, { transactionId: second.transactionId, answers: status })
  await requestTo('confirm', second.transactionId)
  assert.equal((await drawdownOf(journey, second.drawdown)).status, 'AGREED', 'the agreement is sent again')
})

test('FIS12 §27.5: a payout that comes late, unasked or back is recorded as it is', async () => {
  const journey = await openedLine()
  const { drawdown, transactionId } = await withTerms(journey)
  await agree(journey, drawdown)
  const answers = await requestTo('confirm', transactionId)
  await lenderSays('on_confirm', orderOf(journey, { ...approved, code: 'REJECTED' }), { transactionId, answers })
  assert.equal((await reaches(journey, drawdown, 'FAILED')).reason, 'DRAWDOWN_REFUSED')
  const early = await withTerms(journey)
  await lenderSays('on_update', orderOf(journey, paid({ orderId: 'early' })), { transactionId: early.transactionId })
  await reaches(journey, early.drawdown, 'PAID_OUT')
  await lenderSays('on_update', orderOf(journey, paid()), { transactionId })
  assert.equal((await reaches(journey, drawdown, 'PAID_OUT')).reason, null)
  const back = paid({ payment: { status: 'FAILED', params: { amount: '25000', currency: 'INR' } } })
  await lenderSays('on_update', orderOf(journey, back), { transactionId })
  assert.equal((await reaches(journey, drawdown, 'FAILED')).reason, 'DRAWDOWN_RETURNED')
  const other = orderOf(journey, paid({ edit: (order) => Object.assign(order, { ref_order_ids: ['another line'] }) }))
  await lenderSays('on_update', other, { transactionId: early.transactionId })
  assert.equal((await drawdownOf(journey, early.drawdown)).status, 'PAID_OUT')
})

test('FIS12 §27.5: an error to the status ends no agreed drawdown, and one to the confirmation is not answered at once', async () => {
  const journey = await openedLine()
  const { drawdown, transactionId } = await withTerms(journey)
  await agree(journey, drawdown)
  await requestTo('confirm', transactionId)
  platform.advanceClock(31)
  const status = await requestTo('status', transactionId)
  await lenderSays('on_status', { error: { code: '40001', message: 'not now' } }, { transactionId, answers: status })
  await untilApplied(drawdown)
  assert.equal((await drawdownOf(journey, drawdown)).status, 'AGREED')
  assert.equal(countOf('confirm', transactionId), 1)
  const other = await openedLine()
  const second = await withTerms(other)
  await agree(other, second.drawdown)
  const of = { transactionId: second.transactionId, answers: await requestTo('confirm', second.transactionId) }
  await lenderSays('on_confirm', { error: { code: '30018', message: 'of another line' } }, of)
  assert.equal((await reaches(other, second.drawdown, 'FAILED')).reason, 'DRAWDOWN_REFUSED')
  assert.equal(countOf('confirm', second.transactionId), 1)
})

test('FIS12 §27.5: an agreement is sent three times at most, and never for other terms than the borrower read', async () => {
  const journey = await openedLine()
  const { drawdown, transactionId } = await withTerms(journey)
  await agree(journey, drawdown)
  for (let sent = 1; sent <= 4; sent++) {
    await until(`agreement ${sent}`, () => countOf('confirm', transactionId) === Math.min(sent, 3))
    platform.advanceClock(sent > 3 ? 40 : 31)
    const status = await requestTo('status', transactionId)
    await lenderSays('on_status', orderOf(journey, {}), { transactionId, answers: status })
    await untilApplied(drawdown)
  }
  assert.equal(countOf('confirm', transactionId), 3)
  const other = await openedLine()
  const second = await withTerms(other)
  await agree(other, second.drawdown)
  await requestTo('confirm', second.transactionId)
  platform.advanceClock(31)
  const status = await requestTo('status', second.transactionId)
  const dearer = orderOf(other, {
    edit: (order) => {
      order.quote.price.value = '45000'
      order.quote.breakup[1].price.value = '20000'
    },
  })
  await lenderSays('on_status', dearer, { transactionId: second.transactionId, answers: status })
  assert.equal((await reaches(other, second.drawdown, 'FAILED')).reason, 'DRAWDOWN_TERMS_CHANGED')
  assert.equal(countOf('confirm', second.transactionId), 1)
})

test('FIS12 §27.5: unasked terms have the same bounds, and another amount than was asked for ends the drawdown', async () => {
  const journey = await openedLine()
  const { drawdown, transactionId } = await withTerms(journey)
  const dollars = orderOf(journey, { edit: (order) => Object.assign(order.quote.price, { currency: 'USD' }) })
  assert.match(await lenderSays('on_status', dollars, { transactionId }), /^20006 \$\.message\.order\.quote\.price/)
  const nothing = orderOf(journey, paid({ payment: { status: 'PAID', params: { amount: '0', currency: 'INR' } } }))
  assert.equal(await lenderSays('on_update', nothing, { transactionId }), 'ACK')
  await untilApplied(drawdown)
  assert.equal((await drawdownOf(journey, drawdown)).status, 'TERMS_READY', 'nothing was paid')
  const bare = orderOf(journey, { edit: (order) => Reflect.deleteProperty(order, 'quote') })
  const next = await draw(journey)
  const of = { transactionId: await transactionOf(journey, next) }
  const init = await requestTo('init', of.transactionId)
  assert.match(await lenderSays('on_init', bare, { ...of, answers: init }), /^20006 \$\.message\.order\.quote/)
  const more = orderOf(journey, {
    edit: (order) => {
      order.quote.price.value = '36000'
      order.quote.breakup[0].price.value = '35000'
    },
  })
  assert.equal(await lenderSays('on_init', more, { ...of, answers: init }), 'ACK')
  assert.equal((await reaches(journey, next, 'FAILED')).reason, 'DRAWDOWN_TERMS_CHANGED')
  assert.equal((await drawdownOf(journey, drawdown)).status, 'CANCELLED')
})

test('FIS12 §27.5: whatever a lender reports as paid counts, also under another order, with odd figures or none', async () => {
  const reports: Record<string, Said> = {
    'another order': paid({ orderId: 'second-order' }),
    'a paisa more': paid({ payment: { status: 'PAID', params: { amount: '25000.01', currency: 'INR' } } }),
    'no amount': paid({ payment: { status: 'PAID', params: {} } }),
    'no payment': paid({ edit: (order) => Reflect.deleteProperty(order, 'payments') }),
    dollars: paid({ edit: (order) => Object.assign(order.payments[0].params, { currency: 'USD' }) }),
    'another sum': paid({ edit: (order) => Object.assign(order.quote.price, { value: '26000.40' }) }),
    'no fulfilment': paid({ edit: (order) => Reflect.deleteProperty(order, 'fulfillments') }),
  }
  for (const [what, report] of Object.entries(reports)) {
    const journey = await openedLine()
    const { drawdown, transactionId } = await withTerms(journey)
    await agree(journey, drawdown)
    const answers = await requestTo('confirm', transactionId)
    await lenderSays('on_confirm', orderOf(journey, approved), { transactionId, answers })
    assert.equal(await lenderSays('on_update', orderOf(journey, report), { transactionId }), 'ACK', what)
    const { paidPaise } = await reaches(journey, drawdown, 'PAID_OUT')
    assert.equal(paidPaise, what === 'a paisa more' ? 25_000_01n : 25_000_00n, what)
  }
})

test('FIS12 §27.5: a lender that has the agreement but no order yet is asked on, also after its terms have lapsed', async () => {
  const journey = await openedLine()
  const shortTerms = (order: Json) => Object.assign(order.quote, { ttl: 'PT20S' })
  const { drawdown, transactionId } = await withTerms(journey, { edit: shortTerms })
  await agree(journey, drawdown)
  await requestTo('confirm', transactionId)
  platform.advanceClock(31)
  const status = await requestTo('status', transactionId)
  await lenderSays('on_status', orderOf(journey, { code: 'APPROVED' }), { transactionId, answers: status })
  await untilApplied(drawdown)
  assert.equal((await drawdownOf(journey, drawdown)).status, 'AGREED')
  assert.equal(countOf('confirm', transactionId), 1)
})

test('FIS12 §27.5: a payout that came back counts again with another reference, or in a newer report', async () => {
  const journey = await openedLine()
  const { drawdown, transactionId } = await withTerms(journey)
  await agree(journey, drawdown)
  await requestTo('confirm', transactionId)
  const day = (text: string) => (order: Json) => Object.assign(order, { updated_at: `2026-12-${text}T10:00:00.000Z` })
  const say = (said: Said) => lenderSays('on_update', orderOf(journey, said), { transactionId })
  await say(paid({ edit: day('02') }))
  await reaches(journey, drawdown, 'PAID_OUT')
  await say(paid({ payment: { status: 'FAILED', params: { amount: '25000', currency: 'INR' } }, edit: day('03') }))
  await reaches(journey, drawdown, 'FAILED')
  const unnamed = { status: 'PAID', params: { amount: '25000', currency: 'INR' } }
  await say(paid({ payment: unnamed, edit: day('01') }))
  await untilApplied(drawdown)
  assert.equal((await drawdownOf(journey, drawdown)).status, 'FAILED', 'an old report')
  await say(paid({ payment: unnamed, edit: day('05') }))
  await reaches(journey, drawdown, 'PAID_OUT')
})

test('FIS12 §27.5: two drawdowns with one order id are known by their transactions', async () => {
  const journey = await openedLine()
  const play = async () => {
    const { drawdown, transactionId } = await withTerms(journey)
    await agree(journey, drawdown)
    const answers = await requestTo('confirm', transactionId)
    await lenderSays('on_confirm', orderOf(journey, approved), { transactionId, answers })
    await lenderSays('on_update', orderOf(journey, paid()), { transactionId })
    return reaches(journey, drawdown, 'PAID_OUT')
  }
  await play()
  await play()
  const all = await listDrawdowns(db, journey)
  assert.deepEqual(
    all.map(({ status }) => status),
    ['PAID_OUT', 'PAID_OUT'],
  )
})

test('FIS12 §27.5: a line that is closed ends its open drawdown, and a payout that is reported later counts', async () => {
  const journey = await openedLine()
  const { drawdown, transactionId } = await withTerms(journey)
  await agree(journey, drawdown)
  await requestTo('confirm', transactionId)
  const closed = lineOrder(journey, '0', 'COMPLETED')
  await db.tx(async (tx) => {
    const locked = (await lockJourney(tx, journey.tenantId, journey.journeyId))!
    const order = { ...dialectReaders['2.3.0'].readOrder(closed), state: 'COMPLETED' as const }
    const line = (await readConversations(tx, journey.tenantId, journey.journeyId))[0]!
    const message = { order, installments: [], isStatusAnswer: false, isUnsolicited: true }
    await applyLoanMessage({ ...ctx, tx, at: ctx.clock() }, locked, line, message)
  })
  assert.equal((await reaches(journey, drawdown, 'FAILED')).reason, 'LOAN_REPAID')
  await lenderSays('on_update', orderOf(journey, paid()), { transactionId })
  await reaches(journey, drawdown, 'PAID_OUT')
})

test('D1 §5: erased, a drawdown has no account and no transaction by which its lender reaches it', async () => {
  const journey = await openedLine()
  const { drawdown, transactionId } = await withTerms(journey)
  const erased = {
    networkTransactionId: uuidv4(bucketOf(journey.journeyId)),
    erasedAt: ctx.clock(),
    profileSealed: null,
  }
  await db.tx((tx) => eraseJourneyRows(tx, journey, erased as unknown as Parameters<typeof eraseJourneyRows>[2]))
  const left = await drawdownOf(journey, drawdown)
  assert.equal(left.status, 'CANCELLED')
  assert.equal(left.accountEnding, null)
  assert.equal(left.payoutReference, null)
  const answer = await lenderSays('on_update', orderOf(journey, paid()), { transactionId })
  assert.match(answer, /^20006 \$\.context\.transaction_id/)
})
