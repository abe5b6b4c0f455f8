// The value of gold, the regulator's maximum loan on it, and a lender's offer.
import { divideHalfUp, type Paise } from '@lendloom/lending/money'
import type { Pledge, Purity } from '#sandbox/lender/core/conversation.ts'
import type { LenderPolicy } from '#sandbox/lender/core/lender-policies.ts'
import {
  type CreditDecision,
  denialOf,
  eligibility,
  type LoanApplicant,
  stepDown,
} from '#sandbox/lender/core/lending-decision.ts'
import { maxMilligrams, requireGoldLending } from './lenders.ts'

/** The fineness of each purity, in parts per thousand. */
const fineness: Record<Purity, bigint> = {
  '24K': 995n,
  '22K': 916n,
  '21K': 875n,
  '18k': 750n,
  '14K': 585n,
  '9K': 375n,
}

/** The bullion association's rates per gram by fineness. They are fictional and do not change. */
export const publishedRates: readonly { fineness: bigint; perGram: Paise }[] = [
  { fineness: 999n, perGram: 12_000_00n },
  { fineness: 995n, perGram: 11_951_95n },
  { fineness: 916n, perGram: 10_992_00n },
  { fineness: 750n, perGram: 9_000_00n },
  { fineness: 585n, perGram: 7_020_00n },
]
/** The day of the published rates. */
export const publishedOn = '2026-11-02'

/** The published rate nearest to a fineness; of two equally near rates, that of the purer gold. */
export function nearestRate(target: bigint) {
  const distance = (each: bigint) => (each > target ? each - target : target - each)
  return publishedRates.reduce((best, each) => {
    const difference = distance(best.fineness) - distance(each.fineness)
    return difference > 0n || (difference === 0n && each.fineness > best.fineness) ? each : best
  })
}

/** The value of a weight, proportionate to the nearest published rate, rounded once to the paisa. */
export function goldValue({ milligrams, purity }: Pledge): Paise {
  const partsPerThousand = fineness[purity]
  const nearest = nearestRate(partsPerThousand)
  return divideHalfUp(milligrams * nearest.perGram * partsPerThousand, nearest.fineness * 1000n)
}

/** The value of a gram. */
export const pricePerGram = (purity: Purity): Paise => goldValue({ milligrams: 1000n, purity })

/** Maximum loan to value, in hundredths of a percent, for loans up to `top`. */
export const loanToValueTiers: readonly { capBps: bigint; top: Paise | null }[] = [
  { capBps: 8500n, top: 2_50_000_00n },
  { capBps: 8000n, top: 5_00_000_00n },
  { capBps: 7500n, top: null },
]

/** A loan repaid in one sum at its end, whose interest counts towards the cap. */
interface BulletLoan {
  annualBps: bigint
  months: number
}

/** The maximum loan in whole rupees. It is constant just above a tier's top, because the next tier's cap is lower. */
export function maxLoan(value: Paise, bullet: BulletLoan = { annualBps: 0n, months: 0 }): Paise {
  const principalParts = 12n * 10_000n
  const repaymentParts = principalParts + bullet.annualBps * BigInt(bullet.months)
  const loans = loanToValueTiers.map(({ capBps, top }) => {
    const loan = ((value * capBps * principalParts) / (10_000n * repaymentParts) / 100n) * 100n
    return top !== null && loan > top ? top : loan
  })
  return loans.reduce((max, each) => (each > max ? each : max))
}

/** Parses grams such as `20` or `20.5` to milligrams; null when the text is not a weight. */
export function milligramsFrom(text: string): bigint | null {
  const [, grams, fraction = ''] = /^(\d{1,6})(?:\.(\d{1,3}))?$/.exec(text.trim()) ?? []
  return grams === undefined ? null : BigInt(grams) * 1000n + BigInt(fraction.padEnd(3, '0'))
}

/** Formats milligrams as grams: `20.5`. */
export function gramsText(milligrams: bigint): string {
  const fraction = (milligrams % 1000n)
    .toString()
    .padStart(3, '0')
    .replace(/(?<!0)0+$/, '')
  return `${milligrams / 1000n}${fraction && `.${fraction}`}`
}

/** Offers the regulator's maximum on the gold, within the lender's limits. */
export function decideOnGold(
  policy: LenderPolicy,
  applicant: LoanApplicant,
  pledge: Pledge,
  today: string,
): CreditDecision {
  const { amounts, rates } = policy
  const minMilligrams = requireGoldLending(policy.slug).minMilligrams
  const eligible = eligibility(policy, applicant, today)
  if ('refusal' in eligible) return eligible
  if (pledge.milligrams < minMilligrams || pledge.milligrams > maxMilligrams)
    return denialOf('80227', `the gold must weigh ${gramsText(minMilligrams)} to ${gramsText(maxMilligrams)} grams`)
  // What is owed at the end must not exceed the cap either.
  const bullet = policy.repaysAtEnd && { annualBps: rates[0].annualBps, months: eligible.months }
  let principal = stepDown(maxLoan(goldValue(pledge), bullet), amounts.step)
  if (principal > amounts.to) principal = amounts.to
  if (principal < amounts.from) return denialOf('80227', 'the gold is not worth enough for the smallest loan')
  return { offer: { principal, months: eligible.months, annualBps: rates[0].annualBps } }
}
