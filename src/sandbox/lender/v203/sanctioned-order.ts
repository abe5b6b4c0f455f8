// The loan as it is placed and not paid out yet, in dialect 2.0.3 (FIS12 §8.1 row 18).
import type { ConfirmedOrder } from '#contract/network/v203/buyer-order.ts'
import type { With } from '#contract/network/v203/order.ts'
import type { Applicant } from '#sandbox/lender/core/decide.ts'
import { having, type LoanFile } from '#sandbox/lender/core/order.ts'
import { draftOf } from './draft.ts'
import type { Policy203 } from './product.ts'

/** Its state says that the consent is waited for. */
export const sanctionedOrder = (file: LoanFile<Policy203>, applicant: Applicant): ConfirmedOrder & With<'state'> =>
  having(draftOf(file, applicant), ...placed, 'state')

/** What the order of a loan states from its confirmation on. */
export const initiated = ['customer', 'settlement', 'cancellationTerms'] as const
export const placed = [...initiated, 'installments', 'orderId', 'documents', 'createdAt', 'updatedAt'] as const
