// Schemas of the console API: erasure, legal holds, nominees and the export of a borrower's data (DPDP Act 2023).

import { Closed, Nullable, OneOf, orNull, type Static, Type } from '@lendloom/foundation/schema'
import { productIds } from '@lendloom/lending/product/products'
import { Id, Instant } from '#wire/basic-schemas.ts'
import { statuses } from '#wire/hosted/lifecycle-status.ts'
import { RevealReason } from './mail.ts'
import { erasureObstacles, erasureStates } from './privacy-lists.ts'
import { ListOfTenant } from './staff.ts'

export type { ErasureObstacle, ErasureState } from './privacy-lists.ts'

const InstantOrNull = orNull(Instant)

/** A request for erasure. `requestedBy` and `decidedBy` are names; null for the command line. */
export const Erasure = Closed({
  erasureId: Id,
  tenantId: Id,
  borrowerId: Id,
  /** A journey of the borrower, whose page shows the rest. */
  journeyId: orNull(Id),
  state: OneOf(erasureStates),
  reason: Type.String(),
  requestedBy: orNull(Type.String()),
  requestedAt: Instant,
  decidedBy: orNull(Type.String()),
  decidedAt: InstantOrNull,
  doneAt: InstantOrNull,
  /** Whether the caller may decide: the request waits, and another person recorded it. */
  mayDecide: Type.Boolean(),
})
export type Erasure = Static<typeof Erasure>

export const ErasureQuery = Closed({ ...ListOfTenant.properties, state: Type.Optional(OneOf(erasureStates)) })
export const Erasures = Closed({ items: Type.Array(Erasure), next: orNull(Type.String()) })
export type Erasures = Static<typeof Erasures>

export const LegalHold = Closed({ reason: Type.String(), placedBy: orNull(Type.String()), placedAt: Instant })
export type LegalHold = Static<typeof LegalHold>

const short = (maxLength: number, says: string) =>
  Type.String({ maxLength, pattern: '\\S', 'x-says': `must be ${says} of 1 to ${maxLength} characters` })

export const Nominee = Closed({
  name: short(100, 'a name'),
  relation: short(60, 'a relation'),
  contact: short(200, 'an e-mail address or a telephone number'),
})
export type Nominee = Static<typeof Nominee>

export const JourneyData = Closed({
  journeyId: Id,
  product: OneOf(productIds),
  status: OneOf(statuses),
  createdAt: Instant,
  erasedAt: InstantOrNull,
  /** Null if a request could erase the data now, or the data is erased. */
  obstacle: orNull(OneOf(erasureObstacles)),
})
export type JourneyData = Static<typeof JourneyData>

/** What is stored of the borrower of a journey, and what may be erased. */
export const BorrowerPrivacy = Closed({
  tenantId: Id,
  borrowerId: Id,
  journeys: Type.Array(JourneyData),
  /** Whether the borrower's identity is still stored: identifier, mobile number, prefill and sessions. */
  isIdentified: Type.Boolean(),
  hold: orNull(LegalHold),
  nominee: orNull(Closed({ namedAt: Instant })),
  erasures: Type.Array(Erasure),
})
export type BorrowerPrivacy = Static<typeof BorrowerPrivacy>

export const BorrowerParams = Closed({ borrowerId: Id })

/** Finds borrowers by the app's identifier, our identifier, or the mobile number. */
export const BorrowerQuery = Closed({
  tenantId: Type.Optional(Id),
  q: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
})
export const FoundBorrowers = Closed({
  items: Type.Array(Closed({ tenantId: Id, borrowerId: Id, createdAt: Instant, journeys: Type.Integer() })),
})
export type FoundBorrowers = Static<typeof FoundBorrowers>

export const ErasureParams = Closed({ erasureId: Id })
export const ReasonRequest = Closed({ reason: RevealReason })
export const DecisionRequest = Closed({ approve: Type.Boolean() })

/** Everything that is stored of a borrower, in the borrower's own terms, and who received it (DPDP Act 2023 §11). */
export const BorrowerExport = Closed({
  exportedAt: Instant,
  borrower: Closed({
    borrowerId: Id,
    externalId: Type.String(),
    createdAt: Instant,
    nominee: orNull(Nominee),
    /** Details that the app sent with a session, for the next journey. */
    prefill: Type.Unknown(),
  }),
  journeys: Type.Array(
    Closed({
      journeyId: Id,
      product: OneOf(productIds),
      status: OneOf(statuses),
      createdAt: Instant,
      updatedAt: Instant,
      erasedAt: InstantOrNull,
      details: Type.Unknown(),
      account: Type.Unknown(),
      consents: Type.Array(
        Closed({
          purpose: Type.String(),
          textVersion: Type.String(),
          /** The quote that the borrower accepted, and the SHA-256 digest of its terms; null for other consents. */
          quoteId: Nullable(Type.String()),
          termsDigest: Nullable(Type.String()),
          givenAt: Instant,
          withdrawnAt: InstantOrNull,
        }),
      ),
      /** The lenders that were sent data, and since when. */
      recipients: Type.Array(Closed({ name: Type.String(), since: Instant })),
    }),
  ),
  complaints: Type.Array(
    Closed({ number: Type.String(), category: Type.String(), status: Type.String(), receivedAt: Instant }),
  ),
})
export type BorrowerExport = Static<typeof BorrowerExport>
