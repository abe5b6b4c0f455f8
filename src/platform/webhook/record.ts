// Writes down what tries led to, several at a time, and with a 410 what follows from it.
import { setTimeout as sleep } from 'node:timers/promises'
import { isPassing, type Tx } from '#kit/sql.ts'
import type { World } from '#platform/world.ts'
import type { Verdict } from './delivery.ts'
import { type DestinationKey, disableEndpoint, recordVerdicts, stopDeliveries } from './store.ts'

export type Recorder = (verdict: Verdict) => Promise<void>

const batch = 500
/** A verdict waits so long for company. */
const gatherMs = 5

/**
 * Resolves for each verdict when it is committed. A verdict that could not be written leads to one more try. `onFreed` is
 * called with the destinations where something waited for one that is finished now.
 */
export function recorder(db: World['db'], onFreed: (freed: DestinationKey[]) => void): Recorder {
  let waiting: { verdict: Verdict; done: () => void; failed: (error: unknown) => void }[] = []
  let writing = false

  async function write(): Promise<void> {
    writing = true
    while (waiting.length > 0) {
      await sleep(gatherMs)
      const now = waiting.slice(0, batch)
      waiting = waiting.slice(batch)
      const verdicts = now.map(({ verdict }) => verdict)
      await commit(db, verdicts).then(
        (freed) => {
          if (freed.length > 0) onFreed(freed)
          for (const { done } of now) done()
        },
        (error) => now.forEach(({ failed }) => void failed(error)),
      )
    }
    writing = false
  }

  return (verdict) =>
    new Promise((done, failed) => {
      waiting.push({ verdict, done, failed })
      if (!writing) void write()
    })
}

/** One statement is a transaction by itself; where more belongs to it, or the database was away, there is a whole one. */
async function commit(db: World['db'], verdicts: Verdict[]): Promise<DestinationKey[]> {
  if (verdicts.some(({ state }) => state === 'STOPPED')) return inTransaction(db, verdicts)
  try {
    return await recordVerdicts(db, verdicts)
  } catch (error) {
    if (!isPassing(error)) throw error
    return inTransaction(db, verdicts)
  }
}

const inTransaction = (db: World['db'], verdicts: Verdict[]): Promise<DestinationKey[]> =>
  db.tx(async (tx) => {
    const freed = await recordVerdicts(tx, verdicts)
    for (const verdict of verdicts) if (verdict.state === 'STOPPED') await stop(tx, verdict)
    return freed
  })

/** The endpoint is gone for all its journeys; a callbackUrl for its own. */
async function stop(tx: Tx, { delivery, tried, answer, at }: Verdict): Promise<void> {
  const { tenantId, destinationId, journeyId, callbackUrlSealed } = delivery
  const why = tried ? `answered ${answer}` : answer
  if (callbackUrlSealed !== null) return stopDeliveries(tx, tenantId, destinationId, journeyId, why)
  await disableEndpoint(tx, tenantId, destinationId, why, at)
  await stopDeliveries(tx, tenantId, destinationId, null, why)
}
