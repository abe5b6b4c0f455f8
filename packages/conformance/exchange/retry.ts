// What the tried side does with a delivery that was put off: the same bytes again, signed with their own time, when it may (D3 §8).

import type { PlayedCall } from './memory.ts'
import { expect, Skip } from './outcome.ts'
import type { Run } from './run.ts'

/** Two tries of the first event of a type, the first of which was answered so. */
function triesOf(run: Run, type: string, answered: number) {
  const [first, second] = run.memory.arrivals.filter((arrival) => arrival.type === type)
  if (first?.answered !== answered) throw new Skip(`the first ${type} came before this run was cut`)
  expect(second !== undefined && second.eventId === first.eventId, 'what came next has another event_id')
  expect(second.raw === first.raw, 'the second try has other bytes than the first')
  return { first, second, apartSeconds: (second.at - first.at) / 1000 }
}

/** Passes when what was not taken came again, unchanged; `answered` is 0 where it was left without an answer. */
export function expectRetried(run: Run, type: string, answered: number): void {
  const { first, second, apartSeconds } = triesOf(run, type, answered)
  expect(second.sentAt >= first.sentAt, 'the second try was signed with an earlier time')
  const age = Math.abs(second.at / 1000 - second.sentAt)
  expect(apartSeconds < 5 || age < apartSeconds, 'the second try has the send time of the first')
}

/** Passes when what was answered with `Retry-After` came again, not before that time. */
export function expectRetryAfter(run: Run, type: string): void {
  const { apartSeconds } = triesOf(run, type, 429)
  const least = run.settings.retryAfterSeconds
  expect(apartSeconds >= least - 1, `the second try came after ${apartSeconds.toFixed(1)} s, not ${least} s or more`)
}

/** Passes when the first call of a name, which was answered 503, came again under its key with the same content. */
export async function expectCallRetried(run: Run, name: PlayedCall['name']): Promise<void> {
  const first = await run.awaitCall(name)
  const second = await run.awaitCall(name, { after: 1 })
  run.last = { sent: '503 to the first', received: `${first.content}\n\n${second.content}` }
  expect(second.key === first.key, 'what came next has another request_id')
  expect(second.content === first.content, 'the second try has other content than the first')
}
