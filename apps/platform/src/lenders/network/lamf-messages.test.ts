// During a loan against mutual funds, every message that we send follows the rules of dialect 2.3.0.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outgoingFaults } from '@lendloom/conformance/network/v230/rules'
import { type Json, stepNamed } from '@lendloom/tests/network-messages/lamf'
import { fakeNetwork } from '@lendloom/tests/setup/network'
import { testSubscriber } from '@lendloom/tests/setup/subscriber'
import type { BankAccount } from '@lendloom/wire/hosted/embed-requests'
import type { Action, Request } from '@lendloom/wire/network/sequence'
import { fillData } from '@lendloom/wire/network/v230/form-data'
import type { Journey } from '#platform/lending/journey/journey.ts'
import type { Conversation } from './conversation.ts'
import type { InboundType } from './inbound/inbound-message.ts'
import { sendConfirm, sendInit, sendSelect } from './lender-requests.ts'
import { openConversation } from './open-conversation.ts'
import { searchNetwork } from './search.ts'
import { sendPledge, sendProfileInSearch } from './secured-loan-requests.ts'

const network = await fakeNetwork()
const platform = await testSubscriber(network.url)
const { ctx, url } = platform
const asLender = {
  version: '2.3.0',
  bap_uri: 'http://buyer.lendloom.example/ondc',
  bpp_uri: 'http://sahyadri.sandbox.example/ondc',
} as const

platform.onApply.run = async (tx, _, journey, conversation, inbound, at) => {
  if (inbound.type !== 'on_search' || conversation || inbound.found?.dialect !== '2.3.0') return
  for (const item of inbound.found.items)
    await openConversation({ ...ctx, tx, at }, journey, inbound.sender, {
      ...item,
      form: { id: item.form!.id, url: null, heading: null },
    })
}

/** Starts a journey with a search. Returns functions that send the lender's and the platform's messages. */
async function startConversation() {
  const journey = await platform.newJourney('LAMF_LOAN')
  await ctx.db.tx((tx) => searchNetwork({ ...ctx, tx, at: ctx.clock() }, journey))
  let { body } = await network.nextCall('/gateway/search', journey.networkTransactionId)
  /** Sends the lender's model message of a step. A solicited message has the id of our last request. */
  async function lenderSends(
    step: string,
    action: Action,
    solicited = true,
    change: (message: Json) => unknown = () => {},
  ) {
    const ids = {
      transactionId: journey.networkTransactionId,
      ...(solicited && { messageId: body.context.message_id }),
    }
    const { message } = stepNamed(step)
    change(message)
    const callback = network.callback(action, { ...ids, message, context: asLender })
    const answer = await network.postSigned(url, callback)
    assert.equal(answer.body.message.ack.status, 'ACK', `${step}: ${JSON.stringify(answer.body)}`)
    return platform.waitForInbound(journey, action as InboundType)
  }
  /** Sends a request, validates its body and returns the message. */
  async function platformSends(action: Request, itemId: string, act: (...args: Act) => Promise<Conversation>) {
    const conversation = await conversationAbout(journey, itemId)
    const changed = await ctx.db.tx((tx) => act(tx, conversation, ctx.clock()))
    body = (await network.nextCall(`/ondc/${action}`, journey.networkTransactionId)).body
    assert.deepEqual(outgoingFaults(action, body.message), [], `${action} breaks a rule`)
    assert.equal(body.context.version, '2.3.0')
    assert.equal(body.context.bpp_uri, asLender.bpp_uri)
    return { changed, message: body.message }
  }
  return { journey, lenderSends, platformSends }
}
type Act = [tx: import('@lendloom/postgres/sql').Tx, conversation: Conversation, at: Date]

const conversationAbout = async (journey: Journey, itemId: string): Promise<Conversation> =>
  (await platform.conversations(journey)).find((each) => each.itemId === itemId)!

const modelOf = (step: string): Json => stepNamed(step).message as Json
const itemIn = (step: string): string => modelOf(step).intent.provider.items[0].id
const answersIn = (step: string) =>
  Object.fromEntries(
    Object.entries<Json>(modelOf(step).intent.provider.items[0].xinput.form.data).map(
      ([name, { value, format, validity }]) => [name, format ? { url: value, format, validity } : value],
    ),
  )
const account: BankAccount = {
  accountNumber: '1234509876',
  ifsc: 'ABCD0001234',
  accountType: 'saving',
  accountHolderName: 'Ravi Patil',
}

test('FIS12 §10.2: from the catalogue to disbursal, our messages match the model loan', async () => {
  const { journey, lenderSends, platformSends } = await startConversation()
  const itemId = itemIn('search_profile')
  const found = await lenderSends('on_search', 'on_search')
  assert.ok('found' in found && found.found?.dialect === '2.3.0')
  const { fields } = found.found.items.find((item) => item.itemId === itemId)!.form!
  const { answers, missing } = fillData(fields, answersIn('search_profile'))
  assert.deepEqual(missing, [])
  const applied = await platformSends('search', itemId, (tx, c, at) =>
    sendProfileInSearch({ ...ctx, tx, at }, c, answers),
  )
  assert.deepEqual(applied.message.intent.provider, modelOf('search_profile').intent.provider)

  const offered = await lenderSends('on_search_offers', 'on_search')
  assert.ok('offer' in offered && offered.offer)
  assert.equal((await conversationAbout(journey, itemId)).stage, 'OFFERED')
  const pledges = offered.offer.schemes.map(({ schemeCode, unitsRequired: units }) => ({ schemeCode, units }))
  const selected = await platformSends('select', itemId, (tx, c, at) => sendPledge({ ...ctx, tx, at }, c, pledges))
  assert.deepEqual(selected.message, modelOf('select'))

  const priced = await lenderSends('on_select', 'on_select')
  assert.ok('order' in priced && priced.order?.terms && priced.move === 'pledgeTerms')
  const finalTerms = { terms: priced.order.terms, pledges, account }
  const actInit = (tx: Act[0], c: Conversation, at: Date) => sendInit({ ...ctx, tx, at }, c, finalTerms)
  const pages = [
    ['on_init_1', 'FINAL_TERMS', 'on_status_kyc', 'KYC_DONE', 'KYC'],
    ['on_init_2', 'LIEN_REQUESTED', 'on_status_lien', 'LIEN_DONE', 'LIEN_MARKING'],
    ['on_init_3', 'MANDATE_REQUESTED', 'on_status_mandate', 'MANDATE_DONE', 'EMANDATE'],
    ['on_init_4', 'AGREEMENT_REQUESTED', 'on_status_agreement', 'AGREEMENT_DONE', 'LOAN_AGREEMENT'],
  ] as const
  let completedPage: string | undefined
  for (const [initAnswer, dueStage, report, doneStage, heading] of pages) {
    const { message } = await platformSends('init', itemId, actInit)
    assert.equal(message.order.items[0].xinput?.head.descriptor.code, completedPage)
    await lenderSends(initAnswer, 'on_init')
    const conversation = await conversationAbout(journey, itemId)
    assert.equal(conversation.stage, dueStage)
    assert.equal(conversation.formHeading, heading)
    await lenderSends(report, 'on_status', false)
    assert.equal((await conversationAbout(journey, itemId)).stage, doneStage)
    completedPage = heading
  }
  await platformSends('init', itemId, actInit)
  const signed = await lenderSends('on_init_5', 'on_init')
  assert.ok('move' in signed && signed.move === 'allSigned')
  const { message } = await platformSends('confirm', itemId, (tx, c, at) =>
    sendConfirm({ ...ctx, tx, at }, c, finalTerms),
  )
  assert.deepEqual(
    message.order.tags.map(({ descriptor }: Json) => descriptor.code),
    ['BAP_TERMS', 'BPP_TERMS'],
  )
  await lenderSends('on_confirm', 'on_confirm')
  await lenderSends('on_update_disbursed', 'on_update', false)
  assert.equal((await conversationAbout(journey, itemId)).stage, 'DISBURSED')
  // The order is COMPLETED; its fulfilment stays DISBURSED (FIS12 §12.3).
  await lenderSends('on_update_foreclosure_paid', 'on_update', false)
  assert.equal((await conversationAbout(journey, itemId)).stage, 'ENDED')
})

test('FIS12 §10.2 row 3: a lender that requests a consent sends offers after the consent', async () => {
  const { journey, lenderSends, platformSends } = await startConversation()
  const itemId = itemIn('aa_search_profile')
  const found = await lenderSends('on_search', 'on_search')
  assert.ok('found' in found && found.found?.dialect === '2.3.0')
  const { fields } = found.found.items.find((item) => item.itemId === itemId)!.form!
  const { answers } = fillData(fields, answersIn('aa_search_profile'))
  await platformSends('search', itemId, (tx, c, at) => sendProfileInSearch({ ...ctx, tx, at }, c, answers))
  const inbound = await lenderSends('aa_on_search_consent', 'on_search')
  assert.ok('move' in inbound && inbound.move === 'consentRequested')
  assert.equal((await conversationAbout(journey, itemId)).formHeading, 'CONSENT_APPROVAL')
  const { message } = await platformSends('search', itemId, (tx, c, at) => sendSelect({ ...ctx, tx, at }, c))
  const { xinput } = message.intent.provider.items[0]
  assert.equal(xinput.head.descriptor.code, 'CONSENT_APPROVAL')
  assert.deepEqual(Object.keys(xinput.form_response), ['submission_id'])
  const offered = await lenderSends('aa_on_search_offers', 'on_search')
  assert.ok('offer' in offered && offered.offer?.product === 'CREDIT_LINE')
})

test('FIS12 §17.1, §17.3: uses the item and category that the lender names in an answer', async () => {
  const { journey, lenderSends, platformSends } = await startConversation()
  const itemId = itemIn('aa_search_profile')
  const providerIn = (message: Json): Json => message.catalog.providers[0]
  const found = await lenderSends('on_search', 'on_search', true, (message) => {
    providerIn(message).categories.push({ id: 'FLEXI', parent_category_id: '104126', descriptor: { code: 'FLEXI' } })
  })
  assert.ok('found' in found && found.found?.dialect === '2.3.0')
  const { fields } = found.found.items.find((item) => item.itemId === itemId)!.form!
  const { answers } = fillData(fields, answersIn('aa_search_profile'))
  await platformSends('search', itemId, (tx, c, at) => sendProfileInSearch({ ...ctx, tx, at }, c, answers))
  // The answer names an item that is not in the catalogue, in a category that only the catalogue describes.
  const renameItem = (message: Json) => {
    for (const item of providerIn(message).items) {
      item.category_ids = ['101118', 'FLEXI', '104142']
      if (item.parent_item_id) item.parent_item_id = 'line-renamed'
      else item.id = 'line-renamed'
    }
  }
  await lenderSends('aa_on_search_consent', 'on_search', true, renameItem)
  const { message } = await platformSends('search', itemId, (tx, c, at) => sendSelect({ ...ctx, tx, at }, c))
  assert.equal(message.intent.provider.items[0].id, 'line-renamed')
  const offered = await lenderSends('aa_on_search_offers', 'on_search', true, renameItem)
  assert.ok('offer' in offered && offered.offer?.product === 'CREDIT_LINE' && offered.offer.line)
  const pledges = offered.offer.schemes.map(({ schemeCode, unitsRequired: units }) => ({ schemeCode, units }))
  const selected = await platformSends('select', itemId, (tx, c, at) => sendPledge({ ...ctx, tx, at }, c, pledges))
  assert.equal(selected.message.order.items[0].parent_item_id, 'line-renamed')
  assert.equal((await conversationAbout(journey, itemId)).parentItemId, 'line-renamed')
})

test('FIS12 §10.2: a lender whose page covers all steps needs only that page before confirm', async () => {
  const { journey, lenderSends, platformSends } = await startConversation()
  const itemId = itemIn('offline_search_profile')
  const found = await lenderSends('on_search', 'on_search')
  assert.ok('found' in found && found.found?.dialect === '2.3.0')
  const { fields } = found.found.items.find((item) => item.itemId === itemId)!.form!
  const { answers } = fillData(fields, answersIn('offline_search_profile'))
  await platformSends('search', itemId, (tx, c, at) => sendProfileInSearch({ ...ctx, tx, at }, c, answers))
  const offered = await lenderSends('offline_on_search_offers', 'on_search')
  assert.ok('offer' in offered && offered.offer?.offline)
  const pledges = offered.offer.schemes.map(({ schemeCode, unitsRequired: units }) => ({ schemeCode, units }))
  await platformSends('select', itemId, (tx, c, at) => sendPledge({ ...ctx, tx, at }, c, pledges))
  const priced = await lenderSends('offline_on_select', 'on_select')
  assert.ok('order' in priced && priced.order?.terms)
  const finalTerms = { terms: priced.order.terms, pledges, account }
  const actInit = (tx: Act[0], c: Conversation, at: Date) => sendInit({ ...ctx, tx, at }, c, finalTerms)
  await platformSends('init', itemId, actInit)
  const page = await lenderSends('offline_on_init_1', 'on_init')
  assert.ok('order' in page && page.move === 'kycRequested' && page.order?.secured?.offline)
  await lenderSends('offline_on_status_page', 'on_status', false)
  assert.equal((await conversationAbout(journey, itemId)).stage, 'KYC_DONE')
  await platformSends('init', itemId, actInit)
  const signed = await lenderSends('offline_on_init_2', 'on_init')
  assert.ok('move' in signed && signed.move === 'allSigned')
  await platformSends('confirm', itemId, (tx, c, at) => sendConfirm({ ...ctx, tx, at }, c, finalTerms))
  await lenderSends('offline_on_confirm', 'on_confirm')
  assert.equal((await conversationAbout(journey, itemId)).stage, 'CONFIRMED')
  const drawn = await lenderSends('offline_on_update_drawn', 'on_update', false)
  assert.ok('order' in drawn && drawn.order?.secured?.line?.utilization === 6_000_000n)
  assert.equal((await conversationAbout(journey, itemId)).stage, 'DISBURSED')
})

test('FIS12 §10.2 row 3: an answer without an offer counts as a refusal', async () => {
  const { journey, lenderSends, platformSends } = await startConversation()
  const itemId = itemIn('search_profile')
  await lenderSends('on_search', 'on_search')
  await platformSends('search', itemId, (tx, c, at) =>
    sendProfileInSearch({ ...ctx, tx, at }, c, { pan: 'ABCPE1234F' }),
  ).catch(() => {})
  const answer = await lenderSends('on_search', 'on_search')
  assert.ok('offer' in answer)
  assert.equal(answer.offer, null)
  assert.equal(answer.move, null)
  assert.equal((await conversationAbout(journey, itemId)).awaitedMessageId, null)
})
