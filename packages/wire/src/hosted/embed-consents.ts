// Consents on the hosted page: those given, those that a lender requests, and the one for a fund statement.

import { Closed, Nullable, OneOf, type Static, Type } from '@lendloom/foundation/schema'
import { languages } from '@lendloom/lending/language'
import { Words } from '@lendloom/lending/reason/reason'
import { Text } from '#wire/atoms.ts'
import { mobilePattern } from '#wire/identifier.ts'

export const GivenConsentView = Closed({
  id: Text,
  purpose: OneOf(['bureau', 'data_sharing', 'submission', 'bank_analysis', 'key_facts']),
  textVersion: Text,
  language: OneOf([...languages]),
  /** The text that the borrower agreed to, in that language. */
  text: Text,
  givenAt: Text,
  /** Names of the lenders to which the application was sent under this consent. */
  lenders: Type.Array(Text),
  /** When the consent expires unless the borrower continues; null without a known date. */
  until: Nullable(Text),
  withdrawnAt: Nullable(Text),
  /** ENDS: withdrawing it ends the application · BINDING: an accepted offer depends on it · OVER: the application has ended, nothing is sent under it. */
  standing: OneOf(['ENDS', 'BINDING', 'OVER', 'WITHDRAWN']),
})
export type GivenConsentView = Static<typeof GivenConsentView>

/** A consent at an account aggregator; the borrower withdraws it there. */
const EmbedGivenThere = Closed({ aggregator: Text, lender: Text, givenAt: Text })
export type EmbedGivenThere = Static<typeof EmbedGivenThere>

export const EmbedGivenConsents = Closed({
  /** The newest first. */
  given: Type.Array(GivenConsentView),
  atAggregator: Type.Array(EmbedGivenThere),
  /** The borrower's consent at the registrar to fetch a mutual-fund statement once; null without one. */
  atRegistrar: Nullable(Closed({ registrar: Text, givenAt: Text })),
})
export type EmbedGivenConsents = Static<typeof EmbedGivenConsents>

/** GET /api/embed/consents */
export const EmbedConsentsReply = Closed({ consents: EmbedGivenConsents })
export type EmbedConsentsReply = Static<typeof EmbedConsentsReply>

/** A consent that a lender requests at the account aggregator, on the hosted page (D2 §2.2, FIS12 §7.8). */
export const EmbedConsent = Closed({
  offerId: Type.String(),
  lenderId: Type.String(),
  lenderName: Type.String(),
  /** UNDERWRITING: a bank statement before the offer · MONITORING: monitoring the account after the sanction. */
  purpose: OneOf(['UNDERWRITING', 'MONITORING']),
  /**
   * HANDLE: the lender could not use the borrower's handle and needs another one · DUE: the borrower can go to the
   * aggregator, or return to it · CHECKING: the result is being verified · OVER: the consent was not given.
   */
  standing: OneOf(['HANDLE', 'DUE', 'CHECKING', 'OVER']),
  /** With HANDLE: the refused handle, and the required part after the `@`. */
  handle: Nullable(Closed({ refused: Type.String(), at: Type.String() })),
  /** Why the consent was not given. */
  problem: Nullable(Words),
})
/** POST /api/embed/aa/{offerID}/handle */
export const EmbedHandleRequest = Closed({
  aaID: Type.String({
    pattern: '^[A-Za-z0-9._-]{1,100}@[A-Za-z0-9._-]{1,100}$',
    'x-says': 'must be a handle at an account aggregator, such as 9876543210@aggregator',
  }),
})

export type EmbedConsent = Static<typeof EmbedConsent>

/**
 * NO_FUNDS: no pledgeable units · OTHER_PAN: another person's statement · DECLINED: the borrower declined at the
 * registrar · EXPIRED: the registrar's page timed out.
 */
const fundFaults = ['NO_FUNDS', 'OTHER_PAN', 'DECLINED', 'EXPIRED'] as const
export type FundFault = (typeof fundFaults)[number]

export const EmbedFunds = Closed({
  /** The registrar's name. */
  registrar: Type.String(),
  /** NONE: no statement. PENDING: one is being fetched. READY: one exists. FAILED: the last try failed. */
  standing: OneOf(['NONE', 'PENDING', 'READY', 'FAILED']),
  fault: Nullable(OneOf(fundFaults)),
})
export type EmbedFunds = Static<typeof EmbedFunds>

/** POST /api/embed/funds/look */
export const EmbedFundsPollRequest = Closed({})

/** POST /api/embed/funds: the mobile number registered with the fund houses, if it differs from the journey's. */
export const EmbedFundsRequest = Closed({
  contactNumber: Type.Optional(
    Type.String({ pattern: mobilePattern, 'x-says': 'must be an Indian mobile number of ten digits' }),
  ),
})
