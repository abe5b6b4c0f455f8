// The bank's own rules by rail. The bank judges the lender's debits, so these rules share no code with the lender's.

import { secondsAfter } from '@lendloom/foundation/clock'
import { keysOf } from '@lendloom/foundation/record'
import { businessDate, plusDays, startOf } from '@lendloom/lending/calendar'
import type { Paise } from '@lendloom/lending/money'
import type { MandateRow, NoticeRow } from './store.ts'

type Fault =
  | 'cancelled'
  | 'paused'
  | 'aboveLimit'
  | 'tooEarly'
  | 'ended'
  | 'pastDay'
  | 'closed'
  | 'noNotice'
  | 'tooManyTries'

interface BankRail {
  /** Minutes of the day between which debits are refused. */
  closedMinutes: [from: number, until: number][]
  needsNotice: boolean
  canPause: boolean
  maxPaise: Paise
  triesPerNotice: number
  /** Hour of the last session, and hour at which its results are complete; null without sessions. */
  lastSession: { hour: number; resultHour: number } | null
  faults: Record<Fault, string>
  /** This rail's codes for the NACH codes of the fault rules. */
  returnCodes: Record<string, string>
}

const nach: BankRail = {
  closedMinutes: [],
  needsNotice: false,
  canPause: false,
  maxPaise: 1_00_00_000_00n,
  triesPerNotice: Infinity,
  lastSession: { hour: 14, resultHour: 21 },
  faults: {
    cancelled: '21',
    paused: '21',
    aboveLimit: '26',
    tooEarly: '28',
    ended: '29',
    pastDay: '32',
    closed: '79',
    noNotice: '09',
    tooManyTries: '13',
  },
  returnCodes: {},
}

const upi: BankRail = {
  closedMinutes: [
    [10 * 60, 13 * 60],
    [17 * 60, 21 * 60 + 30],
  ],
  needsNotice: true,
  canPause: true,
  maxPaise: 15_000_00n,
  triesPerNotice: 4,
  lastSession: null,
  faults: {
    cancelled: 'JPMR',
    paused: 'JPMP',
    aboveLimit: 'U02',
    tooEarly: 'NOT_STARTED',
    ended: 'JPMX',
    pastDay: 'NO_NOTICE',
    closed: 'PEAK_HOURS',
    noNotice: 'NO_NOTICE',
    tooManyTries: 'TOO_MANY_TRIES',
  },
  returnCodes: { '01': 'XH', '04': 'Z9', '06': 'ZA', 13: 'U01', 61: 'JPMR', 98: 'RB' },
}

/** A UPI mandate has an address, such as `…@okbank`; other mandates have a UMRN. */
export const bankRailOf = (umrn: string): BankRail => (/@[a-z]/.test(umrn) ? upi : nach)

export interface PresentedDebit {
  umrn: string
  amountPaise: Paise
  collectionOn: string
}

export interface DebitFile {
  /** Undefined for a mandate that is not on file, such as one that was registered elsewhere. */
  mandate: MandateRow | undefined
  notice: NoticeRow | undefined
  /** Earlier debits under the same notice. */
  earlierTries: number
}

/** Returns the code of the rule that a debit breaks; null if it breaks none. */
export function faultOf(debit: PresentedDebit, { mandate, notice, earlierTries }: DebitFile, at: Date): string | null {
  const rail = bankRailOf(debit.umrn)
  const { collectionOn: on, amountPaise } = debit
  const minute = (at.getTime() - startOf(businessDate(at)).getTime()) / 60_000
  const broken: Record<Fault, boolean> = {
    cancelled: mandate?.status === 'CANCELLED',
    paused: mandate?.status === 'PAUSED',
    aboveLimit: amountPaise > rail.maxPaise || (mandate !== undefined && amountPaise > mandate.maximumPaise),
    tooEarly: mandate !== undefined && on < mandate.validFrom,
    ended: mandate !== undefined && on > mandate.validUntil,
    pastDay: on < businessDate(at),
    closed: rail.closedMinutes.some(([from, until]) => minute >= from && minute < until),
    noNotice: rail.needsNotice && !isNoticed(debit, notice, at),
    tooManyTries: earlierTries >= rail.triesPerNotice,
  }
  const fault = keysOf(broken).find((each) => broken[each])
  return fault ? rail.faults[fault] : null
}

const dayMs = 86_400_000
const isNoticed = ({ amountPaise, collectionOn }: PresentedDebit, notice: NoticeRow | undefined, at: Date): boolean =>
  notice !== undefined &&
  collectionOn === businessDate(at) &&
  amountPaise <= notice.amountPaise &&
  at.getTime() - notice.sentAt.getTime() >= dayMs

/** Returns when the results of the debit's session are complete; `at` on a rail without sessions. */
export function sessionEnd(umrn: string, at: Date): Date {
  const { lastSession } = bankRailOf(umrn)
  if (!lastSession) return at
  const today = businessDate(at)
  const isInTime = at < secondsAfter(startOf(today), lastSession.hour * 3600)
  return secondsAfter(startOf(isInTime ? today : plusDays(today, 1)), lastSession.resultHour * 3600)
}
