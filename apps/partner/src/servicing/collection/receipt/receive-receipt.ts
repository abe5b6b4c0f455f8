// Receives a receipt of the lender's account: stores it before the bank's list is read on, and posts it when a claim or the
// transfer's remark identifies the loan (D3 §6.4).

import { uuidv7 } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'
import type { BankCredit } from '@lendloom/wire/bank/bank'
import { paiseOf } from '@lendloom/wire/exchange/fields'
import type { Context, TxContext } from '#partner/context.ts'
import type { Case } from '#partner/origination/case/lifecycle.ts'
import { lockCase } from '#partner/origination/case/store.ts'
import { postOrHold } from '#partner/servicing/collection/held-payment.ts'
import { newPayment } from '#partner/servicing/collection/payment.ts'
import { claimsOfReference, insertPayment, readClaim } from '#partner/servicing/collection/payment-store.ts'
import { enqueueReturn } from '#partner/servicing/collection/transfer/return-transfer.ts'
import { normalizeReference } from './match-receipt.ts'
import { verifyClaim } from './payment-claim.ts'
import { assignReceipt, type BankReceipt, caseOfLoan, readReceipt } from './store.ts'
import { storeReceipt } from './unposted-receipts.ts'

/** Stores a receipt once. Posts or holds it if a claim or the remark identifies the loan; an officer assigns the rest. */
export async function receiveReceipt(ctx: Context, receipt: BankCredit): Promise<void> {
  const { db, seal, clock, config } = ctx
  const provider = config.BANK_NAME
  const { receipt_id: receiptId, payer_name: payer, remark } = receipt
  const at = clock()
  const arrived = {
    provider,
    receiptId,
    method: receipt.method,
    transactionReference: normalizeReference(receipt.transaction_reference),
    amountPaise: paiseOf(receipt.amount),
    valueOn: receipt.value_date,
    wordsSealed: seal.json({ payer, remark } satisfies ReceiptTexts, textsContext(receiptId)),
    caseRef: null,
    paymentId: null,
    returnId: null,
    isByHand: false,
    receivedAt: at,
    returnOf: receipt.return_of?.client_reference ?? null,
    returnCode: receipt.return_of?.reason_code ?? null,
    returnedTransfer: null,
    returnedCaseRef: null,
  }
  await db.tx(async (tx) => {
    const isNew = await storeReceipt({ tx, at }, arrived)
    if (isNew && arrived.returnOf !== null) await enqueueReturn({ tx, at }, arrived)
  })
  // Money that the bank gives back is no payment of a borrower, whatever its remark says.
  if (arrived.returnOf !== null) return
  const stored = await readReceipt(db, provider, receiptId)
  if (stored.paymentId !== null || stored.returnId !== null || stored.returnedTransfer !== null) return
  if ((await matchClaims(ctx, stored)) || stored.isByHand) return
  const caseRef = await caseOfLoan(db, (remark ?? '').match(/\d{6,}/g) ?? [])
  if (caseRef !== undefined) await postByRemark(ctx, caseRef, stored)
}

/** Confirms the first claim that matches the receipt, and rejects other claims. Returns whether the receipt is posted. */
async function matchClaims(ctx: Context, { transactionReference, provider, receiptId }: BankReceipt): Promise<boolean> {
  for (const { caseRef, paymentId } of await claimsOfReference(ctx.db, transactionReference))
    await ctx.db.tx(async (tx) => {
      const loanCase = await lockCase(tx, caseRef)
      const claim = await readClaim(tx, caseRef, paymentId)
      const isOpenClaim = claim.status === 'PENDING_VERIFICATION' || claim.status === 'FAILED'
      if (isOpenClaim) await verifyClaim({ ...ctx, tx, at: ctx.clock() }, loanCase, { claim })
    })
  return (await readReceipt(ctx.db, provider, receiptId)).paymentId !== null
}

/** Posts a receipt to the loan whose number the remark contains, unless a claim on that loan takes it. */
async function postByRemark(ctx: Context, caseRef: string, receipt: BankReceipt): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const loanCase = await lockCase(tx, caseRef)
    const at = ctx.clock()
    // A claim may have arrived while this transaction waited for the lock of the case.
    const [claim] = (await claimsOfReference(tx, receipt.transactionReference)).filter(
      (each) => each.caseRef === caseRef,
    )
    if (claim && (await verifyClaim({ ...ctx, tx, at }, loanCase, { claim }))) return
    await postUnclaimed({ ...ctx, tx, at }, loanCase, receipt)
  })
}

/** Posts or holds an unclaimed receipt as a separate payment. Returns false if the receipt belongs to another payment. */
export async function postUnclaimed(
  ctx: Pick<TxContext, 'tx' | 'at' | 'seal' | 'config'>,
  loanCase: Case,
  receipt: BankReceipt,
): Promise<boolean> {
  const { tx, at } = ctx
  const { method, amountPaise } = receipt
  const key = { caseRef: loanCase.caseRef, paymentId: uuidv7(at.getTime()) }
  const payment = newPayment({ ...key, status: 'PENDING_VERIFICATION', method, amountPaise }, at)
  if (!(await assignReceipt(tx, receipt, payment, at))) return false
  await insertPayment(tx, payment)
  await postOrHold(ctx, loanCase, { before: payment, receipt })
  return true
}

interface ReceiptTexts {
  payer: string | null
  remark: string | null
}

/** Opens the sealed texts that the payer and the bank wrote. */
export const receiptTexts = (seal: Seal, { receiptId, wordsSealed }: BankReceipt): ReceiptTexts =>
  seal.openJson<ReceiptTexts>(wordsSealed, textsContext(receiptId))

const textsContext = (receiptId: string): string => `bank_receipt ${receiptId}`
