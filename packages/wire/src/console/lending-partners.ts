// Schemas of the console API: lending partners, their rules, contacts and credential names.

import { Closed, OneOf, orNull, type Static, Type } from '@lendloom/foundation/schema'
import { productIds } from '@lendloom/lending/product/products'
import { Id, Instant, InstantOrNull, Text, TextOrNull, wholeNumber } from '#wire/basic-schemas.ts'
import { visiblePattern } from '#wire/identifier.ts'
import { bankStatementModes, credentialDirections, kycModes, mandateFrequencies, minReasonLength } from './lists.ts'

const Rupees = wholeNumber(1, 10_000_000)
const Percent = Type.String({ pattern: '^\\d{1,2}(\\.\\d{1,2})?$', 'x-says': 'must be a percentage such as 24.00' })
const SingleLine = Type.String({ maxLength: 300, pattern: '^[^\\p{Cc}]*$', 'x-says': 'must be one line of text' })

/** The rules of recommendations to a partner: limits, price and borrower information; D3 §1 fixes the term. */
export const PartnerRules = Closed({
  leastRupees: Rupees,
  mostRupees: Rupees,
  /** The maximum recommended amount, in monthly incomes. */
  incomeMultiple: wholeNumber(1, 100),
  /** The lowest bureau score. */
  leastScore: wholeNumber(300, 900),
  /** Yearly interest, processing fee, and the tax on that fee. */
  ratePercent: Percent,
  feePercent: Percent,
  taxPercent: Percent,
  coolOffDays: wholeNumber(1, 60),
  /** Text for borrowers; empty without penal charges. */
  penalCharges: SingleLine,
  /** For how many days the borrower may choose an indicative offer. */
  offerDays: wholeNumber(1, 60),
  bankStatement: OneOf(bankStatementModes),
  /** Limits on returned debits and on instalments as a share of inflow: above them the case goes to review. */
  mostReturnedDebits: wholeNumber(0, 1000),
  mostObligationsPercent: wholeNumber(0, 1000),
  kycMode: OneOf(kycModes),
  /** The first choice; if the bank rejects it, the other one is tried. */
  mandateFrequency: OneOf(mandateFrequencies),
})
export type PartnerRules = Static<typeof PartnerRules>

/** The grievance officer, the support (D1 §2.4 lenders) and the account for transfers: bank, number and IFSC. */
export const PartnerContact = Closed({
  groName: SingleLine,
  groEmail: SingleLine,
  groContactNumber: SingleLine,
  groDesignation: SingleLine,
  groAddress: SingleLine,
  customerSupportLink: SingleLine,
  customerSupportContactNumber: SingleLine,
  customerSupportEmail: SingleLine,
  repaymentAccount: SingleLine,
})
export type PartnerContact = Static<typeof PartnerContact>

/** Shorter secrets can be guessed. */
const Secret = Type.String({
  pattern: '^[\\x21-\\x7e]{16,500}$',
  'x-says': 'must be 16 to 500 letters, digits and signs without a space',
})
const KeyId = Type.String({ pattern: '^[\\x21-\\x7e]{1,100}$', 'x-says': 'must be a name without a space' })
const Sender = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$',
  'x-says': 'must be 1 to 50 letters, digits, dots, hyphens or underscores',
})
const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: visiblePattern,
  'x-says': 'must be a name of one line, all of it visible',
})
const Url = Type.String({ maxLength: 500 })
const Products = Type.Array(OneOf(productIds), { minItems: 1, uniqueItems: true })

/** The mutable fields of a partner; omitted fields stay unchanged. */
export const PartnerChange = Closed({
  name: Type.Optional(Name),
  url: Type.Optional(Url),
  products: Type.Optional(Products),
  rules: Type.Optional(Type.Partial(PartnerRules, { additionalProperties: false })),
  contact: Type.Optional(Type.Partial(PartnerContact, { additionalProperties: false })),
})
export type PartnerChange = Static<typeof PartnerChange>

const SuppliedCredential = Closed({ bearer: Secret, keyId: KeyId, secret: Secret })

/**
 * A new partner. Omitted `rules` have default values; `ourSender` is our sender name in events to it. The platform
 * generates omitted credentials.
 */
export const NewPartner = Closed({
  ...PartnerChange.properties,
  outgoing: Type.Optional(SuppliedCredential),
  /** All keys with which the partner signs, oldest first; the newest is the one to rotate. */
  incoming: Type.Optional(Type.Array(SuppliedCredential, { minItems: 1, maxItems: 8 })),
  sender: Sender,
  ourSender: Type.Optional(Sender),
  name: Name,
  url: Url,
})
export type NewPartner = Static<typeof NewPartner>

/** Names only: a bearer or secret is shown once, when it is generated. */
const OutgoingName = Closed({ keyId: Text, from: Instant, isUsed: Type.Boolean() })
const IncomingName = Closed({ keyId: Text, until: InstantOrNull })

export const LendingPartner = Closed({
  partnerId: Id,
  sender: Text,
  ourSender: Text,
  name: Text,
  url: Text,
  products: Type.Array(OneOf(productIds)),
  rules: PartnerRules,
  contact: PartnerContact,
  /** Our credentials: the current one, and one that becomes valid later. */
  outgoing: Type.Array(OutgoingName),
  /** The partner's credentials; a replaced one is valid until `until`. */
  incoming: Type.Array(IncomingName),
  /** Whether it is switched off (no tenant sends it new requests), and why. */
  isOff: Type.Boolean(),
  offReason: TextOrNull,
  /** Events to the partner: pending, and given up. */
  waitingEvents: Type.Integer(),
  deadEvents: Type.Integer(),
  /** The newest event within the last day; null without one. */
  lastEventAt: InstantOrNull,
  createdAt: Instant,
  updatedAt: Instant,
})
export type LendingPartner = Static<typeof LendingPartner>
export const LendingPartners = Closed({ items: Type.Array(LendingPartner) })
export type LendingPartners = Static<typeof LendingPartners>

/** A new credential, shown once. */
const IssuedCredential = Closed({ bearer: Text, keyId: Text, secret: Text })
export const NewCredentials = Closed({
  partner: LendingPartner,
  /** Our new credential to the partner, and the partner's to us; null when unchanged. */
  outgoing: orNull(Closed({ ...IssuedCredential.properties, from: Instant })),
  incoming: orNull(IssuedCredential),
})
export type NewCredentials = Static<typeof NewCredentials>

export const RotateRequest = Closed({
  direction: OneOf(credentialDirections),
  /** How long both credentials are valid; 0 for a leaked secret. */
  overlapHours: wholeNumber(0, 720),
  /** Whether the bearer is replaced in addition to the signing key. */
  withBearer: Type.Boolean(),
  /** The other side's credential; generated here when absent. */
  given: Type.Optional(Closed({ bearer: Type.Optional(Secret), keyId: KeyId, secret: Secret })),
})
export type RotateRequest = Static<typeof RotateRequest>

/** The reason is stored and shown, as for every lender. */
export const PartnerSwitchOff = Closed({
  reason: Type.String({
    minLength: minReasonLength,
    maxLength: 300,
    'x-says': `must be ${minReasonLength} to 300 characters`,
  }),
  /** The effect that was shown at the confirmation. */
  searching: Type.Integer({ minimum: 0 }),
  offered: Type.Integer({ minimum: 0 }),
})

export const LendingPartnerParams = Closed({ partnerId: Id })
