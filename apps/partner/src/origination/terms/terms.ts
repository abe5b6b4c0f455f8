// The final terms of a loan: amounts, instalment, cost and APR, computed from the proposed terms (D3 §2.4).

import { Refusal } from '@lendloom/foundation/refusal'
import { aprPercent, percent, weeksInYear } from '@lendloom/lending/annual-rate'
import {
  type AnnuityPeriod as AnnuityRow,
  regularInstalment,
  schedule,
  totalInterest,
  weeklyRate,
} from '@lendloom/lending/annuity'
import type { Paise } from '@lendloom/lending/money'
import type { PenaltyPolicy } from './penalty.ts'
import { bpsOf, type RoundingUnit, shareOf, unitOf } from './rounding.ts'

/** The terms that a reviewer proposes. Percentages are decimal strings with up to two decimals: `24`, `24.00`. */
export interface ProposedTerms {
  amountPaise: Paise
  tenureWeeks: number
  annualRatePercent: string
  /** Percentage of the amount. */
  feePercent: string
  /** Percentage of the fee. */
  taxPercent: string
  otherChargesPaise: Paise
  penalty: PenaltyPolicy
  /** Length of the cooling-off period, in days from the transfer. */
  coolOffDays: number
}

export interface LoanTerms {
  amountPaise: Paise
  tenureWeeks: number
  numberOfInstallments: number
  /** The regular instalment; the last row of the schedule may differ. */
  installmentPaise: Paise
  /** With two decimals. */
  annualRatePercent: string
  aprPercent: string
  feePaise: Paise
  taxPaise: Paise
  otherChargesPaise: Paise
  /** The disbursed amount: the loan less fee, tax and other charges. */
  netPaise: Paise
  totalInterestPaise: Paise
  /** The sum of all instalments. */
  totalPayablePaise: Paise
  rounding: RoundingUnit
  penalty: PenaltyPolicy
  /** Length of the cooling-off period, in days from the transfer. */
  coolOffDays: number
}

/**
 * Computes the final terms. Weekly interest is the yearly rate × 7 / 365 on the remaining principal. The APR is 365/7
 * times the weekly internal rate of return on the net amount, so it includes the tax on the fee. Throws `invalid` when
 * charges leave nothing to disburse.
 */
export function finalTerms(proposed: ProposedTerms, rounding: RoundingUnit = 'RUPEE'): LoanTerms {
  const { amountPaise, tenureWeeks, otherChargesPaise, penalty, coolOffDays } = proposed
  const feePaise = shareOf(amountPaise, bpsOf(proposed.feePercent), rounding)
  const taxPaise = shareOf(feePaise, bpsOf(proposed.taxPercent), rounding)
  const netPaise = amountPaise - feePaise - taxPaise - otherChargesPaise
  if (amountPaise <= 0n || tenureWeeks < 1 || otherChargesPaise < 0n || netPaise <= 0n)
    throw new Refusal('invalid', 'these terms leave nothing to disburse')
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

/** Returns the schedule of these terms; the last row closes at zero. */
export const scheduleOf = (terms: LoanTerms): AnnuityRow[] => schedule(planOf(terms))

type PlanTerms = Pick<LoanTerms, 'amountPaise' | 'tenureWeeks' | 'annualRatePercent' | 'rounding'>

const planOf = ({ amountPaise, tenureWeeks, annualRatePercent, rounding }: PlanTerms) => ({
  principal: amountPaise,
  rate: weeklyRate(bpsOf(annualRatePercent)),
  instalments: tenureWeeks,
  unit: unitOf(rounding),
})

/** Terms in JSON, with paise as digits. */
export type TermsJson = { [Key in keyof LoanTerms]: LoanTerms[Key] extends bigint ? string : LoanTerms[Key] }

export const termsToJson = (terms: LoanTerms): string =>
  JSON.stringify(terms, (_, value) => (typeof value === 'bigint' ? value.toString() : value))

export const termsFromJson = (json: TermsJson): LoanTerms => ({
  ...json,
  amountPaise: BigInt(json.amountPaise),
  installmentPaise: BigInt(json.installmentPaise),
  feePaise: BigInt(json.feePaise),
  taxPaise: BigInt(json.taxPaise),
  otherChargesPaise: BigInt(json.otherChargesPaise),
  netPaise: BigInt(json.netPaise),
  totalInterestPaise: BigInt(json.totalInterestPaise),
  totalPayablePaise: BigInt(json.totalPayablePaise),
})
