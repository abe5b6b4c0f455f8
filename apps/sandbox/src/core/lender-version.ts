// The versions of the network in which a lender of the sandbox may answer instead of its product's usual one.

import { type Dialect, type NetworkDomain, olderDialects, usualDomain } from '@lendloom/wire/network/context'

/** 2.0.3 with one page after the offer, and progress by stops: a second shape under the same number (FIS12 §26). */
export const withStops = '2.0.3-stops'
/** The same for loans against mutual funds, in a domain of their own (FIS12 §27). */
export const fundsWithStops = '2.3.0-stops'

export const lenderVersions = [...olderDialects, withStops, fundsWithStops] as const
export type LenderVersion = (typeof lenderVersions)[number]

const dialects: Record<LenderVersion, Dialect> = {
  '2.0.1': '2.0.1',
  '2.0.2': '2.0.2',
  [withStops]: '2.0.3',
  [fundsWithStops]: '2.3.0',
}

/** The version that its messages name. */
export const dialectOf = (version: LenderVersion): Dialect => dialects[version]

/** The domain of its messages; null stands for the product's usual version. */
export const domainOf = (version: LenderVersion | null): NetworkDomain =>
  version === fundsWithStops ? 'ONDC:FIS12:SL' : usualDomain
