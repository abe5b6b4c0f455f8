// The age of items in the work queues, and whether they are late.

import { type Html, html } from '@lendloom/http/markup'
import { ageOf, toneBadge } from '#partner/desk/parts/format.ts'
import type { CaseQueue } from '#partner/desk/queue/case-queues.ts'
import type { OtherQueue } from './store.ts'

/** The target time of each queue in hours; null for a queue without a target. */
const targetHours: Record<CaseQueue | OtherQueue | 'refunds' | 'month', number | null> = {
  review: 24,
  kyc: 24,
  transfer: 4,
  name: 24,
  disburse: 24,
  hold: 72,
  overdue: null,
  exit: 24,
  cancelling: null,
  claim: 48,
  receipts: 48,
  held: 1,
  dead: 1,
  duplicates: 24,
  approvals: 24,
  changes: 24,
  closings: 72,
  asked: 24,
  refused: null,
  month: 168,
  refunds: 168,
}
export type QueueName = keyof typeof targetHours

export const isLate = (queue: QueueName, since: Date, now: Date): boolean => {
  const hours = targetHours[queue]
  return hours !== null && now.getTime() - since.getTime() > hours * 3_600_000
}

/** Renders the age of an item, `3 days`, with a badge if it is late. */
export const waitText = (queue: QueueName, since: Date, now: Date): Html =>
  isLate(queue, since, now) ? html`${ageOf(since, now)} ${toneBadge('bad', 'Late')}` : html`${ageOf(since, now)}`
