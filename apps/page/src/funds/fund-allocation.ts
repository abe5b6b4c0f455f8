// Splits a portfolio by kind of fund. Pure.
import { checkedPaise } from '@lendloom/lending/money'
import type { EmbedHolding } from '@lendloom/wire/hosted/embed-lender'

const fundKinds = ['equity', 'hybrid', 'debt', 'unknown'] as const
type FundKind = (typeof fundKinds)[number]

export interface FundShare {
  kind: FundKind
  /** In paise. */
  worth: bigint
  /** Share of the portfolio in tenths of a percent; all shares add up to 1000. */
  share: number
}

/** An ELSS is an equity fund with a lock-in period. */
const kindOf = ({ kind }: EmbedHolding): FundKind => (kind === 'elss' ? 'equity' : (kind ?? 'unknown'))

export const totalOf = (holdings: readonly EmbedHolding[], field: 'worth' | 'free' = 'worth'): bigint =>
  holdings.reduce((sum, holding) => sum + checkedPaise(holding[field]), 0n)

/** The kinds that have a value, largest first. The largest takes the rounding difference. */
export function allocationOf(holdings: readonly EmbedHolding[]): FundShare[] {
  const total = totalOf(holdings)
  const parts = fundKinds
    .map((kind) => ({ kind, worth: totalOf(holdings.filter((holding) => kindOf(holding) === kind)) }))
    .filter(({ worth }) => worth > 0n)
    .sort((a, b) => (b.worth > a.worth ? 1 : -1))
    .map((part) => ({ ...part, share: Number((part.worth * 1000n) / total) }))
  const remainder = 1000 - parts.reduce((sum, { share }) => sum + share, 0)
  return parts.map((part, i) => (i === 0 ? { ...part, share: part.share + remainder } : part))
}
