// Applies the bank's results of a debit to its payment. Each result counts once, in any order of arrival.

import type { Tx } from '@lendloom/postgres/sql'
import { uuidv7 } from '@lendloom/seal/id'
import type { DebitResult } from '@lendloom/wire/bank/bank'
import { type ReturnPolicy, returnPolicyOf } from '#partner/bank/rail/rail.ts'
import { railOf } from '#partner/bank/rail/rails.ts'
import type { Context, TxContext } from '#partner/context.ts'
import type { Case } from '#partner/origination/case/lifecycle.ts'
import { lockCase } from '#partner/origination/case/store.ts'
import { reviewHeldPayments } from '#partner/servicing/collection/held-payment.ts'
import { type Payment, type PaymentMove, statusAfterMove } from '#partner/servicing/collection/payment.ts'
import {
  insertPayment,
  type PaymentChange,
  paymentOfCollection,
  readPayment,
  writePayment,
} from '#partner/servicing/collection/payment-store.ts'
import { postPayment } from '#partner/servicing/collection/post-payment.ts'
import { reportLoan, reportPayment } from '#partner/servicing/collection/report-to-platform.ts'
import { reverseReceipt } from '#partner/servicing/loan/reverse-receipt.ts'
import { enqueuePresentation } from './enqueue-presentation.ts'
import { putHold, storeResult } from './store.ts'

/**
 * Stores and applies a result in one transaction. Ignores a result that was stored before. Stores an outdated result
 * as superseded, without applying it. Stores an unexpected result, and alerts operators.
 */
export async function applyDebitResult(ctx: Context, result: DebitResult): Promise<void> {
  const { result_id: resultId, reference } = result
  const payment = await paymentOfCollection(ctx.db, reference)
  const alertText = await ctx.db.tx((tx) =>
    payment ? applyKnown(tx, ctx, payment, result) : storeUnknown(tx, ctx, result),
  )
  if (alertText !== null)
    ctx.alert(alertText, { resultId, reference, caseRef: payment?.caseRef, code: result.return_code })
}

async function storeUnknown(tx: Tx, { config, clock }: Context, result: DebitResult): Promise<string | null> {
  const isNew = await storeResult(tx, { provider: config.BANK_NAME, result, outcome: 'STRANGE', at: clock() })
  return isNew ? 'the bank reported an unknown debit' : null
}

/** Applies the result of a known debit. Returns the text of an alert for operators, or null. */
async function applyKnown(
  tx: Tx,
  ctx: Context,
  { caseRef, paymentId }: Payment,
  result: DebitResult,
): Promise<string | null> {
  const loanCase = await lockCase(tx, caseRef)
  const at = ctx.clock()
  const payment = await readPayment(tx, caseRef, paymentId)
  const isOutdated = result.sequence <= payment.resultSequence
  const policy = policyAfter(payment, codeOf(result))
  const move = moveOf(result, policy)
  const status = isOutdated ? undefined : statusAfterMove(payment, move)
  const outcome = isOutdated ? 'SUPERSEDED' : status ? 'APPLIED' : 'STRANGE'
  if (!(await storeResult(tx, { provider: ctx.config.BANK_NAME, result, outcome, at }))) return null
  if (outcome === 'STRANGE') return 'unexpected debit result'
  if (!status) return null
  await applyStep({ ...ctx, tx, at }, loanCase, { before: payment, step: { result, move, status } })
  const needsReview = move === 'returned' && (policy === 'stop' || policy === 'review')
  return needsReview ? 'debits of a loan are on hold until reviewed' : null
}

const policyAfter = ({ umrn }: Pick<Payment, 'umrn'>, code: string): ReturnPolicy =>
  returnPolicyOf(railOf(umrn ?? ''), code)

function moveOf({ status }: DebitResult, policy: ReturnPolicy): PaymentMove {
  if (status === 'CONFIRMED') return 'confirmed'
  return policy === 'enquire' ? 'inconclusive' : 'returned'
}

interface ResultStep {
  result: DebitResult
  move: PaymentMove
  status: Payment['status']
}

interface DebitStep {
  before: Payment
  step: ResultStep
}

async function applyStep(ctx: TxContext, loanCase: Case, { before, step }: DebitStep): Promise<void> {
  const { tx, at } = ctx
  const { result, move, status } = step
  const change: PaymentChange = { status, resultSequence: result.sequence }
  if (move === 'confirmed') {
    await postPayment(ctx, loanCase, { before, change: { ...change, ...confirmedFields(result) } })
    return reviewHeldPayments(ctx, loanCase)
  }
  // The posted payment keeps its date and reference. The reversal is a separate payment with its own.
  if (status === 'TAKEN_BACK') {
    const posted = await writePayment(tx, before, change, at)
    return reverse(ctx, loanCase, { posted, result })
  }
  const reasonCode = status === 'FAILED' ? codeOf(result) : null
  const after = await writePayment(tx, before, { ...change, reasonCode }, at)
  if (status === 'FAILED') await holdAfterReturn(tx, after, codeOf(result), at)
  else await enqueuePresentation(tx, after, at)
  await reportPayment(ctx, loanCase, after)
}

const confirmedFields = ({ bank_reference, value_date }: DebitResult) => ({
  bankReference: bank_reference,
  valueOn: value_date,
  reasonCode: null,
})

/** The bank's return code, unchanged (D3 §6 rule 7). */
const codeOf = ({ return_code }: DebitResult): string => return_code ?? 'NO_CODE'

interface DebitReturn {
  posted: Payment
  result: DebitResult
}

/** Records the return of a posted debit as a separate payment (D3 §2.5). */
async function reverse(ctx: TxContext, loanCase: Case, { posted, result }: DebitReturn) {
  const { tx, at } = ctx
  const reversal: Payment = {
    ...posted,
    paymentId: uuidv7(at.getTime()),
    status: 'REVERSED',
    bankReference: result.bank_reference,
    valueOn: result.value_date,
    reasonCode: codeOf(result),
    reversalOfPaymentId: posted.paymentId,
    createdAt: at,
    updatedAt: at,
  }
  const { caseRef, paymentId } = posted
  const reversed = await reverseReceipt(
    tx,
    { caseRef, paymentId, reversalPaymentId: reversal.paymentId, reversedOn: result.value_date },
    at,
  )
  await insertPayment(tx, reversal)
  await holdAfterReturn(tx, posted, codeOf(result), at)
  await reportPayment(ctx, loanCase, reversal)
  await reportLoan(ctx, loanCase, { loanStatus: reversed.loanStatus, reasonCode: 'RECEIPT_REVERSED' })
  await reviewHeldPayments(ctx, loanCase)
}

/** Puts debits on hold after a return, unless the code allows a retry. */
async function holdAfterReturn(
  tx: Tx,
  { caseRef, paymentId, umrn }: Payment,
  reasonCode: string,
  at: Date,
): Promise<void> {
  const policy = policyAfter({ umrn }, reasonCode)
  if (policy === 'retry' || policy === 'wait' || policy === 'enquire') return
  const heldUmrn = policy === 'new-mandate' ? umrn : null
  await putHold(tx, { caseRef, policy, reasonCode, umrn: heldUmrn, paymentId, sinceAt: at })
}
