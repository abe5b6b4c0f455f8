// The search box: which identifier kinds a text could be by its form.

import type { SearchKind } from '#contract/console/journey-lists.ts'
import { emailPattern, mobilePattern, panPattern, tenDigits, upper } from '#contract/identifier.ts'
import { isUuid } from '#kit/crypto/id.ts'
import { parseComplaintNumber } from '#platform/complaint/complaint.ts'

/** A kind of identifier that the text could be, with the normalized text. */
export interface LookUp {
  kind: SearchKind
  value: string
}

/** Identifiers that are UUIDs. */
const uuidKinds = ['journey', 'event', 'delivery', 'network-transaction', 'case', 'grievance'] as const
/** Identifiers that other systems choose in any form, even as UUIDs. */
const freeKinds = ['borrower', 'correlation', 'loan', 'bank-reference'] as const

const matches = (pattern: string, text: string): boolean => new RegExp(pattern).test(text)

/**
 * Returns the kinds that the text could be, most specific first. Every text could also be an app's own id of a
 * borrower.
 */
export function lookUpsOf(text: string): LookUp[] {
  const q = text.trim()
  const asBorrower: LookUp = { kind: 'borrower', value: q }
  if (matches(panPattern, q)) return [{ kind: 'pan', value: upper(q) }, asBorrower]
  if (matches(emailPattern, q)) return [{ kind: 'email', value: q.toLowerCase() }, asBorrower]
  const number = parseComplaintNumber(q)
  if (number) return [{ kind: 'complaint', value: number }, asBorrower]
  const free = freeKinds.map((kind): LookUp => ({ kind, value: q }))
  if (isUuid(q)) return [...uuidKinds.map((kind): LookUp => ({ kind, value: q.toLowerCase() })), ...free]
  return matches(mobilePattern, q) ? [{ kind: 'mobile', value: tenDigits(q) }, ...free] : free
}

/** Personal search terms are not returned in a response. */
export const isPersonalKind = (kind: SearchKind): boolean => kind === 'mobile' || kind === 'pan' || kind === 'email'
