// The catalogue of figures, which count events per half hour.

import { keysOf } from '@lendloom/foundation/record'

/** The histories: the kinds of stored data from which figures are counted. One SQL statement counts each kind. */
export const histories = ['journey', 'offer', 'delivery', 'network', 'event-in', 'event-out'] as const
export type History = (typeof histories)[number]

/** Each figure with the history from which it is counted. Durations are counted per histogram bucket. */
const figures = {
  /** Journeys that entered a status, which is the outcome. */
  journey: 'journey',
  /** Seconds from the creation of a journey to the disbursal. */
  'time-to-money': 'journey',
  /** Seconds from the acceptance of the terms to the disbursal, by lender. */
  'payout-time': 'journey',
  /** Offer requests by lender. A request counts once for each outcome that it reached. */
  offer: 'offer',
  delivery: 'delivery',
  /** Milliseconds from a lifecycle update to its delivery. */
  'delivery-time': 'delivery',
  /** Network requests, by lender and action. */
  network: 'network',
  /** Events from lending partners, by type. */
  'event-in': 'event-in',
  /** Milliseconds from the receipt of a partner's event to its outcome. */
  'event-in-time': 'event-in',
  /** Events from lending partners that arrived before their predecessor. */
  'event-gap': 'event-in',
  /** Events to lending partners, by type. */
  'event-out': 'event-out',
  /** Milliseconds until a partner acknowledged an event. */
  'event-out-time': 'event-out',
} as const satisfies Record<string, History>
export type FigureName = keyof typeof figures

export const figureNames: readonly FigureName[] = keysOf(figures)
export const figureNamesOf = (history: History): FigureName[] => figureNames.filter((name) => figures[name] === history)

/** Whether old rows of a history may change, for example when an offer is selected or a delivery is replayed. */
export const mayChangeLater = (history: History): boolean => history !== 'journey'

/** The count of one outcome within the half hour that starts at `beginsAt`. */
export interface FigureRow {
  tenantId: string
  name: FigureName
  beginsAt: Date
  applicationId: string
  product: string
  subject: string
  action: string
  outcome: string
  count: number
}
