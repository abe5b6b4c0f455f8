// The order in which messages of a partition may be applied: by version within an object.
import { type InboxEntity, type InboxEvent, nameOf, type WaitingEvent } from './inbox-rows.ts'

/** The next version of each object, by `nameOf`. */
export type NextVersions = Map<string, number>

export const nextOf = (next: NextVersions, row: InboxEntity): number => next.get(nameOf(row)) ?? 1

/** Returns the messages whose earlier versions are all settled or among `rows`. */
export function reachable(rows: WaitingEvent[], next: NextVersions): WaitingEvent[] {
  const expected = new Map(next)
  return rows
    .toSorted((a, b) => a.entityVersion - b.entityVersion)
    .filter((row) => {
      if (row.entityVersion < nextOf(next, row) || row.entityVersion > nextOf(expected, row)) return false
      expected.set(nameOf(row), row.entityVersion + 1)
      return true
    })
}

/** Returns up to `limit` messages: by version within an object, by time of receipt between objects. */
export function nextBatch(events: InboxEvent[], next: NextVersions, limit: number): InboxEvent[] {
  const expected = new Map(next)
  const batch: InboxEvent[] = []
  while (batch.length < limit) {
    let first: InboxEvent | undefined
    for (const event of events)
      if (event.entityVersion === expected.get(nameOf(event)) && (!first || event.receivedAt < first.receivedAt))
        first = event
    if (!first) break
    batch.push(first)
    expected.set(nameOf(first), first.entityVersion + 1)
  }
  return batch
}
