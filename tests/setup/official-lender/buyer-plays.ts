// The flows of the second buyer app with a lender: search, loan, servicing and complaint (FIS12 §8–§11, §17, §19, §20).
import { randomUUID } from 'node:crypto'
import type { BuyerOptions, BuyerTalk } from './buyer.ts'
import { buyer } from './buyer-server.ts'
import { group } from './parts.ts'
import { entriesOf } from './shape.ts'
import type { Json } from './wire.ts'

export interface BuyerPlay {
  version: BuyerOptions['version']
  /** Slug of the sandbox lender; `person` overrides the borrower's data. */
  lender: string
  person?: Record<string, string>
  play(talk: BuyerTalk): Promise<void>
}

const fees = group(
  'BUYER_FINDER_FEES',
  { BUYER_FINDER_FEES_TYPE: 'percent-annualized', BUYER_FINDER_FEES_PERCENTAGE: '1' },
  { display: false },
)
const settlementTerms = { DELAY_INTEREST: '2.5', STATIC_TERMS: 'https://buyer.example/terms', OFFLINE_CONTRACT: 'true' }
const fullSettlementTerms = { SETTLEMENT_AMOUNT: '1000.00', SETTLEMENT_TYPE: 'neft', ...settlementTerms }
const terms = (code: string) =>
  group(code, { STATIC_TERMS: 'https://buyer.example/terms', OFFLINE_CONTRACT: 'true' }, { display: false })

const settlement = (id?: string) => [
  {
    ...(id && { id }),
    collected_by: 'BPP',
    type: 'ON_ORDER',
    status: 'NOT-PAID',
    params: {
      bank_code: 'ABCD0001234',
      bank_account_number: '1234509876',
      virtual_payment_address: 'buyer@okbank',
    },
    tags: [fees, group('SETTLEMENT_TERMS', fullSettlementTerms, { display: false })],
  },
]

const answerOf = ({ form, form_response }: Json) => ({
  form: { id: form.id },
  form_response: { status: 'SUCCESS', submission_id: form_response.submission_id },
})
const dueIn = ({ items: [{ xinput }] }: Json): string | undefined => xinput?.head?.headings?.[xinput.head.index?.cur]
const stateIs =
  (state: string) =>
  ({ message }: Json) =>
    message?.order?.fulfillments?.[0]?.state?.descriptor?.code === state

/** Plays version 2.0.3 from search to confirmation, filling every form and completing every page; returns the order. */
async function borrow(talk: BuyerTalk, product: 'PERSONAL_LOAN' | 'GOLD_LOAN'): Promise<Json> {
  const category = { descriptor: { code: product } }
  const payment = { collected_by: 'BPP', tags: [fees, group('SETTLEMENT_TERMS', settlementTerms, { display: false })] }
  const { catalog } = await talk.request('search', { intent: { category, payment } }, true)
  const [provider] = catalog.providers
  const [item] = provider.items
  const sendOrder = async (action: string, xinput: Json, more: Json = {}, payments: Json[] = []) => {
    const items = [{ id: item.id, ...more, ...(xinput && { xinput }) }]
    const order = { provider: { id: provider.id }, items, ...(payments.length > 0 && { payments }) }
    return (await talk.request(action, { order })).order
  }
  const first = await sendOrder('select', await talk.fill(item.xinput.form))
  const [location] = first.items[0].location_ids ?? []
  const amountAnswer = await talk.fill(first.items[0].xinput.form)
  const last = await sendOrder('select', amountAnswer, location ? { location_ids: [location] } : {})
  let answered = answerOf(await talk.completePage(last))
  if (product === 'GOLD_LOAN') await talk.request('status', { ref_id: talk.transactionId })
  for (let id: string | undefined; ; ) {
    const order = await sendOrder('init', answered, {}, settlement(id))
    id = order.payments.find(({ type }: Json) => type === 'ON_ORDER').id
    const form = order.items[0].xinput?.form
    if (!form?.url) return sendOrder('confirm', null, {}, settlement(id))
    answered = form.mime_type === 'text/html' ? await talk.fill(form) : answerOf(await talk.completePage(order))
    if (dueIn(order) === 'LOAN_AGREEMENT') return sendOrder('confirm', answered, {}, settlement(id))
  }
}

/** Repays the whole loan on the lender's page. */
async function foreclose(talk: BuyerTalk, orderId: string): Promise<void> {
  await talk.request('status', { order_id: orderId })
  const isForeclosure = ({ time }: Json) => time?.label === 'FORECLOSURE'
  const payments = [{ time: { label: 'FORECLOSURE' } }]
  const { order } = await talk.request('update', { update_target: 'payments', order: { id: orderId, payments } })
  await talk.approvePage(order.payments.find(isForeclosure).url)
  await talk.callback('on_update', ({ message }) =>
    message?.order?.payments?.some((each: Json) => isForeclosure(each) && each.status === 'PAID'),
  )
}

/** Approves the monitoring consent that the lender requests before disbursal (FIS12 §8.1 rows 18–20). */
async function approveMonitoring(talk: BuyerTalk, orderId: string): Promise<void> {
  const { order } = await talk.callback('on_update', stateIs('CONSENT_REQUIRED'))
  const { CONSENT_HANDLER: handle } = entriesOf(order.items[0].tags, 'CONSENT_INFO')
  await talk.options.approveConsent(handle!, `${talk.person.contactNumber}@sandbox-aa`)
  const fulfillments = [{ state: { descriptor: { code: 'APPROVED' } } }]
  const { order: updatedOrder } = await talk.request('update', {
    update_target: 'fulfillment',
    order: { id: orderId, fulfillments },
  })
  if (updatedOrder.fulfillments[0].state.descriptor.code !== 'DISBURSED') throw new Error('the loan was not disbursed')
}

/** Raises a complaint, queries its status, receives the resolution, and closes it with a rating. */
export async function complain(talk: BuyerTalk, { id, items, provider }: Json): Promise<void> {
  const now = () => new Date().toISOString()
  const issueId = randomUUID()
  const opened = now()
  const contact = { phone: '9876543210', email: 'care@buyer.example' }
  const by = { org: { name: `${buyer.id}::ONDC:FIS12` }, contact, person: { name: 'Ira Bose' } }
  const act = (complainant_action: string) => ({
    complainant_action,
    short_desc: 'A charge that was not told',
    updated_at: now(),
    updated_by: by,
  })
  const first = act('OPEN')
  const issue = {
    id: issueId,
    category: 'ITEM',
    sub_category: 'ITM04',
    issue_type: 'ISSUE',
    status: 'OPEN',
    complainant_info: { person: { name: talk.person.panName }, contact },
    order_details: { id, items: [{ id: items[0].id, quantity: 1 }], provider_id: provider.id },
    description: { short_desc: 'A charge', long_desc: 'A charge of 500 rupees was not told before.' },
    source: { network_participant_id: `${buyer.id}/ondc`, type: 'CONSUMER' },
    expected_response_time: { duration: 'PT2H' },
    expected_resolution_time: { duration: 'P1D' },
    issue_actions: { complainant_actions: [first] },
    created_at: opened,
    updated_at: opened,
  }
  await talk.request('issue', { issue })
  await talk.request('issue_status', { issue_id: issueId })
  const isResolved = ({ message }: Json) =>
    message?.issue?.issue_actions?.respondent_actions?.at(-1)?.respondent_action === 'RESOLVED'
  await talk.callback('on_issue_status', isResolved)
  const closed = { id: issueId, status: 'CLOSED', rating: 'THUMBS-UP', created_at: opened, updated_at: now() }
  await talk.send('issue', { issue: { ...closed, issue_actions: { complainant_actions: [first, act('CLOSE')] } } })
}

/** The units that an offer requires as pledges, as the order repeats them. */
export const pledgesIn = ({ tags }: Json): Json[] =>
  tags
    .filter(({ descriptor }: Json) => descriptor.code === 'PLEDGE_REQUIREMENTS')
    .map((each: Json) => entriesOf([each], 'PLEDGE_REQUIREMENTS'))
    .map(({ SCHEME_CODE, UNITS_REQUIRED }: Json) =>
      group('PLEDGE_REQUIREMENTS', { SCHEME_CODE, UNITS_PLEDGED: UNITS_REQUIRED }),
    )

/** Plays version 2.3.0 from search to confirmation, with a consent if the lender requests one; returns the order. */
async function borrowOnFunds(talk: BuyerTalk): Promise<Json> {
  const tags = [terms('BAP_TERMS')]
  const intent = { payment: { collected_by: 'BPP' }, tags }
  const category = { descriptor: { code: 'LOAN' } }
  const { catalog } = await talk.request('search', { intent: { category, ...intent } }, true)
  const [provider] = catalog.providers
  const [item] = provider.items
  const answerWith = async (xinput: Json) => {
    const answeredProvider = { id: provider.id, items: [{ id: item.id, xinput }] }
    return (await talk.request('search', { intent: { provider: answeredProvider, ...intent } })).catalog.providers[0]
  }
  const file = { format: '.json', validity: 'P5D', value: `${talk.server.url}/statement` }
  const { head, form } = item.xinput
  const known = { ...talk.person, aa_id: `${talk.person.contactNumber}@sandbox-aa` } as Record<string, string>
  const data = Object.fromEntries(
    Object.keys(form.data).flatMap((name) =>
      name === 'statementUpload' ? [[name, file]] : known[name] ? [[name, { value: known[name] }]] : [],
    ),
  )
  let offers = await answerWith({ head: { descriptor: head.descriptor }, form: { id: form.id, data } })
  const requested = offers.items.find(({ xinput }: Json) => xinput?.form?.data?.consent_handler)?.xinput
  if (requested) {
    await talk.options.approveConsent(
      requested.form.data.consent_handler.value ?? requested.form.data.consent_handler,
      known.aa_id!,
    )
    const form_response = { status: 'SUCCESS', submission_id: randomUUID() }
    offers = await answerWith({
      head: { descriptor: requested.head.descriptor },
      form: { id: requested.form.id },
      form_response,
    })
  }
  const child = offers.items.find(({ parent_item_id: parent }: Json) => parent)
  const pledges = pledgesIn(child)
  const sendOrder = async (action: string, answered: Json, more: Json = {}) => {
    const pledgedItem = { id: child.id, parent_item_id: item.id, tags: pledges, ...(answered && { xinput: answered }) }
    const fulfillments = [{ id: child.fulfillment_ids[0] }]
    const order = { provider: { id: provider.id }, items: [pledgedItem], fulfillments, ...more }
    return (await talk.request(action, { order })).order
  }
  await sendOrder('select', null)
  const placeholder = offers.payments.find(({ type }: Json) => type === 'ON_FULFILLMENT')
  const details = { ACCOUNT_TYPE: 'savings', ACCOUNT_HOLDER_NAME: 'Ravi Patil' }
  const params = { bank_account_number: '1234509876', bank_code: 'ABCD0001234' }
  const payments = [{ ...placeholder, params, tags: [group('ACCOUNT_DETAILS', details)] }]
  let order = await sendOrder('init', null, { payments, tags })
  while (order.items[0].xinput?.head) {
    const { descriptor } = order.items[0].xinput.head
    order = await sendOrder(
      'init',
      { head: { descriptor }, ...answerOf(await talk.completePage(order)) },
      { payments, tags },
    )
  }
  return sendOrder('confirm', null, { payments, tags: [...tags, terms('BPP_TERMS')] })
}

const status = async (talk: BuyerTalk, { id }: Json) => void (await talk.request('status', { order_id: id }))
const personal = (
  lender: string,
  pan: string,
  afterConfirm: (talk: BuyerTalk, order: Json) => Promise<void>,
): BuyerPlay => ({
  version: '2.0.3',
  lender,
  person: { pan },
  play: async (talk) => afterConfirm(talk, await borrow(talk, 'PERSONAL_LOAN')),
})
const onGold = (
  lender: string,
  pan: string,
  afterConfirm: (talk: BuyerTalk, order: Json) => Promise<void>,
): BuyerPlay => ({
  version: '2.0.3',
  lender,
  person: { pan },
  play: async (talk) => afterConfirm(talk, await borrow(talk, 'GOLD_LOAN')),
})
const onFunds = (lender: string, afterConfirm: (talk: BuyerTalk, order: Json) => Promise<void>): BuyerPlay => ({
  version: '2.3.0',
  lender,
  play: async (talk) => afterConfirm(talk, await borrowOnFunds(talk)),
})

/** The plays by network flow; the PAN makes the sandbox's lender follow that flow. */
export const buyerPlays: Record<string, BuyerPlay> = {
  'personal-loan-foreclosure': personal('kaveri', 'ABCPR1234K', async (talk, order) => {
    await talk.callback('on_status', stateIs('DISBURSED'))
    await foreclose(talk, order.id)
  }),
  'personal-loan-bureau-monitoring': personal('kaveri', 'ABCPR9025K', async (talk, order) => {
    await approveMonitoring(talk, order.id)
    await status(talk, order)
  }),
  'personal-loan-several-offers': personal('sahyadri', 'ABCPR9071K', status),
  'personal-loan-offline': personal('kaveri', 'ABCPR9072K', status),
  'personal-loan-offline-online': personal('kaveri', 'ABCPR9073K', status),
  // Kaveri Bank takes complaints in IGM 1.0.0.
  'gold-loan-foreclosure': onGold('kaveri', 'ABCPR1234K', async (talk, order) => {
    await complain(talk, order)
    await foreclose(talk, order.id)
  }),
  'gold-loan-several-offers': onGold('sahyadri', 'ABCPR9071K', status),
  'mutual-funds-statement': onFunds('meridian', async (talk, order) => {
    await talk.callback('on_update', stateIs('DISBURSED'))
    await foreclose(talk, order.id)
  }),
  'credit-line-consent': onFunds('narmada', status),
  'credit-line-offline': onFunds('tulsi', status),
}
