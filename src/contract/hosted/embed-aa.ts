// What the hosted page shows of a consent that a lender asks for at the account aggregator (D2 §2.2, FIS12 §7.8).
import { Closed, Nullable, OneOf, type Static, Type } from '#kit/schema.ts'

export const EmbedConsent = Closed({
  offerId: Type.String(),
  lenderId: Type.String(),
  lenderName: Type.String(),
  /** Before the offer the bank statement is asked for; after the sanction the account may be watched. */
  purpose: OneOf(['UNDERWRITING', 'MONITORING']),
  /** DUE: the borrower can go to the aggregator, also again. CHECKING: what became of it is being asked. OVER: it was not given. */
  standing: OneOf(['DUE', 'CHECKING', 'OVER']),
  /** Why it was not given, in plain words. */
  problem: Nullable(Type.String()),
})
export type EmbedConsent = Static<typeof EmbedConsent>
