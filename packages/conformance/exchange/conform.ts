// Runs the checks in order; keeps those that passed before, and skips those that need a failed check.

import { messageOf } from '@lendloom/foundation/thrown'
import type { PartnerCredentials } from '@lendloom/wire/exchange/credentials'
import { type EventReceiver, receiveEvent } from './arriving-events.ts'
import type { Check } from './check.ts'
import { CannotBegin, type Outcome, Skip, Violation } from './check-result.ts'
import { allChecks } from './checks/all.ts'
import { meet } from './first-contact.ts'
import { type AnswerHandler, type Listener, listen } from './listener.ts'
import { playPartner } from './played-partner.ts'
import { Run } from './run.ts'
import { partiesOf, type TestedSide } from './run-credentials.ts'
import { readMemory, saveMemory } from './run-memory.ts'
import { send } from './send-request.ts'

export { CannotBegin } from './check-result.ts'
export { junitOf, textOf, totals } from './report.ts'

export interface ConformOptions {
  /** The run plays the other side. */
  testedSide: TestedSide
  /** The base URL of a partner, without `/dedupe` and so on, or the webhook URL of a platform. */
  url: string
  credentials: PartnerCredentials
  /** The address where the run listens. Null: the run cannot check what a platform sends. */
  listenAt: { host: string; port: number } | null
  /** The public URL of `listenAt`, verified before the first check; by default the address itself. */
  publicUrl?: string
  waitSeconds: number
  retryAfterSeconds: number
  /** Prefixes of the IDs of the checks to make; the checks that they need are made too. By default all. */
  only?: string[]
  /** The file with the state of the run. */
  state?: string
  say(text: string): void
}

const failuresAtNoPartner = 10

/** Returns the outcome of each check, in order. Throws `CannotBegin` if an address or the state file is unusable. */
export async function conform(options: ConformOptions): Promise<Outcome[]> {
  const { testedSide, listenAt, waitSeconds, retryAfterSeconds, say, state } = options
  const url = options.url.replace(/(?<!\/)\/+$/, '')
  const parties = partiesOf(options.credentials, testedSide)
  await meet(testedSide, url, say)
  const memory = readMemory(state, testedSide, url)
  const save = () => saveMemory(state, memory)
  const receiver = { testedSide, memory, theirs: parties.theirs, retryAfterSeconds, save }
  const listener = listenAt && (await listen(listenAt.host, listenAt.port, handlers[testedSide](receiver)))
  try {
    if (listener && options.publicUrl !== undefined) await verifyPublicUrl(listener, options.publicUrl)
    const listensAt = listener && (options.publicUrl ?? listener.url)
    const run = new Run({ ...parties, testedSide, url, listensAt, memory, waitSeconds, retryAfterSeconds, save, say })
    const outcomes: Outcome[] = []
    for (const check of checksToRun(testedSide, options.only)) {
      const isHopeless = outcomes.length >= failuresAtNoPartner && outcomes.every(({ result }) => result !== 'passed')
      const outcome = memory.passed[check.id] ?? (await outcomeOf(run, check, isHopeless))
      outcomes.push(outcome)
      if (outcome.result === 'passed') memory.passed[check.id] = outcome
      say(`${outcome.result.padEnd(7)}  ${check.id}${outcome.because ? `: ${outcome.because}` : ''}`)
      save()
    }
    return outcomes
  } finally {
    await listener?.stop()
  }
}

/** Throws unless this listener answers at the public URL. */
async function verifyPublicUrl({ nonce }: Listener, url: string): Promise<void> {
  const answer = await send({ method: 'GET', url, headers: {} }).catch((error) => {
    throw new CannotBegin(`--webhook-url cannot be reached: ${messageOf(error)}`)
  })
  if (answer.text !== nonce) throw new CannotBegin(`--webhook-url ${url} does not lead to --listen`)
}

/** The run's handlers by tested side: as a platform it receives events, as a partner it serves all interfaces. */
const handlers: Record<TestedSide, (receiver: EventReceiver) => AnswerHandler> = {
  partner: (receiver) => (request) => (request.method === 'GET' ? null : receiveEvent(receiver, request)),
  platform: playPartner,
}

/** The side's checks whose ID has one of the prefixes, and all checks that they need, in order. */
export function checksToRun(testedSide: TestedSide, only: string[] | undefined): Check[] {
  const all = allChecks[testedSide]
  if (only === undefined) return all
  const ids = new Set<string>()
  const add = (check: Check | undefined): void => {
    if (!check || ids.has(check.id)) return
    ids.add(check.id)
    for (const need of check.needs ?? []) add(all.find(({ id }) => id === need))
  }
  for (const check of all) if (only.some((prefix) => check.id.startsWith(prefix))) add(check)
  return all.filter(({ id }) => ids.has(id))
}

async function outcomeOf(run: Run, check: Check, isHopeless: boolean): Promise<Outcome> {
  const startedAt = performance.now()
  const { id, section, title, expects: expected } = check
  const outcome = (result: Outcome['result'], because: string | null, exchange: Run['last'] = null): Outcome => ({
    id,
    section,
    title,
    result,
    expected,
    because,
    sent: exchange?.sent ?? null,
    received: exchange?.received ?? null,
    seconds: Math.round(performance.now() - startedAt) / 1000,
  })
  if (isHopeless)
    return outcome('skipped', `none of the first ${failuresAtNoPartner} checks passed: check URL and credentials`)
  const missing = (check.needs ?? []).filter((need) => !run.memory.passed[need])
  if (missing.length > 0) return outcome('skipped', `needs ${missing.join(', ')}`)
  run.last = null
  try {
    await check.run(run)
    return outcome('passed', null)
  } catch (error) {
    if (error instanceof Skip) return outcome('skipped', messageOf(error))
    if (error instanceof Violation) return outcome('failed', messageOf(error), run.last)
    throw error
  }
}
