// The units that secure a loan against mutual funds: what the lender wants pledged, and how much of it an amount takes.
import type { Pledge, Scheme } from '#contract/network/v230/pledge.ts'
import { decimalFrom, decimalText } from '#kit/decimal.ts'
import type { Paise } from '#kit/money.ts'
import type { Tx } from '#kit/sql.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { findByConversation, setSchemes } from './store.ts'

/** Registrars count units in thousandths, some in ten-thousandths. */
const places = 4

/**
 * The units to pledge for an amount, in paise, of an offer: of each scheme the share that the amount is of the whole
 * principal, rounded up to a thousandth, for the units must be worth the amount, and never more than was asked for.
 */
export function pledgesFor(schemes: readonly Scheme[], amount: Paise, principal: Paise): Pledge[] {
  return schemes.flatMap(({ schemeCode, unitsRequired }) => {
    const whole = decimalFrom(unitsRequired, places)
    if (whole === null || whole <= 0n) return []
    const share = (whole * amount + principal - 1n) / principal
    const rounded = ((share + 9n) / 10n) * 10n
    const units = amount >= principal || rounded > whole ? whole : rounded
    return [{ schemeCode, units: decimalText(units, places, 3) }]
  })
}

/** Keeps what a lender wants pledged. */
export async function keepSchemes(
  tx: Tx,
  journey: Journey,
  conversationId: string,
  schemes: Scheme[],
  at: Date,
): Promise<void> {
  const offer = await findByConversation(tx, journey, conversationId)
  if (offer && schemes.length > 0) await setSchemes(tx, offer, schemes, at)
}
