// Maps errors to refusals, which the client can act on. All other errors are bugs.

import type { Socket } from 'node:net'
import { isObject, ownValue } from '@lendloom/foundation/record'
import { Refusal, type RefusalKind } from '@lendloom/foundation/refusal'
import { codeOf } from '@lendloom/foundation/thrown'
import { isCommitUnknown, isDiskFull, isLockTimeout, isStatementCancelled, isTransient } from '@lendloom/postgres/sql'
import { OutOfPatience } from '@lendloom/postgres/wait-limit'
import { DamagedValue } from '@lendloom/seal/seal'
import type { Answer } from './route.ts'

const frameworkKinds: Record<string, [RefusalKind, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['too-large', 'the body is too large'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported-media', 'the body must be application/json'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['malformed', 'the body is shorter or longer than its Content-Length'],
  FST_ERR_MAX_PARAM_LENGTH: ['malformed', 'a segment of the path is too long'],
  FST_ERR_BAD_URL: ['malformed', 'the address cannot be parsed'],
  ECONNRESET: ['malformed', 'the request ended before it was complete'],
}

/** Maps an error to its refusal, or to `bug` when it is unexpected. */
export function refusalFrom(error: unknown): Refusal | 'bug' {
  if (error instanceof Refusal) return error
  if (error instanceof DamagedValue) return new Refusal('damaged', damagedMessage)
  // Only errors of the framework have a status code. A reset database connection has none.
  if (statusOf(error) < 500) return new Refusal(...(ownValue(frameworkKinds, codeOf(error) ?? '') ?? unparsable))
  if (isCommitUnknown(error)) return commitUnknown()
  if (isDiskFull(error)) return diskFull()
  if (error instanceof OutOfPatience || isStatementCancelled(error) || isLockTimeout(error)) return databaseTimeout()
  return isTransient(error) ? databaseUnavailable() : 'bug'
}

const statusOf = (error: unknown): number =>
  isObject(error) && typeof error.statusCode === 'number' ? error.statusCode : 500

const damagedMessage = 'the stored data cannot be opened: it fails its authentication'
const unparsable: [RefusalKind, string] = ['malformed', 'the request cannot be parsed']
const databaseUnavailable = () =>
  new Refusal('upstream', 'the database is temporarily unavailable', { retryAfterSeconds: 1 })
/** A transaction was rolled back, but a single statement or a shared write may have taken effect. */
const databaseTimeout = () =>
  new Refusal('upstream', 'the database did not answer in time; send the request again', { retryAfterSeconds: 2 })
const diskFull = () => new Refusal('upstream', 'the database has no space left', { retryAfterSeconds: 30 })
/** The commit may have happened. The client learns the outcome by repeating the request. */
const commitUnknown = () =>
  new Refusal('upstream', 'it is unknown whether the request was stored; send the request again', {
    retryAfterSeconds: 1,
  })

const parserFailures: Record<string, [status: number, RefusalKind, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'too-large', 'the headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'malformed', 'the request did not arrive in time'],
}

/** A refused client can read the answer for this time, before the connection is destroyed. */
const lingerMs = 500

/**
 * Writes a refusal directly to the connection, because a request that is not valid HTTP has no reply object. Further
 * input is read and dropped, because closing with unread bytes would reset the connection and lose the answer.
 */
export function refuseConnection(
  error: Error & { code?: string },
  socket: Socket,
  refuse: (refusal: Refusal) => Answer,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, kind, message] = ownValue(parserFailures, error.code ?? '') ?? [
    400,
    'malformed',
    'the request is not HTTP',
  ]
  const body = Buffer.from(JSON.stringify(refuse(new Refusal(kind, message)).body))
  const head = [
    `HTTP/1.1 ${status} Refused`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${body.length}`,
    'connection: close',
  ]
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]))
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.once('close', () => clearTimeout(timer))
}
