// Runs only the sandbox's bank, on its own port and database.
import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import type { Clock } from '@lendloom/foundation/clock'
import { quietLog } from '@lendloom/foundation/log'
import { serve } from '@lendloom/http/server'
import { connect, type Db } from '@lendloom/postgres/sql'
import type { BankSettings } from '@lendloom/sandbox/src/bank/bank-route.ts'
import { bankApi, bankWorkers } from '@lendloom/sandbox/src/bank/routes.ts'
import { sealWith } from '@lendloom/seal/seal'
import type { BankCredit, BorrowerPayment, PayeeAccount } from '@lendloom/wire/bank/bank'
import { testDatabase } from './database.ts'
import { databaseMs } from './deadline.ts'

export interface TestBank {
  /** Base URL of the bank's API, including `/bank`. */
  url: string
  bearer: string
  db: Db
  /** A test may change these settings at any time. */
  policy: BankSettings
  ask(method: 'GET' | 'POST', path: string, body?: unknown, bearer?: string): Promise<{ status: number; body: Json }>
  /** Pays into the lender's account as a borrower. */
  payIn(payment: BorrowerPayment): Promise<BankCredit>
  /** All debits, and whether the bank has confirmed them. */
  debits(): Promise<{ reference: string; amountPaise: bigint; confirmed: boolean }[]>
}

// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary fields
type Json = any

export async function startBank(
  overrides: Partial<BankSettings> = {},
  clock: Clock = () => new Date(),
): Promise<TestBank> {
  const db = connect(await testDatabase('sandbox'), { connections: 6 })
  const policy: BankSettings = {
    bearer: 'bearer-of-a-test-bank',
    lender: 'Celestium',
    settleSeconds: 0,
    silentSeconds: 1,
    ...overrides,
  }
  const ctx = { db, clock, log: quietLog, seal: sealWith(`k1:${randomBytes(32).toString('base64')}`), bank: policy }
  const server = await serve({ apis: [bankApi], ctx, clock, log: quietLog, host: '127.0.0.1', port: 0, databaseMs })
  const workers = bankWorkers(ctx)
  after(async () => {
    await server.stop()
    await Promise.all(workers.map((worker) => worker.stop()))
    await db.close()
  })
  const ask: TestBank['ask'] = async (method, path, body, bearer = policy.bearer) => {
    const response = await fetch(`${server.url}/bank${path}`, {
      method,
      headers: { authorization: `Bearer ${bearer}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }
  return {
    url: `${server.url}/bank`,
    bearer: policy.bearer,
    db,
    policy,
    ask,
    async payIn(payment) {
      const { status, body } = await ask('POST', '/borrower-payments', payment)
      if (status !== 201) throw new Error(`the bank answered ${status} ${JSON.stringify(body)}`)
      return body
    },
    debits: () => db<{ reference: string; amountPaise: bigint; confirmed: boolean }>`
      select reference, amount_paise,
        coalesce((select status = 'CONFIRMED' from bank_debit_result r where r.reference = d.reference
          order by sequence desc limit 1), false) as confirmed
      from bank_debit d order by created_at, reference`,
  }
}

/** Returns an account with these last digits, which may trigger a sandbox scenario. */
export const accountEnding = (digits = '1234', holder = 'ASHA VERMA'): PayeeAccount => ({
  holder_name: holder,
  account_number: `50100${Math.floor(Math.random() * 1e6)
    .toString()
    .padStart(6, '0')}${digits}`,
  ifsc: 'HDFC0001234',
})
