// Table case_search_key.

import type { Tx } from '#kit/db/sql.ts'
import type { SearchKey } from './key.ts'

/** Adds what a case is found by; what it is found by already stays. */
export async function addSearchKeys(tx: Tx, caseRef: string, keys: SearchKey[]): Promise<void> {
  if (keys.length === 0) return
  await tx`
    insert into case_search_key (case_ref, kind, digest)
    select ${caseRef}, kind, digest from unnest(${keys.map(({ kind }) => kind)}::text[],
      ${keys.map(({ digest }) => digest)}::bytea[]) as key (kind, digest)
    on conflict do nothing`
}
