// Writes and reads the fulfilment of an order: its type, and its progress as a checklist or as stops (FIS12 §7.1, §7.6, §27).

import { type TagGroup, tagGroup, tagsOf } from '#wire/network/tags.ts'
import { type ProgressDraft, writeStops } from '#wire/network/v203/stops.ts'

/** Fulfilment states. Rejection and repayment have no state (FIS12 §12.3). Our lenders do not send DELIVERED. */
export const fulfillmentStates = ['INITIATED', 'SANCTIONED', 'DISBURSED', 'CONSENT_REQUIRED', 'DELIVERED'] as const
export type FulfillmentState = Exclude<(typeof fulfillmentStates)[number], 'DELIVERED'>

export const checklistStates = ['PENDING', 'COMPLETED'] as const

/** A loan's progress (FIS12 §7.1, §7.6): the state of each step by its heading, in the lender's order. */
export type Checklist = Record<string, (typeof checklistStates)[number]>

export const fulfillmentTypes = ['ONLINE', 'SEMI_ONLINE', 'BASE_ORDER'] as const

interface NewFulfillment {
  id: string
  offline: boolean
  checklist: Checklist
  /** Set by a lender with stops, which has no checklist. */
  progress?: ProgressDraft | undefined
}

/** SEMI_ONLINE: the borrower completes the loan on the lender's page or at a branch. */
export function writeFulfillment({ id, offline, checklist, progress }: NewFulfillment) {
  if (progress) return { id: progress.id, type: progress.type, stops: writeStops(progress.stops) }
  return { id, type: offline ? 'SEMI_ONLINE' : 'ONLINE', tags: [tagGroup('CHECKLISTS', checklist)] }
}

/** Reads the checklist. An unknown state counts as PENDING and adds a warning. */
export function readChecklist(tags: readonly TagGroup[] | undefined, warnings: string[]): Checklist {
  const entries = Object.entries(tagsOf(tags, 'CHECKLISTS') ?? {}).map(([step, text]) => {
    const state = checklistStates.find((known) => known === text.toUpperCase())
    if (!state) warnings.push(`unknown checklist state ${text} of ${step}`)
    return [step, state ?? 'PENDING'] as const
  })
  return Object.fromEntries(entries)
}
