// The sandbox's bank alone, on a port and a database of its own, for whoever deals with it.
import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import type { BankCredit, BorrowerPayment, PayeeAccount } from '#contract/bank/bank.ts'
import { sealWith } from '#kit/crypto/seal.ts'
import { connect, type Db } from '#kit/db/sql.ts'
import { serve } from '#kit/http/server.ts'
import type { Clock } from '#kit/runtime/clock.ts'
import { quietLog } from '#kit/runtime/log.ts'
import type { BankSettings } from '#sandbox/bank/bank-route.ts'
import { bankApi, settling } from '#sandbox/bank/routes.ts'
import { testDatabase } from './database.ts'

export interface TestBank {
  /** Base of its interface, `/bank` included. */
  url: string
  bearer: string
  db: Db
  /** What the next calls of the lender do on their way: null lets them through. */
  policy: BankSettings
  ask(method: 'GET' | 'POST', path: string, body?: unknown, bearer?: string): Promise<{ status: number; body: Json }>
  /** A borrower pays into the lender's account. */
  payIn(payment: BorrowerPayment): Promise<BankCredit>
  /** How many debits of that much were carried out. */
  debits(): Promise<{ reference: string; amountPaise: bigint; confirmed: boolean }[]>
}

// biome-ignore lint/suspicious/noExplicitAny: an answer is looked into field by field
type Json = any

export async function startBank(given: Partial<BankSettings> = {}, clock: Clock = () => new Date()): Promise<TestBank> {
  const db = connect(await testDatabase('sandbox'), { connections: 6 })
  const policy: BankSettings = { bearer: 'bearer-of-a-test-bank', settleSeconds: 0, silentSeconds: 1, ...given }
  const ctx = { db, clock, log: quietLog, seal: sealWith(`k1:${randomBytes(32).toString('base64')}`), bank: policy }
  const server = await serve({ apis: [bankApi], ctx, clock, log: quietLog, host: '127.0.0.1', port: 0 })
  const workers = settling(ctx)
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

/** An account whose last digits may make something go wrong. */
export const accountEnding = (digits = '1234', holder = 'ASHA VERMA'): PayeeAccount => ({
  holder_name: holder,
  account_number: `50100${Math.floor(Math.random() * 1e6)
    .toString()
    .padStart(6, '0')}${digits}`,
  ifsc: 'HDFC0001234',
})
