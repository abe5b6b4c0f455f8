// The deadlines of a complaint with their state.

import { businessDate, daysBetween } from '@lendloom/lending/calendar'
import type { ComplaintDetail, ListedComplaint } from '@lendloom/wire/console/complaints'
import { inIndiaAs } from '../ui/clock.ts'
import { countText } from '../ui/format-figures.ts'

/** A step of a complaint. */
export interface ClockLine {
  name: string
  /** `late` is done after its deadline; `missed` is not done, and its deadline has passed. */
  state: 'met' | 'late' | 'missed' | 'next' | 'later'
  /** When the step was done, or else when it is due. */
  at: string
}

type ComplaintTimes = Pick<
  ComplaintDetail,
  | 'firstAnsweredAt'
  | 'firstAnswerDueAt'
  | 'resolvedAt'
  | 'resolutionDueAt'
  | 'limitAt'
  | 'ombudsmanAt'
  | 'closedAt'
  | 'dueAt'
  | 'exitEndsAt'
>

/**
 * Returns the steps of a complaint with their deadlines, and marks the next one; none is next while another is missed,
 * which is what is to be done. Compares timestamps as text, because the API's format sorts chronologically.
 */
export function clockOf(complaint: ComplaintTimes, now: string): ClockLine[] {
  const { firstAnsweredAt, firstAnswerDueAt, resolvedAt, resolutionDueAt, limitAt, ombudsmanAt, closedAt } = complaint
  const endedAt = resolvedAt ?? closedAt
  const isPending = complaint.dueAt !== null
  const isOverdue = (dueAt: string) => isPending && dueAt <= now
  // The borrower gets the ombudsman notice at the limit, or earlier after an objection.
  const isLimitMissed = endedAt === null ? ombudsmanAt !== null && ombudsmanAt >= limitAt : endedAt > limitAt
  const line = (name: string, doneAt: string | null, dueAt: string, isMissed: boolean): ClockLine =>
    doneAt === null
      ? { name, state: isMissed ? 'missed' : 'later', at: dueAt }
      : { name, state: doneAt > dueAt ? 'late' : 'met', at: doneAt }
  const lines = [
    line('First answer', firstAnsweredAt, firstAnswerDueAt, isOverdue(firstAnswerDueAt)),
    complaint.exitEndsAt === null
      ? line('Resolution', endedAt, resolutionDueAt, isOverdue(resolutionDueAt))
      : line('Closed if unpaid', endedAt, complaint.exitEndsAt, isOverdue(complaint.exitEndsAt)),
    ...(endedAt === null || isLimitMissed
      ? [{ name: 'Ombudsman, after 30 days', state: isLimitMissed ? 'missed' : 'later', at: limitAt } as const]
      : []),
  ]
  const isMissed = lines.some(({ state }) => state === 'missed')
  const next =
    isPending && !isMissed
      ? lines.filter(({ state }) => state === 'later').sort((a, b) => (a.at < b.at ? -1 : 1))[0]
      : null
  return [
    ...lines.map((each): ClockLine => (each === next ? { ...each, state: 'next' } : each)),
    ...(ombudsmanAt === null
      ? []
      : [{ name: 'Informed about the ombudsman', state: 'later', at: ombudsmanAt } as const]),
    ...(closedAt === null ? [] : [{ name: 'Closed', state: 'met', at: closedAt } as const]),
  ]
}

/** `2 days overdue`, `Due today`, `in 5 days, 8 Dec`. Counts days of the calendar in India. */
export function dueText({ dueAt, overdue }: Pick<ListedComplaint, 'dueAt' | 'overdue'>, at: Date): string {
  if (dueAt === null) return '–'
  const days = Math.abs(daysBetween(businessDate(at), businessDate(new Date(dueAt))))
  if (overdue) return days === 0 ? 'Overdue today' : `${countText(days, 'day')} overdue`
  return days === 0 ? 'Due today' : `in ${countText(days, 'day')}, ${inIndiaAs('day', dueAt)}`
}
