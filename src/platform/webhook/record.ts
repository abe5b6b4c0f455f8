// Writes down what tries led to, several at a time, and with a 410 what follows from it.
import { setTimeout as sleep } from 'node:timers/promises'
import { isPassing, type Tx } from '#kit/db/sql.ts'
import type { Context } from '#platform/context.ts'
import type { AttemptResult } from './delivery.ts'
import { type DestinationKey, disableEndpoint, recordAttempts, stopDeliveries } from './store.ts'

export type Recorder = (result: AttemptResult) => Promise<void>

const batch = 500
/** A result waits so long for company. */
const gatherMs = 5

/**
 * Resolves for each result when it is committed. A result that could not be written leads to one more try. `onFreed` is
 * called with the destinations where something waited for one that is finished now.
 */
export function recorder(db: Context['db'], onFreed: (freed: DestinationKey[]) => void): Recorder {
  let waiting: { result: AttemptResult; done: () => void; failed: (error: unknown) => void }[] = []
  let writing = false

  async function write(): Promise<void> {
    writing = true
    while (waiting.length > 0) {
      await sleep(gatherMs)
      const now = waiting.slice(0, batch)
      waiting = waiting.slice(batch)
      const results = now.map(({ result }) => result)
      await commit(db, results).then(
        (freed) => {
          if (freed.length > 0) onFreed(freed)
          for (const { done } of now) done()
        },
        (error) => now.forEach(({ failed }) => void failed(error)),
      )
    }
    writing = false
  }

  return (result) =>
    new Promise((done, failed) => {
      waiting.push({ result, done, failed })
      if (!writing) void write()
    })
}

/** One statement is a transaction by itself; where more belongs to it, or the database was away, there is a whole one. */
async function commit(db: Context['db'], results: AttemptResult[]): Promise<DestinationKey[]> {
  if (results.some(({ state }) => state === 'STOPPED')) return inTransaction(db, results)
  try {
    return await recordAttempts(db, results)
  } catch (error) {
    if (!isPassing(error)) throw error
    return inTransaction(db, results)
  }
}

const inTransaction = (db: Context['db'], results: AttemptResult[]): Promise<DestinationKey[]> =>
  db.tx(async (tx) => {
    const freed = await recordAttempts(tx, results)
    for (const result of results) if (result.state === 'STOPPED') await stop(tx, result)
    return freed
  })

/** The endpoint is gone for all its journeys; a callbackUrl for its own. */
async function stop(tx: Tx, { delivery, tried, answer, at }: AttemptResult): Promise<void> {
  const { tenantId, destinationId, journeyId, callbackUrlSealed } = delivery
  const why = tried ? `answered ${answer}` : answer
  if (callbackUrlSealed !== null) return stopDeliveries(tx, { tenantId, destinationId, journeyId, why })
  await disableEndpoint(tx, { tenantId, endpointId: destinationId, why, at })
  await stopDeliveries(tx, { tenantId, destinationId, journeyId: null, why })
}
