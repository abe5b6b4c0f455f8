// Texts about lenders and partners: their health, their entry in the registry, and the names of limits, prices and
// contacts.

import type { Answers, Lender } from '@lendloom/wire/console/lenders'
import type { PartnerContact, PartnerRules } from '@lendloom/wire/console/lending-partners'
import type { RegistryEntry } from '@lendloom/wire/console/network'
import { ago } from '../ui/clock.ts'
import { labelOf } from '../ui/code-labels.ts'
import type { Tone } from '../ui/components.tsx'
import { number } from '../ui/format-figures.ts'

/** The names of products where there is little room. */
export const shortProductNames: Record<string, string> = {
  PERSONAL_LOAN: 'Personal',
  GOLD_LOAN: 'Gold',
  LAMF_LOAN: 'Mutual funds',
}

/** Counts all requests to a lender. */
export const requestsOf = ({ answered, late, refused, silent, unreached, waiting }: Answers): number =>
  answered + late + refused + silent + unreached + waiting

/** A lender's health in the last hour: good if at least 95 % of its requests were answered on time. */
function healthOf({ off, hour }: Pick<Lender, 'off' | 'hour'>): readonly [Tone, string] {
  if (off.length > 0) return ['warn', off.some(({ forAll }) => forAll) ? 'Switched off' : 'Off for a tenant']
  const completed = requestsOf(hour) - hour.waiting
  if (completed === 0) return ['plain', 'No requests']
  const share = hour.answered / completed
  if (share >= 0.95) return ['good', 'Answering']
  return share >= 0.5 ? ['warn', 'Answering in part'] : ['bad', 'Not answering']
}

/** The tone and the name of the state of a lender. Partners have no requests, so they are on or off. */
export const stateOfLender = (lender: Pick<Lender, 'isPartner' | 'off' | 'hour'>): readonly [Tone, string] =>
  lender.isPartner && lender.off.length === 0 ? ['good', 'On'] : healthOf(lender)

/** The tone and the name of the state of our entry in the registry. */
export function registryEntryState({ state, keys, validUntil, endsSoon }: RegistryEntry): readonly [Tone, string] {
  if (state === 'unreached') return ['plain', 'Registry did not answer']
  if (state === 'missing') return ['bad', 'No entry']
  if (validUntil === null) return ['bad', keys.length > 0 ? 'No valid key' : 'No key']
  return endsSoon ? ['warn', `Key expires ${ago(validUntil)}`] : ['good', 'Key valid']
}

/** Names of a partner's limits and prices, in display order. */
export const ruleNames: readonly (readonly [field: keyof PartnerRules, name: string])[] = [
  ['leastRupees', 'Minimum loan (₹)'],
  ['mostRupees', 'Maximum loan (₹)'],
  ['incomeMultiple', 'Maximum multiple of monthly income'],
  ['leastScore', 'Minimum bureau score'],
  ['ratePercent', 'Annual interest rate (%)'],
  ['feePercent', 'Processing fee (%)'],
  ['taxPercent', 'Tax on the fee (%)'],
  ['coolOffDays', 'Cooling-off period (days)'],
  ['offerDays', 'Offer validity (days)'],
  ['penalCharges', 'Penal charges'],
  ['bankStatement', 'Bank statement'],
  ['mostReturnedDebits', 'Maximum returned debits'],
  ['mostObligationsPercent', 'Maximum EMIs to income (%)'],
  ['kycMode', 'KYC'],
  ['mandateFrequency', 'Mandate'],
]

const integerFields: readonly (keyof PartnerRules)[] = [
  'leastRupees',
  'mostRupees',
  'incomeMultiple',
  'leastScore',
  'coolOffDays',
  'offerDays',
  'mostReturnedDebits',
  'mostObligationsPercent',
]
/** Whether a field takes whole numbers. */
export const isInteger = (field: keyof PartnerRules): boolean => integerFields.includes(field)

/** Formats a limit or price without its unit. */
export const ruleText = (field: keyof PartnerRules, value: string | number): string =>
  typeof value === 'number'
    ? number(value)
    : /Mode|Frequency|bankStatement/.test(field)
      ? labelOf(value)
      : value || 'None'

/** The unit at the end of a name, such as `(₹)`. */
export const unitPattern = / \(([^()]+)\)$/

/** Adds the unit of a name to a value. */
export function withUnit(text: string, name: string): string {
  const unit = unitPattern.exec(name)?.[1] ?? ''
  return unit === '₹' ? `₹${text}` : unit === '%' ? `${text}%` : `${text} ${unit}`.trim()
}

export const contactFieldNames: readonly (readonly [field: keyof PartnerContact, name: string])[] = [
  ['groName', 'Grievance officer'],
  ['groDesignation', 'Designation'],
  ['groEmail', 'Email'],
  ['groContactNumber', 'Telephone'],
  ['groAddress', 'Postal address'],
  ['customerSupportEmail', 'Support email'],
  ['customerSupportContactNumber', 'Support telephone'],
  ['customerSupportLink', 'Support page'],
  ['repaymentAccount', 'Account for repayments'],
]
