// Which fault scenarios can happen for a product: those of gold or funds need what is pledged, those of online steps no branch.
import type { ProductContract } from '#contract/product/product.ts'

const ofGold = ['9041', '9042']
const ofFunds = ['9051', '9052', '9053', '9054', '9055']
/** At a branch nobody meets them. */
const ofOnlineSteps = ['9006', '9007', '9008', '9009', '9010', '9015']
/** The lender takes the application over, or a part of it; only without a pledge. */
const unsecured = ['9072', '9073']

/** Whether what the digits of a PAN ask for can happen to a product. */
export function canHappen(digits: string, { pledgesGold, pledgesFunds }: ProductContract): boolean {
  if (ofGold.includes(digits)) return pledgesGold
  if (ofFunds.includes(digits)) return pledgesFunds
  if (ofOnlineSteps.includes(digits)) return !pledgesGold
  return !unsecured.includes(digits) || (!pledgesGold && !pledgesFunds)
}
