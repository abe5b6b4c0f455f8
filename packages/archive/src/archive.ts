// Moves sealed values from the database to objects, which only a key in the database opens: without the key they are lost.
import { createHash, randomBytes } from 'node:crypto'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { type ObjectBackend, readBytes } from '@lendloom/files/object-store'
import { Refusal } from '@lendloom/foundation/refusal'
import { messageOf } from '@lendloom/foundation/thrown'
import { type Db, type Fragment, oneRow, type Run, sql, type Tx } from '@lendloom/postgres/sql'
import { type DamagedValue, type Seal, sealWith } from '@lendloom/seal/seal'
import {
  type ArchivableRows,
  type ArchivedRow,
  lockFirstRows,
  type ReadRows,
  readFirstRows,
  removeValues,
} from './archived-row.ts'

/** Whose rows share a key: a journey of the platform, or a case of the partner. */
export interface ArchiveOwner {
  /** The columns of `archive_key` and `archive_part` that name the owner. */
  columns: Record<string, unknown>
  /** The same as a condition. */
  isOwn: Fragment
  /** What the sealed key is bound to. */
  context: string
}

export interface ArchiveDeps {
  db: Db
  seal: Seal
  objects: ObjectBackend
}

export interface ArchivePart {
  number: number
  objectName: string
  rows: number
  bytes: number
  archivedAt: Date
}

/** `isComplete` is false if more rows may move now: a part was full, or a row changed while the object was written. */
export interface ArchiveResult {
  rows: number
  isComplete: boolean
  /** Why a row could not be opened, which stays in the database; null if all were. */
  damage: DamagedValue | null
}

/** The store of the objects refuses a write. It would refuse those of other owners too. */
export class UnwritableArchive extends Error {}

/** The memory that a part needs is several times this. */
const maxPartBytes = 16 << 20

/**
 * Moves the values of these rows to one object. The object is durable before the rows are emptied. Its name is a digest of
 * its content, so two workers, or a repetition after a crash, never replace it by another content. Does nothing if the
 * owner's key is gone, because an erasure deleted it.
 */
export async function archiveRows(
  deps: ArchiveDeps,
  owner: ArchiveOwner,
  tables: ArchivableRows[],
  at: Date,
): Promise<ArchiveResult> {
  const { db, seal, objects } = deps
  const key = await readKey(db, seal, owner)
  if (!key) return { rows: 0, isComplete: true, damage: null }
  const read = await readFirstTables(db, seal, tables)
  const rows = read.reduce((sum, each) => sum + each.rows.length, 0)
  const damage = read.find((each) => each.damage !== null)?.damage ?? null
  if (rows === 0) return { rows, isComplete: true, damage }
  const content = Buffer.from(linesOf(read))
  const objectName = createHash('sha256').update(key).update(content).digest('hex')
  const sealed = sealOf(key).bytes(zstdCompressSync(content), objectName)
  await objects.write(objectName, sealed).catch((error: unknown) => {
    throw new UnwritableArchive(`the archive cannot be written: ${messageOf(error)}`, { cause: error })
  })
  const part = { objectName, rows, bytes: sealed.length, archivedAt: at }
  const isMoved = await db.tx(async (tx) => {
    if (!(await readKey(tx, seal, owner, true))) return false
    const now: ReadRows[] = []
    for (const [i, table] of tables.entries()) {
      const count = read[i]?.count ?? 0
      now.push(count === 0 ? noRows : await lockFirstRows(tx, seal, table, count))
    }
    if (linesOf(now) !== content.toString()) return false
    for (const [i, table] of tables.entries()) await removeValues(tx, table, now[i]?.rows ?? [])
    await insertPart(tx, owner, part)
    return true
  })
  return { rows: isMoved ? rows : 0, isComplete: isMoved && !read.some(({ hasMore }) => hasMore), damage }
}

/** Reads the rows of one part. A table that finds the part full waits for the next one. */
async function readFirstTables(db: Run, seal: Seal, tables: ArchivableRows[]): Promise<ReadRows[]> {
  const read: ReadRows[] = []
  let bytesLeft = maxPartBytes
  for (const table of tables) {
    const isPartFull = bytesLeft <= 0
    const rows = isPartFull ? { ...noRows, hasMore: true } : await readFirstRows(db, seal, table, bytesLeft)
    bytesLeft -= rows.rows.reduce((sum, { line }) => sum + line.length, 0)
    read.push(rows)
  }
  return read
}

const noRows: ReadRows = { rows: [], count: 0, hasMore: false, damage: null }

const linesOf = (tables: ReadRows[]): string =>
  tables.flatMap(({ rows }) => rows.map(({ line }) => `${line}\n`)).join('')

/** Returns a new key for an owner, sealed as `archive_key` stores it. */
export const newArchiveKey = (seal: Seal, context: string): Buffer => seal.bytes(randomBytes(32), context)

const sealOf = (key: Buffer): Seal => sealWith(`archive:v2:${key.toString('base64')}`)

/** Returns the owner's key; null if there is none. `isLocked` locks it, so that no erasure and no other archiver runs. */
async function readKey(db: Run, seal: Seal, owner: ArchiveOwner, isLocked = false): Promise<Buffer | null> {
  const [row] = await db<{ keySealed: Buffer }>`
    select key_sealed from archive_key where ${owner.isOwn} ${isLocked ? sql`for update` : sql``}`
  return row ? seal.open(row.keySealed, owner.context) : null
}

async function insertPart(tx: Tx, { columns, isOwn }: ArchiveOwner, part: Omit<ArchivePart, 'number'>): Promise<void> {
  const found = await tx<{ number: number }>`
    select coalesce(max(number), 0)::int + 1 as number from archive_part where ${isOwn}`
  await tx`insert into archive_part ${tx({ ...columns, number: oneRow(found).number, ...part })}`
}

/** Counts the owners whose values are due to move to the archive. */
export async function countDue(db: Run, at: Date): Promise<number> {
  const found = await db<{ count: number }>`select count(*)::int as count from archive_key where due_at <= ${at}`
  return oneRow(found).count
}

/** Sets when the owner's values move to the archive next; null for never. */
export async function setDue(db: Run, { isOwn }: ArchiveOwner, dueAt: Date | null): Promise<void> {
  await db`update archive_key set due_at = ${dueAt} where ${isOwn}`
}

/** The parts of an owner's archive, oldest first. */
export const listParts = (db: Run, { isOwn }: ArchiveOwner) => db<ArchivePart>`
  select number, object_name, rows, bytes, archived_at from archive_part where ${isOwn} order by number`

/**
 * Yields the archived rows of an owner, oldest part first; none if nothing was archived, or if it was erased. Throws
 * `damaged` if an object is missing or damaged, and `upstream` while the store is unavailable.
 */
export async function* readArchive(
  { db, seal, objects }: { db: Run; seal: Seal; objects: ObjectBackend },
  owner: ArchiveOwner,
): AsyncGenerator<ArchivedRow> {
  const key = await readKey(db, seal, owner)
  if (!key) return
  for (const part of await listParts(db, owner)) {
    const content = await readPart(objects, key, part)
    for (const line of content.toString().split('\n')) if (line !== '') yield JSON.parse(line)
  }
}

async function readPart(objects: ObjectBackend, key: Buffer, { number, objectName }: ArchivePart): Promise<Buffer> {
  try {
    return zstdDecompressSync(sealOf(key).open(await readBytes(objects, objectName), objectName))
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal(
      'damaged',
      `part ${number} of the archive cannot be read from object ${objectName}: ${messageOf(error)}`,
    )
  }
}
