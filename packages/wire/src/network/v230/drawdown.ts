// Writes and reads a drawdown: money that the borrower takes from an open credit line, in a transaction and an order of
// its own (FIS12 §27.5).

import { isOneOf } from '@lendloom/foundation/record'
import { type FieldError, invalid } from '@lendloom/foundation/refusal'
import { fits, parse, type Static } from '@lendloom/foundation/schema'
import type { Lender } from '@lendloom/lending/lender'
import { moneyOf, type Paise, percentOf, rupees } from '@lendloom/lending/money'
import { amountText, isAmount, isRate, isValidity, rateText, validityText } from '@lendloom/lending/term-bounds'
import { omitUndefined } from '#wire/network/context.ts'
import { loanInfoTexts230, tagGroup, tagsOf } from '#wire/network/tags.ts'
import { providerOf } from '#wire/network/v203/lender.ts'
import { currencyFaults, inr, isForeign, money, validityIn } from '#wire/network/v203/offer-terms.ts'
import { writeStops } from '#wire/network/v203/stops.ts'
import { type OrderStatus, orderStatuses } from '#wire/network/v203/write-order.ts'
import { isMoney } from './offer-terms.ts'
import { DrawdownConfirmMessage, DrawdownInitMessage, DrawdownStops, type Order } from './schema.ts'

/** The type of the fulfilment, and the label of the payment, of a drawdown. */
const drawdownCode = 'DRAWDOWN'

/** The stops of a drawdown: the lender approves it, and the borrower agrees to its terms. */
const approvalStop = 'DRAWDOWN_APPROVAL'
const consentStop = 'CONSENT_REQUIRED'

/** The states of a stop. */
export const drawdownStopStates = ['PENDING', 'APPROVED', 'REJECTED'] as const
export type DrawdownStopState = (typeof drawdownStopStates)[number]

/** What the borrower pays for the drawn amount. All amounts are in paise. */
export interface DrawdownTerms {
  principal: Paise
  interest: Paise
  /** The sum of all other rows of the quote. */
  charges: Paise
  /** What the borrower repays in all: the quote's price. */
  total: Paise
  /** Percent a year, such as `12%`; null if the lender does not state it. */
  interestRate: string | null
  /** How long the terms stand, an ISO 8601 duration; null if unstated. */
  quoteTtl: string | null
}

/** The payout of a drawdown. */
export interface DrawdownPayout {
  id: string
  /** Null for an amount that is absent, unreadable or not in rupees. */
  amount: Paise | null
  /** The account as the lender writes it, usually masked; null if unstated. */
  account: string | null
  /** Set once the lender has paid. `transactionId` is the bank's reference, and null for any other text. */
  paid: { transactionId: string | null } | null
  /** Whether the payout has failed, or came back. */
  hasFailed: boolean
}

/** The borrower's stop as the lender wrote it, which `confirm` repeats. */
export interface ConsentStop {
  id: string
  parentId: string | null
  name: string | null
}

/** A lender's order of one drawdown. */
export interface DrawdownOrder {
  /** Null without a published one. A drawdown is COMPLETED once it is paid out. */
  status: OrderStatus | null
  /** The order of the credit line. */
  lineOrderId: string
  itemId: string
  parentItemId: string | null
  fulfillmentId: string | null
  approval: string | null
  consent: (ConsentStop & { state: string }) | null
  /** Null without a quote. */
  terms: DrawdownTerms | null
  /** Why the terms or the payout cannot be a lender's; empty for possible ones. */
  faults: FieldError[]
  payout: DrawdownPayout | null
}

/** Asks for the terms of a drawdown from the line with this order. */
export const initDrawdown = (request: { providerId: string; lineOrderId: string; amount: Paise }) => ({
  order: {
    provider: { id: request.providerId },
    ref_order_ids: [request.lineOrderId],
    payments: [{ params: { amount: rupees(request.amount), currency: 'INR' }, time: { label: drawdownCode } }],
  },
})

/** Reads `initDrawdown` (the lender's side). Throws `invalid` with the path. */
export function readDrawdownInit(message: unknown): { providerId: string; lineOrderId: string; amount: Paise } {
  const { order } = parse(DrawdownInitMessage, message, 'message')
  const [{ params, time }] = order.payments
  if (time?.label !== drawdownCode)
    throw invalid({ path: 'message.order.payments.0.time.label', message: `must be ${drawdownCode}` })
  const amount = params?.amount === undefined || isForeign(params.currency) ? null : moneyOf(params.amount)
  if (amount === null || amount <= 0n || !isAmount(amount))
    throw invalid({ path: 'message.order.payments.0.params.amount', message: 'must be an amount of rupees above zero' })
  return { providerId: order.provider.id, lineOrderId: order.ref_order_ids[0], amount }
}

/** Says that the borrower agrees to the terms, by repeating the lender's stop as APPROVED. */
export const confirmDrawdown = (request: {
  providerId: string
  lineOrderId: string
  itemId: string
  parentItemId: string | null
  fulfillmentId: string | null
  consent: ConsentStop
}) => ({
  order: {
    provider: { id: request.providerId },
    ref_order_ids: [request.lineOrderId],
    items: [omitUndefined({ id: request.itemId, parent_item_id: request.parentItemId ?? undefined })],
    fulfillments: [
      omitUndefined({
        id: request.fulfillmentId ?? undefined,
        type: drawdownCode,
        stops: [agreedStop(request.consent)],
      }),
    ],
  },
})

const agreedStop = ({ id, parentId, name }: ConsentStop) =>
  omitUndefined({
    id,
    parent_stop_id: parentId ?? undefined,
    type: consentStop,
    instructions: omitUndefined({ name: name ?? undefined, code: 'APPROVED' }),
  })

/** A drawdown to write. */
export interface DrawdownDraft {
  lender: Lender
  lineOrderId: string
  item: { id: string; parentId: string; name: string; categoryIds: string[]; fulfillmentId: string }
  terms: DrawdownTerms
  quoteId: string
  approval: DrawdownStopState
  consent: DrawdownStopState
  state: 'INITIATED' | 'DISBURSED'
  payout: DrawdownPayout
  /** Of all pledged schemes, such as `60%`. */
  loanToValue: string
  /** Set from `on_confirm` on. */
  placed?: { orderId: string; status: OrderStatus; createdAt: Date; updatedAt: Date }
}

/** Writes `on_init`, `on_confirm`, `on_update` and `on_status` of a drawdown. */
export function writeDrawdown(draft: DrawdownDraft) {
  const { lender, item, terms, payout, placed } = draft
  const { principal, interest, charges, total } = terms
  return {
    order: omitUndefined({
      id: placed?.orderId,
      ref_order_ids: [draft.lineOrderId],
      status: placed?.status,
      provider: providerOf(lender),
      items: [
        {
          id: item.id,
          parent_item_id: item.parentId,
          descriptor: { code: 'LOAN', name: item.name },
          category_ids: item.categoryIds,
          fulfillment_ids: [item.fulfillmentId],
          price: inr(total),
          tags: [
            tagGroup(
              'LOAN_INFO',
              {
                INTEREST_RATE: terms.interestRate?.replace('%', ' %') ?? null,
                REPAYMENT_FREQUENCY: 'P1M',
                LTV_PERCENT: draft.loanToValue.replace('%', ' %'),
              },
              loanInfoTexts230,
            ),
          ],
        },
      ],
      fulfillments: [
        {
          id: item.fulfillmentId,
          type: drawdownCode,
          stops: writeStops([
            { type: approvalStop, state: draft.approval, name: 'Drawdown Approval' },
            { type: consentStop, state: draft.consent, name: 'Consent Required' },
          ]),
          state: { descriptor: { code: draft.state } },
        },
      ],
      quote: omitUndefined({
        id: draft.quoteId,
        price: inr(total),
        breakup: [
          { title: 'PRINCIPAL_AMOUNT', price: inr(principal) },
          { title: 'INTEREST_AMOUNT', price: inr(interest) },
          ...(charges > 0n ? [{ title: 'OTHER_CHARGES', price: inr(charges) }] : []),
        ],
        ttl: terms.quoteTtl ?? undefined,
      }),
      payments: [
        {
          id: payout.id,
          type: 'ON_FULFILLMENT',
          collected_by: 'CONSUMER',
          status: payout.paid ? 'PAID' : 'NOT-PAID',
          time: { label: drawdownCode },
          params: omitUndefined({
            bank_account_number: payout.account ?? undefined,
            amount: payout.amount === null ? undefined : rupees(payout.amount),
            currency: 'INR',
            transaction_id: payout.paid?.transactionId ?? undefined,
          }),
        },
      ],
      created_at: placed?.createdAt.toISOString(),
      updated_at: placed?.updatedAt.toISOString(),
    }),
  }
}

const isDrawdownFulfillment = ({ type }: { type?: string }): boolean => type?.trim().toUpperCase() === drawdownCode

/** Whether a lender's order is of a drawdown: its fulfilment says so, or it refers to the order of a line. */
export const isDrawdown = ({
  fulfillments = [],
  ref_order_ids,
}: Pick<Order, 'fulfillments' | 'ref_order_ids'>): boolean =>
  ref_order_ids !== undefined || fulfillments.some(isDrawdownFulfillment)

const stopNamed = (type: string, stops: Static<typeof DrawdownStops>) =>
  stops.find((each) => each.type.trim().toUpperCase() === type)

/** The state of a stop; null without the stop. */
const stateOf = (stop: ReturnType<typeof stopNamed>): string | null =>
  stop?.instructions.code.trim().toUpperCase() ?? null

interface DrawdownAgreement {
  providerId: string
  lineOrderId: string
  itemId: string
  isAgreed: boolean
}

/** Reads the buyer's `confirm` (the lender's side). Throws `invalid` with the path. */
export function readDrawdownConfirm(message: unknown): DrawdownAgreement {
  const { order } = parse(DrawdownConfirmMessage, message, 'message')
  const stops = order.fulfillments.filter(isDrawdownFulfillment).flatMap((each) => each.stops)
  return {
    providerId: order.provider.id,
    lineOrderId: order.ref_order_ids[0],
    itemId: order.items[0].id,
    isAgreed: stateOf(stopNamed(consentStop, stops)) === 'APPROVED',
  }
}

/** Reads a lender's order of a drawdown. Throws `invalid` with the path if it names no line or an unreadable amount. */
export function readDrawdown(order: Order): DrawdownOrder {
  const lineOrderId = order.ref_order_ids?.[0]
  if (lineOrderId === undefined)
    throw invalid({ path: 'message.order.ref_order_ids', message: 'must name the order of the credit line' })
  const item = order.items[0]
  const fulfillment = order.fulfillments?.find(isDrawdownFulfillment)
  const stops: Static<typeof DrawdownStops> = fits(DrawdownStops, fulfillment?.stops) ? fulfillment.stops : []
  const consent = stopNamed(consentStop, stops)
  const terms = termsIn(order)
  const payout = payoutIn(order)
  return {
    status: statusOf(order),
    lineOrderId,
    itemId: item.id,
    parentItemId: item.parent_item_id ?? null,
    fulfillmentId: fulfillment?.id ?? item.fulfillment_ids?.[0] ?? null,
    approval: stateOf(stopNamed(approvalStop, stops)),
    consent: consent
      ? {
          id: consent.id ?? '2',
          parentId: consent.parent_stop_id ?? null,
          name: consent.instructions.name ?? null,
          state: consent.instructions.code.trim().toUpperCase(),
        }
      : null,
    terms,
    faults: faultsOf(order, terms, payout),
    payout,
  }
}

/** The titles of the rows in which a lender may write a part, by the part; all other amounts are charges. */
const titlesOf = { principal: ['PRINCIPAL_AMOUNT', 'PRINCIPAL'], interest: ['INTEREST_AMOUNT', 'INTEREST'] }
/** What is paid out is no part of what is repaid. */
const payoutTitle = 'NET_DISBURSED_AMOUNT'

const quotePath = 'message.order.quote'

function termsIn({ quote, items: [item] }: Order): DrawdownTerms | null {
  if (!quote) return null
  const rows = rowsOf(quote)
  const sumOf = (isPart: (title: string) => boolean): Paise =>
    rows.filter(({ title }) => isPart(title)).reduce((sum, { amount }) => sum + amount, 0n)
  const isPrincipal = (title: string) => titlesOf.principal.includes(title)
  const isInterest = (title: string) => titlesOf.interest.includes(title)
  const rate = tagsOf(item.tags, 'LOAN_INFO')?.INTEREST_RATE
  return {
    principal: sumOf(isPrincipal),
    interest: sumOf(isInterest),
    charges: sumOf((title) => !isPrincipal(title) && !isInterest(title)),
    total: money(quote.price.value, `${quotePath}.price.value`),
    interestRate: rate === undefined ? null : percentOf(rate),
    quoteTtl: validityIn(quote.ttl),
  }
}

interface Row {
  title: string
  amount: Paise
  path: string
}

/** The rows that are parts of what is repaid. Throws `invalid` with the path of an unreadable amount. */
const rowsOf = ({ breakup }: NonNullable<Order['quote']>): Row[] =>
  breakup.flatMap((row, i) => {
    const title = row.title.trim().toUpperCase()
    const path = `${quotePath}.breakup.${i}.price`
    const isPart = isMoney({ ...row, title }) && title !== payoutTitle
    return isPart ? [{ title, amount: money(row.price.value, `${path}.value`), path }] : []
  })

/** What cannot be a drawdown: the borrower would agree to a sum that nobody can explain. */
const faultsOf = (order: Order, terms: DrawdownTerms | null, payout: DrawdownPayout | null): FieldError[] => [
  ...(order.quote ? currencyFaults({ quote: order.quote, path: quotePath }) : []),
  ...(order.payments ?? []).flatMap(({ params }, i) =>
    isForeign(params?.currency)
      ? [{ path: `message.order.payments.${i}.params.currency`, message: 'must be INR' }]
      : [],
  ),
  ...(order.quote && terms ? termsFaults(order.quote, terms) : []),
  ...(terms && payout?.amount && payout.amount > terms.principal
    ? [{ path: 'message.order.payments', message: 'must not pay out more than the principal' }]
    : []),
  ...(payout && !payout.amount
    ? [{ path: 'message.order.payments', message: 'must have an amount of rupees above zero' }]
    : []),
]

function termsFaults(
  quote: NonNullable<Order['quote']>,
  { principal, interest, charges, total, interestRate, quoteTtl }: DrawdownTerms,
): FieldError[] {
  const rows = rowsOf(quote).filter(({ amount }) => !isAmount(amount))
  return [
    ...(principal > 0n ? [] : [{ path: `${quotePath}.breakup`, message: 'must have PRINCIPAL_AMOUNT, above zero' }]),
    ...rows.map(({ path }) => ({ path: `${path}.value`, message: amountText })),
    ...(isAmount(total) ? [] : [{ path: `${quotePath}.price.value`, message: amountText }]),
    ...(total === principal + interest + charges
      ? []
      : [{ path: `${quotePath}.price.value`, message: 'must be the sum of the breakup' }]),
    ...(interestRate === null || isRate(interestRate)
      ? []
      : [{ path: 'message.order.items.0.tags.LOAN_INFO.INTEREST_RATE', message: rateText }]),
    ...(isValidity(quoteTtl) ? [] : [{ path: `${quotePath}.ttl`, message: validityText }]),
  ]
}

function payoutIn({ payments = [] }: Order): DrawdownPayout | null {
  const isPayout = ({ time, type }: (typeof payments)[number]): boolean =>
    time?.label?.trim().toUpperCase() === drawdownCode || type === 'ON_FULFILLMENT'
  const index = payments.findIndex(isPayout)
  const payment = payments[index]
  if (!payment) return null
  const { amount: text, currency, bank_account_number: account, transaction_id: reference = '' } = payment.params ?? {}
  const amount = text === undefined || isForeign(currency) ? null : moneyOf(text)
  return {
    id: payment.id ?? drawdownCode,
    amount: amount !== null && isAmount(amount) ? amount : null,
    account: account || null,
    paid:
      payment.status?.toUpperCase() === 'PAID'
        ? { transactionId: /^[A-Za-z0-9/_-]{5,40}$/.test(reference) ? reference : null }
        : null,
    hasFailed: payment.status?.toUpperCase() === 'FAILED',
  }
}

const statusOf = ({ status }: Order): OrderStatus | null => {
  const known = status?.toUpperCase()
  return isOneOf(orderStatuses, known) ? known : null
}
