// Money that arrived in the lender's account: stored once, and posted when a claim or its remark identifies the loan
// (D3 §6.4).
import type { BankCredit } from '#contract/bank/bank.ts'
import { paiseOf } from '#contract/exchange/fields.ts'
import { uuidv7 } from '#kit/crypto/id.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import type { Case } from '#partner/case/lifecycle.ts'
import { lockCase } from '#partner/case/store.ts'
import type { Context, TxContext } from '#partner/context.ts'
import { verifyClaim } from './claim.ts'
import { plainReference } from './match.ts'
import { newPayment } from './payment.ts'
import { post } from './post.ts'
import {
  type BankReceipt,
  caseOfLoan,
  claimsOf,
  insertPayment,
  keepReceipt,
  readClaim,
  readReceipt,
  takeReceipt,
} from './store.ts'

/**
 * Stores a receipt and posts it if its owner is known. A repeated one changes nothing. One without a claim or a loan in
 * its remark stays unposted until a claim or a person assigns it.
 */
export async function receiveReceipt(ctx: Context, receipt: BankCredit): Promise<void> {
  const { db, seal, clock, config } = ctx
  const provider = config.BANK_NAME
  const { receipt_id: receiptId, payer_name: payer, remark } = receipt
  await keepReceipt(db, {
    provider,
    receiptId,
    method: receipt.method,
    transactionReference: plainReference(receipt.transaction_reference),
    amountPaise: paiseOf(receipt.amount),
    valueOn: receipt.value_date,
    wordsSealed: seal.json({ payer, remark } satisfies ReceiptTexts, wordsContext(receiptId)),
    caseRef: null,
    paymentId: null,
    isByHand: false,
    receivedAt: clock(),
  })
  const kept = await readReceipt(db, provider, receiptId)
  if (kept.paymentId !== null || (await isClaimed(ctx, kept)) || kept.isByHand) return
  const caseRef = await caseOfLoan(db, (remark ?? '').match(/\d{6,}/g) ?? [])
  if (caseRef !== undefined) await postUnclaimed(ctx, caseRef, kept)
}

/** The first matching claim gets it; claims that do not match are rejected. */
async function isClaimed(ctx: Context, { transactionReference, provider, receiptId }: BankReceipt): Promise<boolean> {
  for (const { caseRef, paymentId } of await claimsOf(ctx.db, transactionReference))
    await ctx.db.tx(async (tx) => {
      const loanCase = await lockCase(tx, caseRef)
      const claim = await readClaim(tx, caseRef, paymentId)
      const isWaiting = claim.status === 'PENDING_VERIFICATION' || claim.status === 'FAILED'
      if (isWaiting) await verifyClaim({ ...ctx, tx, at: ctx.clock() }, loanCase, { claim })
    })
  return (await readReceipt(ctx.db, provider, receiptId)).paymentId !== null
}

async function postUnclaimed(ctx: Context, caseRef: string, receipt: BankReceipt): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const loanCase = await lockCase(tx, caseRef)
    const at = ctx.clock()
    // One that arrived while we waited for the case.
    const [claim] = (await claimsOf(tx, receipt.transactionReference)).filter((each) => each.caseRef === caseRef)
    if (claim && (await verifyClaim({ ...ctx, tx, at }, loanCase, { claim }))) return
    await postAsItIs({ ...ctx, tx, at }, loanCase, receipt)
  })
}

/** Posts an unclaimed receipt as a separate payment; false when another payment has it. */
export async function postAsItIs(
  ctx: Pick<TxContext, 'tx' | 'at' | 'seal' | 'config'>,
  loanCase: Case,
  receipt: BankReceipt,
): Promise<boolean> {
  const { tx, at } = ctx
  const { receiptId, valueOn, method, amountPaise, transactionReference: bankReference } = receipt
  const money = { method, amountPaise, receiptId, bankReference, valueOn }
  const { caseRef } = loanCase
  const payment = newPayment({ caseRef, paymentId: uuidv7(at.getTime()), status: 'POSTED', ...money }, at)
  if (!(await takeReceipt(tx, receipt, payment, at))) return false
  await insertPayment(tx, payment)
  await post(ctx, loanCase, { before: payment, change: { valueOn } })
  return true
}

interface ReceiptTexts {
  payer: string | null
  remark: string | null
}

/** The payer, and their remark. */
export const wordsOf = (seal: Seal, { receiptId, wordsSealed }: BankReceipt): ReceiptTexts =>
  seal.openJson<ReceiptTexts>(wordsSealed, wordsContext(receiptId))

const wordsContext = (receiptId: string): string => `bank_receipt ${receiptId}`
