// How far a loan has come: the checklist of its fulfilment (FIS12 §7.1, §7.6).
import { type TagGroup, tagGroup, tagsOf } from '#contract/network/tags.ts'

export const checklistStates = ['PENDING', 'COMPLETED'] as const

/** The state of each step by its heading, in the lender's order. */
export type Checklist = Record<string, (typeof checklistStates)[number]>

export const fulfillmentTypes = ['ONLINE', 'SEMI_ONLINE', 'BASE_ORDER'] as const

/** SEMI_ONLINE: the borrower finishes on the lender's own page or at a branch. */
export const fulfillmentOf = ({ id, offline, checklist }: { id: string; offline: boolean; checklist: Checklist }) => ({
  id,
  type: offline ? 'SEMI_ONLINE' : 'ONLINE',
  tags: [tagGroup('CHECKLISTS', checklist)],
})

/** Only COMPLETED is done; a word that is not in the list is a warning. */
export function checklistOf(tags: readonly TagGroup[] | undefined, warnings: string[]): Checklist {
  const entries = Object.entries(tagsOf(tags, 'CHECKLISTS') ?? {}).map(([step, text]) => {
    const state = checklistStates.find((known) => known === text.toUpperCase())
    if (!state) warnings.push(`unknown checklist state ${text} of ${step}`)
    return [step, state ?? 'PENDING'] as const
  })
  return Object.fromEntries(entries)
}
