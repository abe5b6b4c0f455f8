// The filtered list of loans in arrears through which an officer works, and the officer's place in the list.

import { isKeyOf, keysOf } from '@lendloom/foundation/record'
import { OneOf, Type } from '@lendloom/foundation/schema'
import { plusDays } from '@lendloom/lending/calendar'
import type { Paise } from '@lendloom/lending/money'
import { fitsKeyset, type PageStart } from '@lendloom/postgres/keyset'
import type { Run } from '@lendloom/postgres/sql'
import { type ArrearsFilter, arrearsInOrder, bandStarts, listArrears } from '#partner/desk/arrears/collections-store.ts'
import { filterSearch } from '#partner/desk/parts/form-parts.ts'
import { assignments, selections } from './arrears-text-en.ts'

export interface WorklistFilter {
  whose: keyof typeof assignments
  /** The first day of a band of days past due, or `promised`; empty for all loans. */
  show: keyof typeof selections | ''
}

/** The query parameters of the filter. */
export const worklistQuery = {
  whose: Type.Optional(OneOf(['', ...keysOf(assignments)])),
  show: Type.Optional(OneOf(['', ...keysOf(selections)])),
}

/** The address of the list with a filter. */
export const worklistAddress = (filter: WorklistFilter): string => `/desk/collections?${filterSearch({ ...filter })}`

interface ListReader {
  staffId: string
  today: string
  /** The overdue amount up to which a loan is not past due. */
  tolerance: Paise
}

/**
 * Translates a filter into days: a band of days past due begins and ends at days before yesterday, the last day-end.
 */
export function arrearsFilter(
  { whose, show }: WorklistFilter,
  { staffId, today, tolerance }: ListReader,
): ArrearsFilter {
  const band = bandStarts.findIndex((start) => String(start) === show)
  const firstDayPastDue = bandStarts[band]
  const nextBandStart = bandStarts[band + 1]
  return {
    agentId: whose === 'mine' ? staffId : null,
    isUnassigned: whose === 'nobody',
    dueFrom: firstDayPastDue !== undefined && nextBandStart !== undefined ? plusDays(today, 1 - nextBandStart) : null,
    dueUntil: firstDayPastDue !== undefined && band > 0 ? plusDays(today, -firstDayPastDue) : null,
    promisedBy: show === 'promised' ? today : null,
    limit: { on: plusDays(today, -1), tolerance },
  }
}

/** `mine.31.2027-01-11`: the filter, and the day by which the list places a loan. Kept while the officer works. */
export const placeIn = ({ whose, show }: WorklistFilter, { nextDueOn }: { nextDueOn: string }): string =>
  [whose, show, nextDueOn].join('.')

export const placeQuery = Type.Optional(Type.String({ maxLength: 40 }))

/** Adds the place in the list to an address. */
export const withPlace = (address: string, place: string | undefined): string =>
  place === undefined
    ? address
    : `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams({ list: place }).toString()}`

/** The address of a case, or of a page or act of it, which keeps the officer’s place in the list. */
export const caseAddress = (caseRef: string, place: string | undefined, rest = ''): string =>
  withPlace(`/desk/cases/${encodeURIComponent(caseRef)}${rest}`, place)

/** The list from which an officer came, with the next case in it. */
export interface Worklist {
  place: string
  address: string
  next: { caseRef: string; place: string } | null
}

/** Reads the list of a place, and the case after this one. Undefined if the place is not a valid one. */
export async function readWorklist(
  db: Run,
  { place, caseRef, ...reader }: ListReader & { place: string; caseRef: string },
): Promise<Worklist | undefined> {
  const [whose = '', show = '', nextDueOn = ''] = place.split('.')
  const start: PageStart = { key: [nextDueOn, caseRef], isBack: false }
  if (!isKeyOf(assignments, whose) || !fitsKeyset(arrearsInOrder, start.key)) return undefined
  const filter: WorklistFilter = { whose, show: isKeyOf(selections, show) ? show : '' }
  const [next] = await listArrears(db, arrearsFilter(filter, reader), { start, limit: 1 })
  return {
    place,
    address: worklistAddress(filter),
    next: next ? { caseRef: next.caseRef, place: placeIn(filter, next) } : null,
  }
}
