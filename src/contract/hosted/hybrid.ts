// The hybrid calls: an integrator's own screens until an offer is chosen, the hosted page after (D1 §4).

import { Instant, Text } from '#contract/atoms.ts'
import { errorCodes } from '#contract/headless/envelope.ts'
import { aaSessionStates, Money } from '#contract/headless/fields.ts'
import { PenalCharge } from '#contract/headless/offer.ts'
import { BankMandateRequest } from '#contract/headless/step.ts'
import { LifecycleStatus } from '#contract/hosted/lifecycle.ts'
import { Address, EndUse, FreeText, GoldFields, maybe, PersonalProfile, WorkProfile } from '#contract/hosted/profile.ts'
import { ReturnUrl } from '#contract/hosted/session.ts'
import { belongsTo, contractOf, type productContracts, productIds } from '#contract/product/products.ts'
import { type FieldError, invalid } from '#kit/http/refusal.ts'
import { AnyObject, Closed, faults, fits, OneOf, orNull, type Static, Type, Uuid } from '#kit/http/schema.ts'
import { keysOf } from '#kit/runtime/record.ts'
import { chosenUnits, schemeCode, schemeLimit } from './embed-lender.ts'

type Contracts = typeof productContracts
/** As a path names them, with the journey each begins: first those that begin nowhere else. */
export const hybridProducts = Object.fromEntries(
  productIds
    .map(contractOf)
    .sort((one, other) => Number(one.opensBySession) - Number(other.opensBySession))
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

/** POST …/journey. The inner objects are spelled as those of the session body (D1 §2.1). */
export const HybridRequest = Closed({
  personal: PersonalProfile,
  journeyType: maybe(OneOf(Object.values(hybridProducts))),
  work: maybe(WorkProfile),
  address: maybe(Address),
  /** Complete, or not at all. */
  bankingInformation: maybe(BankMandateRequest),
  /** The same in snake_case, nested too. */
  banking_information: maybe(AnyObject),
  goldLoan: maybe(Closed({ ...GoldFields, aaID: maybe(FreeText(200)) })),
  journey: maybe(Closed({ endUse: maybe(EndUse), bureauConsent: maybe(Type.Boolean()) })),
  /** Where a standalone page returns to at the end, as with a session. */
  returnUrl: maybe(ReturnUrl),
  mfc: maybe(orNull(AnyObject)),
  /** Needs `journey.bureauConsent`. */
  bureau: maybe(orNull(AnyObject)),
  loanPreferences: maybe(
    Closed({
      productType: maybe(OneOf(['CREDIT_LINE', 'TERM_LOAN'])),
      facilitytype: maybe(OneOf(['OVERDRAFT', 'TERM'])),
    }),
  ),
})
export type HybridRequest = Static<typeof HybridRequest>

const camel = (name: string): string => name.replace(/_([a-z])/g, (_, character: string) => character.toUpperCase())

/**
 * Enforces rules beyond the schema (D1 §4, §7) and returns the account in canonical form. Throws a refusal of kind
 * `invalid` that names every wrong field as it was sent.
 */
export function checkHybrid(body: HybridRequest, product: HybridProduct): BankMandateRequest | undefined {
  const wrong: FieldError[] = []
  const type = hybridProducts[product]
  const { pledgesGold, pledgesFunds } = contractOf(type)
  const refuse = (holds: boolean, path: string, message: string) => holds && wrong.push({ path, message })
  refuse(
    body.journeyType !== undefined && body.journeyType !== type,
    'journeyType',
    `must be ${type} here, or left out`,
  )
  refuse(body.goldLoan !== undefined && !pledgesGold, 'goldLoan', belongsTo('pledgesGold'))
  refuse(body.mfc != null && !pledgesFunds, 'mfc', belongsTo('pledgesFunds'))
  refuse(body.loanPreferences !== undefined && !pledgesFunds, 'loanPreferences', belongsTo('pledgesFunds'))
  refuse(
    body.bureau != null && body.journey?.bureauConsent !== true,
    'journey.bureauConsent',
    'must be true when bureau is given',
  )
  const snake = body.banking_information
  refuse(snake !== undefined && body.bankingInformation !== undefined, 'banking_information', 'is given twice')
  const bank = snake ? accountIn(snake, wrong) : body.bankingInformation
  const [first, ...more] = wrong
  if (first) throw invalid(first, ...more)
  return bank
}

/** The account of fields in snake_case; what is wrong with them is added to `wrong`, as it was sent. */
function accountIn(snake: Record<string, unknown>, wrong: FieldError[]): BankMandateRequest | undefined {
  const bank = Object.fromEntries(Object.entries(snake).map(([name, value]) => [camel(name), value]))
  if (fits(BankMandateRequest, bank)) return bank
  const sent = Object.fromEntries(Object.keys(snake).map((name) => [camel(name), name]))
  for (const { path, message } of faults(BankMandateRequest, bank)) {
    const name = sent[path] ?? path.replace(/[A-Z]/g, (character) => `_${character.toLowerCase()}`)
    wrong.push({ path: `banking_information.${name}`, message })
  }
}

/** D1 §4: the answer's frame. */
const framed = <T extends ReturnType<typeof Closed>>(data: T) =>
  Closed({
    request_id: Uuid,
    correlation_id: Text,
    timestamp: Instant,
    data,
    error: Type.Null(),
  })

export const HybridError = Closed({
  request_id: Uuid,
  correlation_id: Text,
  timestamp: Instant,
  data: Type.Null(),
  error: Closed({
    code: OneOf([...errorCodes]),
    message: Text,
    retryable: Type.Boolean(),
    details: AnyObject,
  }),
})

export const HybridStarted = framed(
  Closed({
    journey_id: Uuid,
    borrower_id: Uuid,
    status: LifecycleStatus,
    /** Whether the journey was there before. */
    resumed: Type.Boolean(),
    /** The hosted page, for an integrator who hands over earlier; once, for two minutes. */
    embed_url: Text,
    /** Missing fields and consents before lenders are asked, as request paths. */
    missing_fields: Type.Array(Text),
  }),
)

const HybridOffer = Closed({
  offer_id: Uuid,
  amount_principal: Money,
  offer_term: Text,
  interest_rate: Text,
  interest_type: orNull(Text),
  annual_percentage_rate: Text,
  installment_amount: Money,
  number_of_installments: Type.Integer(),
  amount_total_interest_payable: Money,
  processing_fees: Money,
  other_upfront_charges: Money,
  insurance_charges: Money,
  other_charges: Money,
  amount_net_disbursed_amount: Money,
  penal_charges: Type.Array(PenalCharge),
  cool_off_period: orNull(Text),
  key_facts_statement_link: orNull(Text),
  terms_and_conditions_link: orNull(Text),
  ltv_ratio: orNull(Text),
  branches: Type.Array(
    Closed({
      branch_id: Text,
      name: orNull(Text),
      address: orNull(Text),
      pincode: orNull(Text),
      about_km: orNull(Type.Integer()),
    }),
  ),
  /** A loan against mutual funds only. */
  product_type: orNull(OneOf(['CREDIT_LINE', 'TERM_LOAN'])),
  /** The units to pledge for the full amount of a loan against mutual funds; decimal text. */
  pledge_requirements: Type.Array(
    Closed({
      scheme_code: Text,
      registrar: orNull(Text),
      amc_code: orNull(Text),
      folio: orNull(Text),
      units_required: Text,
      ltv_ratio: orNull(Text),
    }),
  ),
  valid_until: orNull(Instant),
  expired: Type.Boolean(),
  selected: Type.Boolean(),
  limits: Closed({
    least_amount: Money,
    most_amount: Money,
    least_tenure_months: Type.Integer(),
    most_tenure_months: Type.Integer(),
  }),
})
export type HybridOffer = Static<typeof HybridOffer>

export const HybridOffers = framed(
  Closed({
    journey_id: Uuid,
    status: LifecycleStatus,
    lenders: Type.Array(
      Closed({
        lender_id: Uuid,
        lender_name: Text,
        logo_url: orNull(Text),
        status: OneOf(['OFFER_RECEIVED', 'OFFER_AWAITED', 'NO_OFFER_AVAILABLE']),
        /** Why there is no offer, in plain words. */
        reason: orNull(Text),
        offers: Type.Array(HybridOffer),
      }),
    ),
    /** When a lender requires bank data first: the redirect for the borrower's browser. */
    account_aggregator: Type.Union([
      Closed({ lender_id: Uuid, status: OneOf([...aaSessionStates]), url: orNull(Text) }),
      Type.Null(),
    ]),
    /** The lender's decision: APPROVED from the sanction on, before the payout. */
    decision_status: orNull(OneOf(['APPROVED', 'NOT_APPROVED'])),
    /** A credit line against mutual funds, from the sanction on; null before, and for any other loan. */
    credit_line: orNull(
      Closed({
        offer_id: Uuid,
        status: OneOf(['OPEN', 'CLOSED']),
        limit: Money,
        utilised: Money,
        available: Money,
        opened_at: Instant,
        /** The last change of one of these amounts, as far as the lender reported it. */
        changed_at: Instant,
      }),
    ),
    /** Null when nothing changes without the borrower. */
    poll_after_ms: orNull(Type.Integer()),
  }),
)

/** POST …/journey/offers/{offerID}/hosted. An absent field keeps the offered value. */
export const HybridHandOffRequest = Closed({
  amount: maybe(
    Type.String({ pattern: '^[1-9]\\d{0,9}(?:\\.00)?$', 'x-says': 'must be a whole positive amount in rupees' }),
  ),
  tenureMonths: maybe(Type.Integer({ minimum: 1, maximum: 600 })),
  branchID: maybe(Type.String({ minLength: 1, maxLength: 200 })),
  /** The chosen part of `pledge_requirements`, with units. */
  pledges: maybe(Type.Array(Closed({ scheme_code: schemeCode, units: chosenUnits }), schemeLimit)),
})
export const HybridHandOff = framed(Closed({ journey_id: Uuid, offer_id: Uuid, hosted_url: Text }))
