// Texts that no borrower data may contain: Aadhaar numbers (D3 §2.1), and characters that make one text look like another.

import { invalid } from '@lendloom/foundation/refusal'
import { hasHiddenCharacter, isAadhaar } from '#wire/identifier.ts'

/**
 * Paths of other numbers, because one in ten numbers of twelve digits looks like an Aadhaar number by chance: mobile and
 * account numbers, and in mutual-fund data (D1 §4) also fields named folio, phone, account or reference.
 */
const otherNumber =
  /(?:contact|account)_?number$|^mfc\.(?:[^.]*\.)*(?=[^.]*$)[^.]*(?:folio|mobile|phone|contact|account|acc_?no|reference|ref_?no|req_?id|trxn|txn|transaction)/i

/**
 * Throws `invalid` at the first text of a name, address or identifier that has invisible characters or ones that change
 * the direction of text, because it could look like another one.
 */
export function refuseHiddenCharacters(value: unknown, path = ''): void {
  if (typeof value === 'string') {
    if (hasHiddenCharacter(value))
      throw invalid({
        path,
        message: 'must not contain invisible characters or ones that change the direction of text',
      })
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value))
      refuseHiddenCharacters(inner, path === '' ? key : `${path}.${key}`)
  }
}

/** Throws `invalid` if any text of the value is a full Aadhaar number (D3 §2.1). */
export function refuseAadhaar(value: unknown, path = ''): void {
  if (typeof value === 'string' || typeof value === 'number') {
    if (!otherNumber.test(path) && isAadhaar(String(value)))
      throw invalid({ path, message: 'must not be an Aadhaar number' })
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) refuseAadhaar(inner, path === '' ? key : `${path}.${key}`)
  }
}
