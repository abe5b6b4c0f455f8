// Tag groups carry coded texts for which the network's schema has no field (FIS12 §7.1, §7.3).

import { ownValue } from '@lendloom/foundation/record'
import { type Static, Type } from '@lendloom/foundation/schema'

/** A value that should be a string; some lenders send a number. */
export const Scalar = Type.Unsafe<string | number>({ type: ['string', 'number'] })

export const TagGroup = Type.Object({
  descriptor: Type.Object({
    code: Type.String({ minLength: 1 }),
    name: Type.Optional(Type.String()),
    short_desc: Type.Optional(Type.String()),
  }),
  display: Type.Optional(Type.Boolean()),
  list: Type.Array(
    Type.Object({
      descriptor: Type.Object({
        code: Type.String({ minLength: 1 }),
        name: Type.Optional(Type.String()),
        short_desc: Type.Optional(Type.String()),
      }),
      value: Scalar,
    }),
  ),
})
export type TagGroup = Static<typeof TagGroup>

/** Writes a tag group with the official texts of the codes. Omits a code whose value is null. */
export function tagGroup(
  code: string,
  values: Record<string, string | null>,
  { name, display, entries = {} }: TagTexts = ownValue(tagTexts, code) ?? {},
): TagGroup {
  const list = Object.entries(values).flatMap(([entry, value]) =>
    value === null ? [] : [{ descriptor: { code: entry, ...ownValue(entries, entry) }, value }],
  )
  return {
    descriptor: { code, ...(name !== undefined && { name }) },
    ...(display !== undefined && { display }),
    list,
  }
}

export type Tags = Record<string, string>

/** Returns the trimmed values of the first group with this code, by entry code; null without such a group. */
export function tagsOf(groups: readonly TagGroup[] | undefined, code: string): Tags | null {
  const group = groups?.find(({ descriptor }) => descriptor.code === code)
  if (!group) return null
  const pairs = group.list.map(({ descriptor, value }) => [descriptor.code, String(value).trim()] as const)
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''))
}

/** Codes of one fact in both dialects, as lenders mix them. */
const sameFact: Record<string, string> = { NUMBER_OF_INSTALLMENTS: 'NUMBER_OF_INSTALLMENTS_OF_REPAYMENT' }

/**
 * A code that the groups with this code state twice, differently; undefined without one. An entry with the name of another
 * code is another fact, as in one official flow (FIS12 §17.2).
 */
export function contradictedCode(groups: readonly TagGroup[] | undefined, code: string): string | undefined {
  const list = (groups ?? []).filter(({ descriptor }) => descriptor.code === code).flatMap((group) => group.list)
  const entries = ownValue(tagTexts, code)?.entries ?? {}
  const values = new Map<string, string>()
  for (const { descriptor, value } of list) {
    const name = (descriptor.name ?? '').trim().toUpperCase().replace(/\W+/g, '_')
    const stated = ownValue(sameFact, descriptor.code) ?? descriptor.code
    const fact = `${stated} ${ownValue(entries, name) && !ownValue(sameFact, name) ? name : stated}`
    const text = String(value).trim()
    const before = values.get(fact)
    if (before !== undefined && before !== text) return descriptor.code
    values.set(fact, text)
  }
  return undefined
}

interface EntryTexts {
  name?: string
  short_desc?: string
}

/** The official texts of a tag group and its entries, and whether the group is displayed (FIS12 §21). */
export interface TagTexts {
  name?: string
  display?: boolean
  entries?: Readonly<Record<string, EntryTexts>>
}

const loanInfo: Record<string, EntryTexts> = {
  MARGIN_CALL: { name: 'Margin Call', short_desc: 'Fall of the units after which more of them are asked for' },
  INTEREST_RATE: { name: 'Interest Rate', short_desc: 'Rate of interest a year' },
  TERM: { name: 'Term', short_desc: 'Time over which the loan is repaid' },
  INTEREST_RATE_TYPE: { name: 'Interest Rate Type', short_desc: 'Whether the rate may change' },
  APPLICATION_FEE: { name: 'Application Fee', short_desc: 'Charged for the application' },
  FORECLOSURE_FEE: { name: 'Foreclosure Fee', short_desc: 'Charged when the loan is closed early' },
  INTEREST_RATE_CONVERSION_CHARGE: {
    name: 'Interest Rate Conversion Charge',
    short_desc: 'Charged when the kind of interest is changed',
  },
  DELAY_PENALTY_FEE: { name: 'Delay Penalty Fee', short_desc: 'Charged on what is overdue' },
  OTHER_PENALTY_FEE: { name: 'Other Penalty Fee', short_desc: 'Any other penal charge' },
  RATE_ANNUALISED_PENAL_CHARGES: { name: 'Rate Annualised Penal Charges' },
  ANNUAL_PERCENTAGE_RATE: {
    name: 'Annual Percentage Rate',
    short_desc: 'Cost of the loan a year, all charges included',
  },
  REPAYMENT_FREQUENCY: { name: 'Repayment Frequency', short_desc: 'How often an installment is due' },
  NUMBER_OF_INSTALLMENTS_OF_REPAYMENT: {
    name: 'Number Of Installments Of Repayment',
    short_desc: 'In how many installments the loan is repaid',
  },
  NUMBER_OF_INSTALLMENTS: {
    name: 'Number Of Installments',
    short_desc: 'In how many installments the loan is repaid',
  },
  TNC_LINK: { name: 'Terms And Conditions', short_desc: 'Where the terms and conditions can be read' },
  COOL_OFF_PERIOD: { name: 'Cool Off Period', short_desc: 'Time within which the loan can be given back' },
  INSTALLMENT_AMOUNT: { name: 'Installment Amount', short_desc: 'Each installment amount of repayment' },
  KFS_LINK: { name: 'Key Fact Statement', short_desc: 'Where the key facts statement can be read' },
  LTV_RATIO: { name: 'Loan To Value Ratio', short_desc: 'What is lent of the value of the gold' },
}

const loanOffer: Record<string, EntryTexts> = {
  PRINCIPAL_AMOUNT: { name: 'Principal', short_desc: 'Amount that is lent' },
  OVERDRAFT_LIMIT: { name: 'Overdraft Limit', short_desc: 'Amount up to which the line can be drawn' },
  CURRENT_UTILIZATION: { name: 'Current Utilization', short_desc: 'What is drawn of the line' },
  INTEREST_AMOUNT: { name: 'Interest', short_desc: 'Interest over the whole term' },
  PROCESSING_FEE: { name: 'Processing Fee', short_desc: 'Charged for processing, tax included' },
  OTHER_UPFRONT_CHARGES: { name: 'Other Upfront Charges', short_desc: 'What else is kept back at the start' },
  INSURANCE_CHARGES: { name: 'Insurance Charges', short_desc: 'Charged for insurance' },
  NET_DISBURSED_AMOUNT: { name: 'Net Disbursed Amount', short_desc: 'What reaches the account' },
  OTHER_CHARGES: { name: 'Other Charges', short_desc: 'What else is charged' },
  OFFER_VALIDITY: { name: 'Offer Validity', short_desc: 'How long the offer stands' },
}

const withNames = (names: Record<string, string>): Record<string, EntryTexts> =>
  Object.fromEntries(Object.entries(names).map(([code, name]) => [code, { name }]))

const tagTexts: Readonly<Record<string, TagTexts>> = {
  CONTACT_INFO: { name: 'Contact Info' },
  LSP_INFO: { name: 'Lsp Info' },
  BUYER_FINDER_FEES: { display: false },
  SETTLEMENT_TERMS: { display: false },
  GENERAL_INFO: { name: 'General Information', display: true },
  CONSENT_INFO: { name: 'Consent Information', display: false },
  LOAN_INFO: { name: 'Loan Information', display: true, entries: loanInfo },
  LOAN_OFFER: { name: 'Loan Offer', entries: loanOffer },
  BAP_TERMS: { name: 'BAP Terms of Engagement', display: false },
  BPP_TERMS: { name: 'BPP Terms of Engagement', display: false },
  ACCOUNT_DETAILS: {
    name: 'Account Details',
    entries: withNames({ ACCOUNT_TYPE: 'Account Type', ACCOUNT_HOLDER_NAME: 'Account Holder Name' }),
  },
  CHECKLISTS: {
    name: 'Checklist',
    display: false,
    entries: withNames({
      PERSONAL_INFORMATION_LAMF: 'Personal Information',
      CONSENT_APPROVAL: 'Consent Approval',
      KYC: 'Know Your Customer',
      LIEN_MARKING: 'Lien Marking',
      EMANDATE: 'Emandate',
      LOAN_AGREEMENT: 'Loan Agreement',
      JOURNEY_OFFLINE: 'Journey Offline',
      ACCOUNT_MONITORING: 'Account Monitoring',
    }),
  },
  PLEDGE_REQUIREMENTS: {
    name: 'pledge requirements',
    entries: withNames({
      RTA: 'rta',
      AMC_CODE: 'amc code',
      SCHEME_CODE: 'scheme_code',
      FOLIO_ID: 'folio_id',
      UNITS_REQUIRED: 'units_required',
      LTV_PERCENT: 'ltv_percent',
      UNITS_PLEDGED: 'units_pledged',
    }),
  },
}

/** Entries whose values hold no personal data, account or link, by group (FIS12 §21). */
const impersonalEntries: Record<string, readonly string[]> = {
  BUYER_FINDER_FEES: ['BUYER_FINDER_FEES_TYPE', 'BUYER_FINDER_FEES_PERCENTAGE'],
  SETTLEMENT_TERMS: [
    'DELAY_INTEREST',
    'OFFLINE_CONTRACT',
    'SETTLEMENT_WINDOW',
    'SETTLEMENT_BASIS',
    'SETTLEMENT_AMOUNT',
    'SETTLEMENT_TYPE',
    'MANDATORY_ARBITRATION',
    'COURT_JURISDICTION',
  ],
  GENERAL_INFO: ['INTEREST_RATE', 'TENURE', 'LOAN_AMOUNT'].flatMap((code) => [`MIN_${code}`, `MAX_${code}`]),
  LOAN_INFO: Object.keys(loanInfo).filter((code) => !code.endsWith('_LINK')),
  LOAN_OFFER: Object.keys(loanOffer),
  BREAKUP: [
    'PRINCIPAL_AMOUNT',
    'INTEREST_AMOUNT',
    'FORECLOSURE_CHARGES',
    'PRE_PAYMENT_CHARGE',
    'LATE_FEE_AMOUNT',
    'PROCESSING_FEE',
    'INSURANCE_CHARGES',
    'OTHER_CHARGES',
  ],
  BAP_TERMS: ['OFFLINE_CONTRACT'],
  BPP_TERMS: ['OFFLINE_CONTRACT'],
  ACCOUNT_DETAILS: ['ACCOUNT_TYPE'],
  CHECKLISTS: Object.keys(tagTexts.CHECKLISTS?.entries ?? {}),
  PLEDGE_REQUIREMENTS: ['RTA', 'AMC_CODE', 'SCHEME_CODE', 'UNITS_REQUIRED', 'LTV_PERCENT', 'UNITS_PLEDGED'],
}

export const impersonalEntriesOf = (group: unknown): readonly string[] | null =>
  typeof group === 'string' ? (ownValue(impersonalEntries, group) ?? null) : null

/** Dialect 2.3.0 renames LOAN_INFO and omits `display`. */
export const loanInfoTexts230: TagTexts = { name: 'Information', entries: loanInfo }

export const tagTextsByDialect = {
  '2.0.1': tagTexts,
  '2.0.2': tagTexts,
  '2.0.3': tagTexts,
  '2.3.0': { ...tagTexts, LOAN_INFO: loanInfoTexts230 },
} as const

/** Converts `12 months`, `12`, `P12M`, `P1Y` or `1 year` to months; null for any other text. */
export function monthsOf(value: string | number): number | null {
  const text = String(value).trim()
  const iso = /^P(?=.)(?:(\d+)Y)?(?:(\d+)M)?$/i.exec(text)
  if (iso) return Number(iso[1] ?? 0) * 12 + Number(iso[2] ?? 0)
  const match = /^(\d+)\s*(months?|mths?|years?|yrs?)?$/i.exec(text)
  return match && Number(match[1]) * (/^y/i.test(match[2] ?? '') ? 12 : 1)
}

/** Parses a positive whole number, such as `12` or `12 installments`; null for any other text. */
export function countOf(value: string | number): number | null {
  const match = /^(\d{1,4})(?:\.0+)?(?:\s*installments?|\s*instalments?)?$/i.exec(String(value).trim())
  const count = match ? Number(match[1]) : 0
  return count > 0 ? count : null
}
