// Hosted page: a lender, its branches, the bank of an IFSC, and the fund units that secure a loan.

import { Closed, Nullable, OneOf, type Static, Type } from '@lendloom/foundation/schema'
import { Words } from '@lendloom/lending/reason/reason'
import { Text } from '#wire/basic-schemas.ts'
import { kinds } from './portfolio.ts'

/** Regulated kinds of lender for which the page has a translated name. */
const lenderKinds = ['bank', 'smallFinanceBank', 'cooperativeBank', 'nbfc', 'housingFinance'] as const
export type LenderKind = (typeof lenderKinds)[number]

export const EmbedLender = Closed({
  id: Text,
  name: Text,
  /** The registered name, if the lender states a different one; null otherwise. */
  legalName: Nullable(Text),
  logoUrl: Nullable(Text),
  /** The lender's own description of its kind, such as `Bank`; null without one. */
  about: Nullable(Text),
  /** The kind, if recognized; otherwise `about` is shown unchanged. */
  kind: Nullable(OneOf([...lenderKinds])),
  status: OneOf(['OFFER_RECEIVED', 'OFFER_AWAITED', 'NO_OFFER_AVAILABLE']),
  /** Whole seconds since the request to the lender, by the server's clock; null once it has answered. */
  waitedSeconds: Nullable(Type.Integer()),
  /** The usual time from acceptance to disbursal on this platform, in seconds; null with too few disbursals. */
  usualPayoutSeconds: Nullable(Type.Integer()),
  /** The reason for the missing offer. */
  reason: Nullable(Words),
  grievanceOfficer: Closed({ name: Text, designation: Text, email: Text, phone: Text, address: Text }),
  support: Closed({ link: Text, phone: Text, email: Text }),
})
export type EmbedLender = Static<typeof EmbedLender>

/** Branches that accept gold, nearest first by the borrower's PIN code. */
export const EmbedBranch = Closed({
  id: Text,
  name: Text,
  address: Text,
  pincode: Text,
  /** Rough distance from the borrower's home; 0 in the same postal district, null when unknown. */
  aboutKm: Nullable(Type.Integer()),
})
export type EmbedBranch = Static<typeof EmbedBranch>

const fundFields = {
  schemeCode: Text,
  /** The name in the borrower's statement; otherwise the scheme code. */
  name: Text,
  registrar: Nullable(Text),
  folio: Nullable(Text),
}

/** A requested pledge for the lender's full offer. */
export const EmbedScheme = Closed({
  ...fundFields,
  unitsRequired: Text,
  /** The loan-to-value of these units, as `50%`. */
  ltv: Nullable(Text),
  /** In rupees, from the borrower's statement; null without one. */
  nav: Nullable(Text),
})
export type EmbedScheme = Static<typeof EmbedScheme>

/** A fund of the borrower's statement; amounts in rupees at its NAV. */
export const EmbedHolding = Closed({
  name: Text,
  /** Null if the statement does not contain it. */
  kind: Nullable(OneOf([...kinds])),
  worth: Text,
  /** The pledgeable units: without liens and lock-ins. */
  free: Text,
})
export type EmbedHolding = Static<typeof EmbedHolding>

/** The borrower's pledge for the chosen amount. */
export const EmbedPledge = Closed({ ...fundFields, units: Text })
export type EmbedPledge = Static<typeof EmbedPledge>

/** The units of a scheme that the borrower pledges; `0` for none. */
export const chosenUnits = Type.String({
  pattern: '^\\d{1,15}(?:\\.\\d{1,6})?$',
  'x-says': 'must be a number of units, such as 312.450',
})
export const schemeCode = Type.String({ minLength: 1, maxLength: 100 })
/** The maximum number of schemes. */
export const schemeLimit = { maxItems: 500 }
export const EmbedChosen = Type.Array(Closed({ schemeCode, units: chosenUnits }), schemeLimit)

/** GET /api/embed/ifsc/{ifsc}: names are null if no list has them; an unknown branch may be new. */
export const EmbedBankBranch = Closed({
  bank: Nullable(Type.String()),
  branch: Nullable(Type.String()),
  isKnown: Type.Boolean(),
})
export type EmbedBankBranch = Static<typeof EmbedBankBranch>
