// Writes and reads a drawdown: money that the borrower takes from an open credit line, in a transaction and an order of
// its own (FIS12 §27.5).

import { isOneOf } from '@lendloom/foundation/record'
import { type FieldError, invalid } from '@lendloom/foundation/refusal'
import { fits, parse, type Static, Type } from '@lendloom/foundation/schema'
import type { Lender } from '@lendloom/lending/lender'
import { moneyOf, type Paise, percentOf, rupees } from '@lendloom/lending/money'
import { amountText, isAmount } from '@lendloom/lending/term-bounds'
import { omitUndefined } from '#wire/network/context.ts'
import { tagGroup, tagsOf } from '#wire/network/tags.ts'
import { providerOf } from '#wire/network/v203/lender.ts'
import { inr, isForeign } from '#wire/network/v203/offer-terms.ts'
import { type OrderStatus, orderStatuses } from '#wire/network/v203/write-order.ts'
import { DrawdownInitMessage, LenderMessage, type Order } from './schema.ts'

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
  amount: Paise
  /** The account as the lender writes it, usually masked; null if unstated. */
  account: string | null
  /** Set once the lender has paid. `transactionId` is the bank's reference, and null for any other text. */
  paid: { transactionId: string | null } | null
}

/** The borrower's stop as the lender wrote it, which `confirm` repeats. */
export interface ConsentStop {
  id: string
  parentId: string | null
  name: string | null
}

/** A lender's order of one drawdown. */
export interface DrawdownOrder {
  /** The order of the credit line. */
  lineOrderId: string
  itemId: string
  parentItemId: string | null
  fulfillmentId: string | null
  approval: string | null
  consent: (ConsentStop & { state: string }) | null
  /** Null without a quote. */
  terms: DrawdownTerms | null
  /** Why the terms cannot be a lender's; empty for possible terms, and without terms. */
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
        stops: [stopOf(consentStop, 'APPROVED', request.consent)],
      }),
    ],
  },
})

const stopOf = (type: string, code: string, { id, parentId, name }: ConsentStop) =>
  omitUndefined({
    id,
    parent_stop_id: parentId ?? undefined,
    type,
    instructions: omitUndefined({ name: name ?? undefined, code }),
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
            tagGroup('LOAN_INFO', {
              INTEREST_RATE: terms.interestRate && terms.interestRate.replace('%', ' %'),
              REPAYMENT_FREQUENCY: 'P1M',
            }),
          ],
        },
      ],
      fulfillments: [
        {
          id: item.fulfillmentId,
          type: drawdownCode,
          stops: [
            stopOf(approvalStop, draft.approval, { id: '1', parentId: null, name: 'Drawdown Approval' }),
            stopOf(consentStop, draft.consent, { id: '2', parentId: '1', name: 'Consent Required' }),
          ],
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
            amount: rupees(payout.amount),
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

const StopInOrder = Type.Object({
  id: Type.Optional(Type.String({ maxLength: 60 })),
  parent_stop_id: Type.Optional(Type.String({ maxLength: 60 })),
  type: Type.String({ minLength: 1, maxLength: 60 }),
  instructions: Type.Object({
    name: Type.Optional(Type.String({ maxLength: 200 })),
    code: Type.String({ minLength: 1, maxLength: 60 }),
  }),
})
const StopsInOrder = Type.Array(StopInOrder, { maxItems: 20 })

/** Whether a lender's order is of a drawdown: its fulfilment says so. */
export const isDrawdown = ({ fulfillments }: Pick<Order, 'fulfillments'>): boolean =>
  fulfillments?.some(({ type }) => type?.toUpperCase() === drawdownCode) ?? false

/** Reads the buyer's `confirm` (the lender's side). Throws `invalid` with the path. */
export function readDrawdownConfirm(message: unknown): { lineOrderId: string; itemId: string; isAgreed: boolean } {
  const { order } = parse(LenderMessage, message, 'message')
  const { lineOrderId, itemId, consent } = readDrawdown(order)
  return { lineOrderId, itemId, isAgreed: consent?.state === 'APPROVED' }
}

/** Reads a lender's order of a drawdown. Throws `invalid` with the path if it names no line or an unreadable amount. */
export function readDrawdown(order: Order): DrawdownOrder {
  const lineOrderId = order.ref_order_ids?.[0]
  if (lineOrderId === undefined)
    throw invalid({ path: 'message.order.ref_order_ids', message: 'must name the order of the credit line' })
  const item = order.items[0]
  const fulfillment = order.fulfillments?.find(({ type }) => type?.toUpperCase() === drawdownCode)
  const stops: Static<typeof StopsInOrder> = fits(StopsInOrder, fulfillment?.stops) ? fulfillment.stops : []
  const stop = (type: string) => stops.find((each) => each.type.trim().toUpperCase() === type)
  const consent = stop(consentStop)
  const terms = termsIn(order)
  const payout = payoutIn(order)
  return {
    lineOrderId,
    itemId: item.id,
    parentItemId: item.parent_item_id ?? null,
    fulfillmentId: fulfillment?.id ?? item.fulfillment_ids?.[0] ?? null,
    approval: stop(approvalStop)?.instructions.code.trim().toUpperCase() ?? null,
    consent: consent
      ? {
          id: consent.id ?? '2',
          parentId: consent.parent_stop_id ?? null,
          name: consent.instructions.name ?? null,
          state: consent.instructions.code.trim().toUpperCase(),
        }
      : null,
    terms,
    faults: terms ? faultsOf(order, terms, payout) : [],
    payout,
  }
}

function termsIn({ quote, items: [item] }: Order): DrawdownTerms | null {
  if (!quote) return null
  const path = 'message.order.quote'
  const amountOf = (value: string | number, at: string): Paise => {
    const amount = moneyOf(value)
    if (amount === null) throw invalid({ path: at, message: 'must be an amount of rupees' })
    return amount
  }
  const rows = quote.breakup.map(({ title, price }, i) => ({
    title: title.trim().toUpperCase(),
    amount: amountOf(price.value, `${path}.breakup.${i}.price.value`),
  }))
  const sumOf = (isPart: (title: string) => boolean): Paise =>
    rows.filter(({ title }) => isPart(title)).reduce((sum, { amount }) => sum + amount, 0n)
  const rate = tagsOf(item.tags, 'LOAN_INFO')?.INTEREST_RATE
  return {
    principal: sumOf((title) => principalTitles.includes(title)),
    interest: sumOf((title) => interestTitles.includes(title)),
    charges: sumOf((title) => !principalTitles.includes(title) && !interestTitles.includes(title)),
    total: amountOf(quote.price.value, `${path}.price.value`),
    interestRate: rate === undefined ? null : percentOf(rate),
    quoteTtl: quote.ttl ?? null,
  }
}

const principalTitles = ['PRINCIPAL_AMOUNT', 'PRINCIPAL']
const interestTitles = ['INTEREST_AMOUNT', 'INTEREST']

/** What cannot be the terms of a drawdown: the borrower would agree to a sum that nobody can explain. */
function faultsOf(
  { quote, payments }: Order,
  { principal, interest, charges, total }: DrawdownTerms,
  payout: DrawdownPayout | null,
): FieldError[] {
  const path = 'message.order.quote'
  const amounts = { principal, interest, charges, total }
  const foreign = [
    { currency: quote?.price.currency, at: `${path}.price` },
    ...(quote?.breakup ?? []).map(({ price }, i) => ({ currency: price.currency, at: `${path}.breakup.${i}.price` })),
    ...(payments ?? []).map(({ params }, i) => ({
      currency: params?.currency,
      at: `message.order.payments.${i}.params`,
    })),
  ].filter(({ currency }) => isForeign(currency))
  return [
    ...foreign.map(({ at }) => ({ path: `${at}.currency`, message: 'must be INR' })),
    ...(principal > 0n ? [] : [{ path: `${path}.breakup`, message: 'must have PRINCIPAL_AMOUNT, above zero' }]),
    ...Object.entries(amounts).flatMap(([name, amount]) =>
      isAmount(amount) ? [] : [{ path: `${path}.breakup`, message: `${name} ${amountText}` }],
    ),
    ...(total === principal + interest + charges
      ? []
      : [{ path: `${path}.price.value`, message: 'must be the sum of the breakup' }]),
    ...(payout && payout.amount > principal
      ? [{ path: 'message.order.payments', message: 'must not pay out more than the principal' }]
      : []),
  ]
}

function payoutIn({ payments = [] }: Order): DrawdownPayout | null {
  const index = payments.findIndex(({ time, type }) => time?.label === drawdownCode || type === 'ON_FULFILLMENT')
  const payment = payments[index]
  if (payment?.params?.amount === undefined) return null
  const { amount: text, bank_account_number: account, transaction_id: reference = '' } = payment.params
  const amount = moneyOf(text)
  if (amount === null || !isAmount(amount))
    throw invalid({ path: `message.order.payments.${index}.params.amount`, message: amountText })
  return {
    id: payment.id ?? drawdownCode,
    amount,
    account: account || null,
    paid:
      payment.status?.toUpperCase() === 'PAID'
        ? { transactionId: /^[A-Za-z0-9/_-]{5,40}$/.test(reference) ? reference : null }
        : null,
  }
}

/** The status of the order; null without a published one. */
export const drawdownStatusOf = ({ status }: Pick<Order, 'status'>): OrderStatus | null => {
  const known = status?.toUpperCase()
  return isOneOf(orderStatuses, known) ? known : null
}
