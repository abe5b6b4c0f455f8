// How the platform works with lending partners, and the settings that the row of the first one is made of.
import { PartnerContact, PartnerRules } from '#contract/console/lending-partners.ts'
import { bankStatementModes, contactNames, kycModes, mandateFrequencies } from '#contract/console/lists.ts'
import { isCredentials, PartnerCredentials, partnerCredentials } from '#contract/exchange/credentials.ts'
import { fits, type Static, Type } from '#kit/http/schema.ts'
import { type Config, choice, configFrom, number, type Setting, text } from '#kit/runtime/config.ts'
import { mailSettings } from '#kit/runtime/mail.ts'
import { isObject, recordOf } from '#kit/runtime/record.ts'

const optionalUrl = (about: string): Setting<string> => ({
  ...text(about, ''),
  read(value) {
    if (value !== '' && !/^https?:$/.test(URL.parse(value)?.protocol ?? '')) throw new Error('must be a URL')
    return value.replace(/\/$/, '')
  },
})

/** The sandbox contact of the reference partner. */
export const sandboxContact: PartnerContact = {
  groName: 'Meera Iyer',
  groEmail: 'nodal@celestium.example',
  groContactNumber: '080-40001200',
  groDesignation: 'Principal Nodal Officer',
  groAddress: '14 Residency Road, Bengaluru 560025',
  customerSupportLink: 'https://celestium.example/support',
  customerSupportContactNumber: '1800-120-4000',
  customerSupportEmail: 'care@celestium.example',
}

export const noContact: PartnerContact = recordOf(contactNames, () => '')

/** The required contact data of a lender that is missing (D1 §2.4 lenders). */
export const missingContact = (contact: Partial<PartnerContact>): string[] =>
  contactNames.filter((name) => !contact[name]?.trim())

const isContact = (given: unknown): given is Partial<PartnerContact> =>
  isObject(given) &&
  Object.entries(given).every(
    ([name, text]) => contactNames.some((known) => known === name) && typeof text === 'string',
  )

const contact = (about: string): Setting<Partial<PartnerContact>> => ({
  about,
  fallback: '{}',
  read(value) {
    const given: unknown = JSON.parse(value)
    if (!isContact(given)) throw new Error(`must be a JSON object of ${contactNames.join(', ')}`)
    return given
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

/** The first partner's limits and prices. */
const ruleSettings = {
  PARTNER_KYC_MODE: choice(
    'How borrowers of the first partner prove who they are: by papers, or by video and a review of the lender',
    kycModes,
    'STANDARD',
  ),
  PARTNER_MANDATE_FREQUENCY: choice(
    'How often the mandate lets the first partner debit; the other one is tried when the bank does not take it',
    mandateFrequencies,
    'AS_PRESENTED',
  ),
  PARTNER_LEAST_RUPEES: number('The smallest loan that is recommended to the first partner', 10_000, 1, 10_000_000),
  PARTNER_MOST_RUPEES: number('The largest loan that is recommended to the first partner', 200_000, 1, 10_000_000),
  PARTNER_INCOME_MULTIPLE: number('How many monthly incomes are recommended to the first partner at most', 3, 1, 100),
  PARTNER_LEAST_SCORE: number('The lowest bureau score that is recommended to the first partner', 650, 300, 900),
  PARTNER_BANK_STATEMENT: choice(
    'Whether borrowers of the first partner are asked for bank statements before the lead: not at all, with leave to decline, or as a condition',
    bankStatementModes,
    'OPTIONAL',
  ),
  PARTNER_MOST_RETURNED_DEBITS: number(
    'Returned debits in a bank statement beyond which a borrower is recommended to the first partner only for a review',
    2,
    0,
    1000,
  ),
  PARTNER_MOST_OBLIGATIONS_PERCENT: number(
    'What instalments may take of what comes into the account, in percent, beyond which it is recommended to the first partner only for a review',
    60,
    0,
    1000,
  ),
  PARTNER_RATE_PERCENT: percent("The first partner's yearly interest, for an indicative offer", '24.00'),
  PARTNER_FEE_PERCENT: percent("The first partner's processing fee, for an indicative offer", '2.00'),
  PARTNER_TAX_PERCENT: percent('The tax on that fee', '18.00'),
  PARTNER_COOL_OFF_DAYS: number(
    'Days from disbursal in which a borrower may give the loan of the first partner back without penalty',
    3,
    1,
    60,
  ),
  PARTNER_PENAL_CHARGES: text(
    "The first partner's penal charges, in words for borrowers",
    '1% of the unpaid instalment, from 2 days after its due date and every 7 days, 4 times at most',
  ),
  PARTNER_OFFER_DAYS_INDICATIVE: number(
    'How many days an indicative offer of the first partner may be chosen',
    7,
    1,
    60,
  ),
}

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

/** The defaults of a partner's rules. */
export const usualRules: PartnerRules = rulesFrom(configFrom(ruleSettings, {}))

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
    const wrong = () => new Error('must be a JSON list of {name, url, credentials, rules?, contact?}')
    const list: unknown = jsonOr(value, wrong)
    if (!Array.isArray(list)) throw wrong()
    return list.map((each) => {
      if (!fits(SandboxPartner, each) || !isCredentials(each.credentials)) throw wrong()
      return each
    })
  },
})

function jsonOr(value: string, wrong: () => Error): unknown {
  try {
    return JSON.parse(value)
  } catch {
    throw wrong()
  }
}

export const exchangeSettings = {
  PARTNER_URL: optionalUrl(
    'Where the first lending partner answers: its row is made of the settings that begin so, when there is none; empty where partners are added by lendloom partner add, or lending is over the network alone',
  ),
  PARTNER_CREDENTIALS: partnerCredentials(
    'What we and the first partner know each other by, as JSON: {sender, bearer, keyId, secret, webhook: {sender, bearer, keys: [{keyId, secret}]}}',
  ),
  PARTNER_LENDER_NAME: text('The name of the first partner that borrowers read', 'Celestium Finance Limited'),
  PARTNER_CONTACT: contact(
    'Whom borrowers of the first partner turn to, as JSON: groName, groEmail, groContactNumber, groDesignation, groAddress, customerSupportLink, customerSupportContactNumber, customerSupportEmail; all of them are needed outside the sandbox, where {} is not filled in',
  ),
  ...ruleSettings,
  SANDBOX_PARTNERS: sandboxPartners(
    'Further lending partners of a sandbox, as JSON: a list of {name, url, credentials, rules, contact}',
  ),
  LENDLOOM_TIME_SCALE: factor('What the delays between tries are multiplied with; below 1 in a sandbox', '1'),
  PARTNER_DEDUPE_SECONDS: number('How long a duplicate check that is not answered is repeated', 60, 1, 3600),
  PARTNER_LEAD_HOURS: number(
    'How old a duplicate check may be when a lead rests on it; every retry of the lead fits in what partners allow, a day',
    18,
    1,
    720,
  ),
  PARTNER_STATUS_SECONDS: number('How soon a partner is asked where a case stands when it says nothing', 30, 1, 86_400),
  ...mailSettings,
}
