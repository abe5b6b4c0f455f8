// What a run knows and keeps in its state file: the test borrower's case, what was sent, what came, which checks passed.
import { randomInt } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { uuidv4 } from '#kit/crypto/id.ts'
import { isObject } from '#kit/runtime/record.ts'
import { CannotBegin, type Outcome } from './outcome.ts'
import type { TestedSide } from './party.ts'

/** One try of an event of the tried side. */
export interface Arrival {
  eventId: string
  type: string
  entity: string
  version: number
  /** Unix milliseconds of its arrival, and Unix seconds of its signature. */
  at: number
  sentAt: number
  raw: string
  /** The status; 0 where it was left without an answer. */
  answered: number
  /** What is wrong with it, by the check that tells it. */
  faults: { check: string; words: string }[]
}

interface SentEvent {
  eventId: string
  version: number
  raw: string
  /** How often it was posted. */
  tries: number
}

export interface Person {
  pan: string
  mobile: string
}

/** One try of a call to an interface of the lending partner that a run plays. */
export interface PlayedCall {
  name: 'dedupe' | 'documents' | 'status'
  /** `Idempotency-Key`, or `X-Request-Id` of a read. */
  key: string
  reference: string
  at: number
  /** All that has to be the same in another try of it, as JSON. */
  content: string
  answered: number
  faults: { check: string; words: string }[]
}

export interface Memory {
  format: 1
  tried: TestedSide
  url: string
  /** The run's case; empty before an application. */
  caseRef: string
  person: Person
  /** References of this run whose events are taken; its own case is the first. */
  refs: string[]
  /** The last `entity_version` that was used of the case. */
  version: number
  /** Events of the case by the name of their step, so that a step that is tried again sends the same bytes. */
  sent: Record<string, SentEvent>
  /** What checks found and later ones need: IDs, references, instants. */
  found: Record<string, string>
  arrivals: Arrival[]
  calls: PlayedCall[]
  lastSnapshot: number
  passed: Record<string, Outcome>
}

const capital = (): string => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.charAt(randomInt(26))

/** A new person: PAN digits above 8999 are avoided, because they select faults in sandboxes. */
export const newPerson = (): Person => ({
  pan: `${capital()}${capital()}${capital()}P${capital()}${randomInt(1000, 9000)}${capital()}`,
  mobile: `+919${String(randomInt(1_000_000_000)).padStart(9, '0')}`,
})

/** A partner is given the run's case; a platform creates one. */
function newMemory(tried: TestedSide, url: string): Memory {
  const caseRef = tried === 'partner' ? `CONFORM-${uuidv4()}` : ''
  return {
    ...{ format: 1, tried, url, caseRef, person: newPerson(), refs: caseRef ? [caseRef] : [], version: 0 },
    ...{ sent: {}, found: {}, arrivals: [], calls: [], lastSnapshot: 0, passed: {} },
  }
}

/** The state of a run that was cut, or of a new one. */
export function readMemory(path: string | undefined, tried: TestedSide, url: string): Memory {
  if (path === undefined || !existsSync(path)) return newMemory(tried, url)
  const json = jsonOf(path)
  if (!isMemory(json)) throw new CannotBegin(`${path} is not the state of a run`)
  if (json.url !== url || json.tried !== tried)
    throw new CannotBegin(`${path} is the state of a run against the ${json.tried} ${json.url}`)
  return json
}

function jsonOf(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new CannotBegin(`${path} is not the state of a run`)
  }
}

const isMemory = (json: unknown): json is Memory =>
  isObject(json) &&
  json.format === 1 &&
  isObject(json.passed) &&
  isObject(json.sent) &&
  Array.isArray(json.arrivals) &&
  Array.isArray(json.calls)

/** Replaces the file atomically, so that an interrupted run leaves a readable one; private. */
export function keepMemory(path: string | undefined, memory: Memory): void {
  if (path === undefined) return
  writeFileSync(`${path}.new`, JSON.stringify(memory), { mode: 0o600 })
  renameSync(`${path}.new`, path)
}
