// The bank's tables: transfers, mandates on file, notices of debits, debits with their results, receipts; and the
// movements of an account, which are made of them.

import { required } from '@lendloom/foundation/required'
import type { Paise } from '@lendloom/lending/money'
import { type Fragment, type Run, sql, type Tx } from '@lendloom/postgres/sql'
import type { BankScenario } from './fault-rules.ts'

export interface TransferRow {
  clientReference: string
  transferId: string
  requestDigest: Buffer
  amountPaise: Paise
  status: 'PENDING' | 'SUCCESS' | 'FAILED'
  scenario: BankScenario | null
  bankReference: string | null
  reasonCode: string | null
  updatedAt: Date
}

const transferColumns = sql`client_reference, transfer_id, request_digest, amount_paise, status, scenario, bank_reference,
  reason_code, updated_at`

/** Stores the first order of a reference; false when the reference exists. */
export async function storeTransfer(
  tx: Tx,
  order: TransferRow & { requestSealed: Buffer; holder: string },
): Promise<boolean> {
  const inserted = await tx`insert into bank_transfer ${tx({ ...order, createdAt: order.updatedAt })}
    on conflict do nothing returning 1`
  return inserted.length > 0
}

/** Finds a transfer by the reference of the lender. */
export async function findTransfer(db: Run, clientReference: string): Promise<TransferRow | undefined> {
  const [row] = await db<TransferRow>`
    select ${transferColumns} from bank_transfer where client_reference = ${clientReference}`
  return row
}

type TransferOutcome = Pick<TransferRow, 'status' | 'bankReference' | 'reasonCode'>

/** Ends a pending transfer; one that has ended stays as it is. */
export async function endTransfer(
  tx: Tx,
  clientReference: string,
  { status, bankReference, reasonCode }: TransferOutcome,
  at: Date,
): Promise<void> {
  await tx`update bank_transfer set status = ${status}, bank_reference = ${bankReference}, reason_code = ${reasonCode},
      updated_at = ${at}
    where client_reference = ${clientReference} and status = 'PENDING'`
}

export interface MandateRow {
  umrn: string
  maximumPaise: Paise
  /** `YYYY-MM-DD` */
  validFrom: string
  validUntil: string
  status: 'ACTIVE' | 'PAUSED' | 'CANCELLED'
  updatedAt: Date
}

/** Enters a mandate, or updates one that is on file. */
export async function storeMandate(tx: Run, mandate: MandateRow): Promise<void> {
  const { maximumPaise, validFrom, validUntil, status, updatedAt } = mandate
  await tx`insert into bank_mandate ${tx({ ...mandate })} on conflict (umrn) do update set
    maximum_paise = ${maximumPaise}, valid_from = ${validFrom}, valid_until = ${validUntil}, status = ${status},
    updated_at = ${updatedAt}`
}

/** Finds a mandate on file. */
export async function findMandate(db: Run, umrn: string): Promise<MandateRow | undefined> {
  const [row] = await db<MandateRow>`
    select umrn, maximum_paise, valid_from, valid_until, status, updated_at from bank_mandate where umrn = ${umrn}`
  return row
}

export interface NoticeRow {
  umrn: string
  collectionOn: string
  amountPaise: Paise
  sentAt: Date
}

/** Stores the notice of a debit. A repeated notice of the same amount keeps its time. */
export async function storeNotice(tx: Tx, notice: NoticeRow): Promise<void> {
  await tx`insert into bank_debit_notice ${tx({ ...notice })} on conflict (umrn, collection_on) do update set
    amount_paise = excluded.amount_paise, sent_at = excluded.sent_at
    where bank_debit_notice.amount_paise <> excluded.amount_paise`
}

/** Finds the notice of a debit. */
export async function findNotice(db: Run, umrn: string, on: string): Promise<NoticeRow | undefined> {
  const [row] = await db<NoticeRow>`select umrn, collection_on, amount_paise, sent_at from bank_debit_notice
    where umrn = ${umrn} and collection_on = ${on}`
  return row
}

export interface DebitRow {
  reference: string
  debitId: string
  requestDigest: Buffer
  accountDigest: Buffer
  umrn: string
  amountPaise: Paise
  collectionOn: string
  scenario: BankScenario | null
  createdAt: Date
  /** The lender's account that is credited. */
  holder: string
}

/** Stores a presented debit. False when its reference exists. */
export async function storeDebit(tx: Tx, order: DebitRow & { requestSealed: Buffer }): Promise<boolean> {
  const inserted = await tx`insert into bank_debit ${tx({ ...order })} on conflict do nothing returning 1`
  return inserted.length > 0
}

/** Finds a debit by the reference of the lender. */
export async function findDebit(db: Run, reference: string): Promise<DebitRow | undefined> {
  const [row] = await db<DebitRow>`
    select reference, debit_id, request_digest, account_digest, umrn, amount_paise, collection_on, scenario, created_at, holder
    from bank_debit where reference = ${reference}`
  return row
}

/** Counts the debits of a mandate on a day. */
export async function countTries(db: Run, umrn: string, on: string): Promise<number> {
  const [row] = await db<{ count: bigint }>`
    select count(*) as count from bank_debit where umrn = ${umrn} and collection_on = ${on}`
  return Number(required(row, 'count').count)
}

/** Counts the debits of an account. */
export async function countDebits(db: Run, accountDigest: Buffer): Promise<number> {
  const [row] = await db<{ count: bigint }>`
    select count(*) as count from bank_debit where account_digest = ${accountDigest}`
  return Number(required(row, 'count').count)
}

/** The next number of a list. The row stays locked until the commit, so numbers become visible in order. */
async function nextNumber(tx: Tx, list: 'debit_result' | 'receipt'): Promise<bigint> {
  const [numbering] = await tx<{ last: bigint }>`
    update bank_numbering set last = last + 1 where list = ${list} returning last`
  return required(numbering, `numbering of ${list}`).last
}

export interface ResultRow {
  number: bigint
  resultId: string
  reference: string
  sequence: number
  status: 'CONFIRMED' | 'RETURNED'
  returnCode: string | null
  bankReference: string | null
  valueOn: string
  at: Date
}

const resultColumns = sql`number, result_id, reference, sequence, status, return_code, bank_reference, value_on, at`

/** Enters a result, unless the debit already has one with this sequence. */
export async function addResult(tx: Tx, result: Omit<ResultRow, 'number'>): Promise<void> {
  const number = await nextNumber(tx, 'debit_result')
  await tx`insert into bank_debit_result ${tx({ ...result, number })} on conflict (reference, sequence) do nothing`
}

/** Returns the results of a debit, in order. */
export const resultsOf = (db: Run, reference: string): Promise<ResultRow[]> => db<ResultRow>`
  select ${resultColumns} from bank_debit_result where reference = ${reference} order by sequence`

/** Returns the results of a lender's debits after a number of the list. */
export const resultsAfter = (
  db: Run,
  holder: string,
  after: bigint,
  limit: number,
): Promise<ResultRow[]> => db<ResultRow>`
  select ${resultColumns} from bank_debit_result r where number > ${after}
    and exists (select from bank_debit d where d.reference = r.reference and d.holder = ${holder})
  order by number limit ${limit}`

export interface ReceiptRow {
  number: bigint
  receiptId: string
  method: 'NEFT' | 'RTGS' | 'IMPS' | 'UPI'
  transactionReference: string
  amountPaise: Paise
  valueOn: string
  payerSealed: Buffer
  remark: string | null
  /** The transfer that the credit gives back, and why; null for a payment. */
  returnOf: string | null
  returnCode: string | null
  at: Date
  /** The lender's account that was credited. */
  holder: string
}

/** Enters a credit of an account. */
export async function addReceipt(tx: Tx, receipt: Omit<ReceiptRow, 'number'>): Promise<void> {
  const number = await nextNumber(tx, 'receipt')
  await tx`insert into bank_receipt ${tx({ ...receipt, number })}`
}

/** Returns the credits of a lender's account after a number of the list. */
export const receiptsAfter = (
  db: Run,
  holder: string,
  after: bigint,
  limit: number,
): Promise<ReceiptRow[]> => db<ReceiptRow>`
  select number, receipt_id, method, transaction_reference, amount_paise, value_on, payer_sealed, remark, return_of, return_code, at,
    holder
  from bank_receipt where number > ${after} and holder = ${holder} order by number limit ${limit}`

export interface PaidTransfer {
  clientReference: string
  amountPaise: Paise
  requestSealed: Buffer
  /** The lender's account that was debited. */
  holder: string
  returnedAt: Date | null
}

/** Locks and returns a successful transfer. */
export async function lockPaidTransfer(tx: Tx, clientReference: string): Promise<PaidTransfer | undefined> {
  const [row] = await tx<PaidTransfer>`
    select client_reference, amount_paise, request_sealed, holder, returned_at from bank_transfer
    where client_reference = ${clientReference} and status = 'SUCCESS' for update`
  return row
}

/** Records that the money of a transfer was given back. */
export async function saveReturn(tx: Tx, clientReference: string, at: Date): Promise<void> {
  await tx`update bank_transfer set returned_at = ${at} where client_reference = ${clientReference}`
}

interface AccountMovement {
  valueOn: string
  reference: string
  description: string
  paise: Paise
}

/** Transfers, debits with their returns, and receipts. A return has the reference of the debit's credit. */
const movementsOf = (holder: string): Fragment => sql`
  select (updated_at at time zone 'Asia/Kolkata')::date as value_on, updated_at as at, -amount_paise as paise,
    bank_reference as reference, 'Transfer ' || client_reference as description
  from bank_transfer where status = 'SUCCESS' and holder = ${holder}
  union all
  select r.value_on, r.at, d.amount_paise, r.bank_reference, 'Debit by mandate ' || d.umrn
  from bank_debit_result r join bank_debit d on d.reference = r.reference
  where r.status = 'CONFIRMED' and d.holder = ${holder}
  union all
  select r.value_on, r.at, -d.amount_paise, c.bank_reference, 'Return of a debit by mandate ' || d.umrn
  from bank_debit_result r join bank_debit d on d.reference = r.reference
    join bank_debit_result c on c.reference = r.reference and c.sequence < r.sequence and c.status = 'CONFIRMED'
  where r.status = 'RETURNED' and d.holder = ${holder}
  union all
  select value_on, at, amount_paise, transaction_reference, method || coalesce(' ' || remark, '')
  from bank_receipt where holder = ${holder}`

export interface AccountDay {
  valueOn: string
  movements: number
  inPaise: Paise
  outPaise: Paise
}

/** Sums the movements of each of the last days of an account with movements. */
export const accountDays = (db: Run, holder: string): Promise<AccountDay[]> => db<AccountDay>`
  select value_on, count(*)::int as movements, coalesce(sum(paise) filter (where paise > 0), 0)::bigint as in_paise,
    coalesce(-sum(paise) filter (where paise < 0), 0)::bigint as out_paise
  from (${movementsOf(holder)}) as moved group by value_on order by value_on desc limit 62`

/** Returns the movements of an account in a period, in their order. */
export const accountMovements = (db: Run, holder: string, from: string, to: string): Promise<AccountMovement[]> =>
  db<AccountMovement>`
    select value_on, reference, description, paise from (${movementsOf(holder)}) as moved
    where value_on between ${from}::date and ${to}::date order by value_on, at, reference`

/** Returns the balance of an account at the start of a day. */
export async function balanceBefore(db: Run, holder: string, on: string): Promise<Paise> {
  const [row] = await db<{ paise: Paise }>`
    select coalesce(sum(paise), 0)::bigint as paise from (${movementsOf(holder)}) as moved where value_on < ${on}::date`
  return row?.paise ?? 0n
}
