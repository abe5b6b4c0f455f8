// Tables of the audit log: audit_chain, audit_entry.
import { type ChainEnd, firstDigest } from '@lendloom/postgres/hash-chain'
import { type Fragment, oneRow, type Run, sql, type Tx } from '@lendloom/postgres/sql'

/** The log of a tenant, or of the program's own people. */
export interface AuditLog {
  tenantId: string
  /** Columns that only this program's entries have, each after a comma; the digest also covers them. */
  programColumns?: Fragment
}

export interface AuditRow {
  tenantId: string
  sequence: number
  /** With microseconds. */
  at: string
  /** Null for the command line, and for a failed sign-in. */
  personId: string | null
  act: string
  subject: string | null
  /** Canonical JSON. */
  detail: string
  digest: Buffer
}

/** Instants are read as text with microseconds, because the digest covers every digit. */
export const entryColumns = sql`tenant_id, sequence, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, person_id,
  act, subject, detail, digest`

/** Locks the end of a log until the transaction ends, and returns it. A new log has the sequence number 0. */
export async function lockChain(tx: Tx, tenantId: string): Promise<ChainEnd> {
  const created = tx`
    insert into audit_chain (tenant_id, sequence, digest) values (${tenantId}, 0, ${firstDigest}) on conflict do nothing`
  const locked = tx<ChainEnd>`select sequence, digest from audit_chain where tenant_id = ${tenantId} for update`
  const [, rows] = await Promise.all([created, locked])
  return oneRow(rows)
}

/** Adds an entry as the new end of its log. */
export async function insertEntry(tx: Tx, row: AuditRow): Promise<void> {
  const { tenantId, sequence, digest } = row
  await Promise.all([
    tx`insert into audit_entry ${tx({ ...row })}`,
    tx`update audit_chain set sequence = ${sequence}, digest = ${digest} where tenant_id = ${tenantId}`,
  ])
}

/** Lists entries after a sequence number, in order. */
export const listChain = (
  db: Run,
  { tenantId, programColumns = sql`` }: AuditLog,
  after: number,
  limit: number,
) => db<AuditRow>`
  select ${entryColumns}${programColumns} from audit_entry
  where tenant_id = ${tenantId} and sequence > ${after} order by sequence limit ${limit}`

export async function readChain(db: Run, tenantId: string): Promise<ChainEnd | undefined> {
  const [row] = await db<ChainEnd>`select sequence, digest from audit_chain where tenant_id = ${tenantId}`
  return row
}

/** Returns the digest of an entry; null when it does not exist. */
export async function digestAt(db: Run, tenantId: string, sequence: number): Promise<Buffer | null> {
  const [row] = await db<{ digest: Buffer }>`
    select digest from audit_entry where tenant_id = ${tenantId} and sequence = ${sequence}`
  return row?.digest ?? null
}

/** Lists tenants that have a chain, or entries without one. */
export const listChains = (db: Run) => db<{ tenantId: string }>`
  select tenant_id from audit_chain union select distinct tenant_id from audit_entry order by tenant_id`
