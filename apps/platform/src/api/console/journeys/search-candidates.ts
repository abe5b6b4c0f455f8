// Derives from the form of a search text which kinds of identifier it could be.

import { isUuid } from '@lendloom/foundation/uuid'
import type { SearchKind } from '@lendloom/wire/console/journey-lists'
import { emailPattern, panPattern, tenDigits, upper, writtenMobilePattern } from '@lendloom/wire/identifier'
import { parseComplaintNumber } from '#platform/complaints/complaint/complaint-number.ts'

/** A kind of identifier that the text could be, with the normalized text. */
export interface SearchCandidate {
  kind: SearchKind
  value: string
}

const uuidKinds = ['journey', 'event', 'delivery', 'network-transaction', 'case', 'grievance'] as const
/** Identifiers that other systems choose. They can have any form, even that of a UUID. */
const freeKinds = ['borrower', 'correlation', 'loan', 'bank-reference'] as const

const matches = (pattern: string, text: string): boolean => new RegExp(pattern).test(text)

/** Returns the most specific kinds first. Any text could be the id that an app chose for a borrower. */
export function searchCandidatesOf(text: string): SearchCandidate[] {
  const q = text.trim()
  const asBorrower: SearchCandidate = { kind: 'borrower', value: q }
  if (matches(panPattern, q)) return [{ kind: 'pan', value: upper(q) }, asBorrower]
  if (matches(emailPattern, q)) return [{ kind: 'email', value: q.toLowerCase() }, asBorrower]
  const number = parseComplaintNumber(q)
  if (number) return [{ kind: 'complaint', value: number }, asBorrower]
  const free = freeKinds.map((kind): SearchCandidate => ({ kind, value: q }))
  if (isUuid(q)) return [...uuidKinds.map((kind): SearchCandidate => ({ kind, value: q.toLowerCase() })), ...free]
  return matches(writtenMobilePattern, q) ? [{ kind: 'mobile', value: tenDigits(q) }, ...free] : free
}

/** Whether responses must not repeat the search text. */
export const isPersonalKind = (kind: SearchKind): boolean => kind === 'mobile' || kind === 'pan' || kind === 'email'
