// The log of API requests that integrators and the sessions of their borrowers send. The integrators' developers read
// the log in the console.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { perDatabase } from '@lendloom/foundation/cache'
import { daysAfter } from '@lendloom/foundation/clock'
import type { Log } from '@lendloom/foundation/log'
import { maskedPath } from '@lendloom/foundation/mask'
import { maskedDocument } from '@lendloom/foundation/mask-document'
import { counter } from '@lendloom/foundation/metrics'
import { fieldsOf, isObject, ownValue } from '@lendloom/foundation/record'
import { isUuid } from '@lendloom/foundation/uuid'
import { readJson } from '@lendloom/http/body'
import type { AnsweredRequest } from '@lendloom/http/server'
import type { Run } from '@lendloom/postgres/sql'
import type { Seal } from '@lendloom/seal/seal'
import type { Context } from '#platform/context.ts'
import { deleteRequestsBefore, insertRequests, type RequestRow } from './store.ts'

interface RequestLog {
  /** Queues an answered request for the log if its caller is authenticated. Never throws. */
  note(answered: AnsweredRequest): void
  /** Writes the queued requests. Later requests are ignored. */
  end(): Promise<void>
}

interface LogDeps {
  db: Run
  seal: Seal
  log: Log
  config: { REQUEST_LOG_DAYS: number }
}

const batchSize = 64
/** Small, because other requests wait while these are masked and sealed. */
const maskedAtOnce = 8
const maxDelayMs = 500
/** Maximum size of the queue. A request that would exceed the maximum is not logged. */
const maxQueuedBytes = 8 * 1024 * 1024
/** The log contains only the size of a longer body. */
const maxBodyBytes = 16 * 1024
/** Estimated size of a queued request without its body. */
const overheadBytes = 512

const unloggedRequests = counter('request_log_left_out_total', 'API requests that could not be logged')

export const bodiesContext = ({ tenantId, requestId }: Pick<RequestRow, 'tenantId' | 'requestId'>) =>
  `api_request:${tenantId}:${requestId}`

/** The masked bodies of a request and its response. A long body, or a body without JSON, is replaced by its size. */
export interface Bodies {
  request: unknown
  reply: unknown
}

/** Writes requests within half a second after their responses. A killed process loses its queued requests. */
export const requestLogOf = perDatabase(({ db, seal, log, config }: LogDeps): RequestLog => {
  const queue: AnsweredRequest[] = []
  let queuedBytes = 0
  let timer: NodeJS.Timeout | null = null
  let isEnded = false
  let writing: Promise<void> = Promise.resolve()

  async function write(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.splice(0, batchSize)
      queuedBytes -= batch.reduce((sum, each) => sum + sizeOf(each), 0)
      try {
        await insertRequests(db, await rowsOf(seal, batch))
      } catch (error) {
        unloggedRequests.inc(batch.length)
        log.warn({ err: error, requests: batch.length }, 'API requests could not be logged')
      }
    }
  }
  function flush(): Promise<void> {
    if (timer) clearTimeout(timer)
    timer = null
    writing = writing.then(write)
    return writing
  }

  return {
    note(answered) {
      if (isEnded || config.REQUEST_LOG_DAYS === 0 || !answered.arrival.caller) return
      if (queuedBytes + sizeOf(answered) > maxQueuedBytes) return unloggedRequests.inc()
      queuedBytes += sizeOf(answered)
      queue.push(answered)
      if (queue.length === batchSize) void flush()
      else timer ??= setTimeout(flush, maxDelayMs).unref()
    },
    end() {
      isEnded = true
      return flush()
    },
  }
})

const sizeOf = ({ arrival }: AnsweredRequest): number => overheadBytes + arrival.raw.length

/** Lets other requests run in between. */
async function rowsOf(seal: Seal, batch: AnsweredRequest[]): Promise<RequestRow[]> {
  const rows: RequestRow[] = []
  for (const answered of batch) {
    rows.push(rowOf(seal, answered))
    if (rows.length % maskedAtOnce === 0 || answered.arrival.raw.length > maxBodyBytes) await nextTurn()
  }
  return rows
}

function rowOf(seal: Seal, { arrival, method, route, params, status, ms, body }: AnsweredRequest): RequestRow {
  const { requestId, safeCorrelationId: correlationId, path, raw, refusalKind, caller } = arrival
  if (!caller) throw new Error('the request has no authenticated caller')
  const { tenantId, applicationId, keyId, borrowerId = null } = caller
  const request = jsonIn(raw)
  const bodies: Bodies = { request: requestBodyOf(raw, request), reply: responseBodyOf(body) }
  const named = borrowerIn(params) ?? borrowerIn(request) ?? borrowerIn(body) ?? borrowerIn(fieldsOf(body).data)
  // A session's borrower is certain; a name in its body is what the sender wrote.
  const borrower = borrowerId ?? named
  return {
    tenantId,
    requestId,
    applicationId,
    keyId,
    correlationId,
    method,
    status,
    // Of a request without a journey in its path, the answer names the journey.
    journeyId: journeyIn(params) ?? journeyIn(fieldsOf(body).data),
    route: route.replace(/:(\w+)/g, '{$1}'),
    path: maskedPath(borrowerIn(params) === null ? path : pathWithoutBorrower(route, params)),
    tookMs: Math.round(ms),
    error: codeIn(body) ?? refusalKind ?? null,
    borrowerDigest: borrower === null ? null : loggedBorrower(seal, tenantId, borrower),
    bodiesSealed: seal.json(bodies, bodiesContext({ tenantId, requestId }), true),
  }
}

/** Undefined for a body that is empty or not JSON, and for a long one that names no borrower. */
function jsonIn(raw: Buffer): unknown {
  if (raw.length === 0 || (raw.length > maxBodyBytes && !mayNameBorrower(raw))) return undefined
  try {
    return readJson(raw)
  } catch {
    return undefined
  }
}

function requestBodyOf(raw: Buffer, json: unknown): unknown {
  if (raw.length === 0) return null
  return json === undefined || raw.length > maxBodyBytes ? sizeText(raw.length) : maskedDocument(json)
}

function responseBodyOf(body: unknown): unknown {
  if (typeof body === 'string' || ArrayBuffer.isView(body))
    return sizeText(body instanceof Uint8Array ? body.length : Buffer.byteLength(String(body)))
  if (!isObject(body)) return null
  const text = JSON.stringify(body)
  return text.length > maxBodyBytes ? sizeText(text.length) : maskedDocument(JSON.parse(withoutBorrower(text)))
}

const sizeText = (length: number): string => `[${length} bytes]`

const journeyFields = ['journeyID', 'journeyId', 'journey_id']

/** The journey in the parameters or the response of a request; null without one. */
function journeyIn(params: unknown): string | null {
  if (!isObject(params)) return null
  const id = journeyFields.map((name) => ownValue(params, name)).find((value) => value !== undefined)
  return typeof id === 'string' && isUuid(id) ? id.toLowerCase() : null
}

const borrowerParam = 'borrowerProviderID'

const borrowerField = 'borrowerExternalID'

/** The integrator's identifier of a borrower in the parameters, the body or the response of a request; null without one. */
function borrowerIn(input: unknown): string | null {
  if (!isObject(input)) return null
  const id = ownValue(input, borrowerParam) ?? ownValue(input, borrowerField)
  return typeof id === 'string' ? id : null
}

/** Whether a body may have a field with the identifier, whose name may have escapes. */
const mayNameBorrower = (raw: Buffer): boolean =>
  [borrowerParam, borrowerField, String.raw`\u`].some((text) => raw.includes(text))

const borrowerFields = new RegExp(String.raw`("(?:${borrowerParam}|${borrowerField})":)"(?:[^"\\]|\\.)*"`, 'g')
const borrowerInUrl = /([?&]borrower_provider_id=)[^&#"\\]*/g

/** Masks the integrator's identifier in the JSON text of a response, in its fields and in addresses of the hosted page. */
const withoutBorrower = (json: string): string =>
  json.replace(borrowerFields, '$1"[masked]"').replace(borrowerInUrl, '$1[masked]')

/**
 * Digest by which the erasure of a borrower finds the requests that name the borrower by the integrator's identifier, and
 * those of the borrower's sessions by ours.
 */
export const loggedBorrower = (seal: Seal, tenantId: string, id: string): Buffer =>
  seal.digest(JSON.stringify([tenantId, id]), 'api_request.borrower')

/** Fills the parameters into the route, except for the integrator's identifier. */
const pathWithoutBorrower = (route: string, params: unknown): string =>
  route.replace(/:(\w+)/g, (_, name: string) =>
    name === borrowerParam ? '[masked]' : encodeURIComponent(String(ownValue(Object(params), name))),
  )

/** Returns the error code in a response body; null if the body contains none. */
function codeIn(body: unknown): string | null {
  const error = isObject(body) && 'error' in body ? body.error : null
  return isObject(error) && 'code' in error && typeof error.code === 'string' ? error.code : null
}

const deletedAtOnce = 10_000

/** Deletes requests that are older than REQUEST_LOG_DAYS. Works in batches, so that no statement locks many rows. */
export async function deleteOldRequests({
  db,
  clock,
  config,
}: Pick<Context, 'db' | 'clock' | 'config'>): Promise<void> {
  const before = daysAfter(clock(), -config.REQUEST_LOG_DAYS)
  while ((await deleteRequestsBefore(db, before, deletedAtOnce)) >= deletedAtOnce);
}
