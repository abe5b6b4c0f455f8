// Hosted page: the consents that the borrower gave, and those that lenders request at the account aggregator.

import { Closed, Nullable, OneOf, type Static, Type } from '@lendloom/foundation/schema'
import { languages } from '@lendloom/lending/language'
import { Words } from '@lendloom/lending/reason/reason'
import { Text } from '#wire/basic-schemas.ts'

export const EmbedGivenConsent = Closed({
  id: Text,
  purpose: OneOf(['bureau', 'data_sharing', 'submission', 'bank_analysis', 'key_facts', 'drawdown']),
  textVersion: Text,
  language: OneOf([...languages]),
  /** The text that the borrower agreed to, in that language. */
  text: Text,
  givenAt: Text,
  /** Names of the lenders to which the application was sent under this consent. */
  lenders: Type.Array(Text),
  /** Those of them for which it ended when the borrower accepted another lender's offer; null before that. */
  ended: Nullable(Closed({ lenders: Type.Array(Text), at: Text })),
  /** When the consent expires unless the borrower continues; null without a known date. */
  until: Nullable(Text),
  withdrawnAt: Nullable(Text),
  /** ENDS: withdrawing it ends the application · BINDING: an accepted offer depends on it · OVER: the application has ended, nothing is sent under it. */
  standing: OneOf(['ENDS', 'BINDING', 'OVER', 'WITHDRAWN']),
})
export type EmbedGivenConsent = Static<typeof EmbedGivenConsent>

/** A consent at an account aggregator; the borrower withdraws it there. */
const EmbedAggregatorConsent = Closed({ aggregator: Text, lender: Text, givenAt: Text })
export type EmbedAggregatorConsent = Static<typeof EmbedAggregatorConsent>

export const EmbedGivenConsents = Closed({
  /** The newest first. */
  given: Type.Array(EmbedGivenConsent),
  atAggregator: Type.Array(EmbedAggregatorConsent),
  /** The borrower's consent at the registrar to fetch a mutual-fund statement once; null without one. */
  atRegistrar: Nullable(Closed({ registrar: Text, givenAt: Text })),
})
export type EmbedGivenConsents = Static<typeof EmbedGivenConsents>

/** GET /api/embed/consents */
export const EmbedConsentsReply = Closed({ consents: EmbedGivenConsents })
export type EmbedConsentsReply = Static<typeof EmbedConsentsReply>

/** A consent that a lender requests at the account aggregator, on the hosted page (D2 §2.2, FIS12 §7.8). */
export const EmbedRequestedConsent = Closed({
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
export type EmbedRequestedConsent = Static<typeof EmbedRequestedConsent>

/** POST /api/embed/aa/{offerID}/handle */
export const EmbedAggregatorHandleRequest = Closed({
  aaID: Type.String({
    pattern: '^[A-Za-z0-9._-]{1,100}@[A-Za-z0-9._-]{1,100}$',
    'x-says': 'must be a handle at an account aggregator, such as 9876543210@aggregator',
  }),
})
