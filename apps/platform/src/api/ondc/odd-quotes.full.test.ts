// Quotes that are no quotes, sent from outside: each is refused with the field, or read with the figures that it states.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moneyOf, rupees } from '@lendloom/lending/money'
import type { ProductId } from '@lendloom/lending/product/products'
import type { Terms } from '@lendloom/lending/terms'
import { goldStep } from '@lendloom/tests/network-messages/gold-loan'
import { stepNamed as fundStep, type Json } from '@lendloom/tests/network-messages/lamf'
import { stepNamed as personalStep } from '@lendloom/tests/network-messages/personal-loan'
import { exampleOf, fakeNetwork } from '@lendloom/tests/setup/network'
import { terms } from '@lendloom/tests/setup/offered'
import { testSubscriber } from '@lendloom/tests/setup/subscriber'
import type { Action } from '@lendloom/wire/network/sequence'
import { sendInit, sendSelect } from '#platform/lenders/network/lender-requests.ts'
import { readMessages } from '#platform/lenders/network/messages/store.ts'
import { openConversation, openConversations } from '#platform/lenders/network/open-conversation.ts'
import { searchNetwork } from '#platform/lenders/network/search.ts'
import { sendPledge } from '#platform/lenders/network/secured-loan-requests.ts'
import { changeConversation } from '#platform/lenders/network/store.ts'

const network = await fakeNetwork()
const platform = await testSubscriber(network.url)
const { ctx, url } = platform
platform.onApply.run = async (tx, _, journey, conversation, inbound, at) => {
  if (inbound.type !== 'on_search' || conversation || !inbound.found) return
  const { found, sender } = inbound
  if (found.dialect === '2.0.3') await openConversations({ ...ctx, tx, at }, journey, sender, found.items)
  else
    for (const item of found.items)
      await openConversation({ ...ctx, tx, at }, journey, sender, {
        ...item,
        form: { id: item.form!.id, url: null, heading: null },
      })
}

interface Level {
  product: ProductId
  action: 'on_select' | 'on_init'
  model: () => Json
}

const levels: Level[] = [
  { product: 'PERSONAL_LOAN', action: 'on_select', model: () => personalStep('on_select_3').message },
  { product: 'PERSONAL_LOAN', action: 'on_init', model: () => personalStep('on_init_3').message },
  { product: 'GOLD_LOAN', action: 'on_select', model: () => goldStep('on_select_3').message },
  { product: 'GOLD_LOAN', action: 'on_init', model: () => goldStep('on_init').message },
  { product: 'LAMF_LOAN', action: 'on_select', model: () => fundStep('on_select').message },
  { product: 'LAMF_LOAN', action: 'on_init', model: () => fundStep('on_init_4').message },
]
const isFunds = ({ product }: Level): boolean => product === 'LAMF_LOAN'
/** A loan against funds has its plan from the confirmation on. */
const hasPlan = (level: Level): boolean => level.action === 'on_init' && !isFunds(level)

const account = {
  accountNumber: '1234509876',
  ifsc: 'ABCD0001234',
  accountType: 'saving',
  accountHolderName: 'Ravi Patil',
} as const

/** What an offer of a loan against funds leaves in its conversation. */
const offered = { offeredItemId: 'OFFER', parentItemId: 'PARENT', fulfillmentId: 'F-1', paymentId: 'P-1' }

/** Opens a conversation with a lender and sends it the request that a message of this level answers. */
async function askedLender({ product, action }: Level) {
  const journey = await platform.newJourney(product)
  await ctx.db.tx((tx) => searchNetwork({ ...ctx, tx, at: ctx.clock() }, journey))
  const transactionId = journey.networkTransactionId
  const search = await network.nextCall('/gateway/search', transactionId)
  const context =
    product === 'LAMF_LOAN'
      ? ({
          version: '2.3.0',
          bap_uri: 'http://buyer.lendloom.example/ondc',
          bpp_uri: 'http://sahyadri.sandbox.example/ondc',
        } as const)
      : {}
  const catalogues = {
    PERSONAL_LOAN: () => exampleOf('on_search', network),
    GOLD_LOAN: () => goldStep('on_search').message,
    LAMF_LOAN: () => fundStep('on_search').message,
  }
  const send = (to: Action, messageId: string, message: Json) =>
    network.postSigned(url, network.callback(to, { transactionId, messageId, message, context }))
  await send('on_search', search.body.context.message_id, catalogues[product as keyof typeof catalogues]())
  await platform.waitForInbound(journey, 'on_search')
  const [found] = await platform.conversations(journey)
  await ctx.db.tx(async (tx) => {
    const at = ctx.clock()
    const act = { ...ctx, tx, at }
    const at203 = { stage: 'CONSENT_REQUESTED', submissionId: 'S-1' } as const
    if (action === 'on_init') {
      const due =
        product === 'LAMF_LOAN'
          ? ({ stage: 'TERMS_GIVEN', ...offered } as const)
          : ({ stage: 'KYC_DONE', submissionId: 'S-1' } as const)
      const initiated = await changeConversation(tx, found!, due, at)
      await sendInit(act, initiated, { terms, pledges: [], account })
    } else if (product === 'LAMF_LOAN')
      await sendPledge(act, await changeConversation(tx, found!, { stage: 'OFFERED', ...offered }, at), [])
    else await sendSelect(act, await changeConversation(tx, found!, at203, at))
  })
  const request = await network.nextCall(`/ondc/${action.slice('on_'.length)}`, transactionId)
  return {
    answer: (message: Json) => send(action, request.body.context.message_id, message),
    readTerms: async () => (await platform.waitForInbound(journey, action)).order!.terms!,
    outcomes: async () =>
      (await readMessages(ctx.db, ctx.seal, journey.tenantId, journey.journeyId))
        .filter((message) => message.action === action)
        .map(({ outcome }) => outcome),
  }
}

/** The parts of an order that a row of the tables changes. */
interface OrderParts {
  order: Json
  /** The row of the quote with this title of 2.0.3. */
  row: (title: string) => Json
  /** Sets a value of LOAN_INFO; without a value, removes the code. */
  info: (code: string, value?: unknown) => void
}

const titlesOfFunds: Record<string, string> = { PRINCIPAL: 'PRINCIPAL_AMOUNT', INTEREST: 'INTEREST_AMOUNT' }
const countCode = 'NUMBER_OF_INSTALLMENTS'

function partsOf(level: Level, { order }: Json): OrderParts {
  const titleOf = (title: string) => (isFunds(level) ? (titlesOfFunds[title] ?? title) : title)
  const codeOf = (code: string) => (code === countCode && !isFunds(level) ? `${countCode}_OF_REPAYMENT` : code)
  const tag = order.items[0].tags.find(({ descriptor }: Json) => descriptor.code === 'LOAN_INFO')
  return {
    order,
    row: (title) => order.quote.breakup.find((each: Json) => each.title === titleOf(title)),
    info(code, value) {
      tag.list = tag.list.filter(({ descriptor }: Json) => descriptor.code !== codeOf(code))
      if (value !== undefined) tag.list.push({ descriptor: { code: codeOf(code) }, value })
    },
  }
}

type Row = [name: string, change: (parts: OrderParts) => unknown, field: RegExp]

const priceOf = (title: string, value: unknown, field = /quote\.breakup\.\d+\.price\.value$/): Row => [
  `${title} ${JSON.stringify(value)}`,
  ({ row }) => {
    row(title).price.value = value
  },
  field,
]
const infoOf = (code: string, value: unknown): Row => [
  `${code} ${JSON.stringify(value)}`,
  ({ info }) => info(code, value),
  new RegExp(`LOAN_INFO\\.${code}`),
]

/** Values of a price that are no text. */
const otherTypes = [null, true, {}, [], ['200000.00']]

/** What is refused at every level. */
const refused: Row[] = [
  ...['-200000.00', '0', '0.00', 'NaN', 'Infinity', '1e5', '2E5', '200000.001', '20000000000.00'].map((value) =>
    priceOf('PRINCIPAL', value),
  ),
  ...['9'.repeat(16), '9'.repeat(400), '', ' ', 'two lakh', '0x30D40', '२०००००', '٢٠٠٠٠٠', '２０００００'].map(
    (value) => priceOf('PRINCIPAL', value),
  ),
  ...['2.000,00', '957,42', '1,00', '1,2,3', '--5', '+200000', '$200000', 'USD 200000', '200000 EUR'].map((value) =>
    priceOf('PRINCIPAL', value),
  ),
  ...[-200000, 0, 1e21, 200000.001, 1e-7].map((value) => priceOf('PRINCIPAL', value)),
  ...otherTypes.map((value) => priceOf('PRINCIPAL', value, /breakup\.\d+\.price\.value/)),
  ...['-1.00', 'free', '1e-5', '99999999999.00'].map((value) => priceOf('INTEREST', value)),
  ...['-500.00', 'nil', '1.234'].map((value) => priceOf('PROCESSING_FEE', value)),
  ...['0.00', '-1.00', '200000000.00', 'all'].map((value) => priceOf('NET_DISBURSED_AMOUNT', value)),
  ...['USD', 'usd', 'EUR', 'BTC', 'euro', '$', 'US dollars', 'INR/USD'].map(
    (currency): Row => [
      `currency ${currency}`,
      ({ row }) => {
        row('PRINCIPAL').price.currency = currency
      },
      /quote\.breakup\.\d+\.price\.currency$/,
    ],
  ),
  ['total in dollars', ({ order }) => (order.quote.price.currency = 'USD'), /quote\.price\.currency$/],
  ['unreadable total', ({ order }) => (order.quote.price.value = 'a lot'), /quote\.price\.value$/],
  ['no total', ({ order }) => delete order.quote.price, /quote\.price$/],
  ['no rows', ({ order }) => (order.quote.breakup = []), /quote\.breakup$/],
  ['no quote id', ({ order }) => delete order.quote.id, /quote\.id$/],
  ...['PRINCIPAL', 'INTEREST'].map(
    (title): Row => [
      `no ${title}`,
      ({ order, row }) => order.quote.breakup.splice(order.quote.breakup.indexOf(row(title)), 1),
      /quote\.breakup$/,
    ],
  ),
  ...['PRINCIPAL', 'INTEREST', 'NET_DISBURSED_AMOUNT'].map(
    (title): Row => [
      `${title} twice, differently`,
      ({ order, row }) => order.quote.breakup.push({ ...row(title), price: { currency: 'INR', value: '100.00' } }),
      /quote\.breakup\.\d+\.price\.value$/,
    ],
  ),
  ...['PRINCIPAL', 'INTEREST'].map(
    (title): Row => [
      `${title} twice, and twice in the total`,
      ({ order, row }) => {
        order.quote.breakup.push(row(title))
        addToTotal(order, row(title).price.value)
      },
      /quote\.breakup\.\d+\.price\.value$/,
    ],
  ),
  ['a fee above the principal', ({ row }) => (row('PROCESSING_FEE').price.value = '200000.01'), /quote\.breakup\.\d+/],
  ['a fee of the whole principal', ({ row }) => (row('PROCESSING_FEE').price.value = '200000.00'), /quote\.breakup/],
  ['a row above the principal', withCharge('TOTAL', '214500.00', '1.00'), /quote\.breakup/],
  [
    'two groups of terms',
    ({ order }) =>
      order.items[0].tags.push({
        descriptor: { code: 'LOAN_INFO' },
        list: [{ descriptor: { code: 'INTEREST_RATE' }, value: '1 %' }],
      }),
    /LOAN_INFO\.INTEREST_RATE$/,
  ],
  [
    'two interest rates of two names',
    ({ info, order }) => {
      info('INTEREST_RATE', '14 %')
      order.items[0].tags
        .find(({ descriptor }: Json) => descriptor.code === 'LOAN_INFO')
        .list.push({ descriptor: { code: 'INTEREST_RATE', name: 'Rate from April' }, value: '1 %' })
    },
    /LOAN_INFO\.INTEREST_RATE$/,
  ],
  [
    'a charge that gives money back',
    ({ order }) => order.quote.breakup.push({ title: 'DISCOUNT', price: { currency: 'INR', value: '-5000.00' } }),
    /quote\.breakup/,
  ],
  ...['P50Y', 'PT0S', 'P400D'].map((ttl): Row => [`ttl ${ttl}`, ({ order }) => (order.quote.ttl = ttl), /quote\.ttl$/]),
  ...['-3 %', '1001', '1e2', 'NaN', '14,5 %', '१४', 'fourteen', '', '9'.repeat(400)].map((value) =>
    infoOf('INTEREST_RATE', value),
  ),
  ...['-3 %', '0 %', '1000.01 %', 'Infinity', undefined].map((value) => infoOf('ANNUAL_PERCENTAGE_RATE', value)),
  ...['0 months', '0', '601 months', '100000 months', 'P1Y2W', 'P30D', 'forever', '-12', '1.5 years', 'P', '१२'].map(
    (value) => infoOf('TERM', value),
  ),
  ...['0', '-12', '12.5', '99999', 'many', '1e1', undefined].map((value) => infoOf(countCode, value)),
  ...['0', '0.01', '-17957.42', 'P1M', '1e4', '99999999999.00', undefined].map((value) =>
    infoOf('INSTALLMENT_AMOUNT', value),
  ),
  [
    'two interest rates',
    ({ order }) =>
      order.items[0].tags
        .find(({ descriptor }: Json) => descriptor.code === 'LOAN_INFO')
        .list.unshift({ descriptor: { code: 'INTEREST_RATE' }, value: '1 %' }),
    /LOAN_INFO\.INTEREST_RATE$/,
  ],
  ['a cooling-off period of a century', ({ info }) => info('COOL_OFF_PERIOD', 'P100Y'), /LOAN_INFO\.COOL_OFF_PERIOD$/],
]

const paymentOf = (key: string, change: (payment: Json) => unknown): Row => [
  `instalment: ${key}`,
  ({ order }) => change(order.payments.find(({ time }: Json) => time?.label === 'INSTALLMENT')),
  new RegExp(`payments\\.\\d+\\.${key.split(' ')[0]!.replaceAll('.', '\\.')}`),
]

/** What is refused of a payment plan, which personal and gold loans have from `on_init` on. */
const refusedPlans: Row[] = [
  ...['-1.00', '1e4', '17957.425', 'soon', '99999999999.00', ''].map((amount) =>
    paymentOf(`params.amount ${amount}`, ({ params }) => (params.amount = amount)),
  ),
  ...['USD', 'euro'].map((currency) =>
    paymentOf(`params.currency ${currency}`, ({ params }) => (params.currency = currency)),
  ),
  ...['9999-12-31T00:00:00.000Z', '0001-01-01T00:00:00.000Z', '2026-13-01T00:00:00.000Z', 'tomorrow'].map((start) =>
    paymentOf(`time.range.start ${start}`, ({ time }) => (time.range.start = start)),
  ),
  paymentOf('time.range.end before its start', ({ time }) => (time.range.end = '2001-01-01T00:00:00.000Z')),
  paymentOf('status SOON', (payment) => (payment.status = 'SOON')),
]

test('FIS12 §7.4: at least a hundred odd quotes are tried at each level', () =>
  assert.ok(refused.length + possible.length >= 100, `${refused.length + possible.length} quotes`))

for (const level of levels)
  test(`FIS12 §7.4: an ${level.action} of a ${level.product} that cannot be is refused with its field, and changes nothing`, async () => {
    const lender = await askedLender(level)
    const rows = hasPlan(level) ? [...refused, ...refusedPlans] : refused
    for (const [name, change, field] of rows) {
      const message = level.model()
      change(partsOf(level, message))
      const { status, body } = await lender.answer(message)
      assert.equal(status, 200, name)
      assert.equal(body.message.ack.status, 'NACK', name)
      assert.equal(body.error.code, '20006', name)
      assert.match(body.error.path, field, name)
    }
    const outcomes = await lender.outcomes()
    assert.equal(outcomes.length, rows.length)
    for (const [i, outcome] of outcomes.entries()) {
      assert.match(outcome!, /^NACK 20006 message\.order\./, rows[i]![0])
      assert.match(outcome!.split(' ')[2]!, rows[i]![2], 'the operator reads the field')
    }
    const { body } = await lender.answer(level.model())
    assert.equal(body.message.ack.status, 'ACK', 'the lender may still answer')
  })

type Read = [name: string, change: (parts: OrderParts) => unknown, expected: Partial<Terms>]

/** What is odd and possible, with the figures that it states. */
const possible: Read[] = [
  ['an amount as a number', ({ row }) => (row('PRINCIPAL').price.value = 200000), { principal: 20_000_000n }],
  ['grouped digits', ({ row }) => (row('PRINCIPAL').price.value = '2,00,000.00'), { principal: 20_000_000n }],
  ['four decimals of zero', ({ row }) => (row('PRINCIPAL').price.value = '200000.0000'), { principal: 20_000_000n }],
  ['rupees by their sign', ({ row }) => (row('PRINCIPAL').price.currency = '₹'), {}],
  ['no currency', ({ row }) => delete row('PRINCIPAL').price.currency, {}],
  ['400 %', ({ info }) => info('ANNUAL_PERCENTAGE_RATE', '400 %'), { apr: '400%' }],
  ['one year and two months', ({ info }) => info('TERM', 'P1Y2M'), { termMonths: 14 }],
  ['a term as a number', ({ info }) => info('TERM', 12), { termMonths: 12 }],
  ['a charge of another name', withCharge('STAMP_DUTY', '500.00', '500.00'), { otherCharges: 50_000n }],
  ['a subtotal that the total leaves out', withCharge('TOTAL', '214500.00'), {}],
  ['an instalment as a row', withCharge('INSTALLMENT_AMOUNT', '17833.33'), {}],
  ['a rate of minus zero', ({ info }) => info('INTEREST_RATE', '-0 %'), { interestRate: '0%' }],
  ['leading zeros of a rate', ({ info }) => info('ANNUAL_PERCENTAGE_RATE', '0016 %'), { apr: '16%' }],
  ['a repeated charge of another amount', withCharge('OTHER_CHARGES', '500.00'), { otherCharges: 50_000n }],
  ['a total that is none', ({ order }) => (order.quote.price.value = '1.00'), {}],
  ['an unreadable validity', ({ order }) => (order.quote.ttl = 'forever'), { quoteTtl: null }],
]

/** Adds a row to the quote, and an amount to its total. */
function withCharge(title: string, value: string, added = '0.00') {
  return ({ order }: OrderParts) => {
    order.quote.breakup.push({ title, price: { currency: 'INR', value } })
    addToTotal(order, added)
  }
}

function addToTotal({ quote }: Json, added: string): void {
  quote.price.value = rupees(moneyOf(quote.price.value)! + moneyOf(added)!)
}

for (const level of levels.filter(({ action }) => action === 'on_select'))
  test(`FIS12 §7.4: an odd and possible offer of a ${level.product} is read with the figures that it states`, async () => {
    const { term: _, ...stated } = await termsAfter(level, () => {})
    for (const [name, change, expected] of possible) {
      const { term: __, ...read } = await termsAfter(level, change)
      assert.deepEqual(read, { ...stated, ...expected }, name)
    }
  })

async function termsAfter(level: Level, change: (parts: OrderParts) => unknown): Promise<Terms> {
  const lender = await askedLender(level)
  const message = level.model()
  change(partsOf(level, message))
  const { body } = await lender.answer(message)
  assert.equal(body.message.ack.status, 'ACK', JSON.stringify(body))
  return lender.readTerms()
}
