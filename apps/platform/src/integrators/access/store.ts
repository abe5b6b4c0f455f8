// Tables for authentication: api_key, embed_token, embed_session, headless_session.

import { bytea, insertInto, text, timestamptz, uuid } from '@lendloom/postgres/insert'
import type { Run, Tx } from '@lendloom/postgres/sql'
import { bucketOfToken } from '@lendloom/seal/token'

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

/** Finds an API key, with the products of its application. The caller compares the digest, expiry and revocation. */
export async function findKey(db: Run, tenantId: string, keyId: string): Promise<KeyRow | undefined> {
  const [row] = await db<KeyRow>`
    select k.application_id, k.digest, k.scopes, k.expires_at, k.revoked_at, k.last_used_on::text, k.api_version, a.products,
      k.addresses
    from api_key k join application a on a.tenant_id = k.tenant_id and a.application_id = k.application_id
    where k.tenant_id = ${tenantId} and k.key_id = ${keyId}`
  return row
}

/** Records the day on which a key was last used. */
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

/** Lists the keys of a tenant, expired and revoked ones too, oldest first. */
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

/** Revokes a key, or keeps the time of an earlier revocation; returns whether there is such a key. */
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
  /** The journey link through which the page is opened; null for an embed URL. */
  linkId: string | null
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
    linkId: text,
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

/** Marks a token as used and returns its journey; undefined for an invalid token. Only one of concurrent calls succeeds. */
export async function useEmbedToken(
  tx: Tx,
  { tenantId, tokenId, digest, at }: PresentedToken,
): Promise<Pick<NewEmbedToken, 'journeyId' | 'linkId'> | undefined> {
  const [row] = await tx<Pick<NewEmbedToken, 'journeyId' | 'linkId'>>`
    update embed_token set used_at = ${at}
    where bucket = ${bucketOfToken(tokenId)} and tenant_id = ${tenantId} and token_id = ${tokenId} and digest = ${digest} and used_at is null and expires_at > ${at}
    returning journey_id, link_id`
  return row
}

interface NewEmbedSession extends EmbedSessionRow {
  tenantId: string
  sessionId: string
  createdAt: Date
}

export async function insertEmbedSession(tx: Tx, row: NewEmbedSession): Promise<void> {
  await tx`insert into embed_session ${tx({ bucket: bucketOfToken(row.sessionId), ...row })}`
}

export interface EmbedSessionRow {
  digest: Buffer
  journeyId: string
  expiresAt: Date
  linkId: string | null
}

export async function findEmbedSession(
  db: Run,
  tenantId: string,
  sessionId: string,
): Promise<EmbedSessionRow | undefined> {
  const [row] = await db<EmbedSessionRow>`
    select digest, journey_id, expires_at, link_id from embed_session
    where bucket = ${bucketOfToken(sessionId)} and tenant_id = ${tenantId} and session_id = ${sessionId}`
  return row
}

/** Deletes tokens, sessions and codes that expired before an instant. */
export async function deleteExpiredTokens(db: Run, before: Date): Promise<void> {
  await db`delete from embed_token where expires_at < ${before}`
  await db`delete from embed_session where expires_at < ${before}`
  await db`delete from headless_session where refresh_expires_at < ${before}`
  await db`delete from journey_link_code where expires_at < ${before}`
}
