// Builds and reads select, init, confirm and their callbacks (FIS12 §8.1, §8.3).
import { omitUndefined } from '#contract/network/context.ts'
import { parse } from '#kit/http/schema.ts'
import type { Paise } from '#kit/money/money.ts'
import { type Lender, providerOf } from './lender.ts'
import { consentInfo, type DraftWith, itemDescriptor, type LoanItem, lenderOrder, type OrderDraft } from './order.ts'
import { type FormResponse, responseOf, resultInput } from './page.ts'
import { BuyerMessage } from './schema.ts'
import { type BuyerSettlement, buyerPayment, type FinderFee, finderFeeOf, settlementAmountOf } from './settlement.ts'

/** A submitted form, by the id of its page; a buyer app always reports SUCCESS. */
export interface Submission {
  formId: string
  submissionId: string
}

interface BuyerDraft {
  providerId: string
  itemId: string
  /** Absent in the `confirm` of a gold loan. */
  submission?: Submission
  /** The branch that the borrower chose for the gold. */
  branchId?: string
  settlement?: BuyerSettlement
}

/** Writes the order. The item has no descriptor, because FIS12 §12.1 then also requires a form head. */
const buyerOrder = ({ providerId, itemId, submission, branchId, settlement }: BuyerDraft) =>
  omitUndefined({
    provider: { id: providerId },
    items: [
      omitUndefined({
        id: itemId,
        location_ids: branchId === undefined ? undefined : [branchId],
        xinput: submission && resultInput({ ...submission, status: 'SUCCESS' }),
      }),
    ],
    payments: settlement && [buyerPayment(settlement)],
  })

/** A lender's view of select, init and confirm. */
export interface BuyerRequest {
  providerId: string
  itemId: string
  response: FormResponse | null
  branchId: string | null
  settlement: { paymentId: string | null; fee: FinderFee | null; settlementAmount: Paise | null } | null
  warnings: string[]
}

/** Reads the `message` of select, init or confirm. Throws `invalid` with the path. */
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

/** A `select` at any stage: `submission` is the submitted form; a gold loan's final choice also names a branch. */
export const select = (draft: Omit<BuyerDraft, 'settlement'>) => ({ order: buyerOrder(draft) })

/** An offer with the amount form, or a revised offer with the page of the next step (KYC, or the visit to a branch). */
export const onSelect = (offer: DraftWith<'page'> & Pick<OrderDraft, 'branches' | 'agent'>) => ({
  order: lenderOrder(offer),
})

interface ConsentDraft {
  lender: Lender
  item: LoanItem
  /** The submitted profile, whose answer is pending. */
  submission: Submission
  /** The consent's id at the account aggregator; a UUID. */
  consentHandle: string
}

/** No offer yet: the borrower must share bank data, after which the same submission is resent (FIS12 §7.8). */
export const onSelectConsent = ({ lender, item, submission, consentHandle }: ConsentDraft) => ({
  order: {
    provider: providerOf(lender),
    items: [
      {
        id: item.id,
        descriptor: itemDescriptor(item),
        tags: [consentInfo(consentHandle)],
        xinput: resultInput({ ...submission, status: 'PENDING' }),
      },
    ],
  },
})

/** Init and on_init: KYC done, then the bank account, the mandate and the agreement, one page at a time (FIS12 §8.1 rows 10–14). */
export const init = (draft: BuyerDraft & Required<Pick<BuyerDraft, 'settlement'>>) => ({ order: buyerOrder(draft) })

/** The steps of this stage in order, for `page.headings`. */
export const initHeadings = ['ACCOUNT_INFORMATION', 'EMANDATE', 'LOAN_AGREEMENT'] as const

type InitiatedOrder = DraftWith<'customer' | 'settlement' | 'cancellationTerms'>

/** The loan is INITIATED; the instalments appear with the agreement page. */
export const onInit = (draft: InitiatedOrder & DraftWith<'page'> & Pick<OrderDraft, 'installments'>) => ({
  order: lenderOrder({ ...draft, state: 'INITIATED' }),
})

/**
 * Reports SANCTIONED in a single on_init, because the borrower was identified and signed at the branch or elsewhere offline
 * (FIS12 §9.1 row 7, §19.3).
 */
export const onInitSanctioned = (draft: InitiatedOrder & DraftWith<'installments'> & Pick<OrderDraft, 'branches'>) => ({
  order: lenderOrder({ ...draft, state: 'SANCTIONED', fulfillmentType: 'LOAN' }),
})

/** Confirm and on_confirm: the signed agreement, and the resulting order (FIS12 §8.1 rows 16–17). */
export const confirm = (draft: BuyerDraft & Required<Pick<BuyerDraft, 'settlement'>>) => ({ order: buyerOrder(draft) })

export type ConfirmedOrder = DraftWith<
  'orderId' | 'customer' | 'settlement' | 'installments' | 'cancellationTerms' | 'documents' | 'createdAt' | 'updatedAt'
>

/** The loan is SANCTIONED and has its order id. */
export const onConfirm = (order: ConfirmedOrder) => ({ order: lenderOrder({ ...order, state: 'SANCTIONED' }) })

/** A gold loan is paid out with its confirmation (FIS12 §9.1 row 8). */
export const onConfirmDisbursed = (order: ConfirmedOrder & DraftWith<'branches'>) => ({
  order: lenderOrder({ ...order, state: 'DISBURSED', stateName: 'Loan Disbursed' }),
})
