// Runs parsers over chunks of any length: a parser requests bytes and resumes when they have arrived.

/**
 * Why a file is rejected: it is not of the claimed type (`other`), is corrupt, could harm a person who opens it
 * (`unsafe`), or took too much time or memory to check (`costly`).
 */
export type ContentFaultKind = 'other' | 'corrupt' | 'unsafe' | 'costly'

/** A rejected file; the message completes "the file …". */
export class BadContent extends Error {
  readonly kind: ContentFaultKind

  constructor(kind: ContentFaultKind, message: string) {
    super(message)
    this.kind = kind
  }
}

/** What is left to do at the end of a file. */
export type EndOfCheck = 'again' | undefined

/** The check of one file. Both methods throw `BadContent` as soon as a fault is certain. Each waits for the one before. */
export interface ContentCheck {
  write(chunk: Buffer): void | Promise<void>
  /** 'again': the file must be written a second time, and ended again. */
  end(): EndOfCheck | Promise<EndOfCheck>
  /** Whether a checked file is a PDF with an owner password, which opens without it. */
  hasOwnerPassword?(): boolean
}

/**
 * A request for bytes: `exactly` a number of them, or the available bytes `upTo` a number, or `through` the first byte
 * of this value. Fewer bytes than `exactly`, or none, mean that the file has ended.
 */
type ByteRequest = { exactly: number } | { upTo: number } | { through: number }

/** A parser: a generator that yields requests and receives bytes. It may return before the file ends. */
export type Reading<Result = void> = Generator<ByteRequest, Result, Buffer>

/** Runs a parser over the chunks of a file. */
export function contentCheckOf(format: Reading): ContentCheck {
  let step = format.next()
  let buffered: Buffer[] = []
  let bufferedBytes = 0

  function take(bytes: number): Buffer {
    const [front, ...behind] = buffered
    const isEnough = front !== undefined && front.length >= bytes
    const [first, rest] = isEnough ? [front, behind] : [Buffer.concat(buffered), []]
    bufferedBytes -= bytes
    buffered = bytes < first.length ? [first.subarray(bytes), ...rest] : rest
    return first.subarray(0, bytes)
  }
  function available(request: ByteRequest): number {
    if ('exactly' in request) return bufferedBytes >= request.exactly ? request.exactly : 0
    const [first] = buffered
    if (!first) return 0
    if ('upTo' in request) return Math.min(request.upTo, first.length)
    return first.indexOf(request.through) + 1 || first.length
  }

  return {
    write(chunk) {
      if (step.done || chunk.length === 0) return
      buffered.push(chunk)
      bufferedBytes += chunk.length
      for (let bytes = available(step.value); bytes > 0; bytes = available(step.value)) {
        step = format.next(take(bytes))
        if (step.done) return
      }
    },
    end() {
      while (!step.done) step = format.next(bufferedBytes > 0 ? take(bufferedBytes) : Buffer.alloc(0))
      return undefined
    },
  }
}

/** Skips bytes; returns false when the file ends first. */
export function* skip(bytes: number): Reading<boolean> {
  for (let left = bytes; left > 0; ) {
    const chunk = yield { upTo: left }
    if (chunk.length === 0) return false
    left -= chunk.length
  }
  return true
}

// The three faults that a parser finds.

export const corruptContent = (message: string): BadContent => new BadContent('corrupt', message)
export const otherContent = (message: string): BadContent => new BadContent('other', message)
export const unsafeContent = (message: string): BadContent => new BadContent('unsafe', message)
