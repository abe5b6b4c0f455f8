// The final terms of a loan: amounts, instalment, cost and APR, all of them following from the proposed terms (D3 §2.4).

import { Refusal } from '#kit/http/refusal.ts'
import {
  type AnnuityPeriod as AnnuityRow,
  regularInstalment,
  schedule,
  totalInterest,
  weeklyRate,
} from '#kit/money/annuity.ts'
import { aprPercent, percent, weeksInYear } from '#kit/money/irr.ts'
import type { Paise } from '#kit/money/money.ts'
import type { PenaltyPolicy } from './penalty.ts'
import { bpsOf, type RoundingUnit, shareOf, unitOf } from './rounding.ts'

/** A reviewer's terms. Percentages are decimal strings with up to two decimals: `24`, `24.00`. */
export interface ProposedTerms {
  amountPaise: Paise
  tenureWeeks: number
  annualRatePercent: string
  /** Of the amount. */
  feePercent: string
  /** Of the fee. */
  taxPercent: string
  otherChargesPaise: Paise
  penalty: PenaltyPolicy
  /** Days from the transfer in which the borrower may leave without the fee. */
  coolOffDays: number
}

export interface LoanTerms {
  amountPaise: Paise
  tenureWeeks: number
  numberOfInstallments: number
  /** The regular one; the last row of the schedule may differ from it. */
  installmentPaise: Paise
  /** Two decimals. */
  annualRatePercent: string
  aprPercent: string
  feePaise: Paise
  taxPaise: Paise
  otherChargesPaise: Paise
  /** The payout: the amount less fee, tax and other charges. */
  netPaise: Paise
  totalInterestPaise: Paise
  /** Equal to the whole schedule. */
  totalPayablePaise: Paise
  rounding: RoundingUnit
  penalty: PenaltyPolicy
  /** Days from the transfer in which the borrower may leave without the fee. */
  coolOffDays: number
}

/**
 * Interest by the week is the yearly rate × 7 / 365, on what is left. The APR is 365/7 times the weekly rate of return on
 * what the borrower receives, the tax on the fee included. Refused as `invalid` when charges leave nothing to pay out.
 */
export function finalTerms(proposed: ProposedTerms, rounding: RoundingUnit = 'RUPEE'): LoanTerms {
  const { amountPaise, tenureWeeks, otherChargesPaise, penalty, coolOffDays } = proposed
  const feePaise = shareOf(amountPaise, bpsOf(proposed.feePercent), rounding)
  const taxPaise = shareOf(feePaise, bpsOf(proposed.taxPercent), rounding)
  const netPaise = amountPaise - feePaise - taxPaise - otherChargesPaise
  if (amountPaise <= 0n || tenureWeeks < 1 || otherChargesPaise < 0n || netPaise <= 0n)
    throw new Refusal('invalid', 'these terms leave nothing to pay out')
  const plan = planOf({ amountPaise, tenureWeeks, annualRatePercent: proposed.annualRatePercent, rounding })
  const rows = schedule(plan)
  const totalInterestPaise = totalInterest(rows)
  return {
    amountPaise,
    tenureWeeks,
    numberOfInstallments: rows.length,
    installmentPaise: regularInstalment(plan),
    annualRatePercent: percent(bpsOf(proposed.annualRatePercent)),
    aprPercent: aprPercent(
      netPaise,
      rows.map(({ amount }) => amount),
      weeksInYear,
    ),
    feePaise,
    taxPaise,
    otherChargesPaise,
    netPaise,
    totalInterestPaise,
    totalPayablePaise: amountPaise + totalInterestPaise,
    rounding,
    penalty,
    coolOffDays,
  }
}

/** Every row of the schedule of these terms, in order; the last one closes at zero. */
export const scheduleOf = (terms: LoanTerms): AnnuityRow[] => schedule(planOf(terms))

type PlanTerms = Pick<LoanTerms, 'amountPaise' | 'tenureWeeks' | 'annualRatePercent' | 'rounding'>

const planOf = ({ amountPaise, tenureWeeks, annualRatePercent, rounding }: PlanTerms) => ({
  principal: amountPaise,
  rate: weeklyRate(bpsOf(annualRatePercent)),
  instalments: tenureWeeks,
  unit: unitOf(rounding),
})

/** Terms as JSON keeps them, paise as digits. */
export type WrittenTerms = { [Key in keyof LoanTerms]: LoanTerms[Key] extends bigint ? string : LoanTerms[Key] }

export const writtenTerms = (terms: LoanTerms): string =>
  JSON.stringify(terms, (_, value) => (typeof value === 'bigint' ? value.toString() : value))

/** Terms as they were before they were written. */
export const readTerms = (written: WrittenTerms): LoanTerms => ({
  ...written,
  amountPaise: BigInt(written.amountPaise),
  installmentPaise: BigInt(written.installmentPaise),
  feePaise: BigInt(written.feePaise),
  taxPaise: BigInt(written.taxPaise),
  otherChargesPaise: BigInt(written.otherChargesPaise),
  netPaise: BigInt(written.netPaise),
  totalInterestPaise: BigInt(written.totalInterestPaise),
  totalPayablePaise: BigInt(written.totalPayablePaise),
})
