// What the hosted page shows of the consents that a borrower has given in a journey, and what each of them still allows.
import { Text } from '#contract/atoms.ts'
import { languages } from '#contract/language.ts'
import { Closed, Nullable, OneOf, type Static, Type } from '#kit/http/schema.ts'

export const EmbedGiven = Closed({
  id: Text,
  purpose: OneOf(['bureau', 'data_sharing', 'submission', 'bank_analysis', 'key_facts']),
  textVersion: Text,
  language: OneOf([...languages]),
  /** The words that were agreed to, in that language. */
  text: Text,
  givenAt: Text,
  /** The lenders that were asked under it, by name. */
  lenders: Type.Array(Text),
  /** When it ends by itself, unless the borrower goes on; null where no day is known. */
  until: Nullable(Text),
  withdrawnAt: Nullable(Text),
  /** ENDS: it can be withdrawn, which ends the application. BINDING: an accepted offer rests on it. OVER: the application has ended, and nothing is sent under it. */
  standing: OneOf(['ENDS', 'BINDING', 'OVER', 'WITHDRAWN']),
})
export type EmbedGiven = Static<typeof EmbedGiven>

/** A consent that was given at an account aggregator, and is taken back there. */
export const EmbedGivenThere = Closed({ aggregator: Text, lender: Text, givenAt: Text })
export type EmbedGivenThere = Static<typeof EmbedGivenThere>

export const EmbedGivenConsents = Closed({
  /** The newest first. */
  given: Type.Array(EmbedGiven),
  atAggregator: Type.Array(EmbedGivenThere),
  /** The statement of mutual funds that was fetched once, by the borrower's leave at the registrar; null where none was. */
  atRegistrar: Nullable(Closed({ registrar: Text, givenAt: Text })),
})
export type EmbedGivenConsents = Static<typeof EmbedGivenConsents>

/** GET /api/embed/consents */
export const EmbedConsentsReply = Closed({ consents: EmbedGivenConsents })
export type EmbedConsentsReply = Static<typeof EmbedConsentsReply>
