// What the platform sends in select, init and confirm: one item, the answer to its last form, the settlement (FIS12 §8.3).
import { defined } from '#contract/network/defined.ts'
import { parse } from '#kit/http/schema.ts'
import type { Paise } from '#kit/money/money.ts'
import { type FormResponse, responseOf, resultInput } from './page.ts'
import { BuyerMessage } from './schema.ts'
import { type BuyerSettlement, buyerPayment, type FinderFee, finderFeeOf, settlementAmountOf } from './settlement.ts'

/** The form that was answered, by the id its page had; the network always says SUCCESS in this direction. */
export interface Submission {
  formId: string
  submissionId: string
}

export interface BuyerDraft {
  providerId: string
  itemId: string
  /** Absent in the `confirm` of a gold loan. */
  submission?: Submission
  /** The branch that the borrower chose for the gold. */
  branchId?: string
  settlement?: BuyerSettlement
}

/** Writes the order. The item carries no descriptor: with one, the rules of FIS12 §12.1 want a form head as well. */
export const buyerOrder = ({ providerId, itemId, submission, branchId, settlement }: BuyerDraft) =>
  defined({
    provider: { id: providerId },
    items: [
      defined({
        id: itemId,
        location_ids: branchId === undefined ? undefined : [branchId],
        xinput: submission && resultInput({ ...submission, status: 'SUCCESS' }),
      }),
    ],
    payments: settlement && [buyerPayment(settlement)],
  })

/** What a lender reads in select, init and confirm. */
export interface BuyerRequest {
  providerId: string
  itemId: string
  response: FormResponse | null
  branchId: string | null
  settlement: { paymentId: string | null; fee: FinderFee | null; settlementAmount: Paise | null } | null
  warnings: string[]
}

/** Reads the `message` of select, init or confirm. Throws a `Refusal` of kind `invalid` naming the path. */
export function readBuyerOrder(message: unknown): BuyerRequest {
  const { order } = parse(BuyerMessage, message, 'message')
  const warnings: string[] = []
  const item = order.items[0]
  if (order.items.length > 1) warnings.push(`the order has ${order.items.length} items; the first is read`)
  const payment = order.payments?.find(({ type }) => type === 'ON_ORDER')
  return {
    providerId: order.provider.id,
    itemId: item.id,
    response: responseOf(item.xinput, warnings),
    branchId: item.location_ids?.[0] ?? null,
    settlement: payment
      ? {
          paymentId: payment.id ?? null,
          fee: finderFeeOf(payment.tags),
          settlementAmount: settlementAmountOf(payment.tags),
        }
      : null,
    warnings,
  }
}
