// What gold is worth, how much may be lent on it, and what a lender offers: published rates, the regulator's tiers, in whole paise throughout.
import { divideHalfUp, type Paise } from '#kit/money/money.ts'
import type { Pledge, Purity } from '#sandbox/lender/core/conversation.ts'
import {
  type CreditDecision,
  denialOf,
  eligibility,
  type LoanApplicant,
  stepDown,
} from '#sandbox/lender/core/decide.ts'
import type { LenderPolicy } from '#sandbox/lender/core/policy.ts'
import { mostMilligrams, requireGoldLending } from './lending.ts'

/** Gold in a thousand parts of the metal. */
const fineness: Record<Purity, bigint> = {
  '24K': 995n,
  '22K': 916n,
  '21K': 875n,
  '18k': 750n,
  '14K': 585n,
  '9K': 375n,
}

/** What the sandbox's bullion association publishes: rupees a gram by fineness. They are fictional, and do not move. */
export const publishedRates: readonly { fineness: bigint; perGram: Paise }[] = [
  { fineness: 999n, perGram: 12_000_00n },
  { fineness: 995n, perGram: 11_951_95n },
  { fineness: 916n, perGram: 10_992_00n },
  { fineness: 750n, perGram: 9_000_00n },
  { fineness: 585n, perGram: 7_020_00n },
]
export const publishedOn = '2026-11-02'

/** The published rate that is nearest to a fineness; of two as near, the purer one. */
export function nearestRate(wanted: bigint) {
  const distance = (each: bigint) => (each > wanted ? each - wanted : wanted - each)
  return publishedRates.reduce((best, each) => {
    const nearer = distance(best.fineness) - distance(each.fineness)
    return nearer > 0n || (nearer === 0n && each.fineness > best.fineness) ? each : best
  })
}

/** The value of a weight at the nearest published rate, proportionately: rounded once, to the paisa. */
export function worthOf({ milligrams, purity }: Pledge): Paise {
  const parts = fineness[purity]
  const nearest = nearestRate(parts)
  return divideHalfUp(milligrams * nearest.perGram * parts, nearest.fineness * 1000n)
}

export const pricePerGram = (purity: Purity): Paise => worthOf({ milligrams: 1000n, purity })

/** How much of the value may be lent, in hundredths of a percent, as long as the loan is not above `top`. */
export const tiers: readonly { capBps: bigint; top: Paise | null }[] = [
  { capBps: 8500n, top: 2_50_000_00n },
  { capBps: 8000n, top: 5_00_000_00n },
  { capBps: 7500n, top: null },
]

/** A loan that is repaid at its end in one sum: the cap covers the interest too. */
export interface Bullet {
  annualBps: bigint
  months: number
}

/** Whole rupees. The cap falls as the loan grows, so around each top there is a flat region: more gold, the same loan. */
export function greatestLoan(value: Paise, bullet: Bullet = { annualBps: 0n, months: 0 }): Paise {
  const whole = 12n * 10_000n
  const repaid = whole + bullet.annualBps * BigInt(bullet.months)
  const loans = tiers.map(({ capBps, top }) => {
    const lent = ((value * capBps * whole) / (10_000n * repaid) / 100n) * 100n
    return top !== null && lent > top ? top : lent
  })
  return loans.reduce((most, each) => (each > most ? each : most))
}

/** Grams as text, `20` or `20.5`, in milligrams. Null when it is not a weight. */
export function milligramsFrom(text: string): bigint | null {
  const [, grams, fraction = ''] = /^(\d{1,6})(?:\.(\d{1,3}))?$/.exec(text.trim()) ?? []
  return grams === undefined ? null : BigInt(grams) * 1000n + BigInt(fraction.padEnd(3, '0'))
}

/** `20500n` is `20.5`. */
export function gramsText(milligrams: bigint): string {
  const fraction = (milligrams % 1000n)
    .toString()
    .padStart(3, '0')
    .replace(/(?<!0)0+$/, '')
  return `${milligrams / 1000n}${fraction && `.${fraction}`}`
}

/** The offer is what the regulator lets lend on the gold, within the lender's own bounds. */
export function decideOnGold(
  policy: LenderPolicy,
  applicant: LoanApplicant,
  pledge: Pledge,
  on: string,
): CreditDecision {
  const { amounts, rates } = policy
  const least = requireGoldLending(policy.slug).leastMilligrams
  const entry = eligibility(policy, applicant, on)
  if ('refusal' in entry) return entry
  if (pledge.milligrams < least || pledge.milligrams > mostMilligrams)
    return denialOf('80227', `the gold must weigh ${gramsText(least)} to ${gramsText(mostMilligrams)} grams`)
  let principal = stepDown(greatestLoan(worthOf(pledge)), amounts.step)
  if (principal > amounts.to) principal = amounts.to
  if (principal < amounts.from) return denialOf('80227', 'the gold does not carry the smallest loan')
  return { offer: { principal, months: entry.months, annualBps: rates[0].annualBps } }
}
