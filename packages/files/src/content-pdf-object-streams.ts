// Reads PDF object streams (ISO 32000-2 §7.5.7) in time and memory linear in their size.
import { constants, inflateRawSync } from 'node:zlib'
import { flateHeadBytes, startsAsFlate } from './content-pdf-filters.ts'
import { unsafeContent } from './resumable-parser.ts'

/** Limit of the total size of a file's unpacked streams. */
export const maxUnpackedBytes = 4 << 20
/** Maximum number of objects in a stream; PDF writers put a few hundred into one. */
const maxObjects = 20_000
/** Maximum length of a pair of numbers in the table of a stream, with blanks. */
const maxPairLength = 32

export interface PackedHead {
  /** `N`: the number of objects in the stream. */
  count: number
  /** `First`: where the first object begins once the stream is unpacked. */
  first: number
}

export const uncheckableObjects = () => unsafeContent('has packed objects that cannot be checked')
export const oversizedObjects = () => unsafeContent('has packed objects that are too large to be checked')

/** Inflates a stream to text, up to a fault in it; `maxBytes` is what remains of the file's limit. */
export function unpackStream(bytes: Buffer, maxBytes: number): { text: string; isWhole: boolean } {
  if (maxBytes <= 0) throw oversizedObjects()
  if (!startsAsFlate(bytes)) return { text: '', isWhole: false }
  const packed = bytes.subarray(flateHeadBytes)
  const whole = inflated(packed, maxBytes, constants.Z_FINISH)
  if (whole !== undefined) return { text: whole, isWhole: true }
  return { text: textBeforeFault(packed, maxBytes), isWhole: false }
}

/** Looks for the longest part without a fault, because zlib returns nothing of other data. */
function textBeforeFault(packed: Buffer, maxBytes: number): string {
  let text = ''
  let good = 0
  let bad = packed.length + 1
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    const found = inflated(packed.subarray(0, middle), maxBytes, constants.Z_SYNC_FLUSH)
    if (found === undefined) bad = middle
    else {
      good = middle
      text = found
    }
  }
  return text
}

/** Returns undefined if the data has a fault, or with `Z_FINISH` no end. */
function inflated(packed: Buffer, maxBytes: number, finishFlush: number): string | undefined {
  try {
    return inflateRawSync(packed, { maxOutputLength: maxBytes, finishFlush }).toString('latin1')
  } catch (error) {
    if (error instanceof RangeError) throw oversizedObjects()
    return undefined
  }
}

/**
 * Returns the number and text of each object in an unpacked stream. Throws unless the table has as many objects as the
 * stream declares, at different positions.
 */
export function packedObjects(text: string, { count, first }: PackedHead): { number: number; text: string }[] {
  if (count > maxObjects || first > text.length || first > count * maxPairLength + maxPairLength)
    throw uncheckableObjects()
  if (count === 0 && text.trim() !== '') throw uncheckableObjects()
  const table = text.slice(0, first).trim()
  const numbers = table === '' ? [] : table.split(/\s+/, 2 * count + 1)
  if (numbers.length !== 2 * count || !numbers.every((each) => /^\d{1,10}$/.test(each))) throw uncheckableObjects()
  const objects = Array.from({ length: count }, (_, i) => ({
    number: Number(numbers[2 * i]),
    start: first + Number(numbers[2 * i + 1]),
  }))
  const starts = objects.map(({ start }) => start).sort((a, b) => a - b)
  if (new Set(starts).size !== count || (starts.at(-1) ?? 0) > text.length) throw uncheckableObjects()
  const endOf = new Map(starts.map((start, i) => [start, starts[i + 1] ?? text.length]))
  return objects.map(({ number, start }) => ({ number, text: text.slice(start, endOf.get(start)) }))
}
