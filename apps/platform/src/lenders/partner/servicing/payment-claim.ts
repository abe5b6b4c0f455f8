// Payment claims: the borrower reports on our page that a payment was made, and the lender verifies the payment (D3 §6
// PAYMENT_CLAIM_SUBMITTED).

import { isKeyOf } from '@lendloom/foundation/record'
import { type FieldError, invalid, Refusal } from '@lendloom/foundation/refusal'
import { fits } from '@lendloom/foundation/schema'
import { businessDate, daysBetween, plusDays } from '@lendloom/lending/calendar'
import { type Paise, rupees } from '@lendloom/lending/money'
import type { Write } from '@lendloom/postgres/write'
import { BusinessDate, PositiveMoney } from '@lendloom/wire/exchange/fields'
import type { TxContext } from '#platform/context.ts'
import { sendEvent } from '#platform/lenders/partner/deliver-events.ts'
import type { PartnerCase } from '#platform/lenders/partner/loan-case.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { updateJourney } from '#platform/lending/journey/store.ts'
import { isClaimed, isOpen, type ServicingRow } from '#platform/lending/servicing/operation.ts'
import { listServicing, moveServicing } from '#platform/lending/servicing/store.ts'

export const claimMethods = ['UPI', 'NEFT', 'RTGS', 'IMPS'] as const

/** A payment as the borrower reports it. `paidOn` is a business date. */
export interface PaymentClaim {
  amount: Paise
  method: (typeof claimMethods)[number]
  transactionReference: string
  paidOn: string
}

const serviceTypes = { MISSED_EMI_PAYMENT: 'MISSED_EMI', PRE_PART_PAYMENT: 'PRE_PART_PAYMENT' } as const

/** Maximum age of a claimed payment. The borrower reports an older payment to the grievance officer instead. */
export const maxAgeDays = 60

/**
 * Accepts the first claim of an operation; returns null for a later claim. Changes no balance, and does not notify the
 * partner. Throws `absent` for an unknown operation, `wrong-state` if the operation has ended or allows no claims, and
 * `invalid` for an invalid claim.
 */
export async function acceptClaim(
  ctx: Write,
  journey: Journey,
  operationId: string,
  claim: PaymentClaim,
): Promise<ServicingRow | null> {
  const { tx, at } = ctx
  const operation = (await listServicing(tx, journey)).find((each) => each.operationId === operationId)
  if (!operation) throw new Refusal('absent', 'the operation does not exist')
  if (isClaimed(operation)) return null
  if (!isKeyOf(serviceTypes, operation.kind) || !isOpen(operation))
    throw new Refusal('wrong-state', 'no payment can be claimed for this operation')
  const [first, ...others] = claimFaults(claim, at)
  if (first) throw invalid(first, ...others)
  const { transactionReference: transactionId, amount: amountPaise, paidOn: claimedOn } = claim
  const change = { transactionId, amountPaise, claimedOn }
  await moveServicing(ctx, journey, operation, { move: 'linked', ...change })
  await updateJourney(tx, journey, { lastBorrowerActAt: at }, at)
  return { ...operation, ...change }
}

/** Sends the claim to the partner. `documentIds` are the ids of proofs of payment that the partner has stored. */
export async function sendClaim(
  ctx: TxContext,
  { loanCase, journey }: { loanCase: PartnerCase; journey: Journey },
  operation: ServicingRow,
  { claim, documentIds }: { claim: PaymentClaim; documentIds: string[] },
): Promise<void> {
  const { kind } = operation
  if (!isKeyOf(serviceTypes, kind)) throw new Error(`a ${kind} cannot be claimed`)
  const data = {
    claim_reference: operation.operationId,
    service_type: serviceTypes[kind],
    amount: rupees(claim.amount),
    currency: 'INR' as const,
    payment_date: claim.paidOn,
    method: claim.method,
    transaction_reference: claim.transactionReference,
    document_ids: documentIds,
  }
  const paymentId = await sendEvent(ctx, loanCase, { type: 'PAYMENT_CLAIM_SUBMITTED', data })
  // The claim's event id identifies the payment until the lender assigns a payment id.
  await moveServicing(ctx, journey, operation, { move: 'linked', paymentId })
}

/** The day by which a lender usually has verified a payment that the borrower reported at `at`. */
export const resultDay = (at: Date): string => plusDays(businessDate(at), 3)

/** Omits a report that failed because the lender had found the payment by an earlier report. */
export const withoutRepeats = (operations: ServicingRow[]): ServicingRow[] =>
  operations.filter(
    (each) =>
      each.status !== 'FAILED' ||
      !isClaimed(each) ||
      !operations.some((other) => other.status === 'PAID' && referenceOf(other) === referenceOf(each)),
  )

const referenceOf = ({ transactionId }: ServicingRow) => transactionId?.replaceAll('-', '').toUpperCase()

/** Returns every invalid field of a claim. */
export function claimFaults({ amount, transactionReference, paidOn }: PaymentClaim, at: Date): FieldError[] {
  const faults: FieldError[] = []
  if (!fits(PositiveMoney, rupees(amount))) faults.push({ path: 'amount', message: 'must be an amount above zero' })
  if (!/^[A-Za-z0-9/-]{6,40}$/.test(transactionReference))
    faults.push({ path: 'transactionReference', message: 'must be the reference that your bank shows' })
  const today = businessDate(at)
  if (!fits(BusinessDate, paidOn) || paidOn > today || daysBetween(paidOn, today) > maxAgeDays)
    faults.push({ path: 'paidOn', message: `must be a day of the last ${maxAgeDays} days` })
  return faults
}
