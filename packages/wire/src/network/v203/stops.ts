// The stops of a lender that reports the whole journey after its offer as progress on one page (FIS12 §26).

import { isOneOf } from '@lendloom/foundation/record'
import { fits, type Static, Type } from '@lendloom/foundation/schema'
import type { Fulfillment } from './schema.ts'

/** The stop that is the lender's page: the borrower does all later stops there, online or with the lender's help. */
export const pageStops = ['JOURNEY_OFFLINE', 'SINGLE_REDIRECTION'] as const
export type PageStop = (typeof pageStops)[number]

/** The type of a fulfilment that only checks whether the lender takes the borrower (FIS12 §26.3). */
export const dedupeType = 'DEDUPE'
/** The category of its item. */
export const dedupeCategory = 'PRE_QUALIFIER'

/** One stop: what it is, such as KYC, and its state, such as IN_PROGRESS; both are the lender's codes. */
export interface Stop {
  type: string
  state: string
}

/** A stop to write. `name` says how it is done, such as CLICKWRAP. */
export interface NewStop extends Stop {
  name: string
}

/** The fulfilment with which a lender tells its progress: online, or partly with the lender's people. */
export interface ProgressDraft {
  id: string
  type: 'ONLINE' | 'SEMI_ONLINE'
  stops: NewStop[]
}

/** Writes the stops in order, each after the one before. */
export const writeStops = (stops: NewStop[]) =>
  stops.map(({ type, state, name }, i) => ({
    id: String(i + 1),
    ...(i > 0 && { parent_stop_id: String(i) }),
    type,
    instructions: { name, code: state },
  }))

const StopWithState = Type.Object({
  type: Type.String({ minLength: 1, maxLength: 60 }),
  instructions: Type.Object({ code: Type.String({ minLength: 1, maxLength: 60 }) }),
})

/** More stops than a published journey has are no progress that a borrower could read. */
const maxStops = 20

const Stops = Type.Array(StopWithState, { maxItems: maxStops })

/** Reads the stops of a fulfilment. Empty if it has none, or has a stop without type or state, such as a visit. */
export function stopsOf({ stops }: Record<string, unknown>): Stop[] {
  if (!fits(Stops, stops)) return []
  const read: Static<typeof StopWithState>[] = stops
  return read.map(({ type, instructions }) => ({
    type: type.trim().toUpperCase(),
    state: instructions.code.trim().toUpperCase(),
  }))
}

/** What the fulfilment of a catalogue's item tells about its lender's journey; `stops` is null for a page per step. */
export interface ListedProgress {
  fulfillmentId: string | null
  stops: Stop[] | null
}

const noProgress: ListedProgress = { fulfillmentId: null, stops: null }

/** What the fulfilments of an item tell: the one with the lender's page says most. */
export const progressOf = (ids: readonly string[], progressById: Map<string, ListedProgress>): ListedProgress => {
  const told = ids.flatMap((id) => progressById.get(id) ?? [])
  return told.find(({ stops }) => stops !== null) ?? told[0] ?? noProgress
}

type Listed = Pick<Static<typeof Fulfillment>, 'id' | 'stops'>

/** Read once for all items, because a catalogue may have thousands of both. */
export function readProgress(fulfillments: readonly Listed[]): Map<string, ListedProgress> {
  const byId = new Map<string, ListedProgress>()
  for (const fulfillment of fulfillments) {
    const { id } = fulfillment
    if (id === undefined || (byId.get(id) ?? noProgress).stops !== null) continue
    const stops = stopsOf(fulfillment)
    const hasPage = stops.some(isPageStop)
    if (hasPage || !byId.has(id)) byId.set(id, { fulfillmentId: id, stops: hasPage ? stops : null })
  }
  return byId
}

const doneStates = ['SUCCESSFUL', 'COMPLETED']

export const isStopDone = ({ state }: Stop): boolean => doneStates.includes(state)

/** Whether the stop is the lender's page, and no step that the borrower does on it. */
export const isPageStop = ({ type }: Stop): boolean => isOneOf(pageStops, type)

/** Whether the borrower has done all that the lender's page is for: every stop after the one that is the page. */
export function isPageDone(stops: readonly Stop[]): boolean {
  const page = stops.findIndex(isPageStop)
  const later = page < 0 ? [] : stops.slice(page + 1)
  return later.length > 0 && later.every(isStopDone)
}
