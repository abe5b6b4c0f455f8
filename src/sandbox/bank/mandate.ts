// The mandates that the bank has on file: debits beyond them are turned away before they reach the account.
import { BankError, CancelledMandate } from '#contract/bank/bank.ts'
import type { Run } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { Closed, Type } from '#kit/http/schema.ts'
import { answer } from '#kit/http/server.ts'
import { bankRoute } from './bank-route.ts'
import { findMandate, keepMandate, type MandateRow } from './store.ts'

/** Enters a mandate, or what it has become. Called by whoever registers mandates; `at` is when that was. */
export const putOnFile = (tx: Run, mandate: Omit<MandateRow, 'updatedAt'>, at: Date): Promise<void> =>
  keepMandate(tx, { ...mandate, updatedAt: at })

export const endMandate = bankRoute({
  method: 'POST',
  path: '/bank/mandates/{umrn}/cancel',
  summary: 'Ends a mandate, as the lender that it was given to asks; one that has ended stays so',
  params: Type.Object({ umrn: Type.String({ pattern: '^[A-Z0-9]{1,20}$' }) }),
  body: Closed({}),
  reply: { 200: CancelledMandate, 404: BankError },
  async handle({ params: { umrn }, at }, { db }) {
    const mandate = await findMandate(db, umrn)
    if (!mandate) throw new Refusal('absent', 'the bank has no such mandate on file')
    const isNew = mandate.status === 'ACTIVE'
    if (isNew) await keepMandate(db, { ...mandate, status: 'CANCELLED', updatedAt: at })
    const updatedAt = isNew ? at : mandate.updatedAt
    return answer(200, { umrn, status: 'CANCELLED', updated_at: updatedAt.toISOString() })
  },
})
