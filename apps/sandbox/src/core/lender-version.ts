// The versions of the network in which a lender of the sandbox may answer instead of its product's usual one.

import { type Dialect, olderDialects } from '@lendloom/wire/network/context'

/** 2.0.3 with one page after the offer, and progress by stops: a second shape under the same number (FIS12 §26). */
export const withStops = '2.0.3-stops'

export const lenderVersions = [...olderDialects, withStops] as const
export type LenderVersion = (typeof lenderVersions)[number]

/** The version that its messages name. */
export const dialectOf = (version: LenderVersion): Exclude<Dialect, '2.3.0'> =>
  version === withStops ? '2.0.3' : version
