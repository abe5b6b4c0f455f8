// Tables journey_link, journey_link_code and journey_link_device.

import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import { bucketOfToken } from '@lendloom/seal/token'

export interface LinkKey {
  tenantId: string
  linkId: string
}

export interface LinkRow extends LinkKey {
  digest: Buffer
  applicationId: string
  journeyId: string
  createdAt: Date
  expiresAt: Date
}

const rowOf = ({ tenantId, linkId }: LinkKey) =>
  sql`bucket = ${bucketOfToken(linkId)} and tenant_id = ${tenantId} and link_id = ${linkId}`

export async function insertLink(tx: Tx, row: LinkRow): Promise<void> {
  await tx`insert into journey_link ${tx({ ...row, bucket: bucketOfToken(row.linkId) })}`
}

/** Finds a link that is neither revoked nor expired, with the number of its devices. The caller compares the digest. */
export async function findOpenLink(
  db: Run,
  key: LinkKey,
  at: Date,
): Promise<(LinkRow & { devices: number }) | undefined> {
  const [row] = await db<LinkRow & { devices: number }>`
    select tenant_id, link_id, digest, application_id, journey_id, created_at, expires_at,
      (select count(*)::integer from journey_link_device where ${rowOf(key)}) as devices
    from journey_link where ${rowOf(key)} and revoked_at is null and expires_at > ${at}`
  return row
}

/** Locks a link that is open, so that it is not revoked while a device is added. */
export async function lockOpenLink(tx: Tx, key: LinkKey, at: Date): Promise<boolean> {
  const rows = await tx`
    select from journey_link where ${rowOf(key)} and revoked_at is null and expires_at > ${at} for update`
  return rows.length > 0
}

/** Returns when a link expires; null if it was revoked or erased. */
export async function findLinkEnd(tx: Run, key: LinkKey): Promise<Date | null> {
  const [row] = await tx<{ expiresAt: Date }>`
    select expires_at from journey_link where ${rowOf(key)} and revoked_at is null for share`
  return row?.expiresAt ?? null
}

/** Revokes a link of the application; returns whether there is one. Keeps the time of an earlier revocation. */
export async function revokeLink(
  tx: Tx,
  key: LinkKey,
  { applicationId, at }: { applicationId: string; at: Date },
): Promise<boolean> {
  const rows = await tx`
    update journey_link set revoked_at = coalesce(revoked_at, ${at})
    where ${rowOf(key)} and application_id = ${applicationId} returning 1`
  return rows.length > 0
}

/** Ends the sessions that were opened through a link. Its tokens are refused when they are exchanged. */
export async function endLinkSessions(tx: Tx, key: LinkKey): Promise<void> {
  await tx`delete from embed_session where ${rowOf(key)}`
}

interface CodeRow extends LinkKey {
  codeId: string
  digest: Buffer
  journeyId: string
  expiresAt: Date
}

type CodeKey = Pick<CodeRow, 'tenantId' | 'linkId' | 'codeId'>

export async function insertCode(tx: Tx, row: CodeRow): Promise<void> {
  await tx`insert into journey_link_code ${tx({ ...row, bucket: bucketOfToken(row.linkId) })}`
}

const isUsable = ({ codeId }: CodeKey, { maxTries, at }: { maxTries: number; at: Date }) =>
  sql`code_id = ${codeId} and used_at is null and tries < ${maxTries}::integer and expires_at > ${at}`

export async function isCodeUsable(db: Run, key: CodeKey, limit: { maxTries: number; at: Date }): Promise<boolean> {
  const rows = await db`select from journey_link_code where ${rowOf(key)} and ${isUsable(key, limit)}`
  return rows.length > 0
}

/** Counts a try before the comparison, so that concurrent tries count too. Undefined if the code is no longer usable. */
export async function tryCode(
  db: Run,
  key: CodeKey,
  limit: { maxTries: number; at: Date },
): Promise<{ digest: Buffer; tries: number } | undefined> {
  const [row] = await db<{ digest: Buffer; tries: number }>`
    update journey_link_code set tries = tries + 1 where ${rowOf(key)} and ${isUsable(key, limit)}
    returning digest, tries`
  return row
}

/** Marks a code as used. Only one of concurrent calls succeeds. */
export async function useCode(tx: Tx, key: CodeKey, at: Date): Promise<boolean> {
  const rows = await tx`
    update journey_link_code set used_at = ${at} where ${rowOf(key)} and code_id = ${key.codeId} and used_at is null
    returning 1`
  return rows.length > 0
}

interface DeviceRow extends LinkKey {
  deviceId: string
  digest: Buffer
  journeyId: string
  openedAt: Date
}

export async function insertDevice(tx: Tx, row: DeviceRow): Promise<void> {
  await tx`insert into journey_link_device ${tx({ ...row, bucket: bucketOfToken(row.linkId) })}`
}

/** Returns the digest of a device's token. */
export async function findDevice(db: Run, key: LinkKey, deviceId: string): Promise<Buffer | undefined> {
  const [row] = await db<{ digest: Buffer }>`
    select digest from journey_link_device where ${rowOf(key)} and device_id = ${deviceId}`
  return row?.digest
}
