// The figures of a benchmark, each with its goal.

export interface Goal {
  figure: string
  value: number
  unit?: string
  /** Exactly one of the two. */
  atMost?: number
  atLeast?: number
}

/** With a larger share of other programs a figure is not judged. */
const maxOthers = 0.1

export function resultOf({ value, atMost = Infinity, atLeast = -Infinity }: Goal, others: number): string {
  if (others > maxOthers) return 'not judged'
  return value <= atMost && value >= atLeast ? 'met' : 'MISSED'
}

export const goalText = ({ atMost, atLeast, unit }: Goal): string =>
  `${atMost === undefined ? 'at least' : 'at most'} ${valueText({ value: atMost ?? atLeast ?? Number.NaN, unit })}`

export const valueText = ({ value, unit }: { value: number; unit?: string | undefined }): string =>
  `${value.toFixed(Math.abs(value) < 10 ? 2 : 0)}${unit === undefined ? '' : ` ${unit}`}`

/** Sends the figure to bench/main.ts, which judges it at the end. */
export const judge = (goal: Goal): void => void process.send?.(goal)
