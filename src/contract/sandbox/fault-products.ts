// A row of the table of faults, and which faults can happen for a product: those of gold or funds need what is pledged.
import type { ProductContract } from '#contract/product/products.ts'

const ofGold = ['9041', '9042']
const ofFunds = ['9051', '9052', '9053', '9054', '9055']
/** These steps do not exist at a branch; confirming a gold loan disburses it at once. */
const ofOnlineSteps = ['9006', '9007', '9008', '9009', '9010', '9013', '9014', '9015', '9025']
/** The lender continues the application itself, fully or partly; only for unsecured loans. */
const unsecured = ['9072', '9073']
/** Lenders against mutual funds answer no application without the folios, watch no account and make one offer. */
const notOfFunds = ['9003', '9025', '9071']

/** Whether what the digits of a PAN ask for can happen to a product. */
export function canHappen(digits: string, { pledgesGold, pledgesFunds }: ProductContract): boolean {
  if (ofGold.includes(digits)) return pledgesGold
  if (ofFunds.includes(digits)) return pledgesFunds
  if (pledgesFunds && notOfFunds.includes(digits)) return false
  if (ofOnlineSteps.includes(digits)) return !pledgesGold
  return !unsecured.includes(digits) || (!pledgesGold && !pledgesFunds)
}

/** The rule of four digits. */
export interface SandboxRule<Scenario = string> {
  /** Characters 6 to 9 of the PAN; at the bank the last four digits of the account number, too. */
  digits: string
  scenario: Scenario
  what: string
}

/** A row of the table that the lenders, their page, the demo page and the documents read. */
export interface FaultRule<Scenario = string> extends SandboxRule<Scenario> {
  /** The lenders it happens at, where it is not every lender. The others decide honestly. */
  lenders?: readonly string[]
  title: string
  /** The further result, for integrators. */
  outcome?: string
}
