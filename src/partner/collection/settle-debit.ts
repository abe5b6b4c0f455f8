// Applies the bank's result of a debit to the payment: once per result, in any order of arrival.

import type { DebitResult } from '#contract/bank/bank.ts'
import { uuidv7 } from '#kit/crypto/id.ts'
import type { Tx } from '#kit/db/sql.ts'
import type { Case } from '#partner/case/lifecycle.ts'
import { lockCase } from '#partner/case/store.ts'
import type { Context, TxContext } from '#partner/context.ts'
import { reverseReceipt } from '#partner/loan/reverse-receipt.ts'
import { enqueuePresent } from './enqueue-present.ts'
import { moved, type Payment, type PaymentMove } from './payment.ts'
import { post } from './post.ts'
import { policyOf } from './return-code.ts'
import { reportLoan, reportPayment } from './send-payment-event.ts'
import {
  insertPayment,
  keepResult,
  type PaymentChange,
  paymentOfCollection,
  putHold,
  readPayment,
  writePayment,
} from './store.ts'

/**
 * Applies a result in one transaction with its being kept. One that was kept before changes nothing, one that is older
 * than what was applied is kept as superseded, and one that no rule foresees is kept and left to a person.
 */
export async function settleDebit(ctx: Context, result: DebitResult): Promise<void> {
  const { result_id: resultId, reference } = result
  const known = await paymentOfCollection(ctx.db, reference)
  const problem = await ctx.db.tx((tx) => (known ? settle(tx, ctx, known, result) : keepStrange(tx, ctx, result)))
  if (problem !== null) ctx.alert(problem, { resultId, reference, caseRef: known?.caseRef, code: result.return_code })
}

async function keepStrange(tx: Tx, { config, clock }: Context, result: DebitResult): Promise<string | null> {
  const isFresh = await keepResult(tx, { provider: config.BANK_NAME, result, outcome: 'STRANGE', at: clock() })
  return isFresh ? 'the bank tells of a debit that is not ours' : null
}

/** The alert for operators, if any. */
async function settle(
  tx: Tx,
  ctx: Context,
  { caseRef, paymentId }: Payment,
  result: DebitResult,
): Promise<string | null> {
  const loanCase = await lockCase(tx, caseRef)
  const at = ctx.clock()
  const payment = await readPayment(tx, caseRef, paymentId)
  const isOld = result.sequence <= payment.resultSequence
  const move = moveOf(result)
  const status = isOld ? undefined : moved(payment, move)
  const outcome = isOld ? 'SUPERSEDED' : status ? 'APPLIED' : 'STRANGE'
  if (!(await keepResult(tx, { provider: ctx.config.BANK_NAME, result, outcome, at }))) return null
  if (outcome === 'STRANGE') return 'a result of a debit that no rule foresees'
  if (!status) return null
  await apply({ ...ctx, tx, at }, loanCase, { before: payment, step: { result, move, status } })
  const isForPeople = move === 'returned' && ['stop', 'review'].includes(policyOf(codeOf(result)))
  return isForPeople ? 'debits of a loan are held until a person has looked' : null
}

function moveOf({ status, return_code }: DebitResult): PaymentMove {
  if (status === 'CONFIRMED') return 'confirmed'
  return policyOf(return_code ?? '') === 'enquire' ? 'unsure' : 'returned'
}

interface SettledStep {
  result: DebitResult
  move: PaymentMove
  status: Payment['status']
}

interface DebitStep {
  before: Payment
  step: SettledStep
}

async function apply(ctx: TxContext, loanCase: Case, { before, step }: DebitStep): Promise<void> {
  const { tx, at } = ctx
  const { result, move, status } = step
  const change: PaymentChange = { status, resultSequence: result.sequence }
  if (move === 'confirmed') return post(ctx, loanCase, { before, change: { ...change, ...evidence(result) } })
  // It keeps the receipt's own date and reference: the record that takes it back has others.
  if (status === 'TAKEN_BACK') {
    const taken = await writePayment(tx, before, change, at)
    return takeBack(ctx, loanCase, { receipt: taken, result })
  }
  const reasonCode = status === 'FAILED' ? codeOf(result) : null
  const after = await writePayment(tx, before, { ...change, reasonCode }, at)
  if (status === 'FAILED') await hold(tx, after, codeOf(result), at)
  else await enqueuePresent(tx, after, at)
  await reportPayment(ctx, loanCase, after)
}

const evidence = ({ bank_reference, value_date }: DebitResult) => ({
  bankReference: bank_reference,
  valueOn: value_date,
  reasonCode: null,
})

/** The bank's own code, never one of ours (D3 §6 rule 7). */
const codeOf = ({ return_code }: DebitResult): string => return_code ?? 'NO_CODE'

interface ReturnedReceipt {
  receipt: Payment
  result: DebitResult
}

/** A correcting ledger entry; the reversed receipt stays unchanged (D3 §2.5). */
async function takeBack(ctx: TxContext, loanCase: Case, { receipt, result }: ReturnedReceipt) {
  const { tx, at } = ctx
  const reversal: Payment = {
    ...receipt,
    paymentId: uuidv7(at.getTime()),
    status: 'REVERSED',
    bankReference: result.bank_reference,
    valueOn: result.value_date,
    reasonCode: codeOf(result),
    reversalOfPaymentId: receipt.paymentId,
    createdAt: at,
    updatedAt: at,
  }
  const { caseRef, paymentId } = receipt
  const reversed = await reverseReceipt(
    tx,
    { caseRef, paymentId, reversalPaymentId: reversal.paymentId, reversedOn: result.value_date },
    at,
  )
  await insertPayment(tx, reversal)
  await hold(tx, receipt, codeOf(result), at)
  await reportPayment(ctx, loanCase, reversal)
  await reportLoan(ctx, loanCase, { loanStatus: reversed.loanStatus, reasonCode: 'RECEIPT_REVERSED' })
}

async function hold(tx: Tx, { caseRef, paymentId, umrn }: Payment, reasonCode: string, at: Date): Promise<void> {
  const policy = policyOf(reasonCode)
  if (policy === 'retry' || policy === 'enquire') return
  const held = policy === 'new-mandate' ? umrn : null
  await putHold(tx, { caseRef, policy, reasonCode, umrn: held, paymentId, sinceAt: at })
}
