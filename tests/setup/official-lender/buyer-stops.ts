// The flows with stops of the second buyer app: one selection, a page of the lender, a confirmation that repeats the lender's newest report, servicing, and the check of a borrower.
import type { BuyerTalk } from './buyer.ts'
import { complain } from './buyer-plays.ts'
import { group } from './parts.ts'
import { entriesOf } from './shape.ts'
import type { Json } from './wire.ts'

/** What a wrong buyer does differently. */
export interface Deviation {
  /** Returns the message that is sent instead. */
  change?: (action: string, message: Json, talk: BuyerTalk) => Json
  /** Acts after the offer, before the borrower visits the page. */
  afterOffer?: (talk: BuyerTalk, order: Json) => Promise<unknown>
  /** Whether the buyer stops after the check of the borrower. */
  endsWithCheck?: boolean
  /** Whether the borrower leaves the payment page without paying. */
  leavesUnpaid?: boolean
}

type Product = 'PERSONAL_LOAN' | 'GOLD_LOAN'

const termsOf = (code: string, link: string): Json =>
  group(code, { STATIC_TERMS: link, OFFLINE_CONTRACT: 'true' }, { display: false })
const ownTerms = termsOf('BAP_TERMS', 'https://buyer.example/terms')

interface Conversation {
  talk: BuyerTalk
  product: Product
  catalog: Json
  deviation: Deviation
}

const ask = async ({ talk, deviation }: Conversation, action: string, message: Json): Promise<Json> =>
  (await talk.request(action, deviation.change?.(action, message, talk) ?? message)).order

async function search(talk: BuyerTalk, product: Product, deviation: Deviation): Promise<Conversation> {
  const intent = { category: { descriptor: { code: product } }, payment: { collected_by: 'BPP' }, tags: [ownTerms] }
  const message = deviation.change?.('search', { intent }, talk) ?? { intent }
  const { catalog } = await talk.request('search', message, true)
  return { talk, product, catalog, deviation }
}

const itemAmong = ({ catalog }: Conversation, isWanted: (item: Json) => boolean): Json =>
  catalog.providers[0].items.findLast(isWanted)

/** Whether every stop after the offer has succeeded. */
const isWholeWayDone = ({ fulfillments: [{ stops }] }: Json): boolean =>
  stops.slice(2).every(({ instructions }: Json) => instructions.code === 'SUCCESSFUL')
const stateOf = ({ fulfillments: [{ state }] }: Json): string | undefined => state?.descriptor.code
const isPaidOut = ({ message }: Json): boolean => stateOf(message.order) === 'DISBURSED'
const anyReport = () => true

/** Plays the loan to its confirmation and returns the order. */
async function borrow(conversation: Conversation): Promise<Json> {
  const { talk, product, catalog, deviation } = conversation
  const item = itemAmong(conversation, ({ xinput }) => xinput !== undefined)
  const provider = { id: catalog.providers[0].id }
  const select = (more: Json) => ask(conversation, 'select', { order: { provider, items: [{ id: item.id, ...more }] } })
  let offer = await select({ xinput: await talk.fill(item.xinput.form) })
  if (product === 'GOLD_LOAN') offer = await select({ location_ids: [offer.items[0].location_ids[1]] })
  await deviation.afterOffer?.(talk, offer)
  await talk.approvePage(offer.items[0].xinput.form.url)
  const isOffline = offer.fulfillments[0].type === 'SEMI_ONLINE'
  if (isOffline) {
    await talk.callback('on_status', anyReport)
    await ask(conversation, 'status', { ref_id: talk.transactionId })
  }
  const { order: reported } = await talk.callback('on_status', isPaidOut)
  if (!isWholeWayDone(reported)) throw new Error('the payout was reported before the last stop')
  if (!isOffline) await ask(conversation, 'status', { ref_id: talk.transactionId })
  const { form, form_response: response } = reported.items[0].xinput
  const { STATIC_TERMS: link } = entriesOf(catalog.tags, 'BPP_TERMS')
  return ask(conversation, 'confirm', {
    order: {
      provider,
      items: [{ id: item.id, xinput: { form, form_response: response } }],
      tags: [ownTerms, termsOf('BPP_TERMS', link!)],
    },
  })
}

const plannedPayments = (order: Json, label: string): Json[] =>
  (order.payments ?? []).filter(({ time }: Json) => time.label === label)
const paidCount = (order: Json): number =>
  plannedPayments(order, 'INSTALLMENT').filter(({ status }) => status === 'PAID').length

/** Waits until every instalment is reported as paid, each by its id of the confirmation. */
async function repay(talk: BuyerTalk, order: Json): Promise<void> {
  const ids = plannedPayments(order, 'INSTALLMENT').map(({ id }) => id)
  for (const [i] of ids.entries()) {
    const { order: reported } = await talk.callback('on_status', ({ message }) => paidCount(message.order) === i + 1)
    const reportedIds = plannedPayments(reported, 'INSTALLMENT').map(({ id }) => id)
    if (reportedIds.join() !== ids.join()) throw new Error(`the instalments have other ids: ${reportedIds}`)
  }
}

/** Asks for a payment, makes it on the lender's page, and waits for its report. */
async function pay(conversation: Conversation, orderId: string, label: string, amount?: string): Promise<void> {
  const { talk, deviation } = conversation
  const payment = { time: { label }, ...(amount && { params: { amount, currency: 'INR' } }) }
  const order = { id: orderId, payments: [payment] }
  const answered = await ask(conversation, 'update', { update_target: 'payments', order })
  const [due] = plannedPayments(answered, label)
  if (amount && due.params.amount !== amount) throw new Error(`${due.params.amount} is due, not ${amount}`)
  const { leavesUnpaid = false } = deviation
  if (leavesUnpaid) await fetch(due.url, { method: 'POST', body: new URLSearchParams({ idType: 'NOT-PAID' }) })
  else await talk.approvePage(due.url)
  const isReport = ({ id, status, url }: Json) =>
    id === due.id && status === (leavesUnpaid ? 'NOT-PAID' : 'PAID') && url === undefined
  await talk.callback('on_update', ({ message }) => message.order.payments.some(isReport))
}

/** Asks whether the lender knows the borrower, and returns the answer. */
async function checkBorrower(conversation: Conversation): Promise<string | undefined> {
  const { talk, catalog } = conversation
  const item = itemAmong(conversation, ({ descriptor }) => descriptor.code === 'PRE_QUALIFIER')
  const { dob, pan, contactNumber, email } = talk.person
  const customer = {
    person: { dob, creds: [{ id: pan, type: 'PAN' }] },
    contact: { phone: `+91-${contactNumber}`, email },
  }
  const fulfillments = [{ id: item.fulfillment_ids[0], type: 'DEDUPE', customer }]
  const provider = { id: catalog.providers[0].id }
  return stateOf(await ask(conversation, 'select', { order: { provider, items: [{ id: item.id }], fulfillments } }))
}

/** Plays a flow to its end, unless the deviation ends it. */
export async function playStops(talk: BuyerTalk, flowId: string, deviation: Deviation = {}): Promise<void> {
  const product = flowId.startsWith('gold') ? 'GOLD_LOAN' : 'PERSONAL_LOAN'
  const conversation = await search(talk, product, deviation)
  if (flowId.startsWith('personal-loan-dedupe')) {
    const expected = flowId.endsWith('rejected') ? 'REJECTED' : 'ACCEPTED'
    const state = await checkBorrower(conversation)
    if (state !== expected) throw new Error(`the check says ${state}`)
    if (state === 'REJECTED' || deviation.endsWithCheck) return
  }
  const order = await borrow(conversation)
  if (flowId.endsWith('foreclosure')) return pay(conversation, order.id, 'FORECLOSURE')
  if (flowId.endsWith('missed-instalment')) return pay(conversation, order.id, 'MISSED_EMI_PAYMENT')
  if (flowId.endsWith('part-payment')) return pay(conversation, order.id, 'PRE_PART_PAYMENT', '50000')
  if (flowId.startsWith('personal-loan-dedupe')) return
  if (product === 'PERSONAL_LOAN') await repay(talk, order)
  else await talk.callback('on_status', ({ message }) => message.order.status === 'COMPLETED')
  if (flowId.endsWith('grievance')) await complain(talk, order)
}
