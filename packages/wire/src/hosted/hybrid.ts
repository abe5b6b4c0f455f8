// The hybrid API: the integrator's own screens until an offer is chosen, then the hosted page (D1 §4).

import { keysOf } from '@lendloom/foundation/record'
import { type FieldError, invalid } from '@lendloom/foundation/refusal'
import { AnyObject, Closed, faults, fits, OneOf, orNull, type Static, Type, Uuid } from '@lendloom/foundation/schema'
import { belongsTo, contractOf, type productContracts, productIds } from '@lendloom/lending/product/products'
import { Instant, Text, WholeRupees } from '#wire/basic-schemas.ts'
import { AnsweredAmount } from '#wire/headless/amounts.ts'
import { BankMandateRequest } from '#wire/headless/bank-mandate.ts'
import { aaSessionStates } from '#wire/headless/enums.ts'
import { errorCodes } from '#wire/headless/envelope.ts'
import { PenalCharge } from '#wire/headless/offer.ts'
import { ReturnUrl } from './create-session.ts'
import { chosenUnits, schemeCode, schemeLimit } from './embed-lender.ts'
import { LifecycleStatus } from './lifecycle.ts'
import { Address, EndUse, FreeText, GoldFields, PersonalProfile, WorkProfile } from './profile.ts'

type Contracts = typeof productContracts
/** Product names in paths, with the journey type of each; products that start only here come first. */
export const hybridProducts = Object.fromEntries(
  productIds
    .map(contractOf)
    .sort((first, second) => Number(first.opensBySession) - Number(second.opensBySession))
    .map(({ hybridName, id }) => [hybridName, id]),
) as { [Id in keyof Contracts as Contracts[Id]['hybridName']]: Id }
export type HybridProduct = keyof typeof hybridProducts

const BorrowerID = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: '^(?=.*\\S)[^\\u0000-\\u001f\\u007f]*$',
  'x-says': 'must be your own pseudonymous identifier of the borrower, 1 to 128 characters',
})
export const HybridParams = Closed({
  product: OneOf(keysOf(hybridProducts), { 'x-says': `must be ${Object.keys(hybridProducts).join(', ')}` }),
  borrowerProviderID: BorrowerID,
})
export type HybridParams = { product: HybridProduct; borrowerProviderID: string }
export const HybridOfferParams = Closed({
  ...HybridParams.properties,
  offerID: Uuid,
})

export const HybridGoldLoan = Closed({ ...GoldFields, aaID: Type.Optional(FreeText(200)) })

export const LoanPurpose = Closed({ endUse: Type.Optional(EndUse), bureauConsent: Type.Optional(Type.Boolean()) })

/** POST …/journey. The inner objects have the field names of the session body (D1 §2.1). */
export const HybridRequest = Closed({
  personal: PersonalProfile,
  journeyType: Type.Optional(OneOf(Object.values(hybridProducts))),
  work: Type.Optional(WorkProfile),
  address: Type.Optional(Address),
  /** All fields are required. */
  bankingInformation: Type.Optional(BankMandateRequest),
  /** Alternative spelling of `bankingInformation`, with snake_case fields. */
  banking_information: Type.Optional(AnyObject),
  goldLoan: Type.Optional(HybridGoldLoan),
  journey: Type.Optional(LoanPurpose),
  /** The return address of a standalone page, as for a session. */
  returnUrl: Type.Optional(ReturnUrl),
  mfc: Type.Optional(orNull(AnyObject)),
  /** Requires `journey.bureauConsent`. */
  bureau: Type.Optional(orNull(AnyObject)),
  loanPreferences: Type.Optional(
    Closed({
      productType: Type.Optional(OneOf(['CREDIT_LINE', 'TERM_LOAN'])),
      facilitytype: Type.Optional(OneOf(['OVERDRAFT', 'TERM'])),
    }),
  ),
})
export type HybridRequest = Static<typeof HybridRequest>

const toCamelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_, character: string) => character.toUpperCase())

/**
 * Enforces the rules that the schema cannot express (D1 §4, §7) and returns the account in canonical form. Throws
 * `invalid` with every faulty field, in the sender's spelling.
 */
export function checkHybrid(body: HybridRequest, product: HybridProduct): BankMandateRequest | undefined {
  const faultList: FieldError[] = []
  const type = hybridProducts[product]
  const { pledgesGold, pledgesFunds } = contractOf(type)
  const check = (isFault: boolean, path: string, message: string) => isFault && faultList.push({ path, message })
  check(body.journeyType !== undefined && body.journeyType !== type, 'journeyType', `must be ${type} here, or left out`)
  check(body.goldLoan !== undefined && !pledgesGold, 'goldLoan', belongsTo('pledgesGold'))
  check(body.mfc != null && !pledgesFunds, 'mfc', belongsTo('pledgesFunds'))
  check(body.loanPreferences !== undefined && !pledgesFunds, 'loanPreferences', belongsTo('pledgesFunds'))
  check(
    body.bureau != null && body.journey?.bureauConsent !== true,
    'journey.bureauConsent',
    'must be true when bureau is present',
  )
  const snake = body.banking_information
  check(
    snake !== undefined && body.bankingInformation !== undefined,
    'banking_information',
    'must not be sent together with bankingInformation',
  )
  const bank = snake ? accountIn(snake, faultList) : body.bankingInformation
  const [first, ...more] = faultList
  if (first) throw invalid(first, ...more)
  return bank
}

/** Converts the account from snake_case; adds its faults to `faultList`, in the sender's spelling. */
function accountIn(snake: Record<string, unknown>, faultList: FieldError[]): BankMandateRequest | undefined {
  const bank = Object.fromEntries(Object.entries(snake).map(([name, value]) => [toCamelCase(name), value]))
  if (fits(BankMandateRequest, bank)) return bank
  const originalNames = Object.fromEntries(Object.keys(snake).map((name) => [toCamelCase(name), name]))
  for (const { path, message } of faults(BankMandateRequest, bank)) {
    const name = originalNames[path] ?? path.replace(/[A-Z]/g, (character) => `_${character.toLowerCase()}`)
    faultList.push({ path: `banking_information.${name}`, message })
  }
}

/** The envelope of a response (D1 §4). */
const enveloped = <T extends ReturnType<typeof Closed>>(data: T) =>
  Closed({
    request_id: Uuid,
    correlation_id: Text,
    timestamp: Instant,
    data,
    error: Type.Null(),
  })

export const HybridErrorDetail = Closed({
  code: OneOf([...errorCodes]),
  message: Text,
  retryable: Type.Boolean(),
  details: AnyObject,
})

export const HybridError = Closed({
  request_id: Uuid,
  correlation_id: Text,
  timestamp: Instant,
  data: Type.Null(),
  error: HybridErrorDetail,
})

export const HybridJourney = Closed({
  journey_id: Uuid,
  borrower_id: Uuid,
  status: LifecycleStatus,
  /** Whether the journey existed before. */
  resumed: Type.Boolean(),
  /** The hosted page, for an early hand-over; works once, within two minutes. */
  embed_url: Text,
  /** Fields and consents still required for the search, as request paths. */
  missing_fields: Type.Array(Text),
})

export const HybridStarted = enveloped(HybridJourney)

export const HybridBranch = Closed({
  branch_id: Text,
  name: orNull(Text),
  address: orNull(Text),
  pincode: orNull(Text),
  about_km: orNull(Type.Integer()),
})

export const PledgeRequirement = Closed({
  scheme_code: Text,
  registrar: orNull(Text),
  amc_code: orNull(Text),
  folio: orNull(Text),
  units_required: Text,
  ltv_ratio: orNull(Text),
})

/** What the borrower may request. */
export const HybridLimits = Closed({
  least_amount: AnsweredAmount,
  most_amount: AnsweredAmount,
  least_tenure_months: Type.Integer(),
  most_tenure_months: Type.Integer(),
})

export const HybridOffer = Closed({
  offer_id: Uuid,
  amount_principal: AnsweredAmount,
  offer_term: Text,
  interest_rate: Text,
  interest_type: orNull(Text),
  annual_percentage_rate: Text,
  installment_amount: AnsweredAmount,
  number_of_installments: Type.Integer(),
  amount_total_interest_payable: AnsweredAmount,
  processing_fees: AnsweredAmount,
  other_upfront_charges: AnsweredAmount,
  insurance_charges: AnsweredAmount,
  other_charges: AnsweredAmount,
  amount_net_disbursed_amount: AnsweredAmount,
  penal_charges: Type.Array(PenalCharge),
  cool_off_period: orNull(Text),
  key_facts_statement_link: orNull(Text),
  terms_and_conditions_link: orNull(Text),
  ltv_ratio: orNull(Text),
  branches: Type.Array(HybridBranch),
  /** A loan against mutual funds only. */
  product_type: orNull(OneOf(['CREDIT_LINE', 'TERM_LOAN'])),
  /** The units to pledge for the full amount of a loan against mutual funds; decimal text. */
  pledge_requirements: Type.Array(PledgeRequirement),
  valid_until: orNull(Instant),
  expired: Type.Boolean(),
  selected: Type.Boolean(),
  limits: HybridLimits,
})
export type HybridOffer = Static<typeof HybridOffer>

export const HybridLender = Closed({
  lender_id: Uuid,
  lender_name: Text,
  logo_url: orNull(Text),
  status: OneOf(['OFFER_RECEIVED', 'OFFER_AWAITED', 'NO_OFFER_AVAILABLE']),
  /** Why there is no offer, as a text for the borrower. */
  reason: orNull(Text),
  offers: Type.Array(HybridOffer),
})

export const HybridConsent = Closed({ lender_id: Uuid, status: OneOf([...aaSessionStates]), url: orNull(Text) })

export const CreditLine = Closed({
  offer_id: Uuid,
  status: OneOf(['OPEN', 'CLOSED']),
  limit: AnsweredAmount,
  utilised: AnsweredAmount,
  available: AnsweredAmount,
  opened_at: Instant,
  /** The last reported change of one of these amounts. */
  changed_at: Instant,
})

export const HybridOfferList = Closed({
  journey_id: Uuid,
  status: LifecycleStatus,
  lenders: Type.Array(HybridLender),
  /** When a lender requires bank data first: the redirect for the borrower's browser. */
  account_aggregator: Type.Union([HybridConsent, Type.Null()]),
  /** The lender's decision; APPROVED as of the sanction, before the payout. */
  decision_status: orNull(OneOf(['APPROVED', 'NOT_APPROVED'])),
  /** A credit line against mutual funds as of the sanction; null before it, and for other loans. */
  credit_line: orNull(CreditLine),
  /** Null when nothing changes without the borrower. */
  poll_after_ms: orNull(Type.Integer()),
})

export const HybridOffers = enveloped(HybridOfferList)

export const PledgedUnits = Closed({ scheme_code: schemeCode, units: chosenUnits })

/** POST …/journey/offers/{offerID}/hosted. An absent field keeps the offered value. */
export const HybridHandOffRequest = Closed({
  amount: Type.Optional(WholeRupees),
  tenureMonths: Type.Optional(Type.Integer({ minimum: 1, maximum: 600 })),
  branchID: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  /** The chosen part of `pledge_requirements`, with units. */
  pledges: Type.Optional(Type.Array(PledgedUnits, schemeLimit)),
})
export const HostedPage = Closed({ journey_id: Uuid, offer_id: Uuid, hosted_url: Text })
export const HybridHandOff = enveloped(HostedPage)
