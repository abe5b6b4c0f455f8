// Puts a mandate on the bank's file, so that debits beyond it are turned away before they reach the account.
import type { Run } from '#kit/db/sql.ts'
import { keepMandate, type MandateRow } from './store.ts'

/** Enters a mandate, or what it has become. Called by whoever registers mandates; `at` is when that was. */
export const putOnFile = (tx: Run, mandate: Omit<MandateRow, 'updatedAt'>, at: Date): Promise<void> =>
  keepMandate(tx, { ...mandate, updatedAt: at })
