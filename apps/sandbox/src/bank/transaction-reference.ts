// The bank's transaction references.
import { uuidv4 } from '@lendloom/seal/id'

/** A transaction reference: the bank's letters, year, day of the year, and twelve random digits. */
export function bankReference(at: Date): string {
  const year = at.getUTCFullYear()
  const day = Math.floor((at.getTime() - Date.UTC(year, 0, 1)) / 86_400_000) + 1
  const random = BigInt(`0x${uuidv4().replaceAll('-', '')}`) % 10n ** 12n
  return `SBXB${String(year).slice(2)}${String(day).padStart(3, '0')}${random.toString().padStart(12, '0')}`
}
