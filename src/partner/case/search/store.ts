// Table case_search_key: keyed digests of personal data, for searching cases.

import type { DataOf } from '#contract/exchange/envelope.ts'
import { tenDigits, upper } from '#contract/identifier.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import type { Tx } from '#kit/db/sql.ts'
import { toAscii } from '#kit/runtime/search-form.ts'
import { latinSound } from '#partner/bank/name-match.ts'

/** Adds search keys of a case; existing ones stay. */
export async function addSearchKeys(tx: Tx, caseRef: string, keys: SearchKey[]): Promise<void> {
  if (keys.length === 0) return
  await tx`
    insert into case_search_key (case_ref, kind, digest)
    select ${caseRef}, kind, digest from unnest(${keys.map(({ kind }) => kind)}::text[],
      ${keys.map(({ digest }) => digest)}::bytea[]) as key (kind, digest)
    on conflict do nothing`
}

/**
 * `registration`: GSTIN and Udyam number. `reference`: providers' references of KYC, mandate and signature, and the
 * UMRN.
 */
export type KeyKind = 'name' | 'mobile' | 'pan' | 'email' | 'account' | 'registration' | 'reference'

export interface SearchKey {
  kind: KeyKind
  digest: Buffer
}

/** The canonical form of each kind before its digest. */
const canonicalForm: Record<KeyKind, (text: string) => string> = {
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
  digest: digest(canonicalForm[kind](text), `partner search ${kind}`),
})

/** Returns the words of a name by sound, in Latin letters, at least two letters long: `ASHAA` also finds `Asha`. */
export const nameWords = (name: string): string[] => [
  ...new Set(
    toAscii(name)
      .split(/[^A-Za-z]+/)
      .map((word) => latinSound(word))
      .filter((word) => word.length > 1),
  ),
]

type Lead = DataOf<'LEAD_SUBMITTED'>

/** Returns all search keys of a lead. */
export function keysOfLead(seal: Pick<Seal, 'digest'>, { borrower, business, banking }: Lead): SearchKey[] {
  const names = [borrower.first_name, borrower.middle_name, borrower.last_name, business.name]
  const texts: [KeyKind, (string | null | undefined)[]][] = [
    ['name', nameWords(names.filter(Boolean).join(' '))],
    ['mobile', [borrower.mobile]],
    ['pan', [borrower.pan, business.pan]],
    ['email', [borrower.email]],
    ['account', [banking.account?.account_number]],
    ['registration', [business.gstin, business.udyam_number]],
  ]
  return texts.flatMap(([kind, all]) => all.flatMap((text) => (text ? [searchKey(seal, kind, text)] : [])))
}

/** Returns the search keys of a provider's report: its reference, and a mandate's UMRN. */
export const keysOfReferences = (seal: Pick<Seal, 'digest'>, facts: object): SearchKey[] =>
  Object.entries(facts).flatMap(([name, value]) =>
    (name === 'providerReferenceId' || name === 'umrn') && typeof value === 'string' && value !== ''
      ? [searchKey(seal, 'reference', value)]
      : [],
  )
