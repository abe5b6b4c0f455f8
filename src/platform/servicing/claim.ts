// The borrower reports a payment to the partner on our page: a claim, which the lender verifies (D3 §6
// PAYMENT_CLAIM_SUBMITTED).
import type { Write } from '#kit/db/write.ts'
import { type FieldError, invalid, Refusal } from '#kit/http/refusal.ts'
import { businessDate, daysBetween } from '#kit/money/calendar.ts'
import { type Paise, rupees } from '#kit/money/money.ts'
import { isKeyOf } from '#kit/runtime/record.ts'
import type { Context, TxContext } from '#platform/context.ts'
import type { PartnerCase } from '#platform/exchange/case.ts'
import { sendEvent } from '#platform/exchange/deliver.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { updateJourney } from '#platform/journey/store.ts'
import { isOpen, listServicing, moveServicing, type ServicingRow } from './store.ts'

export const claimMethods = ['NEFT', 'RTGS', 'IMPS', 'UPI'] as const

/** What the borrower knows of the payment. `paidOn` is a business date. */
export interface PaymentClaim {
  amount: Paise
  method: (typeof claimMethods)[number]
  transactionReference: string
  paidOn: string
}

const services = { MISSED_EMI_PAYMENT: 'MISSED_EMI', PRE_PART_PAYMENT: 'PRE_PART_PAYMENT' } as const

/** How long ago a payment may lie; an older one is for the grievance officer. */
const mostDays = 60

/**
 * Takes the claim of an operation, once: null for a second one, which changes nothing. It does not change a balance;
 * `sendClaim` notifies the partner. Refused: `absent` · `wrong-state` the operation has ended · `invalid` the claim
 * itself.
 */
export async function takeClaim(
  ctx: Write,
  journey: Journey,
  operationId: string,
  claim: PaymentClaim,
): Promise<ServicingRow | null> {
  const { tx, at } = ctx
  const operation = (await listServicing(tx, journey)).find((each) => each.operationId === operationId)
  if (!operation) throw new Refusal('absent', 'there is no such operation')
  if (isClaimed(operation)) return null
  if (!isKeyOf(services, operation.kind) || !isOpen(operation))
    throw new Refusal('wrong-state', 'nothing can be claimed for this any more')
  check(claim, at)
  const change = { transactionId: claim.transactionReference, amountPaise: claim.amount }
  await moveServicing(ctx, journey, operation, { move: 'linked', ...change })
  await updateJourney(tx, journey, { lastBorrowerActAt: at }, at)
  return { ...operation, ...change }
}

/** Tells the partner what was claimed. `documentIds` are files that it has stored; a picture proves no receipt. */
export async function sendClaim(
  ctx: TxContext,
  { application, journey }: { application: PartnerCase; journey: Journey },
  operation: ServicingRow,
  { claim, documentIds }: { claim: PaymentClaim; documentIds: string[] },
): Promise<void> {
  const { kind } = operation
  if (!isKeyOf(services, kind)) throw new Error(`a ${kind} is nothing that can be claimed to be paid`)
  const data = {
    claim_reference: operation.operationId,
    service_type: services[kind],
    amount: rupees(claim.amount),
    currency: 'INR' as const,
    payment_date: claim.paidOn,
    method: claim.method,
    transaction_reference: claim.transactionReference,
    document_ids: documentIds,
  }
  const paymentId = await sendEvent(ctx, application, { type: 'PAYMENT_CLAIM_SUBMITTED', data })
  // Identified by its claiming event until the lender assigns a payment id.
  await moveServicing(ctx, journey, operation, { move: 'linked', paymentId })
}

/** Whether the borrower has claimed the payment. */
export const isClaimed = ({ transactionId }: Pick<ServicingRow, 'transactionId'>): boolean => transactionId !== null

function check({ amount, transactionReference, paidOn }: PaymentClaim, at: Date): void {
  const faults: FieldError[] = []
  if (amount <= 0n) faults.push({ path: 'amount', message: 'must be an amount above zero' })
  if (!/^[A-Za-z0-9/-]{6,40}$/.test(transactionReference))
    faults.push({ path: 'transactionReference', message: 'must be the reference that your bank shows' })
  const today = businessDate(at)
  if (paidOn > today || daysBetween(paidOn, today) > mostDays)
    faults.push({ path: 'paidOn', message: `must be a day of the last ${mostDays} days` })
  const [first, ...more] = faults
  if (first) throw invalid(first, ...more)
}

/** The address at which a borrower tells of a payment to the partner: ours, and for one operation alone. */
export interface ClaimPlace {
  tenantId: string
  journeyId: string
  operationId: string
}

const context = 'claim link'

/** Sealed, so that it cannot be forged or read. Valid as long as the operation is open. */
export const claimUrl = (
  { seal, config }: Pick<Context, 'seal' | 'config'>,
  { tenantId, journeyId, operationId }: ClaimPlace,
): string =>
  `${config.PUBLIC_URL}/repay/${seal.json([tenantId, journeyId, operationId], context).toString('base64url')}`

/** Refused as `absent` when we never made it. */
export function openClaimLink({ seal }: Pick<Context, 'seal'>, token: string): ClaimPlace {
  try {
    const [tenantId, journeyId, operationId] = seal.openJson<[string, string, string]>(
      Buffer.from(token, 'base64url'),
      context,
    )
    return { tenantId, journeyId, operationId }
  } catch {
    throw new Refusal('absent', 'there is nothing at this address')
  }
}
