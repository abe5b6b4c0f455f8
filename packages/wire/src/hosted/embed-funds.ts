// Hosted page: the borrower's statement of mutual funds, which the registrar gives with consent.

import { Closed, Nullable, OneOf, type Static, Type } from '@lendloom/foundation/schema'
import { mobilePattern } from '#wire/identifier.ts'

/**
 * NO_FUNDS: no pledgeable units · OTHER_PAN: another person's statement · DECLINED: the borrower declined at the
 * registrar · EXPIRED: the registrar's page timed out.
 */
const fundFaults = ['NO_FUNDS', 'OTHER_PAN', 'DECLINED', 'EXPIRED'] as const
export type FundStatementFault = (typeof fundFaults)[number]

export const EmbedFundStatement = Closed({
  /** The registrar's name. */
  registrar: Type.String(),
  /** NONE: no statement. PENDING: one is being fetched. READY: one exists. FAILED: the last try failed. */
  standing: OneOf(['NONE', 'PENDING', 'READY', 'FAILED']),
  fault: Nullable(OneOf(fundFaults)),
})
export type EmbedFundStatement = Static<typeof EmbedFundStatement>

/** POST /api/embed/funds/look */
export const EmbedFundsPollRequest = Closed({})

/** POST /api/embed/funds: the mobile number registered with the fund houses, if it differs from the journey's. */
export const EmbedFundsRequest = Closed({
  contactNumber: Type.Optional(
    Type.String({ pattern: mobilePattern, 'x-says': 'must be an Indian mobile number of ten digits' }),
  ),
})
