// A portfolio by kind of fund: what each kind is worth, and its share in tenths of a percent; pure.
import type { EmbedHolding } from '#contract/hosted/embed-lender.ts'

const fundKinds = ['equity', 'hybrid', 'debt', 'unknown'] as const
type FundKind = (typeof fundKinds)[number]

export interface FundShare {
  kind: FundKind
  /** In paise. */
  worth: bigint
  /** Of the whole, in tenths of a percent; all shares add up to 1000. */
  share: number
}

const paise = (amount: string): bigint => BigInt(amount.replace('.', ''))
/** An ELSS is a fund of shares with a lock-in. */
const kindOf = ({ kind }: EmbedHolding): FundKind => (kind === 'elss' ? 'equity' : (kind ?? 'unknown'))

export const worthOfAll = (holdings: readonly EmbedHolding[], what: 'worth' | 'free' = 'worth'): bigint =>
  holdings.reduce((all, holding) => all + paise(holding[what]), 0n)

/** The present kinds, largest first; the rounding rest goes to the largest. Empty when nothing has a value. */
export function allocationOf(holdings: readonly EmbedHolding[]): FundShare[] {
  const whole = worthOfAll(holdings)
  const parts = fundKinds
    .map((kind) => ({ kind, worth: worthOfAll(holdings.filter((holding) => kindOf(holding) === kind)) }))
    .filter(({ worth }) => worth > 0n)
    .sort((a, b) => (b.worth > a.worth ? 1 : -1))
    .map((part) => ({ ...part, share: Number((part.worth * 1000n) / whole) }))
  const left = 1000 - parts.reduce((all, { share }) => all + share, 0)
  return parts.map((part, i) => (i === 0 ? { ...part, share: part.share + left } : part))
}
