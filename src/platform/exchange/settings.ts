// What the platform must know to lend through a partner: where it is, who each is to the other, what may be recommended.
import { choice, number, type Setting, text } from '#kit/runtime/config.ts'
import { mailSettings } from '#kit/runtime/mail.ts'
import { isObject } from '#kit/runtime/narrow.ts'
import { partnerCredentials } from './credentials.ts'

const optionalUrl = (about: string): Setting<string> => ({
  ...text(about, ''),
  read(value) {
    if (value !== '' && !/^https?:$/.test(URL.parse(value)?.protocol ?? '')) throw new Error('must be a URL')
    return value.replace(/\/$/, '')
  },
})

/** The person whom borrowers of the reference partner turn to, in the sandbox. */
export const sandboxContact = {
  groName: 'Meera Iyer',
  groEmail: 'nodal@celestium.example',
  groContactNumber: '080-40001200',
  groDesignation: 'Principal Nodal Officer',
  groAddress: '14 Residency Road, Bengaluru 560025',
  customerSupportLink: 'https://celestium.example/support',
  customerSupportContactNumber: '1800-120-4000',
  customerSupportEmail: 'care@celestium.example',
}

const contactNames = Object.keys(sandboxContact)

/** What borrowers must be told of whom to turn to (D1 §2.4 lenders), and PARTNER_CONTACT leaves out. */
export const missingContact = (contact: Record<string, string>): string[] =>
  contactNames.filter((name) => !contact[name]?.trim())

const isContact = (given: unknown): given is Record<string, string> =>
  isObject(given) &&
  Object.entries(given).every(([name, text]) => contactNames.includes(name) && typeof text === 'string')

const contact = (about: string): Setting<Record<string, string>> => ({
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

export const exchangeSettings = {
  PARTNER_URL: optionalUrl('Where the lending partner answers; empty lends over the network alone'),
  PARTNER_CREDENTIALS: partnerCredentials(
    'What we and the partner know each other by, as JSON: {sender, bearer, keyId, secret, webhook: {sender, bearer, keys: [{keyId, secret}]}}',
  ),
  PARTNER_KYC_MODE: choice(
    'How borrowers of the partner prove who they are: by papers, or by video and a review of the lender',
    ['STANDARD', 'VIDEO_AND_MANUAL_REVIEW'],
    'STANDARD',
  ),
  PARTNER_MANDATE_FREQUENCY: choice(
    'How often the mandate lets the partner debit; the other one is tried when the bank does not take it',
    ['AS_PRESENTED', 'WEEKLY'],
    'AS_PRESENTED',
  ),
  PARTNER_BANK_STATEMENT: choice(
    'Whether borrowers of the partner are asked for bank statements before the lead: not at all, with leave to decline, or as a condition',
    ['OFF', 'OPTIONAL', 'REQUIRED'],
    'OPTIONAL',
  ),
  LENDLOOM_TIME_SCALE: factor('What the delays between tries are multiplied with; below 1 in a sandbox', '1'),
  PARTNER_LENDER_NAME: text('The name of the lender that borrowers read', 'Celestium Finance Limited'),
  PARTNER_CONTACT: contact(
    'Whom borrowers of the partner turn to, as JSON: groName, groEmail, groContactNumber, groDesignation, groAddress, customerSupportLink, customerSupportContactNumber, customerSupportEmail; all of them are needed outside the sandbox, where {} is not filled in',
  ),
  PARTNER_DEDUPE_SECONDS: number('How long a duplicate check that is not answered is repeated', 60, 1, 3600),
  PARTNER_LEAD_HOURS: number(
    'How old a duplicate check may be when a lead rests on it; every retry of the lead fits in what the partner allows, a day',
    18,
    1,
    720,
  ),
  PARTNER_STATUS_SECONDS: number(
    'How soon the partner is asked where a case stands when it says nothing',
    30,
    1,
    86_400,
  ),
  PARTNER_LEAST_RUPEES: number('The smallest loan that is recommended', 10_000, 1, 10_000_000),
  PARTNER_MOST_RUPEES: number('The largest loan that is recommended', 200_000, 1, 10_000_000),
  PARTNER_INCOME_MULTIPLE: number('How many monthly incomes are recommended at most', 3, 1, 100),
  PARTNER_LEAST_SCORE: number('The lowest bureau score that is recommended', 650, 300, 900),
  PARTNER_MOST_RETURNED_DEBITS: number(
    'Returned debits in a bank statement beyond which a borrower is recommended only for a review',
    2,
    0,
    1000,
  ),
  PARTNER_MOST_OBLIGATIONS_PERCENT: number(
    'What instalments may take of what comes into the account, in percent, beyond which it is recommended only for a review',
    60,
    0,
    1000,
  ),
  PARTNER_RATE_PERCENT: percent("The partner's yearly interest, for an indicative offer", '24.00'),
  PARTNER_FEE_PERCENT: percent("The partner's processing fee, for an indicative offer", '2.00'),
  PARTNER_TAX_PERCENT: percent('The tax on that fee', '18.00'),
  PARTNER_COOL_OFF_DAYS: number(
    'Days from disbursal in which a borrower may give the loan of the partner back without penalty',
    3,
    1,
    60,
  ),
  PARTNER_PENAL_CHARGES: text(
    "The partner's penal charges, in words for borrowers",
    '1% of the unpaid instalment, from 2 days after its due date and every 7 days, 4 times at most',
  ),
  PARTNER_OFFER_DAYS_INDICATIVE: number('How many days an indicative offer may be chosen', 7, 1, 60),
  ...mailSettings,
}
