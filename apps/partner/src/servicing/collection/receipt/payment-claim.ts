// Stores a borrower's payment claim, matches the claim with the bank's receipts, and posts it once (D3 §6 rule 4).

import { daysAfter, secondsAfter } from '@lendloom/foundation/clock'
import { invalid, Refusal } from '@lendloom/foundation/refusal'
import { doublingPauses, pauseSeconds, type Schedule } from '@lendloom/foundation/schedule'
import { businessDate, plusDays } from '@lendloom/lending/calendar'
import type { Tx } from '@lendloom/postgres/sql'
import { enqueue, noTenantId, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import { uuidv7 } from '@lendloom/seal/id'
import type { PaymentClaimSubmitted } from '@lendloom/wire/exchange/event/account'
import { paiseOf } from '@lendloom/wire/exchange/fields'
import type { Context, TxContext } from '#partner/context.ts'
import type { Case } from '#partner/origination/case/lifecycle.ts'
import { lockCase } from '#partner/origination/case/store.ts'
import { listStored } from '#partner/origination/document/store.ts'
import { isHeldPayment, postOrHold } from '#partner/servicing/collection/held-payment.ts'
import {
  type ClaimedPayment,
  newPayment,
  type Payment,
  statusAfterMove,
} from '#partner/servicing/collection/payment.ts'
import {
  insertPayment,
  paymentOfClaim,
  readClaim,
  readPayment,
  readPayments,
  writePayment,
} from '#partner/servicing/collection/payment-store.ts'
import { reportPayment } from '#partner/servicing/collection/report-to-platform.ts'
import { accountOf } from '#partner/servicing/loan/account-view.ts'
import { normalizeReference, receiptMismatch } from './match-receipt.ts'
import { assignReceipt, type BankReceipt, receiptsOf } from './store.ts'

const kind = 'verify-claim'

interface VerifyJob {
  caseRef: string
  paymentId: string
}

/**
 * Stores a claim, under the lock of the case, and searches for its receipt at once. PAYMENT_UPDATED reports the result.
 * A repeated claim changes nothing. Throws `wrong-state` without a loan account, `invalid` for a date after tomorrow or
 * a document that the case does not have, and `reused-key` if the claim's reference was used for another payment.
 */
export async function submitClaim(
  ctx: Pick<TxContext, 'tx' | 'at' | 'seal' | 'config'>,
  loanCase: Case,
  claim: PaymentClaimSubmitted,
): Promise<void> {
  const { tx, at } = ctx
  const { caseRef } = loanCase
  const account = await accountOf(tx, caseRef)
  if (!account) throw new Refusal('wrong-state', 'this case has no loan account yet')
  const amountPaise = paiseOf(claim.amount)
  const claimedReference = normalizeReference(claim.transaction_reference)
  const existing = await paymentOfClaim(tx, caseRef, claim.claim_reference)
  if (existing) {
    if (existing.claimedReference === claimedReference && existing.amountPaise === amountPaise) return
    throw new Refusal('reused-key', 'this claim reference was used for another payment')
  }
  await requirePlausible(ctx, caseRef, claim)
  const { method, claim_reference: claimReference, payment_date: claimedOn } = claim
  const isPartPayment = claim.service_type === 'PRE_PART_PAYMENT'
  const claimed = { method, amountPaise, claimReference, claimedReference, claimedOn, isPartPayment }
  const payment = newPayment(
    { caseRef, paymentId: uuidv7(at.getTime()), status: 'PENDING_VERIFICATION', ...claimed },
    at,
  )
  if (await addToPostedPayment(ctx, loanCase, { claim: payment })) return
  await insertPayment(tx, payment)
  const isForeclosure = isPartPayment && amountPaise >= account.soa.totalPaise
  if (isForeclosure) return refuseClaim(ctx, loanCase, { claim: payment, reasonCode: 'FORECLOSURE_UNSUPPORTED' })
  if (await verifyClaim(ctx, loanCase, { claim: payment })) return
  await reportPayment(ctx, loanCase, payment)
  const payload: VerifyJob = { caseRef, paymentId: payment.paymentId }
  const dueAt = secondsAfter(at, ctx.config.BANK_POLL_SECONDS)
  await enqueue(tx, { tenantId: noTenantId, kind, key: payment.paymentId, payload, dueAt })
}

/** Tomorrow is allowed, because the borrower's clock may be ahead of ours. */
const daysAhead = 1

async function requirePlausible(
  { tx, at }: Pick<TxContext, 'tx' | 'at'>,
  caseRef: string,
  { payment_date, document_ids }: PaymentClaimSubmitted,
): Promise<void> {
  if (payment_date > plusDays(businessDate(at), daysAhead))
    throw invalid({ path: 'data.payment_date', message: 'is in the future' })
  if (document_ids.length === 0) return
  const stored = await listStored(tx, caseRef)
  const known = new Set(stored.map(({ documentId }) => documentId))
  for (const [i, id] of document_ids.entries())
    if (!known.has(id))
      throw invalid({ path: `data.document_ids.${i}`, message: 'is not a stored document of this case' })
}

/** Adds a claim to the posted or held payment of its receipt. False without such a payment, or if it has a claim. */
async function addToPostedPayment(
  ctx: Pick<TxContext, 'tx' | 'at' | 'seal' | 'config'>,
  loanCase: Case,
  { claim }: ClaimReview,
): Promise<boolean> {
  const { tx, at } = ctx
  for (const receipt of await receiptsOf(tx, claim.claimedReference)) {
    if (receipt.caseRef !== loanCase.caseRef || receipt.paymentId === null) continue
    if (mismatchReason(ctx, claim, receipt) !== null) continue
    const posted = await readPayment(tx, receipt.caseRef, receipt.paymentId)
    if (posted.claimReference !== null) continue
    const { claimReference, claimedReference, claimedOn } = claim
    const isPartPayment = isHeldPayment(posted) ? claim.isPartPayment : posted.isPartPayment
    const change = { claimReference, claimedReference, claimedOn, isPartPayment }
    const claimedPayment = await writePayment(tx, posted, change, at)
    await reportPayment(ctx, loanCase, claimedPayment)
    return true
  }
  return false
}

export interface ClaimReview {
  claim: ClaimedPayment
}

/** Searches the receipt of a claim, and posts, holds or refuses the claim. Returns false without a receipt. */
export async function verifyClaim(
  ctx: Pick<TxContext, 'tx' | 'at' | 'seal' | 'config'>,
  loanCase: Case,
  { claim }: ClaimReview,
): Promise<boolean> {
  const { tx, at } = ctx
  if (isHeldPayment(claim)) return true
  let reason: string | null = null
  for (const receipt of await receiptsOf(tx, claim.claimedReference)) {
    const fault = usedFor(receipt) ?? mismatchReason(ctx, claim, receipt)
    if (fault === null && (await assignReceipt(tx, receipt, claim, at))) {
      await postOrHold(ctx, loanCase, { before: claim, receipt })
      return true
    }
    // Without a fault, another payment got the receipt meanwhile.
    reason ??= fault ?? 'ALREADY_POSTED'
  }
  if (await isOwnDebit(tx, claim)) reason ??= 'ALREADY_POSTED'
  if (reason === null) return false
  await refuseClaim(ctx, loanCase, { claim, reasonCode: reason })
  return true
}

/** Returns why a receipt is no longer there for a claim. A claim on money that we or the bank return is refused. */
const usedFor = ({ paymentId, returnId, returnOf, returnedTransfer }: BankReceipt): string | null => {
  // Money that the bank gives back is nobody's payment.
  if (paymentId !== null || returnOf !== null || returnedTransfer !== null) return 'ALREADY_POSTED'
  return returnId === null ? null : 'RETURNED_TO_PAYER'
}

/** Whether the borrower claims one of our own debits as a payment. */
async function isOwnDebit(tx: Tx, { caseRef, claimedReference }: Payment): Promise<boolean> {
  const payments = await readPayments(tx, caseRef)
  return payments.some(
    ({ bankReference }) => bankReference !== null && normalizeReference(bankReference) === claimedReference,
  )
}

/** Returns the reason code of the difference between claim and receipt; null if they match. */
function mismatchReason({ config }: Pick<Context, 'config'>, claim: ClaimedPayment, receipt: BankReceipt) {
  const claimed = { amountPaise: claim.amountPaise, method: claim.method, on: claim.claimedOn }
  const received = { amountPaise: receipt.amountPaise, method: receipt.method, on: receipt.valueOn }
  const days = { earlyDays: config.PARTNER_CLAIM_EARLY_DAYS, lateDays: config.PARTNER_CLAIM_DAYS }
  return receiptMismatch(claimed, received, days)
}

interface ClaimRefusal {
  claim: Payment
  reasonCode: string
}

async function refuseClaim(
  ctx: Pick<TxContext, 'tx' | 'at' | 'seal' | 'config'>,
  loanCase: Case,
  { claim, reasonCode }: ClaimRefusal,
): Promise<void> {
  const { tx, at } = ctx
  const status = statusAfterMove(claim, 'refused')
  if (status) await reportPayment(ctx, loanCase, await writePayment(tx, claim, { status, reasonCode }, at))
}

/** When to repeat the search for a claim's receipt. */
export const receiptSchedule = ({ config }: { config: Pick<Context['config'], 'BANK_POLL_SECONDS'> }): Schedule =>
  doublingPauses(2 * config.BANK_POLL_SECONDS, 3600)

/**
 * Repeats the search for receipts until each claim is decided. A claim without a receipt fails at its deadline. A
 * receipt that arrives later is still posted.
 */
export const claimWorker = (ctx: Context): Worker =>
  work<VerifyJob>({
    kind,
    ...ctx,
    async handle({ payload: { caseRef, paymentId }, attempt }) {
      await ctx.db.tx(async (tx) => {
        const loanCase = await lockCase(tx, caseRef)
        const at = ctx.clock()
        const claim = await readClaim(tx, caseRef, paymentId)
        if (claim.status !== 'PENDING_VERIFICATION') return
        if (await verifyClaim({ ...ctx, tx, at }, loanCase, { claim })) return
        if (at < daysAfter(claim.createdAt, ctx.config.PARTNER_CLAIM_DAYS)) {
          // Thrown within the transaction, which gives the case its version back: a search that found nothing changes
          // nothing, so no officer's decision is refused because of it.
          const seconds = pauseSeconds(receiptSchedule(ctx), attempt)
          throw new RetryLater(seconds, 'the bank has not reported the receipt yet')
        }
        await refuseClaim({ ...ctx, tx, at }, loanCase, { claim, reasonCode: 'RECEIPT_NOT_FOUND' })
      })
    },
  })
