// Counts how fast and how well this process answers lenders' callbacks (FIS12 §3.1).

import { perDatabase } from '@lendloom/foundation/cache'
import type { AnsweredRequest } from '@lendloom/http/server'
import type { Context } from '#platform/context.ts'
import { halfHourOf } from '#platform/records/figures/half-hours.ts'
import { type AnswerCount, addAnswers } from './store.ts'

interface AnswerCounter {
  note(answered: Pick<AnsweredRequest, 'method' | 'route' | 'status' | 'ms' | 'arrival'>): void
  /** Writes the counts; a killed process loses those of the last ten seconds. */
  end(): Promise<void>
}

/** Answers are counted by the first of these bounds that they keep, in milliseconds; slower ones by the last. */
const slowest = 30_000
const bounds = [25, 50, 100, 250, 500, 1000, 2500, 5000, slowest]

/** Counts are written together, so that a callback costs no statement of its own. */
const writeMs = 10_000

export const answerCounterOf = perDatabase(({ db, log }: Pick<Context, 'db' | 'log'>): AnswerCounter => {
  let counts = new Map<string, AnswerCount>()
  let timer: NodeJS.Timeout | null = null
  async function write(): Promise<void> {
    if (timer) clearTimeout(timer)
    timer = null
    const written = counts
    counts = new Map()
    if (written.size === 0) return
    try {
      await addAnswers(db, [...written.values()])
    } catch (error) {
      log.warn({ err: error }, 'the answers to callbacks could not be counted yet')
      for (const [key, counted] of written) add(key, counted)
      timer ??= setTimeout(write, writeMs).unref()
    }
  }
  function add(key: string, counted: AnswerCount): void {
    const before = counts.get(key)
    counts.set(key, { ...counted, count: counted.count + (before?.count ?? 0) })
  }
  return {
    note({ method, route, status, ms, arrival }) {
      const action = /^\/ondc\/(on_\w+)$/.exec(route)?.[1]
      // Anyone may send an unsigned message.
      if (method !== 'POST' || !action || action === 'on_subscribe' || status === 401) return
      const beginsAt = halfHourOf(arrival.at)
      const outcome = status < 300 ? 'ACK' : status < 500 ? 'NACK' : 'FAILED'
      const withinMs = bounds.find((bound) => ms <= bound) ?? slowest
      const key = [beginsAt.getTime(), action, outcome, withinMs].join()
      add(key, { beginsAt, action, outcome, withinMs, count: 1 })
      timer ??= setTimeout(write, writeMs).unref()
    },
    end: write,
  }
})
