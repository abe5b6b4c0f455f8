// The search box: what a text may be by its shape, so that only there is looked; pure.

import { emailPattern, isGstin, mobilePattern, panPattern, udyamPattern, upper } from '#contract/identifier.ts'
import { isUuid } from '#kit/crypto/id.ts'
import { type KeyKind, nameWords } from '#partner/case/search/store.ts'

export interface LookUps {
  /** Personal data that the text may be, each kept as a digest. */
  personal: { kind: Exclude<KeyKind, 'name'>; text: string }[]
  /** Words of a name, all of which a case must have. */
  names: string[]
  /** A number in stored form; null when the text cannot be one. */
  number: string | null
  uuid: string | null
}

const matches = (pattern: string, text: string): boolean => new RegExp(pattern).test(text)
const hasDigit = /\d/

/** All kinds that a text may be. A PAN, an email address and a registration number are only that. */
export function lookUpsOf(typed: string): LookUps {
  const text = typed.trim()
  const nothing: LookUps = { personal: [], names: [], number: null, uuid: null }
  if (text === '') return nothing
  if (matches(panPattern, text)) return { ...nothing, personal: [{ kind: 'pan', text }] }
  if (matches(emailPattern, text)) return { ...nothing, personal: [{ kind: 'email', text }] }
  if (isGstin(upper(text)) || matches(udyamPattern, text))
    return { ...nothing, personal: [{ kind: 'registration', text }] }
  if (!hasDigit.test(text)) return { ...nothing, names: nameWords(text) }
  const mobile = matches(mobilePattern, text) ? [{ kind: 'mobile' as const, text }] : []
  const account = /^[A-Za-z0-9]{5,35}$/.test(text) ? [{ kind: 'account' as const, text }] : []
  return {
    personal: [...mobile, ...account, { kind: 'reference', text }],
    names: /\s/.test(text) ? nameWords(text) : [],
    number: text,
    uuid: isUuid(text) ? text.toLowerCase() : null,
  }
}
