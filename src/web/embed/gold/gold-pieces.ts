// Jewellery entered piece by piece, added up for the lender: the total weight, and the lowest purity (D1 §2.1). Pure.
import { decimalFrom, decimalText } from '#kit/money/money.ts'
import { purities } from '../product/gold-loan.ts'

export const pieceKinds = ['chain', 'bangle', 'ring', 'necklace', 'earrings', 'coin', 'other'] as const
type PieceKind = (typeof pieceKinds)[number]

/** One line of input: pieces of one kind and purity, weighed singly or together. */
export interface Pieces {
  kind: PieceKind
  count: string
  grams: string
  /** Whether `grams` is the weight of each, rather than of all of the line. */
  each: boolean
  purity: string
}

export const noPieces: Pieces = { kind: 'chain', count: '1', grams: '', each: false, purity: '' }

export interface Sum {
  count: number
  /** As D1 takes it: a decimal number of grams without needless zeros. */
  grams: string
  purity: string
  /** Whether the coins are more than a lender may take of one borrower: 50 grams (RBI, lending against gold, 2025). */
  isTooMuchCoin: boolean
}

const mostCoinMilligrams = 50_000n

const countOf = ({ count }: Pieces): bigint | null => (/^[1-9]\d?$/.test(count.trim()) ? BigInt(count.trim()) : null)

/** A line's weight in milligrams; null while it, or the number of pieces, is none. */
function milligramsOf(pieces: Pieces): bigint | null {
  const text = pieces.grams.trim()
  const count = countOf(pieces)
  const weight = /^\d{1,5}(\.\d{1,3})?$/.test(text) ? decimalFrom(text, 3) : null
  if (!weight || count === null) return null
  return pieces.each ? weight * count : weight
}

/** Whether a line can be added up. */
export const isWhole = (pieces: Pieces): boolean => milligramsOf(pieces) !== null && purities.includes(pieces.purity)

/** All lines together; null while one of them cannot be added up. */
export function sumOf(lines: readonly Pieces[]): Sum | null {
  if (lines.length === 0 || !lines.every(isWhole)) return null
  const weigh = (some: readonly Pieces[]) => some.reduce((all, each) => all + (milligramsOf(each) ?? 0n), 0n)
  const lowest = Math.max(...lines.map(({ purity }) => purities.indexOf(purity)))
  return {
    count: lines.reduce((all, each) => all + Number(countOf(each)), 0),
    grams: decimalText(weigh(lines), 3, 0),
    purity: purities[lowest] ?? '',
    isTooMuchCoin: weigh(lines.filter(({ kind }) => kind === 'coin')) > mostCoinMilligrams,
  }
}
