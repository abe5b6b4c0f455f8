// How long things wait at the desk, and which of them wait for too long.

import { type Html, html } from '#kit/http/markup.ts'
import type { Need } from '#partner/desk/approval/needs.ts'
import { ageOf } from '#partner/desk/parts/format.ts'
import type { OtherQueue } from './store.ts'

/** Every queue of the desk with its target time in hours; null when it only waits for time to pass. */
const withinHours: Record<Need | OtherQueue | 'refunds', number | null> = {
  review: 24,
  kyc: 24,
  transfer: 4,
  name: 24,
  disburse: 24,
  hold: 72,
  overdue: null,
  claim: 48,
  receipts: 48,
  held: 1,
  dead: 1,
  duplicates: 24,
  approvals: 24,
  changes: 24,
  refunds: 168,
}
export type QueueName = keyof typeof withinHours

export const isLate = (queue: QueueName, since: Date, now: Date): boolean => {
  const hours = withinHours[queue]
  return hours !== null && now.getTime() - since.getTime() > hours * 3_600_000
}

/** `3 days`; marked, also by a word, when overdue. */
export const waiting = (queue: QueueName, since: Date, now: Date): Html =>
  isLate(queue, since, now)
    ? html`${ageOf(since, now)} <span class="badge bad">Late</span>`
    : html`${ageOf(since, now)}`
