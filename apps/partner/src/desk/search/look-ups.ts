// Decides from the format of a search text with which fields it is compared.

import { isUuid } from '@lendloom/foundation/uuid'
import { emailPattern, isGstin, panPattern, udyamPattern, upper, writtenMobilePattern } from '@lendloom/wire/identifier'
import { type KeyKind, nameWords } from '#partner/origination/case/search/search-key.ts'

export interface LookUps {
  /** The text as each kind of personal data that it may be. The database stores only digests of such data. */
  personal: { kind: Exclude<KeyKind, 'name'>; text: string }[]
  /** The words of a name; a case must have all of them. */
  names: string[]
  /** The text as a number or reference; null if it has no digit or is personal data. */
  number: string | null
  uuid: string | null
}

const matches = (pattern: string, text: string): boolean => new RegExp(pattern).test(text)
const digitPattern = /\d/

/**
 * Returns the look-ups for a text. A text in the format of a PAN, email address or registration number is compared with
 * nothing else.
 */
export function lookUpsOf(typed: string): LookUps {
  const text = typed.trim()
  const noLookUps: LookUps = { personal: [], names: [], number: null, uuid: null }
  if (text === '') return noLookUps
  if (matches(panPattern, text)) return { ...noLookUps, personal: [{ kind: 'pan', text }] }
  if (matches(emailPattern, text)) return { ...noLookUps, personal: [{ kind: 'email', text }] }
  if (isGstin(upper(text)) || matches(udyamPattern, text))
    return { ...noLookUps, personal: [{ kind: 'registration', text }] }
  if (!digitPattern.test(text)) return { ...noLookUps, names: nameWords(text) }
  const mobile = matches(writtenMobilePattern, text) ? [{ kind: 'mobile' as const, text }] : []
  const account = /^[A-Za-z0-9]{5,35}$/.test(text) ? [{ kind: 'account' as const, text }] : []
  return {
    personal: [...mobile, ...account, { kind: 'reference', text }],
    names: /\s/.test(text) ? nameWords(text) : [],
    number: text,
    uuid: isUuid(text) ? text.toLowerCase() : null,
  }
}
