// The table receipt_return: returns of unmatched receipts to the accounts from which they came, by us or by the bank.

import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import type { Paise } from '@lendloom/lending/money'
import { ascending, type KeyedRow, type PageWindow, pageClauses } from '@lendloom/postgres/keyset'
import { oneRow, type Run, sql, type Tx } from '@lendloom/postgres/sql'
import type { ReceiptKey } from '#partner/servicing/collection/receipt/store.ts'
import type { TransferRow } from '#partner/servicing/collection/transfer/carry-out-transfer.ts'
import type { RefundStatus } from '#partner/servicing/collection/transfer/refund.ts'

/**
 * A return moves as a refund does, but belongs to a receipt in place of a case. If the bank gives it back, the money is
 * another unposted receipt.
 */
export interface ReceiptReturn extends ReceiptKey, Omit<TransferRow, 'caseRef' | 'confirmedAt'> {
  returnId: string
  status: RefundStatus
}

/** The bank's own debit of a receipt's money, as its statement shows it. */
export interface BankDebit {
  takenBackOn: string
  bankReference: string
}

/** The bank took the money of a receipt back by itself. It is final from the start. */
export interface TakenBack extends ReceiptKey, BankDebit {
  returnId: string
  status: 'TAKEN_BACK'
  amountPaise: Paise
  createdAt: Date
  updatedAt: Date
}

/** The context under which the payee of a return is sealed. */
export const returnContext = (returnId: string): string => `receipt_return ${returnId}`

const columns = sql`return_id, provider, receipt_id, status, amount_paise, payee_sealed, bank_reference, reason_code,
  sent_at, created_at, updated_at`

/** Stores a return. Returns false if the receipt has one that did not fail. */
export const insertReturn = async (tx: Tx, row: ReceiptReturn | TakenBack): Promise<boolean> =>
  (await tx`insert into receipt_return ${tx({ ...row })} on conflict do nothing returning 1`).length > 0

/** Counts the returns of a receipt, also failed ones. */
export async function countReturns(db: Run, { provider, receiptId }: ReceiptKey): Promise<number> {
  const rows = await db<{ count: number }>`
    select count(*)::int as count from receipt_return where provider = ${provider} and receipt_id = ${receiptId}`
  return oneRow(rows).count
}

/** Returns a return that exists. */
export async function requireReturn(db: Run, returnId: string): Promise<ReceiptReturn> {
  const [row] = await db<ReceiptReturn>`select ${columns} from receipt_return where return_id = ${returnId}`
  return required(row, `return ${returnId}`)
}

/** Returns a return that exists, and locks it until the transaction ends. */
export async function lockReturn(tx: Tx, returnId: string): Promise<ReceiptReturn> {
  const [row] = await tx<ReceiptReturn>`select ${columns} from receipt_return where return_id = ${returnId} for update`
  return required(row, `return ${returnId}`)
}

/** Writes the new status of a return, and what the bank reported of it. */
export async function writeReturn(tx: Tx, row: ReceiptReturn): Promise<void> {
  const { returnId, status, bankReference, reasonCode, sentAt, updatedAt } = row
  await tx`
    update receipt_return set status = ${status}, bank_reference = ${bankReference}, reason_code = ${reasonCode},
      sent_at = ${sentAt}, updated_at = ${updatedAt} where return_id = ${returnId}`
}

/** Returns the newest return of a receipt; earlier ones failed. */
export async function newestReturn(
  db: Run,
  { provider, receiptId }: ReceiptKey,
): Promise<ReceiptReturn | TakenBack | undefined> {
  const [row] = await db<ReceiptReturn | TakenBack>`
    select ${columns}, taken_back_on from receipt_return where provider = ${provider} and receipt_id = ${receiptId}
    order by created_at desc, return_id desc limit 1`
  return row
}

/** Throws `wrong-state` if the receipt goes or went back to its payer, by a transfer of ours or because the bank took it. */
export async function requireNotGone(db: Run, key: ReceiptKey): Promise<void> {
  const newest = await newestReturn(db, key)
  if (!newest || newest.status === 'FAILED') return
  if (newest.status === 'TAKEN_BACK') throw new Refusal('wrong-state', 'the bank took the money of this receipt back')
  if (newest.status === 'PAID') throw new Refusal('wrong-state', 'this receipt was sent back to its payer')
  throw new Refusal('wrong-state', 'this receipt is being sent back to its payer')
}

/** The order of returns under way: the longest unchanged first. */
export const returnsInOrder = ascending([sql`updated_at`, 'instant'], [sql`return_id`, 'uuid'])

/** Returns a page of the returns without a final status. */
export const pendingReturns = (db: Run, window: PageWindow) => {
  const { key, beyond, order } = pageClauses(returnsInOrder, window)
  return db<ReceiptReturn & KeyedRow>`
    select ${columns}, ${key} from receipt_return
    where status in ('ORDERED', 'UNKNOWN', 'SENT') and ${beyond} ${order}`
}
