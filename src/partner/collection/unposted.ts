// Books each bank receipt on the day of its arrival, as money that belongs to no loan until it is posted.

import type { Write } from '#kit/db/write.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { posting } from '#partner/ledger/store.ts'
import { postInBooks } from '#partner/loan/end-of-day.ts'
import type { Payment } from './payment.ts'
import { type BankReceipt, insertReceipt } from './store.ts'

/** The case of the entries of receipts that are not posted to a loan. */
const caseRef = 'receipts'

type PaidReceipt = Pick<Payment, 'paymentId' | 'amountPaise'>

/** Stores a receipt and books its arrival, once. */
export async function storeReceipt(ctx: Write, receipt: BankReceipt): Promise<void> {
  if (!(await insertReceipt(ctx.tx, receipt))) return
  const { provider, receiptId, valueOn, amountPaise } = receipt
  await bookArrival(ctx, { entryId: `arrived-${provider}-${receiptId}`, businessOn: valueOn }, amountPaise)
}

/** Books that a receipt is posted to a loan. The loan's own entry debits the bank. */
export const bookPosting = ({ tx, at }: Write, { paymentId, amountPaise }: PaidReceipt, valueOn: string) => {
  const entry = { caseRef, entryId: `posted-${paymentId}`, kind: 'RECEIPT_POSTED', businessOn: valueOn } as const
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
        caseRef,
        ...entry,
        kind: 'RECEIPT_ARRIVED',
        reverses: null,
        postings: posting('BANK', 'UNPOSTED', amountPaise),
      },
    ],
    at,
  )
