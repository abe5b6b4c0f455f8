// Calls the lender's bank. The outcome of a call without an answer is unknown, and never a rejection (D3 §6.7).

import { jsonIn } from '@lendloom/foundation/json'
import { faults, fits, type Static, type TSchema } from '@lendloom/foundation/schema'
import { call, type HttpAnswer, UnreachableError } from '@lendloom/http/client'
import {
  AccountCheck,
  type AccountCheckRequest,
  BankDebit,
  BankError,
  CancelledMandate,
  DebitNotice,
  type DebitNoticeRequest,
  type DebitRequest,
  DebitResults,
  Receipts,
  Transfer,
  type TransferRequest,
} from '@lendloom/wire/bank/bank'
import type { Context } from '#partner/context.ts'

/** The part of the context that the bank's client needs. */
export type BankCaller = {
  config: Pick<Context['config'], 'BANK_URL' | 'BANK_BEARER' | 'BANK_TIMEOUT_MS'>
  log: Context['log']
}

/**
 * The result of a call. `not-found`: the bank does not know this reference. `refused`: the bank
 * rejected the order. `unknown`: the bank may have accepted the order; only an enquiry can resolve it.
 */
export type BankReply<T> =
  | { is: 'answered'; value: T }
  | { is: 'not-found' }
  | { is: 'refused'; why: string }
  | { is: 'unknown'; why: string }

/**
 * Orders a transfer under our reference. The bank executes a repeated order only once. Callers still enquire before
 * they repeat an order.
 */
export const orderTransfer = (bank: BankCaller, order: TransferRequest): Promise<BankReply<Transfer>> =>
  callBank(bank, Transfer, { method: 'POST', path: '/transfers', order })

/** Asks what became of a transfer, by our reference. */
export const enquireTransfer = (bank: BankCaller, reference: string): Promise<BankReply<Transfer>> =>
  callBank(bank, Transfer, { method: 'GET', path: `/transfers/${reference}` })

/** Sends one rupee to an account, and returns the account holder's name as registered at the account's bank. */
export const checkAccount = (bank: BankCaller, request: AccountCheckRequest): Promise<BankReply<AccountCheck>> =>
  callBank(bank, AccountCheck, { method: 'POST', path: '/account-checks', order: request })

/** Cancels a mandate, so that the bank accepts no further debits under it. Idempotent. */
export const cancelMandate = (bank: BankCaller, umrn: string): Promise<BankReply<CancelledMandate>> =>
  callBank(bank, CancelledMandate, { method: 'POST', path: `/mandates/${encodeURIComponent(umrn)}/cancel`, order: {} })

/** Presents a debit under its collection id. */
export const presentDebit = (bank: BankCaller, order: DebitRequest): Promise<BankReply<BankDebit>> =>
  callBank(bank, BankDebit, { method: 'POST', path: '/debits', order })

/** Has the borrower's bank send a notice of a debit. Idempotent. */
export const notifyBorrower = (bank: BankCaller, order: DebitNoticeRequest): Promise<BankReply<DebitNotice>> =>
  callBank(bank, DebitNotice, { method: 'POST', path: '/debit-notices', order })

/** Asks what became of a debit, by its collection id. */
export const enquireDebit = (bank: BankCaller, reference: string): Promise<BankReply<BankDebit>> =>
  callBank(bank, BankDebit, { method: 'GET', path: `/debits/${reference}` })

/** Returns the debit results after a position in the bank's list. An empty `after` starts at the beginning. */
export const resultsAfter = (bank: BankCaller, after: string): Promise<BankReply<Static<typeof DebitResults>>> =>
  callBank(bank, DebitResults, { method: 'GET', path: `/debit-results${after && `?after=${after}`}` })

/** Returns the receipts after a position in the bank's list, as `resultsAfter` does. */
export const receiptsAfter = (bank: BankCaller, after: string): Promise<BankReply<Static<typeof Receipts>>> =>
  callBank(bank, Receipts, { method: 'GET', path: `/receipts${after && `?after=${after}`}` })

interface BankRequest {
  method: 'GET' | 'POST'
  path: string
  order?: object
}

/** Calls the bank. Refusals and missing answers are logged, and are replies like others. */
async function callBank<T extends TSchema>(
  { config, log }: BankCaller,
  schema: T,
  { method, path, order }: BankRequest,
): Promise<BankReply<Static<T>>> {
  try {
    const answer = await call({
      method,
      url: `${config.BANK_URL}${path}`,
      headers: {
        authorization: `Bearer ${config.BANK_BEARER}`,
        ...(order && { 'content-type': 'application/json' }),
      },
      ...(order && { body: JSON.stringify(order) }),
      timeoutMs: config.BANK_TIMEOUT_MS,
    })
    const reply = replyOf(answer, method, schema)
    if (reply.is === 'refused' || reply.is === 'unknown')
      log.warn({ path, why: reply.why }, 'the bank did not accept a request')
    return reply
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error
    log.warn({ path, why: error.message }, 'the bank did not answer')
    return { is: 'unknown', why: error.message }
  }
}

/** Maps a response to a reply: `unknown` after a rejected credential, a busy bank or an unreadable body. */
function replyOf<T extends TSchema>({ status, body }: HttpAnswer, method: string, schema: T): BankReply<Static<T>> {
  if (status === 404 && (method === 'GET' || fits(BankError, jsonIn(body)))) return { is: 'not-found' }
  if (status === 400 || status === 422) return { is: 'refused', why: `${status}` }
  if (status < 200 || status > 299) return { is: 'unknown', why: `${status}` }
  const value = jsonIn(body)
  if (fits(schema, value)) return { is: 'answered', value }
  const schemaFaults = faults(schema, value).map(({ path, message }) => `${path} ${message}`)
  return { is: 'unknown', why: `unreadable answer: ${schemaFaults[0]}` }
}
