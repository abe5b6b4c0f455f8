// The log of API requests: what an integrator's server and its borrowers' sessions asked, gathered and written together, for their developers to read.
import { isUuid } from '#kit/crypto/id.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import type { Run } from '#kit/db/sql.ts'
import type { AnsweredRequest } from '#kit/http/server.ts'
import { perDatabase } from '#kit/runtime/cache.ts'
import type { Log } from '#kit/runtime/log.ts'
import { maskedDocument, maskedPath } from '#kit/runtime/mask.ts'
import { counter } from '#kit/runtime/metrics.ts'
import { isObject } from '#kit/runtime/record.ts'
import { insertRequests, type RequestRow } from './store.ts'

interface RequestLog {
  /** Notes a request that was answered, if it was an integrator's; never throws. */
  note(answered: AnsweredRequest): void
  /** Writes what is gathered; nothing is noted afterwards. */
  end(): Promise<void>
}

interface LogDeps {
  db: Run
  seal: Seal
  log: Log
  config: { REQUEST_LOG_DAYS: number }
}

/** Few at a time: masking and sealing them holds up other requests. */
const mostTogether = 64
const longestWaitMs = 500
/** What may wait to be written, by the bytes of the bodies. A process that gets behind leaves out the rest. */
const mostWaitingBytes = 8 * 1024 * 1024
/** Longer bodies are named by their size. */
const longestBody = 16 * 1024
const bytesOfOne = 512

const leftOut = counter('request_log_left_out_total', 'API requests that the log of requests could not keep')

export const bodiesContext = ({ tenantId, requestId }: Pick<RequestRow, 'tenantId' | 'requestId'>) =>
  `api_request:${tenantId}:${requestId}`

/** The request and response bodies, masked; a long or non-JSON body is replaced by its size. */
export interface Bodies {
  request: unknown
  reply: unknown
}

/**
 * Requests are written within half a second, outside of the request itself: a process that is killed loses those that were
 * not, and no answer waits for them.
 */
export const requestLogOf = perDatabase(({ db, seal, log, config }: LogDeps): RequestLog => {
  const waiting: AnsweredRequest[] = []
  let waitingBytes = 0
  let timer: NodeJS.Timeout | null = null
  let isEnded = false
  let writing: Promise<void> = Promise.resolve()

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const taken = waiting.splice(0, mostTogether)
      waitingBytes -= taken.reduce((sum, each) => sum + sizeOf(each), 0)
      try {
        await insertRequests(
          db,
          taken.map((each) => rowOf(seal, each)),
        )
      } catch (error) {
        leftOut.inc(taken.length)
        log.warn({ err: error, requests: taken.length }, 'requests could not be kept in their log')
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
      if (waitingBytes + sizeOf(answered) > mostWaitingBytes) return leftOut.inc()
      waitingBytes += sizeOf(answered)
      waiting.push(answered)
      if (waiting.length === mostTogether) void flush()
      else timer ??= setTimeout(flush, longestWaitMs).unref()
    },
    end() {
      isEnded = true
      return flush()
    },
  }
})

const sizeOf = ({ arrival }: AnsweredRequest): number => bytesOfOne + arrival.raw.length

function rowOf(seal: Seal, { arrival, method, route, params, status, ms, body }: AnsweredRequest): RequestRow {
  const { requestId, correlationId, path, raw, refused, caller } = arrival
  if (!caller) throw new Error('nobody is known to have called')
  const { tenantId, applicationId, keyId } = caller
  const bodies: Bodies = { request: sent(raw), reply: answeredWith(body) }
  return {
    ...{ tenantId, requestId, applicationId, keyId, correlationId, method, status },
    journeyId: journeyIn(params),
    route: route.replace(/:(\w+)/g, '{$1}'),
    path: maskedPath(path),
    tookMs: Math.round(ms),
    error: codeIn(body) ?? refused ?? null,
    bodiesSealed: seal.json(bodies, bodiesContext({ tenantId, requestId })),
  }
}

function sent(raw: Buffer): unknown {
  if (raw.length === 0) return null
  if (raw.length > longestBody) return bytesText(raw.length)
  try {
    return maskedDocument(JSON.parse(raw.toString('utf8')))
  } catch {
    return bytesText(raw.length)
  }
}

function answeredWith(body: unknown): unknown {
  if (typeof body === 'string' || ArrayBuffer.isView(body))
    return bytesText(body instanceof Uint8Array ? body.length : Buffer.byteLength(String(body)))
  if (!isObject(body)) return null
  const text = JSON.stringify(body)
  return text.length > longestBody ? bytesText(text.length) : maskedDocument(JSON.parse(text))
}

const bytesText = (length: number): string => `[${length} bytes]`

function journeyIn(params: unknown): string | null {
  if (!isObject(params)) return null
  const id = 'journeyID' in params ? params.journeyID : 'journeyId' in params ? params.journeyId : null
  return typeof id === 'string' && isUuid(id) ? id.toLowerCase() : null
}

/** Of the envelope of a refusal. */
function codeIn(body: unknown): string | null {
  const error = isObject(body) && 'error' in body ? body.error : null
  return isObject(error) && 'code' in error && typeof error.code === 'string' ? error.code : null
}
