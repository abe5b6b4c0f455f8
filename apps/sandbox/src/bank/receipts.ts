// Receipts at the bank (credits to a lender's account, also those that a borrower pays in), and the cancellation of
// mandates on file.

import { Refusal } from '@lendloom/foundation/refusal'
import { Closed, Type } from '@lendloom/foundation/schema'
import { answer } from '@lendloom/http/server'
import { businessDate } from '@lendloom/lending/calendar'
import { rupees } from '@lendloom/lending/money'
import type { Run } from '@lendloom/postgres/sql'
import { uuidv7 } from '@lendloom/seal/id'
import {
  After,
  BankCredit,
  BankError,
  BorrowerPayment,
  CancelledMandate,
  MandateNumber,
  Receipts,
} from '@lendloom/wire/bank/bank'
import { paiseOf } from '@lendloom/wire/exchange/fields'
import { type BankContext, bankRoute, openRoute } from './bank-route.ts'
import { addReceipt, findMandate, type MandateRow, type ReceiptRow, receiptsAfter, storeMandate } from './store.ts'
import { bankReference } from './transaction-reference.ts'

/** Receipts in one answer. */
const pageSize = 200
/** The context under which the payer of a receipt is sealed. */
export const payerContext = (receiptId: string): string => `bank_receipt ${receiptId}`

export const payIn = openRoute({
  method: 'POST',
  path: '/bank/borrower-payments',
  summary: "A borrower pays into the lender's account",
  body: BorrowerPayment,
  reply: { 201: BankCredit },
  handle: async ({ body, at }, ctx) => answer(201, await receivePayment(ctx, body, at)),
})

/** Enters the payment of a borrower, and returns it as the lender will read it. */
export async function receivePayment(ctx: BankContext, payment: BorrowerPayment, at: Date): Promise<BankCredit> {
  const receiptId = uuidv7(at.getTime())
  const receipt: Omit<ReceiptRow, 'number'> = {
    receiptId,
    method: payment.method,
    transactionReference: bankReference(at),
    amountPaise: paiseOf(payment.amount),
    valueOn: businessDate(at),
    payerSealed: ctx.seal.json(payment.payer_name, payerContext(receiptId)),
    remark: payment.remark ?? null,
    returnOf: null,
    returnCode: null,
    at,
    holder: payment.account ?? '',
  }
  await ctx.db.tx((tx) => addReceipt(tx, receipt))
  return receiptToWire(ctx, receipt)
}

export const listReceipts = bankRoute({
  method: 'GET',
  path: '/bank/receipts',
  summary: "Credits to the lender's account, in order of receipt",
  query: After,
  reply: { 200: Receipts },
  async handle({ who, query }, ctx) {
    const after = BigInt(query.after ?? '0')
    const rows = await receiptsAfter(ctx.db, who.holder, after, pageSize)
    return { items: rows.map((row) => receiptToWire(ctx, row)), next: String(rows.at(-1)?.number ?? after) }
  },
})

const payerOf = ({ seal }: BankContext, row: Pick<ReceiptRow, 'receiptId' | 'payerSealed'>): string =>
  seal.openJson<string>(row.payerSealed, payerContext(row.receiptId))

/** A receipt as the API writes it. */
export const receiptToWire = (ctx: BankContext, row: Omit<ReceiptRow, 'number'>) => ({
  receipt_id: row.receiptId,
  method: row.method,
  transaction_reference: row.transactionReference,
  amount: rupees(row.amountPaise),
  currency: 'INR' as const,
  value_date: row.valueOn,
  payer_name: payerOf(ctx, row),
  remark: row.remark,
  return_of: row.returnOf === null ? null : { client_reference: row.returnOf, reason_code: row.returnCode },
  at: row.at.toISOString(),
})

/** Enters or updates a mandate for the mandate registrar. */
export const storeMandateOnFile = (tx: Run, mandate: Omit<MandateRow, 'updatedAt'>, at: Date): Promise<void> =>
  storeMandate(tx, { ...mandate, updatedAt: at })

export const endMandate = bankRoute({
  method: 'POST',
  path: '/bank/mandates/{umrn}/cancel',
  summary: 'Cancels a mandate for its lender; cancelling it again changes nothing',
  params: Type.Object({ umrn: MandateNumber }),
  body: Closed({}),
  reply: { 200: CancelledMandate, 404: BankError },
  async handle({ params: { umrn }, at }, { db }) {
    const mandate = await findMandate(db, umrn)
    if (!mandate) throw new Refusal('absent', 'the bank has no such mandate on file')
    const isNew = mandate.status !== 'CANCELLED'
    if (isNew) await storeMandate(db, { ...mandate, status: 'CANCELLED', updatedAt: at })
    const updatedAt = isNew ? at : mandate.updatedAt
    return answer(200, { umrn, status: 'CANCELLED', updated_at: updatedAt.toISOString() })
  },
})
