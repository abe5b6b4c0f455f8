// What other benchmarks measured, at full load and not at a pace: what the model says of the same must come near it.
import type { Measured } from './measured.ts'
import { mostPerSecond } from './model.ts'
import type { Kind, Part } from './spent.ts'

export interface Point {
  what: string
  /** How it was measured, and when. */
  command: string
  /** Microseconds of CPU each, and of a write of the smallest server in the same run: how fast the machine was. */
  cpuUs: number
  smallestWriteUs: number
  /** How many a second, on a machine of two cores that were busy with this, with its senders, and with others. */
  perSecond: number
  /** What the model takes for it. */
  kind: Kind
  parts: Part[]
  /** How many times as much CPU the model may say; never less than one part in so many. */
  tolerance: number
}

const cores = 2

/**
 * What the model says of a point: microseconds of CPU on the machine as it was then, and how many a second when senders and
 * others take of each what they took.
 */
export function predictionOf(
  { kind, parts, smallestWriteUs, cpuUs, perSecond }: Point,
  { costs, ...measured }: Measured,
) {
  const { cpuMs } = costs[kind]
  const predicted =
    parts.reduce((sum, part) => sum + cpuMs[part] * 1000, 0) * (smallestWriteUs / measured.smallestWriteUs)
  const otherUs = (cores * 1e6) / perSecond - cpuUs
  return { cpuUs: predicted, perSecond: mostPerSecond(predicted / 1000, cores, otherUs / 1000) }
}
