// Runs the checks against a partner or a platform: one after the other, what passed before is kept, what needs a failed one is skipped.

import type { PartnerCredentials } from '#contract/exchange/credentials.ts'
import { messageOf } from '#kit/runtime/record.ts'
import { type EventReceiver, takeEvent } from './arriving-events.ts'
import type { Check } from './check.ts'
import { allChecks } from './checks/all.ts'
import { send } from './http.ts'
import { type AnswerHandler, type Listener, listen } from './listener.ts'
import { keepMemory, readMemory } from './memory.ts'
import { Broken, CannotBegin, type Outcome, Skip } from './outcome.ts'
import { partiesOf, type TestedSide } from './party.ts'
import { playedPartner } from './played-partner.ts'
import { Run } from './run.ts'

export { CannotBegin } from './outcome.ts'
export { junitOf, textOf, totals } from './report.ts'

export interface Conform {
  /** Which side is tried; the run plays the other. */
  tried: TestedSide
  /** Base address of the partner, `/dedupe` and the others are below it; of a platform the whole address of its webhook. */
  url: string
  credentials: PartnerCredentials
  /** Where the tried side reaches the run; null where it does not: what a platform sends cannot be looked at then. */
  listenAt: { host: string; port: number } | null
  /** The same place as the tried side reaches it, tried before anything is sent; where it listens, without it. */
  publicUrl?: string
  waitSeconds: number
  retryAfterSeconds: number
  /** Checks to make, by the beginning of their IDs; what they need is made too. All without it. */
  only?: string[]
  /** A file that keeps what passed. */
  state?: string
  say(words: string): void
}

/** What came of each check, in their order. `CannotBegin` when the tried side would not reach the run. */
export async function conform(given: Conform): Promise<Outcome[]> {
  const { tried, listenAt, waitSeconds, retryAfterSeconds, say, state } = given
  const url = given.url.replace(/(?<!\/)\/+$/, '')
  const parties = partiesOf(given.credentials, tried)
  const memory = readMemory(state, tried, url)
  const keep = () => keepMemory(state, memory)
  const receiving = { tried, memory, theirs: parties.theirs, retryAfterSeconds, kept: keep }
  const listener = listenAt && (await listen(listenAt.host, listenAt.port, playing[tried](receiving)))
  try {
    if (listener && given.publicUrl !== undefined) await reach(listener, given.publicUrl)
    const listensAt = listener && (given.publicUrl ?? listener.url)
    const run = new Run({ ...parties, tried, url, listensAt, memory, waitSeconds, retryAfterSeconds, keep, say })
    const outcomes: Outcome[] = []
    for (const check of chosen(tried, given.only)) {
      const outcome = memory.passed[check.id] ?? (await outcomeOf(run, check))
      outcomes.push(outcome)
      if (outcome.result === 'passed') memory.passed[check.id] = outcome
      say(`${outcome.result.padEnd(7)}  ${check.id}${outcome.because ? `: ${outcome.because}` : ''}`)
      keep()
    }
    return outcomes
  } finally {
    await listener?.stop()
  }
}

/** Passes when what answers at the public address is this listener. */
async function reach({ nonce }: Listener, url: string): Promise<void> {
  const answer = await send({ method: 'GET', url, headers: {} }).catch((error) => {
    throw new CannotBegin(`--webhook-url cannot be reached: ${messageOf(error)}`)
  })
  if (answer.text !== nonce) throw new CannotBegin(`--webhook-url ${url} leads to something else than --listen`)
}

/** What a run answers where it listens: as a platform it takes events, as a lending partner it serves four interfaces. */
const playing: Record<TestedSide, (receiving: EventReceiver) => AnswerHandler> = {
  partner: (receiving) => (arriving) => (arriving.method === 'GET' ? null : takeEvent(receiving, arriving)),
  platform: playedPartner,
}

/** The checks of that side whose ID begins with one of the words, and all that they need, in order. */
export function chosen(tried: TestedSide, only: string[] | undefined): Check[] {
  const all = allChecks[tried]
  if (only === undefined) return all
  const ids = new Set<string>()
  const add = (check: Check | undefined): void => {
    if (!check || ids.has(check.id)) return
    ids.add(check.id)
    for (const need of check.needs ?? []) add(all.find(({ id }) => id === need))
  }
  for (const check of all) if (only.some((start) => check.id.startsWith(start))) add(check)
  return all.filter(({ id }) => ids.has(id))
}

async function outcomeOf(run: Run, check: Check): Promise<Outcome> {
  const began = performance.now()
  const { id, section, title, expects: expected } = check
  const outcome = (result: Outcome['result'], because: string | null, seen: Run['last'] = null): Outcome => ({
    ...{ id, section, title, result, expected, because },
    ...{ sent: seen?.sent ?? null, received: seen?.received ?? null },
    seconds: Math.round(performance.now() - began) / 1000,
  })
  const missing = (check.needs ?? []).filter((need) => !run.memory.passed[need])
  if (missing.length > 0) return outcome('skipped', `needs ${missing.join(', ')}`)
  run.last = null
  try {
    await check.run(run)
    return outcome('passed', null)
  } catch (error) {
    if (error instanceof Skip) return outcome('skipped', messageOf(error))
    if (error instanceof Broken) return outcome('failed', messageOf(error), run.last)
    throw error
  }
}
