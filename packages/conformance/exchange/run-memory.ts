// The state of a run, saved in its file: the test borrower's case, sent and received messages, passed checks.
import { randomInt } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { isObject } from '@lendloom/foundation/record'
import { uuidv4 } from '@lendloom/seal/id'
import { CannotBegin, type Outcome } from './check-result.ts'
import type { TestedSide } from './run-credentials.ts'

/** One attempt of the tested side to send an event. */
export interface Arrival {
  eventId: string
  type: string
  entity: string
  version: number
  /** The arrival in Unix milliseconds; `sentAt` is the signed time in Unix seconds. */
  at: number
  sentAt: number
  raw: string
  /** The status of the answer; 0 if the attempt got none. */
  answered: number
  /** Each fault with the check that reports it. */
  faults: { check: string; words: string }[]
}

interface SentEvent {
  eventId: string
  version: number
  raw: string
  /** The number of attempts. */
  tries: number
}

export interface Person {
  pan: string
  mobile: string
}

/** One call to an interface of the lending partner that a run plays; a retry is another one. */
export interface PlayedCall {
  name: 'dedupe' | 'documents' | 'status'
  /** `Idempotency-Key`, or `X-Request-Id` of a read. */
  key: string
  reference: string
  at: number
  /** Everything that a retry must repeat, as JSON. */
  content: string
  answered: number
  faults: { check: string; words: string }[]
}

export interface Memory {
  format: 1
  tried: TestedSide
  url: string
  /** The run's case; empty until an application arrives. */
  caseRef: string
  person: Person
  /** The references whose events the run accepts; the first is its own case. */
  refs: string[]
  /** The last used `entity_version` of the case. */
  version: number
  /** Events of the case by step, so that a repeated step sends the same bytes. */
  sent: Record<string, SentEvent>
  /** Values from checks that later checks need: IDs, references, instants. */
  found: Record<string, string>
  arrivals: Arrival[]
  calls: PlayedCall[]
  lastSnapshot: number
  passed: Record<string, Outcome>
}

const randomUpper = (): string => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.charAt(randomInt(26))

/** A new person: PAN digits above 8999 are avoided, because they select faults in sandboxes. */
export const newPerson = (): Person => ({
  pan: `${randomUpper()}${randomUpper()}${randomUpper()}P${randomUpper()}${randomInt(1000, 9000)}${randomUpper()}`,
  mobile: `+919${String(randomInt(1_000_000_000)).padStart(9, '0')}`,
})

/** The run creates the case for a partner; a platform creates its own. */
function newMemory(testedSide: TestedSide, url: string): Memory {
  const caseRef = testedSide === 'partner' ? `CONFORM-${uuidv4()}` : ''
  return {
    format: 1,
    tried: testedSide,
    url,
    caseRef,
    person: newPerson(),
    refs: caseRef ? [caseRef] : [],
    version: 0,
    sent: {},
    found: {},
    arrivals: [],
    calls: [],
    lastSnapshot: 0,
    passed: {},
  }
}

/** The state of the interrupted run, or a new state. */
export function readMemory(path: string | undefined, testedSide: TestedSide, url: string): Memory {
  if (path === undefined || !existsSync(path)) return newMemory(testedSide, url)
  const json = readJson(path)
  if (!isMemory(json)) throw new CannotBegin(`${path} is not the state of a run`)
  if (json.url !== url || json.tried !== testedSide)
    throw new CannotBegin(`${path} is the state of a run against the ${json.tried} ${json.url}`)
  return json
}

function readJson(path: string): unknown {
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

/** Replaces the file atomically; only its owner can read it. */
export function saveMemory(path: string | undefined, memory: Memory): void {
  if (path === undefined) return
  writeFileSync(`${path}.new`, JSON.stringify(memory), { mode: 0o600 })
  renameSync(`${path}.new`, path)
}
