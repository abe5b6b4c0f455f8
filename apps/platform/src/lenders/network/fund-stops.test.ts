// A loan against mutual funds with stops: the domain of the lender's catalogue, the one page, and the order that nobody asked for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Json, stepNamed } from '@lendloom/tests/network-messages/lamf'
import { fakeNetwork } from '@lendloom/tests/setup/network'
import { testSubscriber } from '@lendloom/tests/setup/subscriber'
import { readOrder } from '@lendloom/wire/network/v230/read-order'
import { type Conversation, isPageFinished } from './conversation.ts'
import { dialectReaders } from './dialect.ts'
import { type LenderCallback, moveOfCallback, moveOfSearchAnswer } from './inbound/move-of-callback.ts'
import { openConversation } from './open-conversation.ts'
import { searchNetwork } from './search.ts'
import { sendProfileInSearch } from './secured-loan-requests.ts'
import type { ConversationStage } from './stage.ts'

const network = await fakeNetwork()
const platform = await testSubscriber(network.url, { env: { NETWORK_DOMAINS: 'ONDC:FIS12,ONDC:FIS12:SL' } })
const { ctx, url } = platform

platform.onApply.run = async (tx, _, journey, conversation, inbound, at) => {
  if (inbound.type !== 'on_search' || conversation || inbound.found?.dialect !== '2.3.0') return
  const [item] = inbound.found.items
  const form = { id: item!.form!.id, url: null, heading: null }
  await openConversation({ ...ctx, tx, at }, journey, inbound.sender, { ...item!, form })
}

const withStops = (state: string, message: Json): Json => {
  const types = ['PERSONAL_INFORMATION_LAMF', 'SINGLE_REDIRECTION', 'KYC', 'EMANDATE', 'LIEN_MARKING', 'ESIGN']
  const stops = types.map((type, i) => ({
    id: String(i + 1),
    type,
    instructions: { name: type, code: i === 0 ? 'COMPLETED' : state },
  }))
  const { catalog, order } = message
  for (const holder of [order, ...(catalog?.providers ?? [])])
    for (const each of holder?.fulfillments ?? []) {
      each.stops = stops
      delete each.tags
    }
  return message
}

/** Sends both searches, and lets the lender answer the one in the second domain. */
async function catalogueInSecondDomain() {
  const journey = await platform.newJourney('LAMF_LOAN')
  await ctx.db.tx((tx) => searchNetwork({ ...ctx, tx, at: ctx.clock() }, journey))
  const searches = [
    await network.nextCall('/gateway/search', journey.networkTransactionId),
    await network.nextCall('/gateway/search', journey.networkTransactionId),
  ]
  const second = searches.find(({ body }) => body.context.domain === 'ONDC:FIS12:SL')!.body.context
  const send = (action: 'on_search' | 'on_status', message: Json, domain: 'ONDC:FIS12' | 'ONDC:FIS12:SL') =>
    network.postSigned(
      url,
      network.callback(action, {
        transactionId: journey.networkTransactionId,
        ...(action === 'on_search' && { messageId: second.message_id }),
        message,
        context: { version: '2.3.0', bap_uri: second.bap_uri, bpp_uri: 'http://sahyadri.sandbox.example/ondc', domain },
      }),
    )
  return { journey, searches, send }
}

test('FIS12 §27.1: each domain is searched, and the domain of the catalogue is that of all later messages', async () => {
  const { journey, searches, send } = await catalogueInSecondDomain()
  assert.deepEqual(searches.map(({ body }) => body.context.domain).sort(), ['ONDC:FIS12', 'ONDC:FIS12:SL'])
  const catalogue = withStops('PENDING', stepNamed('on_search').message)
  const early = await send('on_search', catalogue, 'ONDC:FIS12:SL')
  assert.equal(early.status, 401, 'the registry has the lender in the other domain only')
  network.joinDomain('ONDC:FIS12:SL')
  platform.advanceClock(2)
  const { status } = await send('on_search', catalogue, 'ONDC:FIS12:SL')
  assert.equal(status, 200)
  await platform.waitForInbound(journey, 'on_search')
  const [conversation] = await platform.conversations(journey)
  assert.equal(conversation!.extras.domain, 'ONDC:FIS12:SL')
  assert.equal(conversation!.extras.progress!.stops.length, 6)
  await ctx.db.tx((tx) => sendProfileInSearch({ ...ctx, tx, at: ctx.clock() }, conversation!, { pan: 'ABCPE1234F' }))
  const { body } = await network.nextCall('/ondc/search', journey.networkTransactionId)
  assert.equal(body.context.domain, 'ONDC:FIS12:SL')
  const report = withStops('PENDING', stepNamed('on_status_kyc').message)
  const other = await send('on_status', report, 'ONDC:FIS12')
  assert.equal(other.body.error.path, '$.context.domain', 'a lender cannot change its domain')
})

const conversationAt = (stage: ConversationStage, hasStops = true): Conversation =>
  ({
    journeyType: 'LAMF_LOAN',
    stage,
    providerId: 'P',
    itemId: 'ITEM',
    parentItemId: null,
    fulfillmentId: 'F',
    formId: 'FORM',
    submissionId: null,
    answeredSubmissions: [],
    paymentId: null,
    orderId: null,
    extras: hasStops ? { progress: { stops: [{ type: 'SINGLE_REDIRECTION', state: 'PENDING' }] } } : {},
  }) as unknown as Conversation

function callback(type: 'on_select' | 'on_confirm', message: Json, solicited: boolean): LenderCallback {
  const order = dialectReaders['2.3.0'].readOrder(message)
  return { type, order, solicited }
}

const pageInput = {
  head: { descriptor: { code: 'SINGLE_REDIRECTION' }, headings: ['SINGLE_REDIRECTION'] },
  form: { id: 'PAGE', mime_type: 'application/html', url: 'https://lender.example/page' },
}

test('FIS12 §27.2: the page comes with the terms, and the order comes unasked, after our report or before it', () => {
  const offer = stepNamed('on_select').message
  const withPage = withStops('PENDING', structuredClone(offer))
  withPage.order.items[0].xinput = pageInput
  const order = withStops('COMPLETED', stepNamed('on_confirm').message)
  const rows: [ConversationStage, LenderCallback, string, ConversationStage][] = [
    ['RESELECTED', callback('on_select', withPage, true), 'finalTerms', 'FINAL_TERMS'],
    ['CONFIRM_SENT', callback('on_select', withStops('COMPLETED', offer), true), 'pageTaken', 'CONFIRM_SENT'],
    ['CONFIRM_SENT', callback('on_confirm', order, false), 'confirmed', 'CONFIRMED'],
    ['FINAL_TERMS', callback('on_confirm', order, false), 'ordered', 'CONFIRMED'],
  ]
  for (const [stage, message, move, reached] of rows) {
    const meaning = moveOfCallback(conversationAt(stage), message)
    assert.ok('move' in meaning, `${message.type} at ${stage}: ${JSON.stringify(meaning)}`)
    assert.equal(meaning.move, move)
    assert.equal(meaning.change.stage, reached)
  }
  const unasked = moveOfCallback(conversationAt('CONFIRM_SENT', false), callback('on_confirm', order, false))
  assert.ok('outOfSequence' in unasked, 'a lender with a page per step must be asked')
})

test('FIS12 §27.1: the answer to the borrower decides the shape, by its fulfilment', () => {
  const found = (message: Json) => {
    const answer = dialectReaders['2.3.0'].readOnSearch(message)
    assert.ok(answer.dialect === '2.3.0')
    return answer
  }
  const message = stepNamed('on_search_offers').message
  const { providers } = message.catalog
  const offer = providers[0].items.find((item: Json) => item.parent_item_id)
  const reference = { providerId: providers[0].id, itemId: offer.parent_item_id }
  const progressAfter = (before: Conversation, answer: Json) => {
    const meaning = moveOfSearchAnswer({ ...before, ...reference }, found(answer))
    assert.ok('change' in meaning)
    return meaning.change.extras!.progress
  }
  const named = { ...conversationAt('SELECTED'), fulfillmentId: offer.fulfillment_ids[0] }
  const told = withStops('PENDING', structuredClone(message))
  assert.equal(
    progressAfter({ ...named, extras: {} }, told)!.stops.length,
    6,
    'also if the catalogue had a page per step',
  )
  assert.equal(progressAfter(named, message)!.stops.length, 1, 'the same fulfilment keeps what the catalogue said')
  assert.equal(progressAfter({ ...named, fulfillmentId: 'OTHER' }, message), undefined)
})

test('FIS12 §27.2: the page is finished when every stop after it is, and the lender has made a submission', () => {
  const answer = { formId: 'PAGE', submissionId: 'S-4', status: 'PENDING' } as const
  const finished = (states: string, hasAnswer = true) => {
    const types = ['SINGLE_REDIRECTION', 'KYC', 'ESIGN']
    const stops = states.split(' ').map((state, i) => ({ type: types[i]!, state }))
    return isPageFinished({ extras: { progress: { stops, ...(hasAnswer && { answer }) } } })
  }
  assert.equal(finished('IN_PROGRESS COMPLETED COMPLETED'), true)
  assert.equal(finished('COMPLETED COMPLETED SUCCESSFUL'), true)
  assert.equal(finished('COMPLETED COMPLETED PENDING'), false)
  assert.equal(finished('COMPLETED FAILED COMPLETED'), false)
  assert.equal(finished('COMPLETED'), false, 'nothing follows the page')
  assert.equal(finished('COMPLETED COMPLETED COMPLETED', false), false)
})

test('FIS12 §27.3: published orders are read: PENDING reports, no value per scheme, a line without interest', () => {
  const message = withStops('COMPLETED', stepNamed('on_select').message)
  const [item] = message.order.items
  for (const { descriptor, list } of item.tags)
    if (descriptor.code === 'PLEDGE_REQUIREMENTS')
      list.splice(
        list.findIndex((entry: Json) => entry.descriptor.code === 'LTV_PERCENT'),
        1,
      )
  item.xinput = { form: { id: 'single_redirection' }, form_response: { status: 'PENDING', submission_id: 'S-1' } }
  const order = readOrder(message)
  assert.deepEqual(order.stops.at(-1), { type: 'ESIGN', state: 'COMPLETED' })
  assert.equal(order.schemes[0]!.ltv, null)
  assert.equal(order.formResponse!.status, 'PENDING')
  assert.equal(order.formResponse!.submissionId, 'S-1')
  assert.deepEqual(order.unknownCodeWarnings, [])
})
