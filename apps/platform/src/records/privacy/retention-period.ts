// How long personal data is kept, by kind of record, with the source of each period.
import type { ErasureObstacle } from '@lendloom/wire/console/privacy'
import type { LifecycleStatus } from '@lendloom/wire/hosted/lifecycle'
import { isWithLender } from '#platform/lending/journey/journey.ts'

/** A kind of record. `months` run from the event that `from` names. */
export interface RetentionPeriod {
  kind: 'APPLICATION' | 'ACCEPTED' | 'LOAN' | 'COMPLAINT' | 'MAIL'
  /** The records, in words for the policy page. */
  records: string
  months: number
  /** The months for which a borrower's request cannot shorten the period. */
  minimumMonths: number
  from: string
  source: string
}

export const retentionPeriods: RetentionPeriod[] = [
  {
    kind: 'APPLICATION',
    records: 'An application that ended without a loan: details, consents, offers, messages to and from lenders',
    months: 12,
    minimumMonths: 0,
    from: 'the end of the application, or the last session without one',
    source: 'DPDP Act 2023 §8(7) and §12(3); DPDP Rules 2025, rule 8(3): one year from 13 May 2027',
  },
  {
    kind: 'ACCEPTED',
    records: 'An application that ended after the borrower accepted an offer, without a loan',
    months: 12,
    minimumMonths: 3,
    from: 'the end of the application',
    source: 'As above; three months, because the lender may report a payout late',
  },
  {
    kind: 'LOAN',
    records: 'An application that became a loan, its instalments and events',
    months: 36,
    minimumMonths: 36,
    from: 'the closing of the loan',
    source: 'Limitation Act 1963, schedule, articles 19 and 113: three years for a claim; DPDP Act 2023 §17(1)(a)',
  },
  {
    kind: 'COMPLAINT',
    records: 'A complaint, its thread, files and mails',
    months: 36,
    minimumMonths: 36,
    from: 'the closing of the complaint',
    source: 'Limitation Act 1963, schedule, article 113; Reserve Bank - Integrated Ombudsman Scheme 2021, clause 10',
  },
  {
    kind: 'MAIL',
    records: 'A mail that was sent or received, apart from its copy in a complaint',
    months: 12,
    minimumMonths: 12,
    from: 'its delivery or handling',
    source: 'DPDP Rules 2025, rules 6(1)(e) and 8(3)',
  },
]

export function periodOf(kind: RetentionPeriod['kind']): RetentionPeriod {
  const period = retentionPeriods.find((each) => each.kind === kind)
  if (!period) throw new Error(`there is no retention period for ${kind}`)
  return period
}

/** Subtracts calendar months in UTC; a day that the month lacks becomes its last day. */
export function monthsBefore(at: Date, months: number): Date {
  const first = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - months, 1))
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  const time = at.getTime() % 86_400_000
  return new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth(), Math.min(at.getUTCDate(), lastDay)) + time)
}

/** The facts of a journey that decide when its data may be erased. */
export interface ErasableJourney {
  active: boolean
  status: LifecycleStatus
  /** Whether a lender has confirmed the loan and not reported a payout. */
  awaitsPayout: boolean
  /** When the loan was repaid; null without a loan. */
  closedAt: Date | null
  updatedAt: Date
  isHeld: boolean
  hasOpenComplaint: boolean
  /** Whether updates to the integrator or events to a partner are still to be delivered. */
  hasUndelivered: boolean
}

/**
 * Returns null if the journey's data may be erased: at the borrower's request, or because its period is over. The other
 * obstacles end by themselves or by an act; a period does not wait for deliveries.
 */
export function erasureObstacle(journey: ErasableJourney, at: Date, isRequested: boolean): ErasureObstacle | null {
  const endedAt = journey.closedAt ?? journey.updatedAt
  // A lender that has reported nothing for so long will not pay out.
  const mayStillPayOut = journey.awaitsPayout && endedAt > monthsBefore(at, periodOf('ACCEPTED').months)
  if (journey.active || mayStillPayOut) return 'RUNNING'
  if (journey.isHeld) return 'HELD'
  if (journey.hasOpenComplaint) return 'COMPLAINT'
  if (isRequested && journey.hasUndelivered) return 'UNDELIVERED'
  const { months, minimumMonths } = periodOf(kindOf(journey))
  return endedAt <= monthsBefore(at, isRequested ? minimumMonths : months) ? null : 'PERIOD'
}

/** The facts that decide when a borrower's identity may be erased, if no journey with personal data needs it. */
export interface StoredIdentity {
  /** When the app last opened or refreshed a session of the headless API; null without one. */
  lastSessionAt: Date | null
  isHeld: boolean
}

/** As `erasureObstacle`, for the identity of a borrower without other data. */
export function identityObstacle(
  { isHeld, lastSessionAt }: StoredIdentity,
  at: Date,
  isRequested: boolean,
): ErasureObstacle | null {
  if (isHeld) return 'HELD'
  const { months, minimumMonths } = periodOf('APPLICATION')
  if (lastSessionAt === null) return null
  return lastSessionAt <= monthsBefore(at, isRequested ? minimumMonths : months) ? null : 'PERIOD'
}

function kindOf(journey: Pick<ErasableJourney, 'status' | 'closedAt'>): RetentionPeriod['kind'] {
  if (journey.closedAt !== null || journey.status === 'DISBURSED') return 'LOAN'
  return isWithLender(journey) ? 'ACCEPTED' : 'APPLICATION'
}
