// The base backups in a backup directory. Each has a manifest with the size and SHA-256 of every file, and is complete
// once it has one.

import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Closed, firstFault, fits, type Static, Type } from '@lendloom/foundation/schema'
import { codeOf, messageOf } from '@lendloom/foundation/thrown'
import { CannotRun } from '#cli/command.ts'
import { isAlive } from '#cli/postgres/cluster.ts'
import { digestOf, type FileDigest, forEachConcurrently, syncFolder } from '#cli/postgres/copy-file.ts'

/** A path that leads to no other directory. */
const RelativePath = Type.String({ minLength: 1, maxLength: 1000, pattern: '^(?!/)(?!(.*/)?\\.\\.?(/|$))[\\w./-]+$' })
const Instant = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' })
const Segment = Type.String({ pattern: '^[0-9A-F]{24}$' })

const Manifest = Closed({
  version: Type.Literal(1),
  /** Names the cluster that was copied, for its life; the first eight digits of a segment are its timeline. */
  systemId: Type.String({ pattern: '^\\d{1,20}$' }),
  firstSegment: Segment,
  lastSegment: Segment,
  startedAt: Instant,
  endedAt: Instant,
  folders: Type.Array(RelativePath),
  files: Type.Array(
    Closed({
      path: RelativePath,
      bytes: Type.Integer({ minimum: 0 }),
      sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    }),
  ),
})
type Manifest = Static<typeof Manifest>

export interface StoredBackup extends Manifest {
  folder: string
}

const manifestFile = 'manifest.json'
/** A folder that a command is still filling; the number is its process id. */
const unfinished = /^unfinished-(\d+)$/

/** The folder of base backups. */
export const baseFolder = (directory: string): string => join(directory, 'base')
/** The folder of archived segments of the write-ahead log. */
export const walFolder = (directory: string): string => join(directory, 'wal')
/** The copied data directory of PostgreSQL within a backup. */
export const clusterIn = (backup: Pick<StoredBackup, 'folder'>): string => join(backup.folder, 'postgres')

/** Creates the folder of a new backup, which `keepBackup` makes visible. Deletes those of interrupted commands. */
export function newBackupFolder(directory: string): string {
  const base = baseFolder(directory)
  mkdirSync(base, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(base)) {
    const pid = unfinished.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(base, name), { recursive: true, force: true })
  }
  const folder = join(base, `unfinished-${process.pid}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(clusterIn({ folder }), { recursive: true, mode: 0o700 })
  return folder
}

/** Completes a backup: writes its manifest, and gives its folder the final name. */
export async function keepBackup(directory: string, folder: string, manifest: Manifest): Promise<StoredBackup> {
  writeFileSync(join(folder, manifestFile), `${JSON.stringify(manifest)}\n`, { mode: 0o600, flush: true })
  await syncFolder(folder)
  const kept = join(baseFolder(directory), manifest.endedAt.replaceAll(':', '-'))
  renameSync(folder, kept)
  await syncFolder(baseFolder(directory))
  return { ...manifest, folder: kept }
}

/** Returns the complete backups, oldest first. Throws `CannotRun` for a damaged manifest. */
export function backupsIn(directory: string): StoredBackup[] {
  const base = baseFolder(directory)
  return foldersIn(base)
    .flatMap((name) => manifestIn(join(base, name)) ?? [])
    .sort((a, b) => Date.parse(a.endedAt) - Date.parse(b.endedAt))
}

function foldersIn(base: string): string[] {
  try {
    return readdirSync(base).filter((name) => !unfinished.test(name))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

/** Undefined without a manifest, as in a backup that is being deleted. */
function manifestIn(folder: string): StoredBackup | undefined {
  const file = join(folder, manifestFile)
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw new CannotRun(`${file} cannot be read: ${messageOf(error)}`)
  }
  if (!fits(Manifest, value)) throw new CannotRun(`${file} is damaged: ${firstFault(Manifest, value)}`)
  return { ...value, folder }
}

/** Deletes all but the newest backups. An interrupted deletion leaves a folder without a manifest. */
export function deleteOldBackups(backups: StoredBackup[], keep: number): StoredBackup[] {
  const old = backups.slice(0, -keep)
  for (const { folder } of old) {
    rmSync(join(folder, manifestFile))
    rmSync(folder, { recursive: true })
  }
  return old
}

export interface ListedFile extends FileDigest {
  path: string
}

/** Reads all files and compares them with their digests. Throws `CannotRun` with the name of a faulty file. */
export async function verifyFiles(
  root: string,
  files: ListedFile[],
  onVerified: (bytes: number) => void,
): Promise<void> {
  await forEachConcurrently(files, async ({ path, bytes, sha256 }) => {
    const file = join(root, path)
    const found = await digestOf(file).catch((error: unknown) => {
      throw new CannotRun(`the backup is damaged: ${messageOf(error)}`)
    })
    if (found.sha256 !== sha256) throw new CannotRun(`the backup is damaged: ${file} has other content than was copied`)
    onVerified(bytes)
  })
}
