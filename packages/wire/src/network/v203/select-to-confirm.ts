// Builds and reads select, init, confirm and their callbacks (FIS12 §8.1, §8.3).

import { parse } from '@lendloom/foundation/schema'
import type { Lender } from '@lendloom/lending/lender'
import type { Paise } from '@lendloom/lending/money'
import { omitUndefined } from '#wire/network/context.ts'
import { type Contract, readBuyerTerms, readLenderTerms, writeContract } from '#wire/network/contract-terms.ts'
import type { FormStatus } from '#wire/network/form-status.ts'
import { providerOf } from './lender.ts'
import { BuyerMessage } from './schema.ts'
import { type BuyerSettlement, buyerPayment, type FinderFee, finderFeeOf, settlementAmountOf } from './settlement.ts'
import { dedupeCategory, dedupeType } from './stops.ts'
import {
  type DraftWith,
  type LoanItem,
  type OrderDraft,
  writeConsentInfo,
  writeItemDescriptor,
  writeLenderOrder,
} from './write-order.ts'
import { type FormResponse, responseOf, resultInput } from './xinput.ts'

/** A submitted form. `formId` is the id of its page. A buyer app reports the status SUCCESS unless the version differs. */
export interface Submission {
  formId: string
  submissionId: string
  status?: FormStatus
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

/** Writes the order. An item with a descriptor would also require `xinput.head` (FIS12 §12.1). */
const buyerOrder = ({ providerId, itemId, submission, branchId, settlement }: BuyerDraft) =>
  omitUndefined({
    provider: { id: providerId },
    items: [
      omitUndefined({
        id: itemId,
        location_ids: branchId === undefined ? undefined : [branchId],
        xinput: submission && resultInput({ status: 'SUCCESS', ...submission }),
      }),
    ],
    payments: settlement && [buyerPayment(settlement)],
  })

/** The content of select, init or confirm, as the lender reads it. */
export interface BuyerRequest {
  providerId: string
  itemId: string
  response: FormResponse | null
  branchId: string | null
  settlement: { paymentId: string | null; fee: FinderFee | null; settlementAmount: Paise | null } | null
  /** The terms of both parties in the `confirm` of a loan with stops; null without both. */
  contract: Contract | null
  warnings: string[]
}

/** Reads the `message` of select, init or confirm. Throws `invalid` with the path of the fault. */
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
    contract: contractOf(order.tags),
    warnings,
  }
}

function contractOf(tags: Parameters<typeof readBuyerTerms>[0]): Contract | null {
  const buyer = readBuyerTerms(tags)
  const lender = readLenderTerms(tags)
  return buyer && lender ? { buyer, lender } : null
}

/** Writes a `select` of any stage. The final choice of a gold loan also names a branch. */
export const select = (draft: Omit<BuyerDraft, 'settlement'>) => ({ order: buyerOrder(draft) })

/**
 * Writes an offer with the amount form, or a revised offer with the page for KYC or the branch visit. Only the offer of a
 * lender with stops whose branch is not chosen yet has no page (FIS12 §26.4).
 */
export const onSelect = (offer: DraftWith<never> & Pick<OrderDraft, 'page' | 'branches' | 'agent'>) => ({
  order: writeLenderOrder(offer),
})

interface ConsentDraft {
  lender: Lender
  item: LoanItem
  /** The submitted profile, which the lender has not yet answered. */
  submission: Submission
  /** The UUID of the consent at the account aggregator. */
  consentHandle: string
}

/** Requests bank data before the offer. After the consent, the same submission is resent (FIS12 §7.8). */
export const onSelectConsent = ({ lender, item, submission, consentHandle }: ConsentDraft) => ({
  order: {
    provider: providerOf(lender),
    items: [
      {
        id: item.id,
        descriptor: writeItemDescriptor(item),
        tags: [writeConsentInfo(consentHandle)],
        xinput: resultInput({ ...submission, status: 'PENDING' }),
      },
    ],
  },
})

/** Init and on_init handle account, mandate and agreement after KYC, one page at a time (FIS12 §8.1 rows 10–14). */
export const init = (draft: BuyerDraft & Required<Pick<BuyerDraft, 'settlement'>>) => ({ order: buyerOrder(draft) })

interface DedupeRequest {
  providerId: string
  itemId: string
  fulfillmentId: string
  /** `phone` as `+91-9876500001`, `dob` as `1991-11-17`. */
  borrower: { pan: string; dob: string; phone: string; email: string | undefined }
}

/** Asks whether the lender takes the borrower, before an application (FIS12 §26.3). */
export const selectDedupe = ({ providerId, itemId, fulfillmentId, borrower }: DedupeRequest) => ({
  order: {
    provider: { id: providerId },
    items: [{ id: itemId }],
    fulfillments: [
      {
        id: fulfillmentId,
        type: dedupeType,
        customer: {
          person: { dob: borrower.dob, creds: [{ id: borrower.pan, type: 'PAN' }] },
          contact: omitUndefined({ phone: borrower.phone, email: borrower.email }),
        },
      },
    ],
  },
})

/** The fulfilment and the PAN of a check before an application; null for any other `select`. */
export function readDedupe(message: unknown): { fulfillmentId: string; pan: string } | null {
  const { order } = parse(BuyerMessage, message, 'message')
  const check = order.fulfillments?.find(({ type }) => type === dedupeType)
  const pan = check?.customer?.person?.creds?.find(({ type }) => type === 'PAN')?.id
  return check?.id === undefined || pan === undefined ? null : { fulfillmentId: check.id, pan }
}

interface DedupeAnswer {
  lender: Lender
  item: { id: string; name: string }
  fulfillmentId: string
  isAccepted: boolean
}

/** Answers whether the lender takes the borrower, without an offer (FIS12 §26.3). */
export const onSelectDedupe = ({ lender, item, fulfillmentId, isAccepted }: DedupeAnswer) => ({
  order: {
    provider: providerOf(lender),
    items: [{ id: item.id, descriptor: { code: dedupeCategory, name: item.name } }],
    fulfillments: [
      {
        id: fulfillmentId,
        type: dedupeType,
        state: { descriptor: { code: isAccepted ? 'ACCEPTED' : 'REJECTED' } },
      },
    ],
  },
})

/** The steps of init in order, for `page.headings`. */
export const initHeadings = ['ACCOUNT_INFORMATION', 'EMANDATE', 'LOAN_AGREEMENT'] as const

type InitiatedOrder = DraftWith<'customer' | 'settlement' | 'cancellationTerms'>

/** The loan is INITIATED. Only the message with the agreement page has instalments. */
export const onInit = (draft: InitiatedOrder & DraftWith<'page'> & Pick<OrderDraft, 'installments'>) => ({
  order: writeLenderOrder({ ...draft, state: 'INITIATED' }),
})

/** Reports SANCTIONED in a single on_init, because KYC and signature took place offline (FIS12 §9.1 row 7, §19.3). */
export const onInitSanctioned = (draft: InitiatedOrder & DraftWith<'installments'> & Pick<OrderDraft, 'branches'>) => ({
  order: writeLenderOrder({ ...draft, state: 'SANCTIONED', fulfillmentType: 'LOAN' }),
})

/** Confirm reports the signed agreement; on_confirm returns the order (FIS12 §8.1 rows 16–17). */
export const confirm = (draft: BuyerDraft & Required<Pick<BuyerDraft, 'settlement'>>) => ({ order: buyerOrder(draft) })

/**
 * Records a loan that the lender has paid out: the borrower accepted it on the lender's page. Repeats the lender's last
 * report about the page, and both parties' terms (FIS12 §26.2).
 */
export const confirmPaidOut = ({
  terms,
  ...draft
}: Pick<BuyerDraft, 'providerId' | 'itemId' | 'submission'> & {
  terms: Contract
}) => ({ order: { ...buyerOrder(draft), tags: writeContract(terms) } })

/** Before the payout the order has a settlement; with stops it has the payout instead. */
export type ConfirmedOrder = DraftWith<
  'orderId' | 'customer' | 'installments' | 'cancellationTerms' | 'documents' | 'createdAt' | 'updatedAt'
> &
  (DraftWith<'settlement'> | DraftWith<'payout' | 'progress' | 'contract'>)

export const onConfirm = (order: ConfirmedOrder) => ({ order: writeLenderOrder({ ...order, state: 'SANCTIONED' }) })

/** A gold loan is DISBURSED when it is confirmed (FIS12 §9.1 row 8). */
export const onConfirmDisbursed = (order: ConfirmedOrder & DraftWith<'branches'>) => ({
  order: writeLenderOrder({ ...order, state: 'DISBURSED', stateName: 'Loan Disbursed' }),
})

/** Answers the confirmation of a loan that is paid out (FIS12 §26.2). */
export const onConfirmPaidOut = (order: ConfirmedOrder & DraftWith<'state'>) => ({ order: writeLenderOrder(order) })
