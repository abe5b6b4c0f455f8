// The figures of a benchmark, each with its goal.

export interface Goal {
  figure: string
  /** Null if it cannot be measured here. */
  value: number | null
  unit?: string
  /** Exactly one of the two. */
  atMost?: number
  atLeast?: number
}

/** With a larger share of other programs a figure is not judged. */
const maxOthers = 0.1

export function resultOf({ value, atMost = Infinity, atLeast = -Infinity }: Goal, others: number): string {
  if (value === null) return 'not measured'
  if (others > maxOthers) return 'not judged'
  return value <= atMost && value >= atLeast ? 'met' : 'MISSED'
}

/** Returns the figure and its goal, with one digit more if they would look equal. */
export function textsOf({ value, unit, atMost, atLeast }: Goal): { value: string; goal: string } {
  const goal = atMost ?? atLeast ?? Number.NaN
  const text = (of: number, more: number) =>
    `${of.toFixed((Math.abs(of) < 10 ? 2 : 0) + more)}${unit === undefined ? '' : ` ${unit}`}`
  const more = value !== null && value !== goal && text(value, 0) === text(goal, 0) ? 1 : 0
  return {
    value: value === null ? '-' : text(value, more),
    goal: `${atMost === undefined ? 'at least' : 'at most'} ${text(goal, more)}`,
  }
}

/** Sends the figure to bench/main.ts, which judges it at the end. */
export const judge = (goal: Goal): void => void process.send?.(goal)
