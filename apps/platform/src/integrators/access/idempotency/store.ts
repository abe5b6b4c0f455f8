// Table idempotency: keys of requests with their responses.

import type { DigestTable } from '@lendloom/postgres/rekey-digests'
import { bytea, rowsAs, smallint, text, timestamptz, uuid } from '@lendloom/postgres/rows'
import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import type { StoredDigest } from '@lendloom/seal/content-digest'

/** The digests of requests. The content of a request has personal data, such as a mobile number. */
export const digestsOfRequests: DigestTable = {
  table: 'idempotency',
  key: ['tenant_id', 'principal', 'operation', 'key'],
  plain: 'content_digest',
  keyed: 'content_mac',
  purpose: 'idempotency',
}

interface StoredResponse {
  status: number
  outcomeSealed: Buffer
  recordedAt: Date
}

export interface RecordedResponse extends StoredResponse, StoredDigest {}

export interface OperationKey {
  tenantId: string
  principal: string
  operation: string
  key: string
}

interface KeyClaim {
  contentMac: Buffer
  lockWaitMs: number
  at: Date
}

/**
 * Claims an unused key until the transaction ends or its response is stored. A second transaction with the same key waits
 * at most `lockWaitMs`, which also limits its later lock waits.
 */
export async function claimKey(
  tx: Tx,
  { tenantId, principal, operation, key }: OperationKey,
  { contentMac, lockWaitMs, at }: KeyClaim,
): Promise<boolean> {
  const rows = await tx`
    insert into idempotency (tenant_id, principal, operation, key, content_mac, status, outcome_sealed, recorded_at)
    select
      ${tenantId}::uuid as tenant_id,
      ${principal} as principal,
      ${operation} as operation,
      ${key} as key,
      ${contentMac}::bytea as content_mac,
      0 as status,
      '' as outcome_sealed,
      ${at}::timestamptz as recorded_at
    where set_config('lock_timeout', ${String(lockWaitMs)}, true) is not null
    on conflict do nothing returning 1`
  return rows.length > 0
}

/** Returns the keys with a response, each found by the index. Later lock waits take at most `lockWaitMs`. */
export const usedKeys = (tx: Tx, tenantId: string, keys: OperationKey[], lockWaitMs: number): Promise<OperationKey[]> =>
  tx<OperationKey>`
    select tenant_id, principal, operation, key
    from ${rowsAs(sql`input`, keys, {
      tenantId: uuid((row) => row.tenantId),
      principal: text((row) => row.principal),
      operation: text((row) => row.operation),
      key: text((row) => row.key),
    })}
    where (select set_config('lock_timeout', ${String(lockWaitMs)}, true)) is not null and (
      select true from idempotency i where i.tenant_id = ${tenantId} and i.principal = input.principal
        and i.operation = input.operation and i.key = input.key)`

/** Whether another session holds or awaits a lock on a whole table that stops writes, such as a change of its columns. */
export async function isAnyTableLocked(db: Run): Promise<boolean> {
  const rows = await db`
    select from pg_locks l join pg_class c on c.oid = l.relation
    where l.locktype = 'relation' and l.pid is distinct from pg_backend_pid()
      and l.database = (select oid from pg_database where datname = current_database())
      and l.mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
      and c.relkind in ('r', 'p') and c.relpersistence <> 't' limit 1`
  return rows.length > 0
}

/** Locks and returns the stored response of a key; waits like `claimKey`. */
export async function lockResponse(
  tx: Tx,
  { tenantId, principal, operation, key }: OperationKey,
  lockWaitMs: number,
): Promise<RecordedResponse | undefined> {
  const [row] = await tx<RecordedResponse>`
    select content_digest as plain, content_mac as keyed, status, outcome_sealed, recorded_at from idempotency
    where tenant_id = ${tenantId} and principal = ${principal} and operation = ${operation} and key = ${key}
      and set_config('lock_timeout', ${String(lockWaitMs)}, true) is not null
    for update`
  return row
}

export interface NewResponse {
  operationKey: OperationKey
  response: StoredResponse & { contentMac: Buffer }
}

/** Stores responses of one tenant. Fails if another transaction has stored a response for one of the keys. */
export async function insertResponses(tx: Tx, responses: NewResponse[]): Promise<void> {
  await tx`
    insert into idempotency (tenant_id, principal, operation, key, content_mac, status, outcome_sealed, recorded_at)
    select tenant_id, principal, operation, key, content_mac, status, outcome_sealed, recorded_at
    from ${rowsAs(sql`input`, responses, {
      tenantId: uuid(({ operationKey }) => operationKey.tenantId),
      principal: text(({ operationKey }) => operationKey.principal),
      operation: text(({ operationKey }) => operationKey.operation),
      key: text(({ operationKey }) => operationKey.key),
      contentMac: bytea(({ response }) => response.contentMac),
      status: smallint(({ response }) => response.status),
      outcomeSealed: bytea(({ response }) => response.outcomeSealed),
      recordedAt: timestamptz(({ response }) => response.recordedAt),
    })}`
}

/** Stores a response; call it in the transaction of the effect. */
export async function storeResponse(
  tx: Tx,
  { tenantId, principal, operation, key }: OperationKey,
  { status, outcomeSealed, recordedAt }: StoredResponse,
): Promise<void> {
  await tx`
    update idempotency set status = ${status}, outcome_sealed = ${outcomeSealed}, recorded_at = ${recordedAt}
    where tenant_id = ${tenantId} and principal = ${principal} and operation = ${operation} and key = ${key}`
}
