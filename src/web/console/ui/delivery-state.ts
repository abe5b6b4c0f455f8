// States of deliveries and tries: one set of words and tones for the whole console.
import type { WebhookState } from '#contract/console/webhooks.ts'
import { now } from './clock.ts'
import type { Tone } from './parts.tsx'

/** The data that determines a delivery's state. */
export interface DeliveryNow {
  state: WebhookState
  /** Since the last replay. */
  attempts: number
  nextAttemptAt: string | null
  isPaused: boolean
  /** The update ahead of it. */
  behindSequence: number | null
}

interface DeliveryWords {
  tone: Tone
  word: string
  /** What it waits for; empty when nothing. */
  note: string
  /** When it is tried again; null where that is now, or not by time. */
  nextAt: string | null
}

const ends: Record<Exclude<WebhookState, 'PENDING'>, readonly [Tone, string]> = {
  DELIVERED: ['good', 'Delivered'],
  EXHAUSTED: ['bad', 'Given up'],
  STOPPED: ['bad', 'Stopped'],
}

/** What a delivery waits for has priority over its last try. */
export function stateOf({ state, attempts, nextAttemptAt, isPaused, behindSequence }: DeliveryNow): DeliveryWords {
  if (state !== 'PENDING') {
    const [tone, word] = ends[state]
    return { tone, word, note: '', nextAt: null }
  }
  if (isPaused) return { tone: 'warn', word: 'Waiting', note: 'the endpoint is paused', nextAt: null }
  if (behindSequence !== null)
    return { tone: 'plain', word: 'Waiting', note: `after update ${behindSequence}`, nextAt: null }
  const isLater = nextAttemptAt !== null && Date.parse(nextAttemptAt) > now()
  if (attempts > 0)
    return { tone: 'bad', word: 'Failed', note: isLater ? '' : 'trying again', nextAt: isLater ? nextAttemptAt : null }
  return { tone: 'info', word: 'Delivering', note: '', nextAt: null }
}

/** The result of one try: one with a successor has failed. */
export const tryWords = (state: WebhookState): readonly [Tone, string] =>
  state === 'PENDING' ? ['bad', 'Failed'] : ends[state]
