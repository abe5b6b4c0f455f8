// Hosted page: the borrower's requests, and their answers beside the view of the journey.

import { Closed, Nullable, OneOf, type Static, Type } from '@lendloom/foundation/schema'
import { languages } from '@lendloom/lending/language'
import { Text, WholeRupees } from '#wire/basic-schemas.ts'
import { accountNumberPattern, ifscPattern } from '#wire/identifier.ts'
import { EmbedChosen } from './embed-lender.ts'
import { EmbedQuote } from './embed-offer.ts'
import { EmbedView } from './embed-view.ts'
import { Address, EndUse, FreeText, GoldFields, PersonalFields, WorkProfile } from './profile.ts'

/** POST /api/embed/session: exchanges the single-use token of the fragment for a session. */
export const EmbedSessionRequest = Closed({ token: Type.String({ minLength: 1, maxLength: 300 }) })
export const EmbedSessionReply = Closed({ sessionToken: Text, expiresAt: Text, view: EmbedView })
export type EmbedSessionReply = Static<typeof EmbedSessionReply>

/** POST /api/embed/journey/earlier-loan: `relayed` is the loan's last lifecycle update that a page has forwarded. */
export const EmbedEarlierLoanReply = Closed({ ...EmbedSessionReply.properties, relayed: Type.Integer() })
export type EmbedEarlierLoanReply = Static<typeof EmbedEarlierLoanReply>

/** GET /api/embed/journey?after=3: the view without updates up to sequence 3, which the page has forwarded. */
export const EmbedViewQuery = Closed({
  after: Type.Optional(Type.String({ pattern: '^\\d{1,2}$' })),
  /** This page claims the journey. */
  claim: Type.Optional(OneOf(['1'])),
})

/** The same fields, each of which may be left out, or null to clear the stored value. */
const clearable = <T extends Record<string, Parameters<typeof Nullable>[0]>>(fields: T) =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, Type.Optional(Nullable(schema))])) as {
    [Name in keyof T]: ReturnType<typeof Type.Optional<ReturnType<typeof Nullable<T[Name]>>>>
  }
/** PUT /api/embed/profile: a draft. Each sent field replaces the stored one; null clears it. */
export const EmbedProfileRequest = Closed({
  profile: Type.Optional(Closed(clearable(PersonalFields))),
  workProfile: Type.Optional(Closed(clearable(WorkProfile.properties))),
  address: Type.Optional(Closed(clearable(Address.properties))),
  goldLoan: Type.Optional(Closed(clearable(GoldFields))),
  endUse: Type.Optional(EndUse),
})
export type EmbedProfileRequest = Static<typeof EmbedProfileRequest>

/** A consent that the borrower gives with a request. */
const GivenConsent = Closed({
  purpose: OneOf(['bureau', 'data_sharing', 'key_facts', 'drawdown']),
  textVersion: Type.String({ minLength: 1, maxLength: 40 }),
  language: OneOf([...languages]),
})

/** POST /api/embed/profile/submit: needs a complete profile, and the consents `bureau` and `data_sharing`. */
export const EmbedSubmitRequest = Closed({ consents: Type.Array(GivenConsent, { minItems: 1, maxItems: 4 }) })

/** POST /api/embed/offers/{offerID}/select */
export const EmbedSelectRequest = Closed({
  amount: WholeRupees,
  tenureMonths: Type.Integer({ minimum: 1, maximum: 600 }),
  /** One of the offer's branches, if it has any. */
  branchID: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  /** Loans against mutual funds: the units to pledge; by default a share of every fund in proportion to the amount. */
  pledges: Type.Optional(EmbedChosen),
  /** The language of the text that the borrower read at the choice; English by default. */
  language: Type.Optional(OneOf([...languages])),
})
/** POST /api/embed/offers/{offerID}/accept: the final terms that the page showed; needs the consent `key_facts`. */
export const EmbedAcceptRequest = Closed({
  quote: EmbedQuote,
  consents: Type.Array(GivenConsent, { minItems: 1, maxItems: 1 }),
})
/** The value of the error's detail `change` if the lender has replaced the quote that the page showed. */
export const offerReplaced = 'OFFER_REPLACED'

/** POST /api/embed/offers/{offerID}/decline: ends the journey. */
export const EmbedDeclineRequest = Closed({ reason: Type.Optional(FreeText(500)) })

/** POST /api/embed/drawdowns */
export const EmbedDrawdownRequest = Closed({ amount: WholeRupees })

/** POST /api/embed/drawdowns/{drawdownId}/agree: the terms that the page showed; needs the consent `drawdown`. */
export const EmbedDrawdownAgreement = Closed({
  quote: EmbedQuote,
  consents: Type.Array(GivenConsent, { minItems: 1, maxItems: 1 }),
})

/** POST /api/embed/consents/withdraw: withdraws all consents of the journey and ends it. */
export const EmbedWithdrawRequest = Closed({})

/** POST /api/embed/steps/{step}/open: the borrower goes to the lender's page. */
export const openableSteps = ['kyc', 'bank-mandate', 'e-mandate', 'loan-agreement'] as const
export const EmbedOpenReply = Closed({ url: Text, view: EmbedView })
export type EmbedOpenReply = Static<typeof EmbedOpenReply>

/** POST /api/embed/steps/{step}/return: the borrower is back from the page of the lender. */
export const returnableSteps = ['kyc', 'e-mandate', 'loan-agreement'] as const

/** POST /api/embed/steps/bank-mandate, with the fields of D2 §4. */
export const BankAccount = Closed({
  accountHolderName: FreeText(100),
  accountNumber: Type.String({
    pattern: accountNumberPattern,
    'x-says': 'must be an account number of 9 to 18 digits',
  }),
  ifsc: Type.String({ pattern: ifscPattern, 'x-says': 'must be an IFSC, such as HDFC0000001' }),
  accountType: OneOf(['saving', 'current']),
})
export type BankAccount = Static<typeof BankAccount>
