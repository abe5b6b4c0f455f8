// Checks of retries: the same bytes with a new signature time, not before Retry-After (D3 §8).

import { expect, Skip } from './check-result.ts'
import type { Run } from './run.ts'
import type { PlayedCall } from './run-memory.ts'

/** The first event of a type and its retry; skips unless the first attempt got this answer. */
function attemptsOf(run: Run, type: string, answered: number) {
  const [first, second] = run.memory.arrivals.filter((arrival) => arrival.type === type)
  if (first?.answered !== answered) throw new Skip(`this run did not postpone the first ${type}`)
  expect(second !== undefined && second.eventId === first.eventId, 'the next event has another event_id')
  expect(second.raw === first.raw, 'the retry has other bytes')
  return { first, second, delaySeconds: (second.at - first.at) / 1000 }
}

/** Passes if the first event of a type was retried unchanged after this answer, 0 for none. */
export function expectRetried(run: Run, type: string, answered: number): void {
  const { first, second, delaySeconds } = attemptsOf(run, type, answered)
  expect(second.sentAt >= first.sentAt, 'the retry was signed with an earlier time')
  const age = Math.abs(second.at / 1000 - second.sentAt)
  expect(delaySeconds < 5 || age < delaySeconds, 'the retry has the send time of the first attempt')
}

/** Passes if the retry came no earlier than `Retry-After`. */
export function expectRetryAfter(run: Run, type: string): void {
  const { delaySeconds } = attemptsOf(run, type, 429)
  const minSeconds = run.settings.retryAfterSeconds
  expect(
    delaySeconds >= minSeconds - 1,
    `the retry came after ${delaySeconds.toFixed(1)} s, expected at least ${minSeconds} s`,
  )
}

/** Passes if the first call of a name, answered 503, was retried with the same key and content. */
export async function expectCallRetried(run: Run, name: PlayedCall['name']): Promise<void> {
  const first = await run.awaitCall(name)
  const second = await run.awaitCall(name, { after: 1 })
  run.last = { sent: '503 to the first call', received: `${first.content}\n\n${second.content}` }
  expect(second.key === first.key, 'the next call has another request_id')
  expect(second.content === first.content, 'the retry has other content')
}
