// Texts and tones of the states of deliveries and tries, for the whole console.
import { firstLoanSequence, numberOfUpdate } from '@lendloom/wire/hosted/loan-event-types'
import type { DeliveryState } from '@lendloom/wire/webhook/delivery-state'
import { ago, now } from './clock.ts'
import type { Tone } from './components.tsx'

/** What an update is called: `update 3` of a journey, or `event 2 of the loan`. */
export const updateName = (sequence: number): string =>
  sequence > firstLoanSequence ? `event ${numberOfUpdate(sequence)} of the loan` : `update ${sequence}`

/** The data that determines a delivery's state. */
export interface DeliveryNow {
  state: DeliveryState
  attemptsSinceReplay: number
  nextAttemptAt: string | null
  isPaused: boolean
  /** Sequence number of an earlier update that must be delivered first. */
  behindSequence: number | null
}

interface DeliveryWords {
  tone: Tone
  word: string
  /** What the delivery waits for; empty if nothing. */
  note: string
  /** Time of the next try; null if it is due now or does not depend on time. */
  nextAt: string | null
}

const finalStates: Record<Exclude<DeliveryState, 'PENDING'>, readonly [Tone, string]> = {
  DELIVERED: ['good', 'Delivered'],
  EXHAUSTED: ['bad', 'Given up'],
  STOPPED: ['bad', 'Stopped'],
}

/** Returns the displayed state. A pause or an earlier update takes precedence over a failed try. */
export function stateOf({
  state,
  attemptsSinceReplay,
  nextAttemptAt,
  isPaused,
  behindSequence,
}: DeliveryNow): DeliveryWords {
  if (state !== 'PENDING') {
    const [tone, word] = finalStates[state]
    return { tone, word, note: '', nextAt: null }
  }
  if (isPaused) return { tone: 'warn', word: 'Waiting', note: 'endpoint paused', nextAt: null }
  if (behindSequence !== null)
    return { tone: 'plain', word: 'Waiting', note: `after ${updateName(behindSequence)}`, nextAt: null }
  const isLater = nextAttemptAt !== null && Date.parse(nextAttemptAt) > now()
  if (attemptsSinceReplay > 0)
    return { tone: 'bad', word: 'Failed', note: isLater ? '' : 'trying again', nextAt: isLater ? nextAttemptAt : null }
  return { tone: 'info', word: 'Delivering', note: '', nextAt: null }
}

/** What a delivery waits for; empty if nothing. */
export function waitWords(delivery: DeliveryNow): string {
  const { note, nextAt } = stateOf(delivery)
  return nextAt === null ? note : `next try ${ago(nextAt)}`
}

/** The text of a single try. A try of a pending delivery has failed. */
export const tryWords = (state: DeliveryState): readonly [Tone, string] =>
  state === 'PENDING' ? ['bad', 'Failed'] : finalStates[state]
