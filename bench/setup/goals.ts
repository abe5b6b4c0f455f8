// Compares a measured figure with its goal, prints it, and collects it for the table of `npm run bench`.
import { appendFileSync } from 'node:fs'

export interface Goal {
  figure: string
  value: number
  unit?: string
  /** Exactly one of the two. */
  atMost?: number
  atLeast?: number
  /** Share of all processors that other programs used meanwhile, if measured. */
  others?: number
}

/** The benchmark appends its figures to this file, one JSON line each. */
export const figuresVariable = 'BENCH_FIGURES'

/** With more load of other programs a figure is not judged. */
export const maxOthers = 0.1

export const isMet = ({
  value,
  atMost = Number.POSITIVE_INFINITY,
  atLeast = Number.NEGATIVE_INFINITY,
}: Goal): boolean => value <= atMost && value >= atLeast

export function resultOf(goal: Goal): string {
  if ((goal.others ?? 0) > maxOthers) return 'not judged'
  return isMet(goal) ? 'met' : 'MISSED'
}

export const goalText = ({ atMost, atLeast, unit }: Goal): string =>
  `${atMost === undefined ? 'at least' : 'at most'} ${valueText({ value: atMost ?? atLeast ?? Number.NaN, unit })}`

export const valueText = ({ value, unit }: { value: number; unit?: string | undefined }): string =>
  `${value.toFixed(Math.abs(value) < 10 ? 2 : 0)}${unit === undefined ? '' : ` ${unit}`}`

export function judge(goal: Goal): void {
  console.log(`${resultOf(goal).padEnd(11)}${goal.figure}: ${valueText(goal)}, goal ${goalText(goal)}`)
  const file = process.env[figuresVariable]
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(goal)}\n`)
}
