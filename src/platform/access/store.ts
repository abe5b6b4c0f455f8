// Tables for authentication and idempotency: api_key, embed_token, embed_session, headless_session, idempotency.
import type { StoredDigest } from '#kit/crypto/content-digest.ts'
import { bucketOfToken } from '#kit/crypto/token.ts'
import { bigints, bytea, byteas, insertInto, instants, text, texts, timestamptz, uuid, uuids } from '#kit/db/insert.ts'
import type { DigestTable } from '#kit/db/rekey.ts'
import type { Run, Tx } from '#kit/db/sql.ts'

export interface KeyRow {
  applicationId: string
  digest: Buffer
  scopes: string[]
  expiresAt: Date | null
  revokedAt: Date | null
  lastUsedOn: string | null
  apiVersion: string | null
  products: string[]
  addresses: string[]
}

export async function findKey(db: Run, tenantId: string, keyId: string): Promise<KeyRow | undefined> {
  const [row] = await db<KeyRow>`
    select k.application_id, k.digest, k.scopes, k.expires_at, k.revoked_at, k.last_used_on::text, k.api_version, a.products,
      k.addresses
    from api_key k join application a on a.tenant_id = k.tenant_id and a.application_id = k.application_id
    where k.tenant_id = ${tenantId} and k.key_id = ${keyId}`
  return row
}

export async function recordKeyUse(db: Run, tenantId: string, keyId: string, usedOn: string): Promise<void> {
  await db`update api_key set last_used_on = ${usedOn} where tenant_id = ${tenantId} and key_id = ${keyId}`
}

/** Pins a key to its first API version; later calls have no effect. */
export async function pinVersion(db: Run, tenantId: string, keyId: string, apiVersion: string): Promise<void> {
  await db`update api_key set api_version = ${apiVersion} where tenant_id = ${tenantId} and key_id = ${keyId} and api_version is null`
}

/** Locks the tenant table, so that only one of several starting processes creates the sandbox tenants. */
export async function lockTenants(tx: Tx): Promise<void> {
  await tx`lock table tenant in share row exclusive mode`
}

export interface NewKeyRow {
  tenantId: string
  keyId: string
  applicationId: string
  label: string
  digest: Buffer
  scopes: string[]
  createdAt: Date
  expiresAt: Date | null
  addresses: string[]
}

export async function insertKey(tx: Run, row: NewKeyRow): Promise<void> {
  await tx`insert into api_key ${tx({ ...row })}`
}

export const listKeys = (db: Run, tenantId: string) => db<{
  keyId: string
  applicationId: string
  label: string
  scopes: string[]
  createdAt: Date
  expiresAt: Date | null
  revokedAt: Date | null
  lastUsedOn: string | null
  addresses: string[]
}>`
  select key_id, application_id, label, scopes, created_at, expires_at, revoked_at, last_used_on::text, addresses from api_key
  where tenant_id = ${tenantId} order by created_at`

export async function setKeyExpiry(
  tx: Run,
  { tenantId, keyId, expiresAt }: Pick<NewKeyRow, 'tenantId' | 'keyId' | 'expiresAt'>,
) {
  await tx`update api_key set expires_at = ${expiresAt} where tenant_id = ${tenantId} and key_id = ${keyId}`
}

export async function revokeKey(db: Run, tenantId: string, keyId: string, at: Date): Promise<boolean> {
  const rows = await db`
    update api_key set revoked_at = coalesce(revoked_at, ${at}) where tenant_id = ${tenantId} and key_id = ${keyId} returning 1`
  return rows.length > 0
}

export interface NewEmbedToken {
  tenantId: string
  journeyId: string
  tokenId: string
  digest: Buffer
  expiresAt: Date
}

/** Inserts tokens. A fragment as second argument limits the insert to the journeys that the fragment yields. */
export const newEmbedTokens = insertInto<NewEmbedToken>({
  insert: 'insert into embed_token',
  bucketOf: ({ tokenId }) => bucketOfToken(tokenId),
  columns: {
    tenantId: uuid,
    tokenId: text,
    digest: bytea,
    journeyId: uuid,
    expiresAt: timestamptz,
  },
  key: 'journeyId',
})

/** Adds a token for an existing journey. */
export async function insertEmbedToken(tx: Run, token: NewEmbedToken): Promise<void> {
  await tx`${newEmbedTokens([token], null)}`
}

interface PresentedToken {
  tenantId: string
  tokenId: string
  digest: Buffer
  at: Date
}

/** Marks a token as used and returns its journey; null for an invalid token. Only one of concurrent calls succeeds. */
export async function useEmbedToken(tx: Tx, { tenantId, tokenId, digest, at }: PresentedToken): Promise<string | null> {
  const [row] = await tx<{ journeyId: string }>`
    update embed_token set used_at = ${at}
    where bucket = ${bucketOfToken(tokenId)} and tenant_id = ${tenantId} and token_id = ${tokenId} and digest = ${digest} and used_at is null and expires_at > ${at}
    returning journey_id`
  return row?.journeyId ?? null
}

export async function insertEmbedSession(
  tx: Tx,
  row: { tenantId: string; sessionId: string; digest: Buffer; journeyId: string; createdAt: Date; expiresAt: Date },
): Promise<void> {
  await tx`insert into embed_session ${tx({ bucket: bucketOfToken(row.sessionId), ...row })}`
}

export interface EmbedSessionRow {
  digest: Buffer
  journeyId: string
  expiresAt: Date
}

export async function findEmbedSession(
  db: Run,
  tenantId: string,
  sessionId: string,
): Promise<EmbedSessionRow | undefined> {
  const [row] = await db<EmbedSessionRow>`
    select digest, journey_id, expires_at from embed_session
    where bucket = ${bucketOfToken(sessionId)} and tenant_id = ${tenantId} and session_id = ${sessionId}`
  return row
}

export async function deleteExpiredTokens(db: Run, before: Date): Promise<void> {
  await db`delete from embed_token where expires_at < ${before}`
  await db`delete from embed_session where expires_at < ${before}`
  await db`delete from headless_session where refresh_expires_at < ${before}`
}

/** The digests of requests. The content of a request has personal data, such as a mobile number. */
export const digestsOfRequests: DigestTable = {
  table: 'idempotency',
  key: ['tenant_id', 'principal', 'operation', 'key'],
  plain: 'content_digest',
  keyed: 'content_mac',
  purpose: 'idempotency',
}

interface Outcome {
  status: number
  outcomeSealed: Buffer
  recordedAt: Date
}

export interface RecordedOutcome extends Outcome, StoredDigest {}

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
 * Claims an unused key until the transaction ends or its outcome is stored. A second transaction with the same key waits
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

/** Returns the keys with an outcome, each found by the index. Later lock waits take at most `lockWaitMs`. */
export const usedKeys = (tx: Tx, tenantId: string, keys: OperationKey[], lockWaitMs: number): Promise<OperationKey[]> =>
  tx<OperationKey>`
    select tenant_id, principal, operation, key
    from unnest(${uuids(keys.map((row) => row.tenantId))}::uuid[], ${texts(keys.map((row) => row.principal))}::text[],
      ${texts(keys.map((row) => row.operation))}::text[], ${texts(keys.map((row) => row.key))}::text[]
    ) as input (tenant_id, principal, operation, key)
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

/** Locks and returns the stored outcome of a key; waits like `claimKey`. */
export async function lockRecorded(
  tx: Tx,
  { tenantId, principal, operation, key }: OperationKey,
  lockWaitMs: number,
): Promise<RecordedOutcome | undefined> {
  const [row] = await tx<RecordedOutcome>`
    select content_digest as plain, content_mac as keyed, status, outcome_sealed, recorded_at from idempotency
    where tenant_id = ${tenantId} and principal = ${principal} and operation = ${operation} and key = ${key}
      and set_config('lock_timeout', ${String(lockWaitMs)}, true) is not null
    for update`
  return row
}

export interface NewOutcome {
  row: OperationKey
  outcome: Outcome & { contentMac: Buffer }
}

/** Stores outcomes of one tenant. Fails if another transaction has stored an outcome for one of the keys. */
export async function insertOutcomes(tx: Tx, outcomes: NewOutcome[]): Promise<void> {
  await tx`
    insert into idempotency (tenant_id, principal, operation, key, content_mac, status, outcome_sealed, recorded_at)
    select input.tenant_id, input.principal, input.operation, input.key, input.content_mac, input.status::smallint,
      input.outcome_sealed, input.recorded_at
    from unnest(${uuids(outcomes.map(({ row }) => row.tenantId))}::uuid[], ${texts(outcomes.map(({ row }) => row.principal))}::text[],
      ${texts(outcomes.map(({ row }) => row.operation))}::text[], ${texts(outcomes.map(({ row }) => row.key))}::text[],
      ${byteas(outcomes.map(({ outcome }) => outcome.contentMac))}::bytea[],
      ${bigints(outcomes.map(({ outcome }) => outcome.status))}::bigint[],
      ${byteas(outcomes.map(({ outcome }) => outcome.outcomeSealed))}::bytea[],
      ${instants(outcomes.map(({ outcome }) => outcome.recordedAt))}::timestamptz[]
    ) as input (tenant_id, principal, operation, key, content_mac, status, outcome_sealed, recorded_at)`
}

/** Stores an outcome; call it in the transaction of the effect. */
export async function storeOutcome(
  tx: Tx,
  { tenantId, principal, operation, key }: OperationKey,
  { status, outcomeSealed, recordedAt }: Outcome,
): Promise<void> {
  await tx`
    update idempotency set status = ${status}, outcome_sealed = ${outcomeSealed}, recorded_at = ${recordedAt}
    where tenant_id = ${tenantId} and principal = ${principal} and operation = ${operation} and key = ${key}`
}
