// Adds up jewellery that the borrower enters line by line: total weight and lowest purity (D1 §2.1). Pure.
import { decimalFrom, decimalText } from '@lendloom/lending/money'
import { purities } from '../product/gold-loan.ts'

export const pieceKinds = ['chain', 'bangle', 'ring', 'necklace', 'earrings', 'coin', 'other'] as const
type PieceKind = (typeof pieceKinds)[number]

/** One line of input: pieces of one kind and purity. */
export interface JewelleryLine {
  kind: PieceKind
  count: string
  grams: string
  /** Whether `grams` is the weight of each piece, rather than of the line. */
  perPiece: boolean
  purity: string
}

export const emptyLine: JewelleryLine = { kind: 'chain', count: '1', grams: '', perPiece: false, purity: '' }

export interface JewellerySum {
  count: number
  /** As D1 requires it: decimal, without trailing zeros. */
  grams: string
  purity: string
  /** Whether the coins exceed 50 grams, the limit per borrower (RBI, lending against gold, 2025). */
  isTooMuchCoin: boolean
}

const maxCoinMilligrams = 50_000n

const countOf = ({ count }: JewelleryLine): bigint | null =>
  /^[1-9]\d?$/.test(count.trim()) ? BigInt(count.trim()) : null

/** A line's weight in milligrams; null while its weight or number of pieces is invalid. */
function milligramsOf(pieces: JewelleryLine): bigint | null {
  const text = pieces.grams.trim()
  const count = countOf(pieces)
  const weight = /^\d{1,5}(\.\d{1,3})?$/.test(text) ? decimalFrom(text, 3) : null
  if (!weight || count === null) return null
  return pieces.perPiece ? weight * count : weight
}

export const isComplete = (pieces: JewelleryLine): boolean =>
  milligramsOf(pieces) !== null && purities.includes(pieces.purity)

/** The sum of all lines; null while one is incomplete. */
export function sumOf(lines: readonly JewelleryLine[]): JewellerySum | null {
  if (lines.length === 0 || !lines.every(isComplete)) return null
  const weigh = (subset: readonly JewelleryLine[]) => subset.reduce((all, each) => all + (milligramsOf(each) ?? 0n), 0n)
  const lowest = Math.max(...lines.map(({ purity }) => purities.indexOf(purity)))
  return {
    count: lines.reduce((all, each) => all + Number(countOf(each)), 0),
    grams: decimalText(weigh(lines), 3, 0),
    purity: purities[lowest] ?? '',
    isTooMuchCoin: weigh(lines.filter(({ kind }) => kind === 'coin')) > maxCoinMilligrams,
  }
}
