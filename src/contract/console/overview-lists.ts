// What the console's overview counts, as plain lists: the schemas, the counting and the page read the same ones.

export const offerOutcomes = ['REQUESTED', 'ANSWERED', 'OFFERED', 'CHOSEN'] as const
export type OfferOutcome = (typeof offerOutcomes)[number]
export const deliveryOutcomes = ['FIRST_TRY', 'REPEATED', 'WAITING', 'GIVEN_UP', 'STOPPED'] as const
export type DeliveryOutcome = (typeof deliveryOutcomes)[number]
export const requestOutcomes = ['ANSWERED', 'LATE', 'SILENT', 'REFUSED', 'UNREACHED', 'WAITING'] as const
export type RequestOutcome = (typeof requestOutcomes)[number]
export const eventOutcomes = ['DONE', 'WAITING', 'FAILED', 'SUPERSEDED'] as const
export type EventOutcome = (typeof eventOutcomes)[number]

export const ranges = ['24h', '7d', '30d', '90d', 'custom'] as const
export type Range = (typeof ranges)[number]
export const stepNames = ['hour', 'day'] as const
export type Step = (typeof stepNames)[number]
/** So many days are shown by the hour at most, and so many at all. */
export const [mostHourlyDays, mostDays] = [14, 366]

/** The figures that there is a file of. */
export const figureFiles = [
  'journeys',
  'time-to-money',
  'payout-time',
  'offers',
  'deliveries',
  'delivery-time',
  'requests',
  'partner-events',
  'partner-gaps',
  'platform-events',
] as const
export type FigureFile = (typeof figureFiles)[number]
