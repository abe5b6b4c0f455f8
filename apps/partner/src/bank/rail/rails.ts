// The rails of this lender, one table each.
import { eNach } from './e-nach.ts'
import type { Rail } from './rail.ts'
import { upiAutopay } from './upi-autopay.ts'

export const rails: readonly Rail[] = [eNach, upiAutopay]

/** Returns the rail of a mandate by its number: a UPI mandate has an address (`…@bank`), a NACH mandate a UMRN. */
export const railOf = (mandateNumber: string): Rail => (mandateNumber.includes('@') ? upiAutopay : eNach)
