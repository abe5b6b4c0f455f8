// Tables of the audit log: audit_chain, audit_entry.
import type { ChainEnd } from '#kit/db/chain.ts'
import { type Run, sql, type Tx } from '#kit/db/sql.ts'
import type { AuditFilter } from './filter.ts'

/** Instants as their text with microseconds: what is digested is what is kept, to the last digit. */
const exactAt = sql`to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** Holds the end of a tenant's chain until the transaction ends; of one that is new, number 0. */
export async function lockChain(tx: Tx, tenantId: string, first: Buffer): Promise<ChainEnd> {
  const made = tx`
    insert into audit_chain (tenant_id, sequence, digest) values (${tenantId}, 0, ${first}) on conflict do nothing`
  const held = tx<ChainEnd>`select sequence, digest from audit_chain where tenant_id = ${tenantId} for update`
  const [, [end]] = await Promise.all([made, held])
  if (!end) throw new Error('the end of an audit chain that was just made is not there')
  return end
}

export interface AuditRow {
  tenantId: string
  sequence: number
  /** With microseconds. */
  at: string
  personId: string | null
  act: string
  subject: string | null
  /** Canonical JSON. */
  detail: string
  digest: Buffer
}

/** Adds an entry, which is the end from now on. */
export async function insertEntry(tx: Tx, row: AuditRow): Promise<void> {
  const { tenantId, sequence, digest } = row
  await Promise.all([
    tx`insert into audit_entry ${tx({ ...row })}`,
    tx`update audit_chain set sequence = ${sequence}, digest = ${digest} where tenant_id = ${tenantId}`,
  ])
}

/** In their order, behind the number given. */
export const listChain = (db: Run, tenantId: string, after: number, limit: number) => db<AuditRow>`
  select tenant_id, sequence, ${exactAt} as at, person_id, act, subject, detail, digest from audit_entry
  where tenant_id = ${tenantId} and sequence > ${after} order by sequence limit ${limit}`

/** The newest first, before the number given. */
export const listNewest = (db: Run, tenantId: string, before: number | null, limit: number) => db<AuditRow>`
  select tenant_id, sequence, ${exactAt} as at, person_id, act, subject, detail, digest from audit_entry
  where tenant_id = ${tenantId} and (${before}::integer is null or sequence < ${before}::integer)
  order by sequence desc limit ${limit}`

/** The same, of what a filter lets through. */
export const listFiltered = (
  db: Run,
  tenantId: string,
  filter: AuditFilter,
  { before, limit }: { before: number | null; limit: number },
) => db<AuditRow>`
  select tenant_id, sequence, ${exactAt} as at, person_id, act, subject, detail, digest from audit_entry
  where tenant_id = ${tenantId} and (${before}::integer is null or sequence < ${before}::integer)
    and (${filter.personId}::uuid is null or person_id = ${filter.personId}::uuid)
    and (not ${filter.isCommandLine}::boolean or person_id is null)
    and (${filter.act}::text is null or act = ${filter.act}::text)
    and (${filter.subject}::text is null or subject = ${filter.subject}::text)
    and (${filter.from}::timestamptz is null or audit_entry.at >= ${filter.from}::timestamptz)
    and (${filter.until}::timestamptz is null or audit_entry.at < ${filter.until}::timestamptz)
  order by sequence desc limit ${limit}`

export async function readChain(db: Run, tenantId: string): Promise<ChainEnd | undefined> {
  const [row] = await db<ChainEnd>`select sequence, digest from audit_chain where tenant_id = ${tenantId}`
  return row
}

/** The digest of one entry; null where there is none. */
export async function digestAt(db: Run, tenantId: string, sequence: number): Promise<Buffer | null> {
  const [row] = await db<{ digest: Buffer }>`
    select digest from audit_entry where tenant_id = ${tenantId} and sequence = ${sequence}`
  return row?.digest ?? null
}

/** Every tenant that has a chain, or entries without one. */
export const listChains = (db: Run) => db<{ tenantId: string }>`
  select tenant_id from audit_chain union select distinct tenant_id from audit_entry order by tenant_id`
