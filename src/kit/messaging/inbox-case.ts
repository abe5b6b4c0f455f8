// One look at one case: what has its turn is applied, all in one transaction when nothing fails; the rest says why it waits.

import { isPassing } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { messageOf } from '#kit/runtime/narrow.ts'
import { type Inspection, inboxContext, type Line, type Waiting } from './inbox-rows.ts'
import { type Blocked, putOff, stuckOf, tryAgain } from './inbox-stuck.ts'
import { applyAll, fail, inTurn, type Next, nameOf, nextOf, Overtaken, pass, ready } from './inbox-turn.ts'
import { type CaseWork, factsOf, type Received } from './inbox-work.ts'

/** Thrown by `apply` for a message whose prerequisite may still come: it is held, and tried when its case goes on (D3 §6). */
export class NotYet extends Error {}

/** The messages of one case that are looked at together. */
export interface CaseRows {
  rows: [Waiting, ...Waiting[]]
  known: Promise<Known>
}

/** Whose case it is, and the version that is next for each of its objects. */
export interface Known {
  line: Line
  next: Next
}

/** Looks at the messages of one sender about one case. Never throws: what could not be done is put off. */
export async function inspectCase(work: CaseWork, { rows, known }: CaseRows): Promise<Inspection> {
  try {
    return await inspect(work, rows, await known)
  } catch (error) {
    const because = messageOf(error)
    const isMomentary = error instanceof Overtaken || isPassing(error)
    const [{ sender, partitionKey }] = rows
    if (!isMomentary) work.log.error({ err: error, sender, partitionKey }, 'a case could not be looked at')
    else work.log.warn({ sender, partitionKey, because }, 'a case is looked at again')
    const later = isMomentary ? putOff : tryAgain
    return { settled: [], stuck: rows.map((row) => later(work, row, because)), advanced: [] }
  }
}

async function inspect(work: CaseWork, rows: Waiting[], { line, next }: Known): Promise<Inspection> {
  const events = await Promise.all(ready(rows, next).map((row) => opened(work, line, row)))
  const left = new Map(events.map((event) => [event.eventId, event]))
  const blocked = new Map<string, Blocked>()
  const settled = new Set<string>()
  const isDone = (event: Received) => {
    left.delete(event.eventId)
    settled.add(event.eventId)
    next.set(nameOf(event), event.entityVersion + 1)
  }
  let most = Number.POSITIVE_INFINITY
  for (;;) {
    const free = [...left.values()].filter((event) => !blocked.has(nameOf(event)))
    const turns = inTurn(free, next, most)
    if (turns.length === 0) break
    const threw = await applyAll(work, line, turns)
    if (threw === null) {
      turns.forEach(isDone)
      most = Number.POSITIVE_INFINITY
      // Where the case went on, what waited for that may have its turn.
      for (const [name, { fails }] of blocked) if (!fails) blocked.delete(name)
    } else if (threw.before > 0) {
      // What was applied before it was undone with it: that first, by itself.
      most = threw.before
    } else {
      const why = await failOrBlock(work, line, threw.event, threw.error)
      if (why) blocked.set(nameOf(threw.event), why)
      else isDone(threw.event)
    }
  }
  const passed = rows.filter((row) => !settled.has(row.eventId) && row.entityVersion < nextOf(next, row))
  await pass(work, line, passed)
  for (const { eventId } of passed) settled.add(eventId)
  const stuck = rows.filter(({ eventId }) => !settled.has(eventId))
  return {
    settled: rows.filter(({ eventId }) => settled.has(eventId)),
    stuck: stuckOf(work, stuck, blocked, next),
    advanced: settled.size > 0 ? [{ sender: line.sender, partitionKey: line.partitionKey }] : [],
  }
}

async function opened({ bodyOf, seal }: CaseWork, { tenantId }: Line, row: Waiting): Promise<Received> {
  const body = await bodyOf(row)
  if (!body) throw new Error(`the body of ${row.eventId} is not there`)
  const { sender, eventId, partitionKey, entityType, entityId, entityVersion, receivedAt } = row
  const raw = seal.open(body.bodySealed, inboxContext(sender, eventId))
  return {
    ...{ tenantId, sender, eventId, type: body.type, partitionKey, entityType, entityId, entityVersion, receivedAt },
    ...{ correlationId: body.correlationId, raw, body: JSON.parse(raw.toString('utf8')) },
  }
}

/** A refusal is final, and null when it was said; anything else keeps the object waiting. */
async function failOrBlock(work: CaseWork, line: Line, event: Received, error: unknown): Promise<Blocked | null> {
  const because = messageOf(error)
  if (error instanceof NotYet) return { event, because, fails: false }
  if (!(error instanceof Refusal)) {
    work.log.error({ err: error, ...factsOf(event) }, 'a message could not be applied and will be tried again')
    return { event, because, fails: true }
  }
  try {
    await fail(work, line, event, error)
    return null
  } catch (failure) {
    if (isPassing(failure) || failure instanceof Overtaken) throw failure
    work.log.error(
      { err: failure, ...factsOf(event) },
      'that a message failed could not be said; it will be tried again',
    )
    return { event, because: `it failed (${because}), and that could not be said`, fails: true }
  }
}
