// Repayment in equal instalments on a reducing balance. The arithmetic is exact, so that the final balance is zero.
import type { Fraction } from './annual-rate.ts'
import { divideHalfUp, type Paise } from './money.ts'

/** One twelfth of a yearly rate, which is in hundredths of a percent: 1600 is 16 %. */
export const monthlyRate = (annualBps: bigint): Fraction => ({ numerator: annualBps, denominator: 120_000n })

/** The rate of seven days: yearly rate × 7 / 365. The yearly rate is in hundredths of a percent. */
export const weeklyRate = (annualBps: bigint): Fraction => ({
  numerator: annualBps * 7n,
  denominator: 10_000n * 365n,
})

/** Simple interest (actual/365), rounded half up to the unit. `principalDays` is the sum of paise × days. */
export const interestOnDays = (principalDays: bigint, annualBps: bigint, unit: 1n | 100n): Paise =>
  divideHalfUp(principalDays * annualBps, 10_000n * 365n * unit) * unit

export interface AnnuityPlan {
  principal: Paise
  rate: Fraction
  instalments: number
  /** The rounding unit: 1 paisa, or 100 paise, which the regulator requires for every transaction. */
  unit: 1n | 100n
}

export interface AnnuityPeriod {
  number: number
  opening: Paise
  interest: Paise
  principal: Paise
  amount: Paise
  closing: Paise
}

/** The unrounded instalment `P·r / (1 − (1+r)^−n)` as an exact fraction of paise. The caller rounds once. */
export function exactInstalment({ principal, rate, instalments }: Omit<AnnuityPlan, 'unit'>): Fraction {
  if (rate.numerator === 0n) return { numerator: principal, denominator: BigInt(instalments) }
  const growthNumerator = (rate.denominator + rate.numerator) ** BigInt(instalments)
  const growthDenominator = rate.denominator ** BigInt(instalments)
  return {
    numerator: principal * rate.numerator * growthNumerator,
    denominator: rate.denominator * (growthNumerator - growthDenominator),
  }
}

/** The exact instalment, rounded half up to the unit. */
export function regularInstalment(plan: AnnuityPlan): Paise {
  const exact = exactInstalment(plan)
  return divideHalfUp(exact.numerator, exact.denominator * plan.unit) * plan.unit
}

/** The last row repays the remaining principal, so its amount may differ from the regular instalment. */
export function schedule(plan: AnnuityPlan): AnnuityPeriod[] {
  const regular = regularInstalment(plan)
  const rows: AnnuityPeriod[] = []
  let opening = plan.principal
  for (let number = 1; number <= plan.instalments; number++) {
    const interest = interestOf(opening, plan)
    const isLast = number === plan.instalments
    const principal = isLast || regular - interest > opening ? opening : regular - interest
    rows.push({ number, opening, interest, principal, amount: principal + interest, closing: opening - principal })
    opening -= principal
  }
  return rows
}

const interestOf = (opening: Paise, { rate, unit }: AnnuityPlan): Paise => interestOn(opening, rate, unit)

/** Interest of one period, rounded half up to the unit. */
export const interestOn = (opening: Paise, rate: Fraction, unit: bigint): Paise =>
  divideHalfUp(opening * rate.numerator, rate.denominator * unit) * unit

export const totalInterest = (rows: AnnuityPeriod[]): Paise => rows.reduce((sum, { interest }) => sum + interest, 0n)

/** The largest principal, in whole rupees, whose exact instalment does not exceed `instalment`. */
export function affordablePrincipal(instalment: Paise, rate: Fraction, instalments: number): Paise {
  if (rate.numerator === 0n) return instalment * BigInt(instalments)
  const growthNumerator = (rate.denominator + rate.numerator) ** BigInt(instalments)
  const growthDenominator = rate.denominator ** BigInt(instalments)
  const exactPrincipal =
    (instalment * rate.denominator * (growthNumerator - growthDenominator)) / (rate.numerator * growthNumerator)
  return (exactPrincipal / 100n) * 100n
}
