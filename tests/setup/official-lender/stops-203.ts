// The strict lender's orders in the shape of 2.0.3 that reports progress by stops: the fulfilment, the offer, the reports before the order exists, and the order.
import { customer, dueStep, order } from './loans-203.ts'
import { cancellationTerms, group, inr, lenderTerms, orderDocuments, providerTags, response } from './parts.ts'
import { rupees } from './sums.ts'
import { answerStep, type FormField, pushStep, type Step, type Talk } from './talk.ts'
import type { Json } from './wire.ts'

/** The way from the offer to the money: with the lender's people, or on one page of the lender. */
export type Way = 'offline' | 'onePage'

export const ways = {
  offline: { id: 'F_OFFLINE', type: 'SEMI_ONLINE', page: 'JOURNEY_OFFLINE', title: 'Journey Offline', kyc: 'OFFLINE' },
  onePage: {
    id: 'F_ONE_PAGE',
    type: 'ONLINE',
    page: 'SINGLE_REDIRECTION',
    title: 'Single Redirection',
    kyc: 'VKYC',
  },
} as const

/** The codes of the seven stops. */
const progress = {
  listed: 'PENDING PENDING PENDING PENDING PENDING PENDING PENDING',
  offered: 'SUCCESSFUL FINALIZED PENDING PENDING PENDING PENDING PENDING',
  visitBegun: 'SUCCESSFUL FINALIZED IN_PROGRESS INITIATED PENDING PENDING PENDING',
  visitUnderWay: 'SUCCESSFUL SELECTED IN_PROGRESS IN_PROGRESS IN_PROGRESS IN_PROGRESS IN_PROGRESS',
  kycBegun: 'SUCCESSFUL FINALIZED IN_PROGRESS IN_PROGRESS PENDING PENDING PENDING',
  kycDone: 'SUCCESSFUL SELECTED IN_PROGRESS SUCCESSFUL INITIATED PENDING PENDING',
  agreementUnderWay: 'SUCCESSFUL SELECTED IN_PROGRESS SUCCESSFUL IN_PROGRESS IN_PROGRESS IN_PROGRESS',
  done: 'SUCCESSFUL SELECTED SUCCESSFUL SUCCESSFUL SUCCESSFUL SUCCESSFUL SUCCESSFUL',
}
type Progress = keyof typeof progress

/** The stops of a fulfilment: each has its mode in the name, and its state in the code. */
function stops(way: Way, reached: Progress): Json[] {
  const { page, title, kyc } = ways[way]
  const codes = progress[reached].split(' ')
  const modes = {
    PERSONAL_INFORMATION: 'Personal Information',
    LOAN_OFFER: 'Loan Offer',
    [page]: title,
    KYC: kyc,
    BANK_ACCOUNT_VERIFICATION: 'PENNY DROP',
    REPAYMENT: 'E-MANDATE',
    LOAN_AGREEMENT: 'CLICKWRAP',
  }
  return Object.entries(modes).map(([type, name], i) => ({
    id: String(i + 1),
    ...(i > 0 && { parent_stop_id: String(i) }),
    type,
    instructions: { name, code: codes[i], short_desc: `Step ${i + 1} of ${codes.length}` },
  }))
}

export const listedFulfilment = (way: Way): Json => ({
  id: ways[way].id,
  type: ways[way].type,
  stops: stops(way, 'listed'),
})

const termsGroup = (code: string, values: Record<string, string>): Json =>
  group(code, values, { name: `${code.slice(0, 3)} Terms of Engagement`, display: false })
export const catalogTerms = termsGroup('BPP_TERMS', lenderTerms)

/** The catalogue has no officer's post and address. */
const catalogProviderTags = providerTags.map((each) => ({
  ...each,
  list: each.list.filter(({ descriptor }: Json) => !['GRO_DESIGNATION', 'GRO_ADDRESS'].includes(descriptor.code)),
}))
/** What every provider with stops lists beside its items and fulfilments. */
export const catalogParts = {
  payments: [
    {
      type: 'ON_FULFILLMENT',
      id: 'LOAN_DISBURSMENT_ID',
      status: 'NOT-PAID',
      collected_by: 'CONSUMER',
      time: { label: 'LOAN_DISBURSMENT' },
    },
  ],
  tags: catalogProviderTags,
}

/** A loan of this lender: how its item is stated, and who is named in the fulfilment. */
export interface StopsLoan {
  way: Way
  isGold: boolean
  itemOf: (talk: Talk) => Json
  providerOf?: (talk: Talk) => Json
  partyOf: (talk: Talk) => Json
}

/** The borrower, as the profile form says. */
export function borrower(talk: Talk): Json {
  const { person, contact } = customer(talk)
  const email = talk.answer('PROFILE', 'personalemail') || talk.answer('PROFILE', 'email')
  return { customer: { person, contact: { ...contact, ...(email && { email }) } } }
}

interface StatedParts {
  reached: Progress
  state?: string
  xinput?: Json
  more?: Json
}

/** An order with the progress of its fulfilment. */
function statedOrder(talk: Talk, loan: StopsLoan, { reached, state, xinput, more }: StatedParts): Json {
  const { id, type } = ways[loan.way]
  const item = { ...loan.itemOf(talk), fulfillment_ids: [id], ...(xinput && { xinput }) }
  const fulfilment = {
    id,
    type,
    ...loan.partyOf(talk),
    ...(state && { state: { descriptor: { code: state } } }),
    stops: stops(loan.way, reached),
  }
  const provider = loan.providerOf?.(talk)
  const stated = order(talk, loan.isGold, {
    item,
    ...(provider && { provider }),
    more: { fulfillments: [fulfilment], ...more },
  })
  // A published lender states the price of another loan, and names the fulfilment of its first item.
  if (talk.flow.deviates) {
    const [statedItem] = stated.order.items
    statedItem.price = inr(rupees(talk.loan.total + 1600_00n))
    if (more) statedItem.fulfillment_ids = [ways.offline.id]
  }
  return stated
}

/** The offer, with the page of the lender or without it. */
export const offer = (talk: Talk, loan: StopsLoan, withPage: boolean): Json => {
  const { page, title } = ways[loan.way]
  const due = dueStep(talk, page, { title, headings: [page], at: 0, mime: 'application/html' })
  return statedOrder(talk, loan, { reached: 'offered', ...(withPage && { xinput: due }) })
}

interface Report {
  reached: Progress
  response: 'OFFLINE_PENDING' | 'COMPLETED'
  state: 'INITIATED' | 'DISBURSED'
}

/** The progress before the order exists: no order id, no payments, no documents. */
const report = (talk: Talk, loan: StopsLoan, { reached, response: answered, state }: Report): Json => {
  const { page } = ways[loan.way]
  if (state === 'DISBURSED') payoutTime(talk)
  // The lender makes the submission itself. On its own page it makes another one for the completed form.
  const isAnew = loan.way === 'onePage' && answered === 'COMPLETED'
  const submission = talk.id(isAnew ? 'SUBMISSION_COMPLETED' : 'SUBMISSION')
  return statedOrder(talk, loan, { reached, state, xinput: response(talk.id(page), answered, submission) })
}

/** The order from on_confirm on: paid out before, with its payments, documents, terms and dates. */
export function placedOrder(
  talk: Talk,
  loan: StopsLoan,
  { payments, state = 'DISBURSED' }: { payments: Json[]; state?: string },
): Json {
  const now = new Date().toISOString()
  if (!talk.facts.has('placed')) talk.facts.set('placed', now)
  const buyerTerms: Json[] = JSON.parse(talk.facts.get('buyer terms') ?? '[]')
  const more = {
    payments: [disbursal(talk), ...payments],
    cancellation_terms: cancellationTerms,
    documents: orderDocuments,
    tags: [...buyerTerms, catalogTerms],
  }
  const { order } = statedOrder(talk, loan, { reached: 'done', state, more })
  return {
    order: {
      id: talk.id('ORDER'),
      status: state === 'COMPLETED' ? 'COMPLETED' : 'ACTIVE',
      ...order,
      created_at: talk.facts.get('placed')!,
      updated_at: now,
    },
  }
}

/** The payout, whose account the lender's page asked for; it stays masked. */
const disbursal = (talk: Talk): Json => ({
  id: talk.id('disbursement'),
  type: 'ON_FULFILLMENT',
  status: 'PAID',
  collected_by: 'CONSUMER',
  params: {
    bank_code: 'XXXXXXXX',
    bank_account_number: 'XXXXXXXX4471',
    transaction_id: talk.id('UTR'),
    amount: rupees(talk.loan.net),
    currency: 'INR',
  },
  time: { label: 'LOAN_DISBURSMENT', timestamp: payoutTime(talk) },
})

/** The time at which the payout was first reported. */
function payoutTime({ facts }: Talk): string {
  const time = facts.get('paid out') ?? new Date().toISOString()
  facts.set('paid out', time)
  return time
}

/** From the visit to the money: the lender reports progress, the buyer asks once, and the lender reports the payout. */
function offlineSteps(loan: StopsLoan): Step[] {
  const { page } = ways.offline
  return [
    pushStep('on_status', page, (talk) =>
      report(talk, loan, { reached: 'visitBegun', response: 'OFFLINE_PENDING', state: 'INITIATED' }),
    ),
    answerStep('status', (talk) =>
      report(talk, loan, { reached: 'visitUnderWay', response: 'OFFLINE_PENDING', state: 'INITIATED' }),
    ),
    pushStep('on_status', null, (talk) =>
      report(talk, loan, { reached: 'done', response: 'COMPLETED', state: 'DISBURSED' }),
    ),
  ]
}

/** Everything happens while the borrower is on the page: identification begins when it opens, the rest when it is sent. */
function onePageSteps(loan: StopsLoan): Step[] {
  const { page } = ways.onePage
  const paid = { reached: 'done', response: 'COMPLETED', state: 'DISBURSED' } as const
  return [
    pushStep('on_status', `${page} opened`, (talk) =>
      report(talk, loan, { reached: 'kycBegun', response: 'OFFLINE_PENDING', state: 'INITIATED' }),
    ),
    pushStep('on_status', page, (talk) =>
      report(talk, loan, { reached: 'kycDone', response: 'OFFLINE_PENDING', state: 'INITIATED' }),
    ),
    pushStep('on_status', null, (talk) =>
      report(talk, loan, { reached: 'agreementUnderWay', response: 'COMPLETED', state: 'INITIATED' }),
    ),
    pushStep('on_status', null, (talk) => report(talk, loan, paid)),
    answerStep('status', (talk) => report(talk, loan, paid), { optional: true }),
  ]
}

/** From the offer with its page to the confirmation; `confirmed` is the order in the answer. */
export const journeySteps = (loan: StopsLoan, confirmed: (talk: Talk) => Json): Step[] => [
  ...(loan.way === 'offline' ? offlineSteps(loan) : onePageSteps(loan)),
  answerStep(
    'confirm',
    (talk, { order: { tags } }) => {
      const buyerTerms = (tags ?? []).filter(({ descriptor }: Json) => descriptor.code === 'BAP_TERMS')
      talk.facts.set('buyer terms', JSON.stringify(buyerTerms))
      return confirmed(talk)
    },
    { check: (talk, { order: { items } }) => [namesAnother(items[0].id, loan.itemOf(talk).id)] },
  ),
]

export const namesAnother = (id: string, itemId: string): string | false =>
  id !== itemId && `names the item ${id}, not ${itemId}`

/** The profile form of personal loans. Its consent is a box to tick, and the borrower may add bank data. */
export const profileFields = (fields: readonly FormField[]): FormField[] => [
  ...fields.filter(({ name }) => name !== 'bureauConsent' && name !== 'aa_id'),
  { name: 'derivedData', required: false, kind: 'file' },
  { name: 'bureauConsent', required: true, kind: 'checkbox' },
]
