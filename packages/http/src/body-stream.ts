// Reads request bodies within limits of size, memory and time, and drops the rest of refused bodies.
import type { IncomingMessage } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import { Refusal } from '@lendloom/foundation/refusal'
import type { BodyReservation } from './body-memory.ts'

/** Time limit of the requests of a server without streamed bodies. */
const bufferedMs = 60_000
/** Time limit of a small body that is read as a whole; a larger one has a second more for each 32 KiB. */
const smallBodyMs = 10_000
const bytesPerMs = 32
/** Total time limit of a form with files. */
const formMs = 2 * 60_000
/** Total time limit of a streamed body. */
const streamedMs = 15 * 60_000
/** Time limit without a new byte of a streamed body. */
const stalledMs = 30_000

/** Time limit of any request. */
export const longestArrivalMs = (hasStreams: boolean): number => (hasStreams ? streamedMs : bufferedMs)

/**
 * Limits the time of a body that is read as a whole, by its declared length or that of its route, so that slow senders
 * do not hold the memory of others.
 */
export const limitBodyTime = (request: IncomingMessage, maxBytes: number): void =>
  endAfter(
    request,
    smallBodyMs + Math.min(Number(request.headers['content-length'] ?? maxBytes), maxBytes) / bytesPerMs,
  )

/** Limits the time of a form with files, whose bytes stay in memory: enough for 25 MB at two megabits a second. */
export function limitFormTime(request: IncomingMessage): void {
  endAfter(request, formMs)
  limitStall(request)
}

/** Ends a request whose body is still incomplete then. Its answer may take longer. */
function endAfter(request: IncomingMessage, ms: number): void {
  if (request.complete) return
  const timer = setTimeout(() => request.complete || request.destroy(), ms).unref()
  request.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
}

/** The time limit of the connection stays what it is, because it also ends idle connections. */
function limitStall(request: IncomingMessage): void {
  const { socket } = request
  let bytes = socket.bytesRead
  const timer = setInterval(() => {
    // A paused request waits for us and not for its sender.
    const isPaused = request.readableFlowing === false
    if (request.complete || request.destroyed) clearInterval(timer)
    else if (!isPaused && socket.bytesRead === bytes) request.destroy()
    bytes = socket.bytesRead
  }, stalledMs).unref()
  request.once('close', () => clearInterval(timer))
}

const waitingForContinue = new WeakSet<IncomingMessage>()

/** Remembers that the client waits for `100 Continue`, which only an authenticated caller gets (RFC 9110 §10.1.1). */
export function deferContinue(request: IncomingMessage): void {
  waitingForContinue.add(request)
}

/** Whether the client still waits for `100 Continue`. */
export const isExpectingContinue = (request: IncomingMessage): boolean => waitingForContinue.has(request)

const sizeText = (bytes: number): string => (bytes < 1 << 20 ? `${bytes >> 10} KiB` : `${bytes >> 20} MiB`)

const tooLarge = (maxBytes: number): Refusal =>
  new Refusal('too-large', `the body has more than ${sizeText(maxBytes)}`, { maxBytes })

/** What Node keeps for each piece of a body beside its bytes. */
export const bytesPerPiece = 256
/** Pieces of a body that are kept one by one; then they are joined. */
const maxLoosePieces = 256

/** What a body costs at most beside its bytes. */
export const overheadBytes = maxLoosePieces * bytesPerPiece

/** The bytes of a body. Joins small pieces while they arrive, because each costs memory beside its bytes. */
export class BodyBytes {
  #joined: Buffer[] = []
  #loose: Buffer[] = []

  add(piece: Buffer): void {
    this.#loose.push(piece)
    if (this.#loose.length < maxLoosePieces) return
    this.#joined.push(Buffer.concat(this.#loose))
    this.#loose = []
  }

  whole(): Buffer {
    const pieces = [...this.#joined, ...this.#loose]
    const [first] = pieces
    return first && pieces.length === 1 ? first : Buffer.concat(pieces)
  }
}

/** Adds pieces of a body up, and refuses those that cost more than their bytes. */
function pieceCounter(maxBytes: number, memory: BodyReservation): (piece: Buffer) => void {
  let bytes = 0
  let pieces = 0
  return (piece) => {
    bytes += piece.length
    pieces++
    if (bytes > maxBytes) throw tooLarge(maxBytes)
    if (pieces > maxLoosePieces + bytes / bytesPerPiece)
      throw new Refusal('malformed', 'the body arrives in too many small pieces')
    memory.add(piece.length + (pieces <= maxLoosePieces ? bytesPerPiece : 0))
  }
}

/** Whether the connection ended before the body was read. Its `close` event may have passed. */
const isUnreadable = ({ destroyed, readableEnded }: IncomingMessage): boolean => destroyed && !readableEnded

const cutOff = (): Refusal => new Refusal('malformed', 'the request ended before it was complete')

const isDeclaredLonger = ({ headers }: IncomingMessage, maxBytes: number): boolean =>
  Number(headers['content-length']) > maxBytes

/**
 * Reads the body of an authenticated request as a whole. Throws `too-large` above `maxBytes`, `upstream` when the
 * memory for bodies is used up, and `malformed` when the connection ends first.
 */
export function readBody(request: IncomingMessage, maxBytes: number, memory: BodyReservation): Promise<Buffer> {
  if (isDeclaredLonger(request, maxBytes)) return Promise.reject(tooLarge(maxBytes))
  if (isUnreadable(request)) return Promise.reject(cutOff())
  return new Promise((resolve, reject) => {
    const body = new BodyBytes()
    const count = pieceCounter(maxBytes, memory)
    const onData = (chunk: Buffer): void => {
      try {
        count(chunk)
        body.add(chunk)
      } catch (error) {
        request.off('data', onData)
        reject(error)
      }
    }
    request.on('data', onData)
    request.once('end', () => resolve(body.whole()))
    request.once('error', () => reject(cutOff()))
    request.once('close', () => reject(cutOff()))
  })
}

/**
 * Returns the unread body of an authenticated request. Throws `too-large` when the declared length exceeds `maxBytes`.
 * The handler must count the bytes of a body without a declared length. A stalled body is cut off.
 */
export function bodyStream(request: IncomingMessage, maxBytes: number): Readable {
  if (isDeclaredLonger(request, maxBytes))
    throw new Refusal('too-large', `the upload has more than ${maxBytes >> 20} MB`)
  limitStall(request)
  return limitedStream(request, Infinity, unlimited)
}

const unlimited: BodyReservation = { add() {}, release() {} }

/** Passes bytes on, and fails with `too-large` or `upstream` beyond the limits of `readBody`. */
export function limitedStream(source: IncomingMessage, maxBytes: number, memory: BodyReservation): Readable {
  if (isDeclaredLonger(source, maxBytes)) throw tooLarge(maxBytes)
  if (isUnreadable(source)) throw cutOff()
  const count = pieceCounter(maxBytes, memory)
  const limited = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        count(chunk)
        done(null, chunk)
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)))
      }
    },
  })
  source.once('error', () => limited.destroy(cutOff()))
  source.once('close', () => source.readableEnded || limited.destroy(cutOff()))
  limited.once('error', () => source.unpipe(limited))
  return source.pipe(limited)
}

/** How much of a refused body is read at most: what a client has probably sent before it looks for the answer. */
const maxDrainedBytes = 16 << 20
const maxDrainMs = 10_000

/**
 * Reads and drops the rest of a refused body, because a client that writes everything before reading would otherwise
 * get a reset connection and no answer. Beyond the limits the connection is destroyed.
 */
export function drainBody(request: IncomingMessage): void {
  if (request.complete || request.readableEnded || request.destroyed) return
  let bytes = 0
  const timer = setTimeout(() => request.destroy(), maxDrainMs).unref()
  request.unpipe()
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxDrainedBytes) request.destroy()
  })
  request.once('close', () => clearTimeout(timer)).on('error', () => {})
  request.resume()
}
