// How the hosted page fetches a statement of mutual funds from the registrars (D1 §4 `mfc`, FIS12 §10.1).
import { mobilePattern } from '#contract/identifier.ts'
import { Closed, Nullable, OneOf, type Static, Type } from '#kit/http/schema.ts'

/**
 * NO_FUNDS: nothing that can be pledged is held. OTHER_PAN: the statement is somebody else's. DECLINED: the borrower did not
 * agree at the registrar. EXPIRED: the page there was open for too long.
 */
const fundFaults = ['NO_FUNDS', 'OTHER_PAN', 'DECLINED', 'EXPIRED'] as const
export type FundFault = (typeof fundFaults)[number]

export const EmbedFunds = Closed({
  /** Whom the borrower deals with, by its name. */
  registrar: Type.String(),
  /** NONE: no statement is known. PENDING: one is being fetched. READY: one is known, from the registrar or from the app. FAILED: the last try gave none. */
  standing: OneOf(['NONE', 'PENDING', 'READY', 'FAILED']),
  fault: Nullable(OneOf(fundFaults)),
})
export type EmbedFunds = Static<typeof EmbedFunds>

/** POST /api/embed/funds/look */
export const EmbedFundsLookRequest = Closed({})

/** POST /api/embed/funds: the number that the fund houses know the borrower by, where it is another one than the journey's. */
export const EmbedFundsRequest = Closed({
  contactNumber: Type.Optional(
    Type.String({ pattern: mobilePattern, 'x-says': 'must be an Indian mobile number of ten digits' }),
  ),
})
