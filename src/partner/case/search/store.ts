// Table case_search_key, and which leads have none yet.

import type { Run, Tx } from '#kit/db/sql.ts'
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

interface Unkeyed {
  caseRef: string
  leadSealed: Buffer
  checks: { name: string; factsSealed: string }[]
}

/** Leads from before there were such keys, with what providers said of them; sealed bytes of those in hexadecimal. */
export const leadsWithoutKeys = (db: Run, limit: number) => db<Unkeyed>`
  select d.case_ref, d.lead_sealed, coalesce((
      select jsonb_agg(jsonb_build_object('name', k.name, 'factsSealed', encode(k.facts_sealed, 'hex')))
      from case_check k where k.case_ref = d.case_ref), '[]') as checks
  from case_lead d where not d.has_search_keys order by d.case_ref limit ${limit}`

/** Adds everything that a lead is found by, and remembers that it has it. */
export async function addLeadKeys(tx: Tx, caseRef: string, keys: SearchKey[]): Promise<void> {
  await Promise.all([
    tx`update case_lead set has_search_keys = true where case_ref = ${caseRef}`,
    addSearchKeys(tx, caseRef, keys),
  ])
}
