// Account-aggregator sessions (D2 §2.3, §4).

import { Closed, OneOf, type Static, Type, Uuid } from '@lendloom/foundation/schema'
import { Instant, InstantOrNull, Text, TextOrNull } from '#wire/basic-schemas.ts'
import { AaSessionState, RequiredAction } from './enums.ts'
import { Page } from './paging.ts'

export const AaSessionView = Closed({
  aaSessionID: Uuid,
  journeyID: Uuid,
  offerID: Uuid,
  /** Statements before the offer, or monitoring after the sanction. */
  purpose: OneOf(['UNDERWRITING', 'MONITORING']),
  /** The borrower's handle at the aggregator, such as `9876543210@aggregator`. */
  aaID: TextOrNull,
  state: AaSessionState,
  actionRequired: RequiredAction,
  expiresAt: InstantOrNull,
  /** Why the session failed or was not approved, as a text for the borrower. */
  reason: TextOrNull,
  updatedAt: Instant,
})
export type AaSessionView = Static<typeof AaSessionView>

export const AaSessionList = Closed({ items: Type.Array(AaSessionView), page: Page })

export const AaSessionRequest = Closed({
  offerID: Uuid,
  aaID: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9._-]{1,100}@[A-Za-z0-9._-]{1,100}$',
      'x-says': 'must be a handle at an account aggregator, such as 9876543210@aggregator',
    }),
  ),
})
export type AaSessionRequest = Static<typeof AaSessionRequest>

/** The return address; our own page by default. */
export const AaRedirectRequest = Closed({
  returnURL: Type.Optional(Type.String({ minLength: 1, maxLength: 2000, 'x-says': 'must be an https URL' })),
})
export type AaRedirectRequest = Static<typeof AaRedirectRequest>

/** D2 §2.3 AA redirect result. */
export const AaRedirect = Closed({
  aaSessionID: Uuid,
  state: AaSessionState,
  redirectURL: Text,
  /** A compact digit timestamp. */
  reqdate: Text,
  txnid: Text,
  expiresAt: Instant,
})
export type AaRedirect = Static<typeof AaRedirect>

/** The unchanged parameters of the aggregator's redirect: a hint, which our server verifies with the aggregator. */
export const AaCompleteRequest = Closed({
  ecres: Type.String({ minLength: 1, maxLength: 8000 }),
  resdate: Type.String({ minLength: 1, maxLength: 60 }),
  fi: Type.String({ minLength: 1, maxLength: 500 }),
})
export type AaCompleteRequest = Static<typeof AaCompleteRequest>
