// Level repayment of a sum on a reducing balance, in exact arithmetic: no floats, and the last row closes at exactly zero.
import type { Fraction } from './irr.ts'
import { divideHalfUp, type Paise } from './money.ts'

/** A yearly rate in hundredths of a percent (1600 = 16 %), by the month: rate / 12, as monthly products use. */
export const monthlyRate = (annualBps: bigint): Fraction => ({ numerator: annualBps, denominator: 120_000n })

/** A yearly rate by the week for the days it really has: rate × 7 / 365. */
export const weeklyRate = (annualBps: bigint): Fraction => ({
  numerator: annualBps * 7n,
  denominator: 10_000n * 365n,
})

/** Simple interest, actual/365, on principal and days (paise × days) at a yearly rate, half a unit up. */
export const interestOnDays = (principalDays: bigint, annualBps: bigint, unit: 1n | 100n): Paise =>
  divideHalfUp(principalDays * annualBps, 10_000n * 365n * unit) * unit

export interface AnnuityPlan {
  principal: Paise
  rate: Fraction
  instalments: number
  /** The rounding unit: 100 paise, as the regulator requires for every transaction, or 1. */
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

/**
 * The unrounded instalment `P·r / (1 − (1+r)^−n)` as an exact fraction of paise.
 * Only whole numbers are multiplied, so nothing is lost before the one rounding that the caller does.
 */
export function exactInstalment({ principal, rate, instalments }: Omit<AnnuityPlan, 'unit'>): Fraction {
  if (rate.numerator === 0n) return { numerator: principal, denominator: BigInt(instalments) }
  const grown = (rate.denominator + rate.numerator) ** BigInt(instalments)
  const still = rate.denominator ** BigInt(instalments)
  return { numerator: principal * rate.numerator * grown, denominator: rate.denominator * (grown - still) }
}

/** The regular instalment: the exact one, half a unit up. */
export function regularInstalment(plan: AnnuityPlan): Paise {
  const exact = exactInstalment(plan)
  return divideHalfUp(exact.numerator, exact.denominator * plan.unit) * plan.unit
}

/** Every row in order. The last one repays what is left with its interest, so it may differ from the regular amount. */
export function schedule(plan: AnnuityPlan): AnnuityPeriod[] {
  const regular = regularInstalment(plan)
  const rows: AnnuityPeriod[] = []
  let opening = plan.principal
  for (let number = 1; number <= plan.instalments; number++) {
    const interest = interestOf(opening, plan)
    const last = number === plan.instalments
    const principal = last || regular - interest > opening ? opening : regular - interest
    rows.push({ number, opening, interest, principal, amount: principal + interest, closing: opening - principal })
    opening -= principal
  }
  return rows
}

const interestOf = (opening: Paise, { rate, unit }: AnnuityPlan): Paise => interestOn(opening, rate, unit)

/** Interest of one period, half a unit up. */
export const interestOn = (opening: Paise, rate: Fraction, unit: bigint): Paise =>
  divideHalfUp(opening * rate.numerator, rate.denominator * unit) * unit

export const totalInterest = (rows: AnnuityPeriod[]): Paise => rows.reduce((sum, { interest }) => sum + interest, 0n)

/** The largest principal, in whole rupees, whose exact instalment does not exceed `instalment`. */
export function affordablePrincipal(instalment: Paise, rate: Fraction, instalments: number): Paise {
  if (rate.numerator === 0n) return instalment * BigInt(instalments)
  const grown = (rate.denominator + rate.numerator) ** BigInt(instalments)
  const still = rate.denominator ** BigInt(instalments)
  const exact = (instalment * rate.denominator * (grown - still)) / (rate.numerator * grown)
  return (exact / 100n) * 100n
}
