// Table bank_receipt: money that arrived in the lender's account, and what became of it.

import { required } from '@lendloom/foundation/required'
import type { Paise } from '@lendloom/lending/money'
import { ascending, type KeyedRow, type PageWindow, pageClauses } from '@lendloom/postgres/keyset'
import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import type { Payment } from '#partner/servicing/collection/payment.ts'

export interface BankReceipt {
  provider: string
  receiptId: string
  method: string
  transactionReference: string
  amountPaise: Paise
  valueOn: string
  /** The sealed payer name and remark. */
  wordsSealed: Buffer
  caseRef: string | null
  paymentId: string | null
  /** The return to the payer that is under way, paid, or made by the bank itself. It excludes a posting. */
  returnId: string | null
  /** Whether an officer reversed the receipt's posting. Then only a claim or an officer can assign it again. */
  isByHand: boolean
  receivedAt: Date
  /** Our reference of the transfer that the bank says it gives back; null for money of a borrower. */
  returnOf: string | null
  returnCode: string | null
  /** The disbursement or refund that the receipt undid; null until then, and for other receipts. */
  returnedTransfer: string | null
  /** The case of that transfer. */
  returnedCaseRef: string | null
}

export type ReceiptKey = Pick<BankReceipt, 'provider' | 'receiptId'>

const receiptColumns = sql`provider, receipt_id, method, transaction_reference, amount_paise, value_on, words_sealed, case_ref,
  payment_id, return_id, is_by_hand, received_at, return_of, return_code, returned_transfer,
  returned_case_ref`

/** Stores a receipt. Returns false if it is already stored. */
export const insertReceipt = async (tx: Tx, receipt: BankReceipt): Promise<boolean> =>
  (await tx`insert into bank_receipt ${tx({ ...receipt })} on conflict do nothing returning 1`).length > 0

/** Returns the receipts of a transaction reference, which a borrower may name in a claim. */
export const receiptsOf = (db: Run, transactionReference: string): Promise<BankReceipt[]> => db<BankReceipt>`
  select ${receiptColumns} from bank_receipt where transaction_reference = ${transactionReference} order by received_at`

/** Finds a receipt; undefined if the bank reported no such one. */
export async function findReceipt(db: Run, provider: string, receiptId: string): Promise<BankReceipt | undefined> {
  const [row] = await db<BankReceipt>`
    select ${receiptColumns} from bank_receipt where provider = ${provider} and receipt_id = ${receiptId}`
  return row
}

/** Locks a receipt until the transaction ends. */
export async function lockReceipt(tx: Tx, { provider, receiptId }: ReceiptKey): Promise<BankReceipt | undefined> {
  const [row] = await tx<BankReceipt>`
    select ${receiptColumns} from bank_receipt where provider = ${provider} and receipt_id = ${receiptId} for update`
  return row
}

/** Reserves a locked receipt for a return, so that it is neither posted nor returned again. */
export async function reserveReceipt(tx: Tx, { provider, receiptId }: ReceiptKey, returnId: string): Promise<void> {
  await tx`update bank_receipt set return_id = ${returnId} where provider = ${provider} and receipt_id = ${receiptId}`
}

/** Frees the receipt of a failed return. Only an officer or a claim can assign it. */
export async function freeReceipt(tx: Tx, returnId: string): Promise<void> {
  await tx`update bank_receipt set return_id = null, is_by_hand = true where return_id = ${returnId}`
}

/** Returns a receipt that is stored. */
export const readReceipt = async (db: Run, provider: string, receiptId: string): Promise<BankReceipt> =>
  required(await findReceipt(db, provider, receiptId), `receipt ${receiptId}`)

/** Whether a receipt is neither posted to a loan, nor sent or taken back, nor the return of a transfer. */
export const isUnposted = sql`payment_id is null and return_id is null and returned_transfer is null`

/** The order of unposted receipts: longest waiting first. */
export const receiptsInOrder = ascending(
  [sql`received_at`, 'instant'],
  [sql`provider`, 'text'],
  [sql`receipt_id`, 'text'],
)

/** Returns a page of the receipts that wait to be posted or returned. */
export const unpostedReceipts = (db: Run, window: PageWindow) => {
  const { key, beyond, order } = pageClauses(receiptsInOrder, window)
  return db<BankReceipt & KeyedRow>`
    select ${receiptColumns}, ${key} from bank_receipt where ${isUnposted} and ${beyond} ${order}`
}

/** Assigns a receipt to a payment. Returns false if the receipt belongs to another payment or a return. */
export async function assignReceipt(tx: Tx, receipt: BankReceipt, payment: Payment, at: Date): Promise<boolean> {
  const assigned = await tx`
    update bank_receipt set case_ref = ${payment.caseRef}, payment_id = ${payment.paymentId}, posted_at = ${at}
    where provider = ${receipt.provider} and receipt_id = ${receipt.receiptId} and ${isUnposted} returning 1`
  return assigned.length > 0
}

/** Records that a receipt is the return of a transfer. Returns false if the receipt was used before. */
export async function assignReturn(
  tx: Tx,
  { provider, receiptId }: ReceiptKey,
  { caseRef, transferId }: { caseRef: string; transferId: string },
): Promise<boolean> {
  const assigned = await tx`
    update bank_receipt set returned_case_ref = ${caseRef}, returned_transfer = ${transferId}
    where provider = ${provider} and receipt_id = ${receiptId} and ${isUnposted} returning 1`
  return assigned.length > 0
}

/** Releases a payment's receipt. Only an officer or a claim can assign the receipt again. */
export async function releaseReceipt(tx: Tx, { caseRef, paymentId }: Payment): Promise<void> {
  await tx`
    update bank_receipt set case_ref = null, payment_id = null, posted_at = null, is_by_hand = true
    where case_ref = ${caseRef} and payment_id = ${paymentId}`
}

/** Returns the bank receipt of a payment; undefined for a debit, whose money the bank reports as a result. */
export async function receiptOfPayment(db: Run, { caseRef, paymentId }: Payment): Promise<BankReceipt | undefined> {
  const [row] = await db<BankReceipt>`
    select ${receiptColumns} from bank_receipt where case_ref = ${caseRef} and payment_id = ${paymentId}`
  return row
}

/** Returns the case whose loan or loan account has one of the numbers; undefined if several cases match. */
export async function caseOfLoan(db: Run, numbers: string[]): Promise<string | undefined> {
  const matches = await db<{ caseRef: string }>`
    select case_ref from loan where loan_id = any(${numbers}::text[]) or loan_account_id = any(${numbers}::text[])`
  const [match, ...otherMatches] = matches
  return otherMatches.length === 0 ? match?.caseRef : undefined
}
