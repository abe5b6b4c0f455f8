// A credit line as it stands with its lender: open from the sanction on, and drawn on there, without a message of the network (FIS12 §17.5).
import type { CreditLine } from '#contract/network/v230/terms.ts'
import type { Tx } from '#kit/db/sql.ts'
import type { Paise } from '#kit/money/money.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { updateJourney } from '#platform/journey/store.ts'
import type { Offer } from './offer.ts'
import { findSelected, setLine } from './store.ts'

/** An open line in paise. `available` is what may still be drawn: nothing where more is drawn than the limit by now allows. */
export interface OpenLine {
  limit: Paise
  utilised: Paise
  available: Paise
  openedAt: Date
  changedAt: Date
}

/** The line of an offer, null before its lender has opened it, and of a loan over a term. */
export function openLine({ lineOpenedAt, lineLimitPaise, lineUtilisedPaise, lineChangedAt }: Offer): OpenLine | null {
  if (lineOpenedAt === null || lineLimitPaise === null) return null
  const utilised = lineUtilisedPaise ?? 0n
  return {
    limit: lineLimitPaise,
    utilised,
    available: utilised < lineLimitPaise ? lineLimitPaise - utilised : 0n,
    openedAt: lineOpenedAt,
    changedAt: lineChangedAt ?? lineOpenedAt,
  }
}

/** Keeps what the lender of the chosen offer says of the line; the first word opens it, and one that says nothing new changes nothing. */
export async function keepLine(tx: Tx, journey: Journey, { limit, utilization }: CreditLine, at: Date): Promise<void> {
  const offer = await findSelected(tx, journey)
  if (!offer) return
  if (offer.lineOpenedAt && offer.lineLimitPaise === limit && offer.lineUtilisedPaise === utilization) return
  const line = {
    lineOpenedAt: offer.lineOpenedAt ?? at,
    lineLimitPaise: limit,
    lineUtilisedPaise: utilization,
    lineChangedAt: at,
  }
  await setLine(tx, offer, line, at)
  await updateJourney(tx, journey, {}, at)
}
