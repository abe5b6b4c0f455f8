// What the form of a new application says about the borrower's last one (D1 §2.6: a rejected journey stays rejected).
import type { Run } from '@lendloom/postgres/sql'
import { findWithdrawal } from '#platform/lending/borrower/store.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { listEarlierJourneys } from '#platform/lending/journey/store.ts'
import { listLenderNames } from '#platform/lending/lender/switch/store.ts'
import { findSelected } from '#platform/lending/offer/store.ts'

/** The lender at which the last application ended without a loan; null if the borrower ended it, or for a later status. */
export async function lastRefusingLender(db: Run, journey: Journey): Promise<string | null> {
  if (journey.status !== 'STARTED') return null
  const [last] = await listEarlierJourneys(db, journey)
  if (last?.status !== 'REJECTED' || (await findWithdrawal(db, last))) return null
  const offer = await findSelected(db, last)
  const [lender] = offer ? await listLenderNames(db, last.tenantId, [offer.lenderId]) : []
  return lender?.name ?? null
}
