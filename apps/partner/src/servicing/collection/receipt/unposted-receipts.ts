// Books each bank receipt on the day of its arrival, as money that belongs to no loan until it is posted.

import { businessDate } from '@lendloom/lending/calendar'
import type { Write } from '@lendloom/postgres/write'
import { type LedgerEntry, posting } from '#partner/books/ledger/entry.ts'
import type { Payment } from '#partner/servicing/collection/payment.ts'
import { postInBooks } from '#partner/servicing/loan/post-in-books.ts'
import { type BankReceipt, insertReceipt } from './store.ts'

/** The case of the entries of receipts that are not posted to a loan. */
export const receiptsCase = 'receipts'

type PaidReceipt = Pick<Payment, 'paymentId' | 'amountPaise'>

/** Stores a receipt and books its arrival, once. Returns false if it is already stored. */
export async function storeReceipt(ctx: Write, receipt: BankReceipt): Promise<boolean> {
  if (!(await insertReceipt(ctx.tx, receipt))) return false
  const { provider, receiptId, valueOn, amountPaise } = receipt
  await bookArrival(ctx, { entryId: `arrived-${provider}-${receiptId}`, businessOn: valueOn }, amountPaise)
  return true
}

/** Books that a receipt is posted to a loan. The loan's own entry debits the bank. */
export const bookPosting = ({ tx, at }: Write, { paymentId, amountPaise }: PaidReceipt, valueOn: string) => {
  const entry = {
    caseRef: receiptsCase,
    entryId: `posted-${paymentId}`,
    kind: 'RECEIPT_POSTED',
    businessOn: valueOn,
  } as const
  return postInBooks(tx, [{ ...entry, reverses: null, postings: posting('UNPOSTED', 'BANK', amountPaise) }], at)
}

/** Books that a receipt belongs to no loan again, after its posting was reversed. */
export const bookRelease = (ctx: Write, { paymentId, amountPaise }: PaidReceipt): Promise<void> =>
  bookArrival(ctx, { entryId: `released-${paymentId}`, businessOn: businessDate(ctx.at) }, amountPaise)

const bookArrival = ({ tx, at }: Write, entry: { entryId: string; businessOn: string }, amountPaise: bigint) =>
  postInBooks(
    tx,
    [
      {
        caseRef: receiptsCase,
        ...entry,
        kind: 'RECEIPT_ARRIVED',
        reverses: null,
        postings: posting('BANK', 'UNPOSTED', amountPaise),
      },
    ],
    at,
  )

interface ReturnedReceipt {
  returnId: string
  amountPaise: bigint
}

/** Books that a receipt is owed to its payer, from the order of its return. */
export const bookReturn = (ctx: Write, { returnId, amountPaise }: ReturnedReceipt): Promise<void> =>
  bookMove(ctx, {
    entryId: `return-${returnId}`,
    kind: 'RECEIPT_RETURN',
    businessOn: businessDate(ctx.at),
    postings: posting('UNPOSTED', 'REFUND_PAYABLE', amountPaise),
  })

/** Books that the bank has paid the payer. */
export const bookPaidReturn = (
  ctx: Write,
  { returnId, amountPaise }: ReturnedReceipt,
  arrivedOn: string,
): Promise<void> =>
  bookMove(ctx, {
    entryId: `return-paid-${returnId}`,
    kind: 'RECEIPT_RETURNED',
    businessOn: arrivedOn,
    postings: posting('REFUND_PAYABLE', 'BANK', amountPaise),
  })

/** Books that the bank took the money of a receipt back. */
export const bookTakenBack = (
  ctx: Write,
  { returnId, amountPaise }: ReturnedReceipt,
  takenBackOn: string,
): Promise<void> =>
  bookMove(ctx, {
    entryId: `taken-back-${returnId}`,
    kind: 'RECEIPT_TAKEN_BACK',
    businessOn: takenBackOn,
    postings: posting('UNPOSTED', 'BANK', amountPaise),
  })

/** Books that a receipt belongs to no loan again, after its return failed. */
export const bookKeptReturn = (ctx: Write, { returnId, amountPaise }: ReturnedReceipt): Promise<void> =>
  bookMove(ctx, {
    entryId: `return-failed-${returnId}`,
    kind: 'RECEIPT_KEPT',
    businessOn: businessDate(ctx.at),
    postings: posting('REFUND_PAYABLE', 'UNPOSTED', amountPaise),
  })

const bookMove = ({ tx, at }: Write, entry: Omit<LedgerEntry, 'caseRef' | 'reverses'>): Promise<void> =>
  postInBooks(tx, [{ ...entry, caseRef: receiptsCase, reverses: null }], at)
