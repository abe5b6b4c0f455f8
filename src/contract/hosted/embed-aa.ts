// What the hosted page shows of a consent that a lender asks for at the account aggregator (D2 §2.2, FIS12 §7.8).
import { Words } from '#contract/reason/words.ts'
import { Closed, Nullable, OneOf, type Static, Type } from '#kit/http/schema.ts'

export const EmbedConsent = Closed({
  offerId: Type.String(),
  lenderId: Type.String(),
  lenderName: Type.String(),
  /** Before the offer the bank statement is asked for; after the sanction the account may be watched. */
  purpose: OneOf(['UNDERWRITING', 'MONITORING']),
  /** HANDLE: the lender could not use the borrower's handle, and another one is to be named. DUE: the borrower can go to the aggregator, also again. CHECKING: what became of it is being asked. OVER: it was not given. */
  standing: OneOf(['HANDLE', 'DUE', 'CHECKING', 'OVER']),
  /** With HANDLE: the one that was refused, and the aggregator after the `@` of any other. */
  handle: Nullable(Closed({ refused: Type.String(), at: Type.String() })),
  /** Why it was not given. */
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
