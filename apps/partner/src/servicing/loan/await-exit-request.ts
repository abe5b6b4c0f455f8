// Whether a receipt waits for a cooling-off exit request (RBI Digital Lending Directions): it would complete the exit.

import { businessDate, plusDays } from '@lendloom/lending/calendar'
import type { Tx } from '@lendloom/postgres/sql'
import { coolingOffUntil } from './exit.ts'
import { conditionOf, nextDueOn } from './installment-row.ts'
import { applyReceipt, type NewReceipt } from './post-receipt.ts'
import { lockAccount } from './store.ts'

/** Days after the cooling-off period for which a payment waits for a request. Covers a weekend with adjacent holidays. */
const holdingDays = 7

interface PossibleExit {
  coolingOffUntil: string
  nextDueOn: string | null
}

/** The last day for the decision. An instalment that falls due later would make a borrower overdue who has paid. */
export function exitDecisionUntil({ coolingOffUntil: requestableUntil, nextDueOn: dueOn }: PossibleExit): string {
  const heldUntil = plusDays(requestableUntil, holdingDays)
  const beforeDue = dueOn && plusDays(dueOn, -1)
  return beforeDue && beforeDue < heldUntil ? beforeDue : heldUntil
}

/** Whether a receipt waits, because its effect depends on an exit request that is not recorded. */
export async function waitsForExitRequest(tx: Tx, receipt: NewReceipt, at: Date): Promise<boolean> {
  const account = await lockAccount(tx, receipt.caseRef)
  if (!account || account.loan.exitUntil !== null) return false
  const period = { coolingOffUntil: coolingOffUntil(account.loan), nextDueOn: nextDueOn(account.rows) }
  const until = exitDecisionUntil(period)
  if (businessDate(at) > until) return false
  const requested = { ...account, loan: { ...account.loan, exitUntil: until } }
  if (!(await applyReceipt(tx, requested, receipt, at)).hasExited) return false
  if ((await applyReceipt(tx, requested, { ...receipt, paise: 0n }, at)).hasExited) return false
  return conditionOf((await applyReceipt(tx, account, receipt, at)).rows) !== 'repaid'
}
