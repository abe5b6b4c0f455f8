// Search keys: keyed digests of normalized personal data, by which the desk searches cases.

import { toAscii } from '@lendloom/foundation/search-form'
import type { Seal } from '@lendloom/seal/seal'
import type { DataOf } from '@lendloom/wire/exchange/envelope'
import { fullName } from '@lendloom/wire/exchange/lead'
import { tenDigits, upper } from '@lendloom/wire/identifier'
import { latinSound } from '#partner/bank/name-match.ts'

/**
 * `registration`: GSTIN or Udyam number of the business. `reference`: a provider's reference of KYC, mandate or
 * signature, or the UMRN of the mandate.
 */
export type KeyKind = 'name' | 'mobile' | 'pan' | 'email' | 'account' | 'registration' | 'reference'

export interface SearchKey {
  kind: KeyKind
  digest: Buffer
}

/** Normalizes a text of each kind before its digest is calculated. */
const normalizers: Record<KeyKind, (text: string) => string> = {
  name: (text) => text,
  mobile: tenDigits,
  pan: upper,
  email: (text) => text.trim().toLowerCase(),
  account: upper,
  registration: upper,
  reference: (text) => text.trim().toUpperCase(),
}

export const searchKey = ({ digest }: Pick<Seal, 'digest'>, kind: KeyKind, text: string): SearchKey => ({
  kind,
  digest: digest(normalizers[kind](text), `partner search ${kind}`),
})

/** Returns the words of a name, spelled by sound so that `ASHAA` finds `Asha`. Omits single letters. */
export const nameWords = (name: string): string[] => [
  ...new Set(
    toAscii(name)
      .split(/[^A-Za-z]+/)
      .map((word) => latinSound(word))
      .filter((word) => word.length > 1),
  ),
]

type Lead = DataOf<'LEAD_SUBMITTED'>

export function keysOfLead(seal: Pick<Seal, 'digest'>, { borrower, business, banking }: Lead): SearchKey[] {
  const textsByKind: [KeyKind, (string | null | undefined)[]][] = [
    ['name', nameWords(`${fullName(borrower)} ${business.name}`)],
    ['mobile', [borrower.mobile]],
    ['pan', [borrower.pan, business.pan]],
    ['email', [borrower.email]],
    ['account', [banking.account?.account_number]],
    ['registration', [business.gstin, business.udyam_number]],
  ]
  return textsByKind.flatMap(([kind, values]) => values.flatMap((text) => (text ? [searchKey(seal, kind, text)] : [])))
}

/** Returns the search keys of a provider's report: the provider's reference, and the UMRN of a mandate. */
export const keysOfReferences = (seal: Pick<Seal, 'digest'>, facts: object): SearchKey[] =>
  Object.entries(facts).flatMap(([name, value]) =>
    (name === 'providerReferenceId' || name === 'umrn') && typeof value === 'string' && value !== ''
      ? [searchKey(seal, 'reference', value)]
      : [],
  )
