// What is kept of wrong input, such as half a PAN, so that the borrower can correct it after a reload. Pure.

import { isAadhaar } from '@lendloom/wire/identifier'
import { latinDigits } from '../form/latin-digits.ts'
import type { PageMemory } from '../page/reload-memory.ts'
import type { Values } from './profile-fields.ts'

/** Whoever pastes a page of text by mistake does not want it back. */
const mostKept = 1000

/** The input to keep; null once the session has ended, when nothing is written. */
export function inputToKeep(refused: Values, { session, bootstrap }: PageMemory): Values | null {
  if (!session && !bootstrap) return null
  return Object.fromEntries(
    Object.entries(refused).filter(
      ([, text = '']) => text.length > 0 && text.length <= mostKept && !holdsAadhaar(text),
    ),
  )
}

/** Whether an Aadhaar number is in the text, whatever stands around it and between its digits. */
function holdsAadhaar(text: string): boolean {
  const digits = latinDigits(text).replace(/\D/g, '')
  return [...digits].some((_, start) => isAadhaar(digits.slice(start, start + 12)))
}
