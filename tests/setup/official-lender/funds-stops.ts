// Flows of loans against mutual funds with stops, in the domain ONDC:FIS12:SL: one page after the offer, and an order that the lender places unasked.
import { askedGrievanceSteps } from './grievance.ts'
import {
  amounts,
  broadcastOf,
  checkForm,
  loanInfo,
  loanOn,
  offerCatalogue,
  type Product,
  pledgeFaults,
  pledges,
  price,
} from './loans-230.ts'
import { agreement, cancellationTerms, group, monthAhead, provider, response, row } from './parts.ts'
import { entriesOf } from './shape.ts'
import { paise, rupees } from './sums.ts'
import { answerStep, type Flow, pushStep, type Step, type Talk } from './talk.ts'
import type { Json } from './wire.ts'

const pageStop = 'SINGLE_REDIRECTION'
const fulfilmentId = 'F18'

/** The stops after the page, in the order in which the published lender reports them. */
const onPage = ['KYC', 'EMANDATE', 'LIEN_MARKING', 'ESIGN'] as const
type Progress = 'listed' | 'offered' | (typeof onPage)[number] | 'done'

function codeOf(stop: string, reached: Progress): string {
  if (stop === 'PERSONAL_INFORMATION_LAMF') return reached === 'listed' ? 'PENDING' : 'COMPLETED'
  if (reached === 'done') return 'COMPLETED'
  if (reached === 'listed' || reached === 'offered') return 'PENDING'
  if (stop === pageStop) return 'IN_PROGRESS'
  const order: readonly string[] = onPage
  return order.indexOf(stop) <= order.indexOf(reached) ? 'COMPLETED' : 'PENDING'
}

const stops = (reached: Progress): Json[] =>
  ['PERSONAL_INFORMATION_LAMF', pageStop, ...onPage].map((type, i) => ({
    id: String(i + 1),
    ...(i > 0 && { parent_stop_id: String(i) }),
    type,
    instructions: { name: type.toLowerCase(), code: codeOf(type, reached), short_desc: `About ${type}` },
  }))

const fulfilment = (reached: Progress, more: Json = {}): Json => ({
  id: fulfilmentId,
  type: 'ONLINE',
  ...more,
  stops: stops(reached),
})

const statement = { statementUpload: 'file' }
export const line: Product = {
  item: 'ITEM_LINE_SL',
  name: 'LAMF - Single Redirection',
  categories: ['101118', '104127', '101119'],
  isOffline: false,
  isCreditLine: true,
  steps: [],
  fields: statement,
  stopsFulfilment: (isOffered) => fulfilment(isOffered ? 'offered' : 'listed'),
}
const termLoan: Product = {
  ...line,
  item: 'ITEM_TERM_SL',
  name: 'LAMF Term Loan - Single Redirection',
  categories: ['101118', '101117', '101119'],
  isCreditLine: false,
}

/** Published quotes of this shape have no row with the validity. */
const quoteRows = (talk: Talk, product: Product): Json[] =>
  amounts(product, loanOn(talk)).map(([title, value]) =>
    row(title, rupees(title === 'CURRENT_UTILIZATION' ? drawn(talk) : value)),
  )

export const drawn = ({ facts }: Talk): bigint => BigInt(facts.get('drawn') ?? '0')

const customer = (talk: Talk): Json => ({
  customer: {
    person: { name: talk.facts.get('fullName') },
    contact: { phone: `+91-${talk.facts.get('mobileNumber')}`, email: talk.facts.get('emailId') },
  },
})

interface StatedParts {
  reached: Progress
  state?: string
  xinput?: Json
  more?: Json
}

function statedOrder(talk: Talk, product: Product, { reached, state, xinput, more }: StatedParts): Json {
  const item = {
    id: talk.id('CHILD'),
    parent_item_id: product.item,
    descriptor: { code: 'LOAN', name: product.name },
    category_ids: product.categories,
    fulfillment_ids: [fulfilmentId],
    price: price(product, loanOn(talk)),
    tags: [loanInfo(product, loanOn(talk)), ...pledges(talk, product)],
    ...(xinput && { xinput }),
  }
  const party = { ...(state && customer(talk)), ...(state && { state: { descriptor: { code: state } } }) }
  const quote = { id: talk.id('QUOTE'), price: price(product, loanOn(talk)), breakup: quoteRows(talk, product) }
  return {
    order: {
      provider: provider(),
      items: [item],
      fulfillments: [fulfilment(reached, party)],
      quote: { ...quote, ttl: 'P15D' },
      ...more,
    },
  }
}

const page = (talk: Talk): Json => ({
  head: { descriptor: { name: 'Single Redirection', code: pageStop }, headings: [pageStop] },
  form: {
    id: talk.id(pageStop),
    mime_type: 'application/html',
    url: talk.pageUrl(pageStop),
    resubmit: false,
    multiple_submissions: false,
  },
  required: true,
})

/** The lender makes a new submission with each report, and the buyer repeats the last one. */
function report(talk: Talk, product: Product, reached: (typeof onPage)[number]): Json {
  const submission = talk.id(`SUBMISSION_${reached}`)
  const xinput = response(talk.id(pageStop), 'PENDING', submission)
  const more = { cancellation_terms: cancellationTerms, tags: [lenderTermsGroup] }
  return statedOrder(talk, product, { reached, state: 'INITIATED', xinput, more })
}

const termsGroup = (code: string, values: Record<string, string>): Json =>
  group(code, values, { name: `${code.slice(0, 3)} Terms of Engagement`, display: false })
const lenderTermsGroup = termsGroup('BPP_TERMS', {
  STATIC_TERMS: 'https://official-finance.example/terms',
  OFFLINE_CONTRACT: 'true',
})

/** The tags of an order: what is drawn of a line and what is pledged, and the terms of both parties. */
function orderTags(talk: Talk, product: Product): Json[] {
  const limit = loanOn(talk).principal
  const summary = {
    OVERDRAFT_LIMIT: rupees(limit),
    UTILISED_AMOUNT: rupees(drawn(talk)),
    AVAILABLE_LIMIT: rupees(limit - drawn(talk)),
    OVERDUE_AMOUNT: '0.00',
    SHORTFALL_AMOUNT: '0.00',
    LTV_PERCENT: '60 %',
  }
  const pledged = pledges(talk, product).map(({ list }: Json) => ({
    descriptor: { code: 'PLEDGED_PORTFOLIO', name: 'Pledged Portfolio' },
    list: list.map(({ descriptor, value }: Json) => ({
      descriptor: { code: descriptor.code === 'UNITS_REQUIRED' ? 'UNITS_PLEDGED' : descriptor.code },
      value,
    })),
  }))
  return [
    ...(product.isCreditLine ? [group('ACCOUNT_SUMMARY', summary, { name: 'Account Summary' })] : []),
    ...pledged,
    termsGroup('BAP_TERMS', JSON.parse(talk.facts.get('buyer terms') ?? '{}')),
    lenderTermsGroup,
  ]
}

interface PlacedParts {
  state?: string
  status?: string
  payments?: Json[]
}

export function placedOrder(talk: Talk, product: Product, parts: PlacedParts = {}): Json {
  const { state = 'SANCTIONED', status = 'ACTIVE', payments = [] } = parts
  const now = new Date().toISOString()
  const isFirst = !talk.facts.has('placed')
  if (isFirst) talk.facts.set('placed', now)
  const created_at = talk.facts.get('placed')!
  const more = {
    ...(payments.length > 0 && { payments }),
    cancellation_terms: cancellationTerms,
    documents: [agreement],
    tags: orderTags(talk, product),
  }
  const { order } = statedOrder(talk, product, { reached: 'done', state, more })
  return { order: { id: talk.id('ORDER'), status, ...order, created_at, updated_at: isFirst ? created_at : now } }
}

/** The search has the buyer's terms, because no later request does. */
const storeTerms = (talk: Talk, { intent }: Json): (string | false)[] => {
  talk.facts.set('buyer terms', JSON.stringify(entriesOf(intent.tags, 'BAP_TERMS')))
  return []
}

const orderFaults =
  (product: Product, isFirst: boolean) =>
  (talk: Talk, { order: { items, fulfillments } }: Json): (string | false)[] => {
    const [{ id, parent_item_id, xinput, tags }] = items
    const submission = talk.id('SUBMISSION_ESIGN')
    return [
      (id !== talk.id('CHILD') || parent_item_id !== product.item) && `the item is ${id} of ${parent_item_id}`,
      fulfillments[0].id !== fulfilmentId && `the fulfilment is ${fulfillments[0].id}`,
      isFirst ? xinput !== undefined && 'answers a page that was not shown' : tags !== undefined && 'pledges again',
      !isFirst && xinput?.form.id !== talk.id(pageStop) && `the form is ${xinput?.form.id}`,
      !isFirst && xinput?.form_response.status !== 'SUCCESS' && `states ${xinput?.form_response.status}`,
      !isFirst &&
        xinput?.form_response.submission_id !== submission &&
        `repeats ${xinput?.form_response.submission_id}, not ${submission} of the last report`,
    ]
  }

/** From the catalogue to the order, which follows the second answer by itself. */
const loanSteps = (product: Product): Step[] => [
  answerStep('search', broadcastOf(product)),
  answerStep('search', (talk) => offerCatalogue(talk, product), {
    check: (talk, message) => [...checkForm(product)(talk, message), ...storeTerms(talk, message)],
  }),
  answerStep('select', (talk) => statedOrder(talk, product, { reached: 'offered', xinput: page(talk) }), {
    check: (talk, message) => [...orderFaults(product, true)(talk, message), ...pledgeFaults(talk, message)],
  }),
  ...onPage.map((stop, i) =>
    pushStep('on_status', i === 0 ? `${pageStop} opened` : i === 1 ? pageStop : null, (talk) =>
      report(talk, product, stop),
    ),
  ),
  answerStep('select', (talk) => statedOrder(talk, product, { reached: 'done', state: 'INITIATED' }), {
    check: orderFaults(product, false),
  }),
  pushStep('on_confirm', null, (talk) => placedOrder(talk, product)),
]

const breakup = (parts: Record<string, bigint>): Json =>
  group('BREAKUP', Object.fromEntries(Object.entries(parts).map(([code, value]) => [code, `${rupees(value)} INR`])), {
    name: 'Emi Breakup',
    display: false,
  })

/** The payout of a term loan, which the lender reports unasked, and its instalments. */
function payout(talk: Talk): Json {
  if (!talk.facts.has('UTR')) talk.facts.set('UTR', `UTR${talk.transactionId.slice(0, 12).replaceAll('-', '')}`)
  return {
    id: 'PAY_DISBURSAL',
    type: 'ON_FULFILLMENT',
    status: 'PAID',
    collected_by: 'CONSUMER',
    time: { label: 'LOAN_DISBURSMENT' },
    params: {
      bank_account_number: 'XXXXXXXX4471',
      bank_code: 'XXXXXXXX',
      amount: rupees(loanOn(talk).net),
      currency: 'INR',
      transaction_id: talk.facts.get('UTR')!,
    },
    tags: [group('ACCOUNT_DETAILS', { ACCOUNT_TYPE: 'savings', ACCOUNT_HOLDER_NAME: talk.facts.get('fullName')! })],
  }
}

const instalments = (talk: Talk, statusOf: (i: number) => string): Json[] =>
  loanOn(talk).rows.map(({ amount, principal, interest }, i) => ({
    id: talk.id(`installment_${i + 1}`),
    type: 'POST_FULFILLMENT',
    status: statusOf(i),
    collected_by: 'BPP',
    params: { amount: rupees(amount), currency: 'INR' },
    time: { label: 'INSTALLMENT', range: monthAhead(i + 1) },
    tags: [breakup({ PRINCIPAL_AMOUNT: principal, INTEREST_AMOUNT: interest })],
  }))

const payoutStep = pushStep('on_update', null, (talk) =>
  placedOrder(talk, termLoan, { state: 'DISBURSED', payments: [payout(talk), ...instalments(talk, () => 'NOT-PAID')] }),
)

type Kind = 'foreclosure' | 'pre_part' | 'missed_emi'
const labels = { foreclosure: 'FORECLOSURE', pre_part: 'PRE_PART_PAYMENT', missed_emi: 'MISSED_EMI_PAYMENT' } as const
const prepaymentCharge = 450_00n
const lateFee = 1500_00n

const closingCharge = 500_00n

/** As published, the amount that is paid of a line has its interest in it, also if nothing is drawn. */
function partsOfLine(talk: Talk, kind: Kind): Record<string, bigint> {
  if (kind === 'foreclosure')
    return { PRINCIPAL_AMOUNT: drawn(talk), INTEREST_AMOUNT: 0n, FORECLOSURE_CHARGES: closingCharge }
  const requested = paise(talk.facts.get('requested')!)
  const interest = requested / 20n
  return { PRINCIPAL_AMOUNT: requested - interest, INTEREST_AMOUNT: interest, PRE_PAYMENT_CHARGE: 0n }
}

/** What the payment consists of. */
function partsOf(talk: Talk, product: Product, kind: Kind): Record<string, bigint> {
  if (product.isCreditLine) return partsOfLine(talk, kind)
  const { principal, rows } = loanOn(talk)
  const [first] = rows
  if (kind === 'foreclosure')
    return { PRINCIPAL_AMOUNT: principal, INTEREST_AMOUNT: first!.interest, FORECLOSURE_CHARGES: principal / 50n }
  if (kind === 'missed_emi')
    return { PRINCIPAL_AMOUNT: first!.principal, INTEREST_AMOUNT: first!.interest, LATE_FEE_AMOUNT: lateFee }
  const requested = paise(talk.facts.get('requested')!)
  return { PRINCIPAL_AMOUNT: requested, INTEREST_AMOUNT: 0n, PRE_PAYMENT_CHARGE: prepaymentCharge }
}

function servicePayment(talk: Talk, product: Product, kind: Kind, isPaid: boolean): Json {
  const parts = partsOf(talk, product, kind)
  const amount = Object.values(parts).reduce((sum, part) => sum + part, 0n)
  return {
    id: talk.id(kind),
    type: 'POST_FULFILLMENT',
    status: isPaid ? 'PAID' : 'NOT-PAID',
    collected_by: 'BPP',
    ...(!isPaid && { url: talk.pageUrl('PAY') }),
    params: { amount: rupees(amount), currency: 'INR', ...(isPaid && { transaction_id: talk.id('PAYMENT') }) },
    time: {
      label: labels[kind],
      duration: 'P15D',
      ...(kind === 'missed_emi' && { range: monthAhead(1) }),
    },
    tags: [breakup(parts)],
  }
}

function statusOf(kind: Kind, i: number, isPaid: boolean): string {
  if (!isPaid) return kind === 'missed_emi' && i === 0 ? 'DELAYED' : 'NOT-PAID'
  return kind === 'foreclosure' || i === 0 ? 'DEFERRED' : 'NOT-PAID'
}

/** A line has only the payment that was asked for, and neither payout nor instalments. */
function servicedOrder(talk: Talk, product: Product, kind: Kind, isPaid: boolean): Json {
  const own = servicePayment(talk, product, kind, isPaid)
  const status = isPaid && kind === 'foreclosure' ? 'COMPLETED' : 'ACTIVE'
  if (product.isCreditLine) {
    if (isPaid) talk.facts.set('drawn', String(leftAfter(talk, kind)))
    return placedOrder(talk, product, { status, payments: [own] })
  }
  return placedOrder(talk, product, {
    state: 'DISBURSED',
    status,
    payments: [own, payout(talk), ...instalments(talk, (i) => statusOf(kind, i, isPaid))],
  })
}

/** What is drawn of a line falls by the principal, at most to nothing. */
function leftAfter(talk: Talk, kind: Kind): bigint {
  const { PRINCIPAL_AMOUNT: principal } = partsOfLine(talk, kind)
  return principal! < drawn(talk) ? drawn(talk) - principal! : 0n
}

/** The request for a payment, its page, and the report that it is paid. */
const servicingSteps = (kind: Kind, product = termLoan): Step[] => [
  answerStep(
    'update',
    (talk, { order: { payments } }) => {
      talk.facts.set('requested', payments[0].params?.amount ?? '0')
      return servicedOrder(talk, product, kind, false)
    },
    {
      check: (talk, { order: { id, payments } }) => [
        id !== talk.id('ORDER') && `names the order ${id}`,
        payments[0].time.label !== labels[kind] && `asks for ${payments[0].time.label}`,
      ],
    },
  ),
  pushStep('on_update', 'PAY', (talk) => servicedOrder(talk, product, kind, true)),
]

/** The steps up to an open line. */
export const lineSteps = loanSteps(line)

export const fundFlow = (id: string, steps: Step[]): Flow => ({
  id,
  version: '2.3.0',
  domain: 'ONDC:FIS12:SL',
  product: 'LOAN',
  hasStops: true,
  steps,
})

export const fundStops: Flow[] = [
  fundFlow('credit-line-one-page', lineSteps),
  fundFlow('credit-line-one-page-grievance', [...lineSteps, ...askedGrievanceSteps]),
  fundFlow('credit-line-one-page-part-payment', [...lineSteps, ...servicingSteps('pre_part', line)]),
  fundFlow('credit-line-one-page-foreclosure', [...lineSteps, ...servicingSteps('foreclosure', line)]),
  fundFlow('mutual-funds-one-page', [...loanSteps(termLoan), payoutStep]),
  fundFlow('mutual-funds-one-page-foreclosure', [...loanSteps(termLoan), payoutStep, ...servicingSteps('foreclosure')]),
  fundFlow('mutual-funds-one-page-part-payment', [...loanSteps(termLoan), payoutStep, ...servicingSteps('pre_part')]),
  fundFlow('mutual-funds-one-page-missed-instalment', [
    ...loanSteps(termLoan),
    payoutStep,
    ...servicingSteps('missed_emi'),
  ]),
]
