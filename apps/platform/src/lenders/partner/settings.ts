// Settings of the exchange with lending partners, including those that create the first partner.

import { type Config, choice, configFrom, number, type Setting, text } from '@lendloom/foundation/config'
import { fits, type Static, Type } from '@lendloom/foundation/schema'
import { mailSettings } from '@lendloom/mail/mail'
import { PartnerContact, PartnerRules } from '@lendloom/wire/console/lending-partners'
import { bankStatementModes, contactNames, kycModes, mandateFrequencies } from '@lendloom/wire/console/lists'
import { isCredentials, PartnerCredentials, partnerCredentials } from '@lendloom/wire/exchange/credentials'
import { isContact } from './partner-contact.ts'

const optionalUrl = (about: string): Setting<string> => ({
  ...text(about, ''),
  read(value) {
    if (value !== '' && !/^https?:$/.test(URL.parse(value)?.protocol ?? '')) throw new Error('must be a URL')
    return value.replace(/\/$/, '')
  },
})

const contact = (about: string): Setting<Partial<PartnerContact>> => ({
  about,
  fallback: '{}',
  read(value) {
    const parsed: unknown = JSON.parse(value)
    if (!isContact(parsed)) throw new Error(`must be a JSON object of ${contactNames.join(', ')}`)
    return parsed
  },
})

const percent = (about: string, fallback: string): Setting<string> => ({
  ...text(about, fallback),
  read(value) {
    if (!/^\d{1,2}(\.\d{1,2})?$/.test(value)) throw new Error(`must be a percentage, not "${value}"`)
    return value
  },
})

const factor = (about: string, fallback: string): Setting<number> => ({
  about,
  fallback,
  read(value) {
    if (!/^\d{1,4}(\.\d{1,6})?$/.test(value) || Number(value) === 0)
      throw new Error(`must be a number above zero, not "${value}"`)
    return Number(value)
  },
})

const ruleSettings = {
  PARTNER_KYC_MODE: choice(
    'How borrowers of the first partner are identified: by documents, or by video and a review by the lender',
    kycModes,
    'STANDARD',
  ),
  PARTNER_MANDATE_FREQUENCY: choice(
    "Frequency of the first partner's mandates; if the bank rejects it, the other frequency is tried",
    mandateFrequencies,
    'AS_PRESENTED',
  ),
  PARTNER_LEAST_RUPEES: number(
    'Minimum loan amount that is recommended to the first partner, in rupees',
    10_000,
    1,
    10_000_000,
  ),
  PARTNER_MOST_RUPEES: number(
    'Maximum loan amount that is recommended to the first partner, in rupees',
    200_000,
    1,
    10_000_000,
  ),
  PARTNER_INCOME_MULTIPLE: number(
    'Maximum loan amount that is recommended to the first partner, as a multiple of the monthly income',
    3,
    1,
    100,
  ),
  PARTNER_LEAST_SCORE: number(
    'Minimum bureau score of a borrower who is recommended to the first partner',
    650,
    300,
    900,
  ),
  PARTNER_BANK_STATEMENT: choice(
    'Whether borrowers of the first partner must share a bank statement before the lead: never, optionally, or always',
    bankStatementModes,
    'OPTIONAL',
  ),
  PARTNER_MOST_RETURNED_DEBITS: number(
    'Maximum number of returned debits in a bank statement; with more, the first partner must review the borrower',
    2,
    0,
    1000,
  ),
  PARTNER_MOST_OBLIGATIONS_PERCENT: number(
    'Maximum instalments of a borrower, in percent of the credits to the account; above it, the first partner must review the borrower',
    60,
    0,
    1000,
  ),
  PARTNER_RATE_PERCENT: percent("The first partner's yearly interest, for an indicative offer", '24.00'),
  PARTNER_FEE_PERCENT: percent("The first partner's processing fee, for an indicative offer", '2.00'),
  PARTNER_TAX_PERCENT: percent("The tax on the first partner's processing fee", '18.00'),
  PARTNER_COOL_OFF_DAYS: number(
    'Days from disbursal in which a borrower may return a loan of the first partner without penalty',
    3,
    1,
    60,
  ),
  PARTNER_PENAL_CHARGES: text(
    "The first partner's penal charges, as text for borrowers",
    '1% of what is unpaid at the end of the third day after the due date (or the next day with debits), and again every 7 days, 4 times at most',
  ),
  PARTNER_OFFER_DAYS_INDICATIVE: number('Days for which an indicative offer of the first partner is valid', 7, 1, 60),
}

/** The rules of the first partner, as the settings have them. */
export const rulesFrom = (config: Config<typeof ruleSettings>): PartnerRules => ({
  leastRupees: config.PARTNER_LEAST_RUPEES,
  mostRupees: config.PARTNER_MOST_RUPEES,
  incomeMultiple: config.PARTNER_INCOME_MULTIPLE,
  leastScore: config.PARTNER_LEAST_SCORE,
  ratePercent: config.PARTNER_RATE_PERCENT,
  feePercent: config.PARTNER_FEE_PERCENT,
  taxPercent: config.PARTNER_TAX_PERCENT,
  coolOffDays: config.PARTNER_COOL_OFF_DAYS,
  penalCharges: config.PARTNER_PENAL_CHARGES,
  offerDays: config.PARTNER_OFFER_DAYS_INDICATIVE,
  bankStatement: config.PARTNER_BANK_STATEMENT,
  mostReturnedDebits: config.PARTNER_MOST_RETURNED_DEBITS,
  mostObligationsPercent: config.PARTNER_MOST_OBLIGATIONS_PERCENT,
  kycMode: config.PARTNER_KYC_MODE,
  mandateFrequency: config.PARTNER_MANDATE_FREQUENCY,
})

/** The rules of a partner that is added without any. */
export const defaultRules: PartnerRules = rulesFrom(configFrom(ruleSettings, {}))

const SandboxPartner = Type.Object({
  name: Type.String(),
  url: Type.String(),
  credentials: PartnerCredentials,
  rules: Type.Optional(Type.Partial(PartnerRules)),
  contact: Type.Optional(Type.Partial(PartnerContact)),
})
export type SandboxPartner = Static<typeof SandboxPartner>

const sandboxPartners = (about: string): Setting<SandboxPartner[]> => ({
  about,
  fallback: '[]',
  secret: true,
  read(value) {
    const formatError = () => new Error('must be a JSON list of {name, url, credentials, rules?, contact?}')
    const list: unknown = parseJson(value, formatError)
    if (!Array.isArray(list)) throw formatError()
    return list.map((partner) => {
      if (!fits(SandboxPartner, partner) || !isCredentials(partner.credentials)) throw formatError()
      return partner
    })
  },
})

function parseJson(value: string, formatError: () => Error): unknown {
  try {
    return JSON.parse(value)
  } catch {
    throw formatError()
  }
}

export const exchangeSettings = {
  PARTNER_URL: optionalUrl(
    'Base URL of the first lending partner. The PARTNER_ settings create this partner if it does not exist. Empty when partners are added with lendloom partner add, or for lending only over the network',
  ),
  PARTNER_CREDENTIALS: partnerCredentials(
    'Credentials between us and the first partner, as JSON: {sender, bearer, keyId, secret, webhook: {sender, bearer, keys: [{keyId, secret}]}}',
  ),
  PARTNER_LENDER_NAME: text('Name of the first partner for borrowers', 'Celestium Finance Limited'),
  PARTNER_CONTACT: contact(
    'Contacts of the first partner for borrowers, as JSON: groName, groEmail, groContactNumber, groDesignation, groAddress, customerSupportLink, customerSupportContactNumber, customerSupportEmail, repaymentAccount. All are required outside the sandbox; the sandbox has defaults',
  ),
  ...ruleSettings,
  SANDBOX_PARTNERS: sandboxPartners(
    'Further lending partners of a sandbox, as JSON: a list of {name, url, credentials, rules, contact}',
  ),
  LENDLOOM_TIME_SCALE: factor('Factor by which the delays between attempts are multiplied; below 1 in a sandbox', '1'),
  PARTNER_DEDUPE_SECONDS: number('Seconds for which an unanswered duplicate check is retried', 60, 1, 3600),
  PARTNER_LEAD_HOURS: number(
    'Maximum age of a duplicate check, in hours, when the lead is sent. Partners accept 24 hours; the difference is time for retries',
    18,
    1,
    720,
  ),
  PARTNER_STATUS_SECONDS: number(
    'Seconds until a partner that must act next is asked for the status of a case; later pauses are longer',
    30,
    1,
    86_400,
  ),
  ...mailSettings,
}
