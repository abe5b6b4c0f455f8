// What does not go on: for how long it is put off, what is said about it, and when somebody is told.

import { secondsAfter } from '#kit/runtime/clock.ts'
import type { Stuck, Waiting } from './inbox-rows.ts'
import type { CaseWork, Received } from './inbox-work.ts'
import { doubling, pauseSeconds } from './schedule.ts'

/** Why an object does not go on: its next message fails, or waits for something else than its turn. */
export interface Blocked {
  event: Received
  because: string
  fails: boolean
}

/** When a message whose effect failed is tried again. */
const failedSchedule = doubling(2, 300)
const [shortestLookSeconds, longestLookSeconds] = [0.1, 60]

/** The failed one has its own time; what waits is looked at again whenever its case goes on, and now and then. */
export function stuckOf(
  work: CaseWork,
  rows: Waiting[],
  blocked: Map<string, Blocked>,
  next: Map<string, number>,
): Stuck[] {
  const lowest = new Map<string, number>()
  for (const row of rows) {
    const name = `${row.entityType}/${row.entityId}`
    lowest.set(name, Math.min(row.entityVersion, lowest.get(name) ?? row.entityVersion))
  }
  return rows.map((row) => {
    const name = `${row.entityType}/${row.entityId}`
    const block = blocked.get(name)
    const isFirst = row.entityVersion === lowest.get(name)
    if (block?.event.eventId === row.eventId)
      return block.fails ? tryAgain(work, row, block.because) : hold(work, row, block.because, isFirst)
    return hold(work, row, `waits for version ${next.get(name)}`, isFirst && !block)
  })
}

/** It failed and will be tried again: after 2, 4, 8 … seconds, at most five minutes. */
export function tryAgain(work: CaseWork, waiting: Waiting, because: string): Stuck {
  const tries = waiting.tries + 1
  const seconds = pauseSeconds(failedSchedule, tries)
  return stuckFor(work, waiting, because, { tries, seconds: () => seconds, tell: true })
}

/** It waits: looked at again after as long as it has waited, at first at once, in the end every minute. */
const hold = (work: CaseWork, waiting: Waiting, because: string, tell: boolean): Stuck =>
  stuckFor(work, waiting, because, {
    tries: 0,
    seconds: (age) => Math.min(Math.max(age, shortestLookSeconds), longestLookSeconds),
    tell,
  })

/** The database was away, or another worker quicker: nothing is known about the message itself. */
export const putOff = (work: CaseWork, waiting: Waiting, because: string): Stuck => ({
  waiting,
  because,
  ...{ tries: waiting.tries, dueAt: secondsAfter(work.clock(), 1) },
  ...{ stuckSince: waiting.stuckSince, alertedAt: waiting.alertedAt },
})

function stuckFor(
  work: CaseWork,
  waiting: Waiting,
  because: string,
  { tries, seconds, tell }: { tries: number; seconds: (age: number) => number; tell: boolean },
): Stuck {
  const at = work.clock()
  const stuckSince = waiting.stuckSince ?? at
  const age = (at.getTime() - stuckSince.getTime()) / 1000
  const isLate = tell && waiting.alertedAt === null && age >= work.alertAfterSeconds
  if (isLate) tellOperators(work, waiting, because, stuckSince)
  const dueAt = secondsAfter(at, seconds(age))
  return {
    waiting,
    because: because.slice(0, 500),
    tries,
    dueAt,
    stuckSince,
    alertedAt: isLate ? at : waiting.alertedAt,
  }
}

function tellOperators({ alert }: CaseWork, waiting: Waiting, because: string, stuckSince: Date): void {
  const { sender, partitionKey, entityType, entityId, entityVersion, eventId } = waiting
  const facts = { sender, partitionKey, entityType, entityId, entityVersion, eventId, stuckSince, because }
  alert('an event that was received cannot be applied', facts)
}
