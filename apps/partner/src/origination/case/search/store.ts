// Table case_search_key: the search keys of cases.

import { bytea, rowsAs, text } from '@lendloom/postgres/rows'
import { sql, type Tx } from '@lendloom/postgres/sql'
import type { SearchKey } from './search-key.ts'

/** Adds search keys to a case. Existing keys stay. */
export async function addSearchKeys(tx: Tx, caseRef: string, keys: SearchKey[]): Promise<void> {
  if (keys.length === 0) return
  await tx`
    insert into case_search_key (case_ref, kind, digest)
    select ${caseRef}, kind, digest
    from ${rowsAs(sql`key`, keys, {
      kind: text(({ kind }) => kind),
      digest: bytea(({ digest }) => digest),
    })}
    on conflict do nothing`
}
