// Results of other benchmarks at full load; the model's predictions for them must be close.
import type { Measured } from './measured.ts'
import { maxPerSecond } from './model.ts'
import type { Kind, Part } from './spent.ts'

export interface Point {
  what: string
  /** Command and date of the measurement. */
  command: string
  /** CPU per item in microseconds. */
  cpuUs: number
  /** CPU of one write of the smallest server in the same run, in microseconds. */
  minimalWriteUs: number
  /** Items per second on two cores shared with senders and other processes. */
  perSecond: number
  /** The matching kind and parts of the model. */
  kind: Kind
  parts: Part[]
  /** Maximum factor between predicted and measured values, in both directions. */
  tolerance: number
}

const cores = 2

/** Returns the model's prediction at the machine's speed in that run; other processes use as much CPU as measured. */
export function predictionOf(
  { kind, parts, minimalWriteUs, cpuUs, perSecond }: Point,
  { costs, ...measured }: Measured,
) {
  const { cpuMs } = costs[kind]
  const predicted =
    parts.reduce((sum, part) => sum + cpuMs[part] * 1000, 0) * (minimalWriteUs / measured.minimalWriteUs)
  const otherUs = (cores * 1e6) / perSecond - cpuUs
  return { cpuUs: predicted, perSecond: maxPerSecond(predicted / 1000, cores, otherUs / 1000) }
}
