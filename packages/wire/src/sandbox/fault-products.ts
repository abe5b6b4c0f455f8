// The type of a fault rule, and the faults that each product can have.
import type { ProductContract } from '@lendloom/lending/product/products'

const goldOnly = ['9041', '9042']
const fundsOnly = ['9051', '9052', '9053', '9054', '9055', '9056']
/** These steps do not exist at a branch; confirming a gold loan disburses it at once. */
const onlineStepsOnly = ['9006', '9007', '9008', '9009', '9010', '9013', '9014', '9015', '9025']
/** The lender continues the application itself, fully or partly; only for unsecured loans. */
const unsecuredOnly = ['9072', '9073']
/** Lenders against mutual funds require the folios, do not monitor accounts, and make a single offer. */
const notOfFunds = ['9003', '9025', '9071']

/** Whether the fault selected by these PAN digits is possible for a product. */
export function isPossibleFor(digits: string, { pledgesGold, pledgesFunds }: ProductContract): boolean {
  if (goldOnly.includes(digits)) return pledgesGold
  if (fundsOnly.includes(digits)) return pledgesFunds
  if (pledgesFunds && notOfFunds.includes(digits)) return false
  if (onlineStepsOnly.includes(digits)) return !pledgesGold
  return !unsecuredOnly.includes(digits) || (!pledgesGold && !pledgesFunds)
}

export interface SandboxRule<Scenario = string> {
  /** Characters 6 to 9 of the PAN; at the bank the last four digits of the account number, too. */
  digits: string
  scenario: Scenario
  what: string
}

/** A row of the table that the lenders, their page, the demo page and the documents read. */
export interface FaultRule<Scenario = string> extends SandboxRule<Scenario> {
  /** The lenders with this fault; by default all. Other lenders decide normally. */
  lenders?: readonly string[]
  title: string
  /** The further result, for integrators. */
  outcome?: string
}
