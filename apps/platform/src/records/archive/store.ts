// Tables archive_key and archive_part: the key of each journey, and its archived objects.
import type { ArchiveOwner, ArchivePart } from '@lendloom/archive/archive'
import { newArchiveKey } from '@lendloom/archive/archive'
import { bytea, rowsAs, smallint, uuid } from '@lendloom/postgres/rows'
import { type Db, type Run, sql, type Tx } from '@lendloom/postgres/sql'
import { enqueue, noTenantId } from '@lendloom/queue/queue'
import { bucketOf, firstIdAt } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'
import type { Journey, JourneyKey } from '#platform/lending/journey/journey.ts'

const archiveContext = ({ tenantId, journeyId }: JourneyKey): string => `archive_key:${tenantId}:${journeyId}`

/** A journey as the owner of archived rows. */
export const ownerOf = (key: JourneyKey): ArchiveOwner => {
  const { tenantId, journeyId } = key
  const bucket = bucketOf(journeyId)
  return {
    columns: { tenantId, journeyId, bucket },
    isOwn: sql`bucket = ${bucket} and tenant_id = ${tenantId} and journey_id = ${journeyId}`,
    context: archiveContext(key),
  }
}

export const listTenants = (db: Run) => db<{ tenantId: string }>`select tenant_id from tenant order by tenant_id`

/**
 * Gives a key to the next journeys of a tenant that were opened before `before`; returns how many were read. Ids are in the
 * order of time, so the newest key tells where to continue. Journeys that were never sent to a lender get none: they are
 * small.
 */
export async function addKeys(
  db: Db,
  seal: Seal,
  tenantId: string,
  { before, at, after, limit }: { before: Date; at: Date; after: string; limit: number },
): Promise<string[]> {
  const journeys = await db<JourneyKey & { isSent: boolean }>`
    select j.tenant_id, j.journey_id, j.erased_at is null and (
        exists (select from network_message m where m.bucket = j.bucket and m.tenant_id = j.tenant_id and m.journey_id = j.journey_id)
        or exists (select from partner_case k where k.bucket = j.bucket and k.tenant_id = j.tenant_id and k.journey_id = j.journey_id)) as is_sent
    from journey j where j.tenant_id = ${tenantId} and j.journey_id > ${after} and j.journey_id < ${firstIdAt(before)}::uuid
    order by j.journey_id limit ${limit}`
  const sent = journeys.filter(({ isSent }) => isSent)
  if (sent.length > 0)
    await db`
      insert into archive_key (tenant_id, journey_id, key_sealed, due_at, bucket)
      select ${tenantId}::uuid, journey_id, key_sealed, ${at}::timestamptz, bucket
      from ${rowsAs(sql`input`, sent, {
        journeyId: uuid((key) => key.journeyId),
        keySealed: bytea((key) => newArchiveKey(seal, archiveContext(key))),
        bucket: smallint((key) => bucketOf(key.journeyId)),
      })}
      on conflict do nothing`
  return journeys.map(({ journeyId }) => journeyId)
}

/** The newest journey of a tenant that has a key; the lowest id if there is none. */
export async function newestKeyOf(db: Run, tenantId: string): Promise<string> {
  const [row] = await db<{ journeyId: string }>`
    select journey_id from archive_key where tenant_id = ${tenantId} order by journey_id desc limit 1`
  return row?.journeyId ?? noTenantId
}

export type DueJourney = Pick<Journey, 'tenantId' | 'journeyId' | 'active' | 'status' | 'closedAt' | 'updatedAt'>

/**
 * Journeys whose next part is due, with the facts that decide when the one after it is. Limits the keys before it joins,
 * because PostgreSQL would otherwise join and sort all due journeys for each batch: millions in the first run.
 */
export const listDue = (db: Run, at: Date, limit: number) => db<DueJourney>`
  select k.tenant_id, k.journey_id, j.active, j.status, j.closed_at, j.updated_at from (
    select tenant_id, journey_id, bucket from archive_key where due_at <= ${at} order by due_at limit ${limit}) k
  join journey j on j.bucket = k.bucket and j.tenant_id = k.tenant_id and j.journey_id = k.journey_id`

/** Lists parts, newest first. */
export const listArchived = (
  db: Run,
  { tenantId, journeyId, limit }: { tenantId: string | null; journeyId: string | null; limit: number },
) => db<JourneyKey & ArchivePart>`
  select tenant_id, journey_id, number, object_name, rows, bytes, archived_at from archive_part
  where (${tenantId}::uuid is null or tenant_id = ${tenantId}::uuid)
    and (${journeyId}::uuid is null or journey_id = ${journeyId}::uuid)
  order by archived_at desc, journey_id limit ${limit}`

/** Kind of the jobs that delete objects. */
export const removalKind = 'archive-removal'

export interface RemovalJob {
  objects: string[]
}

/** Deletes the key, without which no copy of an object can be read. A job deletes the objects after the commit. */
export async function eraseArchive(tx: Tx, key: JourneyKey, at: Date): Promise<void> {
  const { isOwn } = ownerOf(key)
  await tx`select 1 from archive_key where ${isOwn} for update`
  const parts = await tx<{ objectName: string }>`delete from archive_part where ${isOwn} returning object_name`
  await tx`delete from archive_key where ${isOwn}`
  if (parts.length === 0) return
  const payload: RemovalJob = { objects: parts.map(({ objectName }) => objectName) }
  await enqueue(tx, { tenantId: key.tenantId, kind: removalKind, payload, dueAt: at })
}
