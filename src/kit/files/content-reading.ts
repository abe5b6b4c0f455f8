// Reads a format from chunks of any length: a parser requests bytes and resumes when they have arrived.

/**
 * Why a file is rejected: it is not of the claimed type, it is corrupt, it could harm its reader, or its check
 * took too much time or memory. The message completes "the file …".
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

/** Both throw `BadContent` as soon as the fault is certain. */
export interface ContentCheck {
  write(piece: Buffer): void
  end(): void
}

/**
 * `exactly` this many bytes in one piece; or as many as available, `upTo` a number, or `through` the first byte of a
 * value. A shorter piece, or an empty one, means the end of the file.
 */
type Want = { exactly: number } | { upTo: number } | { through: number }

/** A parser as a generator: it yields requests for bytes and receives them. It may end before the file does. */
export type Reading<Result = void> = Generator<Want, Result, Buffer>

/** Runs a parser over the chunks of a file. */
export function contentCheckOf(format: Reading): ContentCheck {
  let step = format.next()
  let held: Buffer[] = []
  let heldBytes = 0

  function taken(bytes: number): Buffer {
    const [front, ...behind] = held
    const isEnough = front !== undefined && front.length >= bytes
    const [first, rest] = isEnough ? [front, behind] : [Buffer.concat(held), []]
    heldBytes -= bytes
    held = bytes < first.length ? [first.subarray(bytes), ...rest] : rest
    return first.subarray(0, bytes)
  }
  function available(want: Want): number {
    if ('exactly' in want) return heldBytes >= want.exactly ? want.exactly : 0
    const [first] = held
    if (!first) return 0
    if ('upTo' in want) return Math.min(want.upTo, first.length)
    return first.indexOf(want.through) + 1 || first.length
  }

  return {
    write(piece) {
      if (step.done || piece.length === 0) return
      held.push(piece)
      heldBytes += piece.length
      for (let bytes = available(step.value); bytes > 0; bytes = available(step.value)) {
        step = format.next(taken(bytes))
        if (step.done) return
      }
    },
    end() {
      while (!step.done) step = format.next(heldBytes > 0 ? taken(heldBytes) : Buffer.alloc(0))
    },
  }
}

/** Skips bytes; false when the file ends before. */
export function* skip(bytes: number): Reading<boolean> {
  for (let left = bytes; left > 0; ) {
    const piece = yield { upTo: left }
    if (piece.length === 0) return false
    left -= piece.length
  }
  return true
}

export const corruptContent = (message: string): BadContent => new BadContent('corrupt', message)
export const otherContent = (message: string): BadContent => new BadContent('other', message)
export const unsafeContent = (message: string): BadContent => new BadContent('unsafe', message)
