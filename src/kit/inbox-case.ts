// One look at one case: what has its turn is applied, all in one transaction when nothing fails; the rest says why it waits.
import type { Clock } from './clock.ts'
import { type Body, inboxContext, type Line, type Looked, type Waiting } from './inbox-rows.ts'
import { type Blocked, factsOf, putOff, stuckOf, tryAgain } from './inbox-stuck.ts'
import { applyInOrder, fail, nameOf } from './inbox-turn.ts'
import type { Log } from './log.ts'
import type { Alert } from './mail.ts'
import { Refusal } from './refusal.ts'
import type { Seal } from './seal.ts'
import { type Db, isPassing, type Tx } from './sql.ts'

/** A message as it was stored. */
export interface Received {
  tenantId: string
  sender: string
  eventId: string
  type: string
  caseRef: string
  entityType: string
  entityId: string
  entityVersion: number
  receivedAt: Date
  correlationId: string | null
  /** The exact bytes, and the JSON in them. */
  raw: Buffer
  body: unknown
}

/** Thrown by `apply` for a message whose prerequisite may still come: it is held, and tried when its case goes on (D3 §6). */
export class NotYet extends Error {}

/** What applying is done with; `ApplyingOptions` says what each of its parts is for. */
export interface CaseWork {
  db: Db
  seal: Seal
  clock: Clock
  log: Log
  alert: Alert
  apply(tx: Tx, event: Received, at: Date): Promise<void>
  failed(tx: Tx, event: Received, refusal: Refusal, at: Date): Promise<void>
  tenantOf(caseRef: string): Promise<string>
  alertAfterSeconds: number
  bodyOf(key: Waiting): Promise<Body | undefined>
}

/** Looks at the messages of one sender about one case. Never throws: what could not be done is put off. */
export async function lookAtCase(work: CaseWork, rows: Waiting[]): Promise<Looked> {
  try {
    return await look(work, rows)
  } catch (error) {
    const { sender, caseRef } = rows[0]!
    work.log.warn({ err: error, sender, caseRef, messages: rows.length }, 'a case could not be looked at')
    const because = (error as Error).message
    const later = isPassing(error) ? putOff : tryAgain
    return { settled: [], stuck: rows.map((row) => later(work, row, because)), advanced: [] }
  }
}

async function look(work: CaseWork, rows: Waiting[]): Promise<Looked> {
  const { sender, caseRef } = rows[0]!
  const line: Line = { tenantId: await work.tenantOf(caseRef), caseRef, sender }
  const events = await Promise.all(rows.map((row) => opened(work, line, row)))
  const left = new Map(events.map((event) => [event.eventId, event]))
  const blocked = new Map<string, Blocked>()
  const next = new Map<string, number>()
  let most = Number.POSITIVE_INFINITY
  for (;;) {
    const free = [...left.values()].filter((event) => !blocked.has(nameOf(event)))
    if (free.length === 0) break
    const run = await applyInOrder(work, line, free, most)
    for (const [name, version] of run.next) next.set(name, version)
    for (const eventId of run.settled) left.delete(eventId)
    // Where the case went on, what waited for that may have its turn.
    if (run.settled.length > 0) for (const [name, { fails }] of blocked) if (!fails) blocked.delete(name)
    if (run.threw === null) {
      if (run.settled.length === 0) break
      most = Number.POSITIVE_INFINITY
    } else if (run.threw.before > 0) {
      // What was applied before it was undone with it: that first, by itself.
      most = run.threw.before
    } else {
      const why = await failOrBlock(work, line, run.threw.event, run.threw.error)
      if (why) blocked.set(nameOf(run.threw.event), why)
      else left.delete(run.threw.event.eventId)
    }
  }
  const settled = rows.filter(({ eventId }) => !left.has(eventId))
  const stuck = rows.filter(({ eventId }) => left.has(eventId))
  return {
    settled,
    stuck: stuckOf(work, stuck, blocked, next),
    advanced: settled.length > 0 ? [{ sender, caseRef }] : [],
  }
}

async function opened({ bodyOf, seal }: CaseWork, { tenantId }: Line, row: Waiting): Promise<Received> {
  const body = await bodyOf(row)
  if (!body) throw new Error(`the body of ${row.eventId} is not there`)
  const { sender, eventId, caseRef, entityType, entityId, entityVersion, receivedAt } = row
  const raw = seal.open(body.bodySealed, inboxContext(sender, eventId))
  return {
    ...{ tenantId, sender, eventId, type: body.type, caseRef, entityType, entityId, entityVersion, receivedAt },
    ...{ correlationId: body.correlationId, raw, body: JSON.parse(raw.toString('utf8')) },
  }
}

/** A refusal is final, and null when it was said; anything else keeps the object waiting. */
async function failOrBlock(work: CaseWork, line: Line, event: Received, error: unknown): Promise<Blocked | null> {
  const because = (error as Error).message
  if (error instanceof NotYet) return { event, because, fails: false }
  if (!(error instanceof Refusal)) {
    work.log.error({ err: error, ...factsOf(event) }, 'a message could not be applied and will be tried again')
    return { event, because, fails: true }
  }
  try {
    await fail(work, line, event, error)
    return null
  } catch (failure) {
    if (isPassing(failure)) throw failure
    work.log.error(
      { err: failure, ...factsOf(event) },
      'that a message failed could not be said; it will be tried again',
    )
    return { event, because: `it failed (${because}), and that could not be said`, fails: true }
  }
}
