// Stores the settlement of a loan.

import type { Tx } from '@lendloom/postgres/sql'
import type { Settlement } from './settlement.ts'

export async function saveSettlement(tx: Tx, caseRef: string, settlement: Settlement): Promise<void> {
  const { paise, agreedOn, until, earlierIds } = settlement
  await tx`
    update loan set settlement_paise = ${paise}, settlement_agreed_on = ${agreedOn}, settlement_until = ${until},
      settlement_earlier_ids = ${earlierIds}
    where case_ref = ${caseRef}`
}

/** Saves on which day the loan was settled; null if a returned receipt undid it. */
export async function saveSettledOn(tx: Tx, caseRef: string, on: string | null): Promise<void> {
  await tx`update loan set settled_on = ${on} where case_ref = ${caseRef}`
}

/** Deletes the agreement, and the settlement with it. */
export async function deleteSettlement(tx: Tx, caseRef: string): Promise<void> {
  await tx`
    update loan set settlement_paise = null, settlement_agreed_on = null, settlement_until = null,
      settlement_earlier_ids = '{}', settled_on = null
    where case_ref = ${caseRef}`
}
