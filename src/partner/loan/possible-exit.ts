// Finds receipts that would complete a cooling-off exit (RBI Digital Lending Directions) whose request is not recorded.

import type { Tx } from '#kit/db/sql.ts'
import { businessDate, plusDays } from '#kit/money/calendar.ts'
import { exitRecordableUntil } from './exit.ts'
import { applyReceipt, type NewReceipt } from './post-receipt.ts'
import { conditionOf, nextDueOn } from './row.ts'
import { lockAccount } from './store.ts'

interface PossibleExit {
  exitRecordableUntil: string
  nextDueOn: string | null
}

/** The last day for the decision. An instalment that falls due later would make a borrower overdue who has paid. */
export function exitDecisionUntil({ exitRecordableUntil: recordableUntil, nextDueOn: dueOn }: PossibleExit): string {
  const beforeDue = dueOn && plusDays(dueOn, -1)
  return beforeDue && beforeDue < recordableUntil ? beforeDue : recordableUntil
}

/** Whether a receipt waits, because its effect depends on an exit request that is not recorded. */
export async function waitsForExitRequest(tx: Tx, receipt: NewReceipt, at: Date): Promise<boolean> {
  const account = await lockAccount(tx, receipt.caseRef)
  if (!account || account.loan.exitUntil !== null) return false
  const lastDay = exitRecordableUntil(account.loan)
  const until = exitDecisionUntil({ exitRecordableUntil: lastDay, nextDueOn: nextDueOn(account.rows) })
  if (businessDate(at) > until) return false
  const requested = { ...account, loan: { ...account.loan, exitUntil: lastDay } }
  if (!(await applyReceipt(tx, requested, receipt, at)).hasExited) return false
  if ((await applyReceipt(tx, requested, { ...receipt, paise: 0n }, at)).hasExited) return false
  return conditionOf((await applyReceipt(tx, account, receipt, at)).rows) !== 'repaid'
}
