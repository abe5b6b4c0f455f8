// Takes a base backup of a running server by PostgreSQL's low-level API: copies its files between start and stop.

import { type Dirent, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { required } from '@lendloom/foundation/required'
import { codeOf } from '@lendloom/foundation/thrown'
import type { Client } from '@lendloom/postgres/connection'
import { archiveSettingsFile, secretFile } from './cluster.ts'
import { copyDurably, digestOf, type FileDigest, forEachConcurrently } from './copy-file.ts'

export interface CopiedFile extends FileDigest {
  path: string
}

export interface BaseBackup {
  files: CopiedFile[]
  /** All directories, parents first: the server needs the empty ones too. */
  folders: string[]
  /** The first and the last segment of the write-ahead log that make the copy consistent. */
  firstSegment: string
  lastSegment: string
  /** When the copy is complete: it can be restored to this and every later instant. */
  endedAt: Date
}

interface CopyOptions {
  from: string
  to: string
  onCopied?(bytes: number, ofBytes: number): void
}

/** The role of `client` must be allowed to call `pg_backup_start` and `pg_backup_stop`. */
export async function takeBaseBackup(client: Client, options: CopyOptions): Promise<BaseBackup> {
  await client.query(`select pg_backup_start('lendloom', true)`)
  const { folders, files } = await copyFiles(options)
  const { rows } = await client.query<{ labelfile: string; spcmapfile: string; segment: string; at: Date }>(
    `select labelfile, spcmapfile, pg_walfile_name(lsn) as segment, clock_timestamp() as at from pg_backup_stop(false)`,
  )
  const { labelfile, spcmapfile, segment, at } = required(rows[0], 'the end of a base backup')
  if (spcmapfile !== '') throw new Error('the server has tablespaces outside its data directory, which are not copied')
  const label = join(options.to, 'backup_label')
  writeFileSync(label, labelfile, { mode: 0o600, flush: true })
  files.push({ path: 'backup_label', ...(await digestOf(label)) })
  const firstSegment = required(
    /^START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)/.exec(labelfile)?.[1],
    'first segment',
  )
  return { files, folders, firstSegment, lastSegment: segment, endedAt: at }
}

async function copyFiles({ from, to, onCopied }: CopyOptions): Promise<Pick<BaseBackup, 'files' | 'folders'>> {
  const entries = entriesIn(from)
  const folders = entries.flatMap(({ path, isDirectory }) => (isDirectory ? [path] : []))
  for (const folder of folders) mkdirSync(join(to, folder), { recursive: true, mode: 0o700 })
  const sources = entries.filter(({ isDirectory }) => !isDirectory)
  const ofBytes = sources.reduce((sum, { bytes }) => sum + bytes, 0)
  const copied: CopiedFile[] = []
  let bytes = 0
  await forEachConcurrently(sources, async ({ path }) => {
    try {
      copied.push({ path, ...(await copyDurably(join(from, path), join(to, path))) })
    } catch (error) {
      // A dropped table: replaying the log drops it too.
      if (codeOf(error) === 'ENOENT') return
      throw error
    }
    bytes += copied.at(-1)?.bytes ?? 0
    onCopied?.(bytes, ofBytes)
  })
  return { folders, files: copied.sort((a, b) => (a.path < b.path ? -1 : 1)) }
}

/** Folders whose content a restored server creates itself, or receives from the archive. */
const emptyFolders =
  /^(pg_wal|pg_wal\/.+|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)$/
/** Files of the running process, temporary files, the password of the role, and the settings of the archive. */
const skippedNames = new Set(['postmaster.pid', 'postmaster.opts', secretFile, archiveSettingsFile])
const isSkipped = (path: string): boolean =>
  skippedNames.has(path) || /^(backup_label|tablespace_map)|(^|\/)(pgsql_tmp|pg_internal\.init)/.test(path)

interface Entry {
  path: string
  isDirectory: boolean
  bytes: number
}

function entriesIn(root: string, folder = ''): Entry[] {
  const found: Entry[] = []
  for (const child of childrenOf(join(root, folder))) {
    const path = folder === '' ? child.name : `${folder}/${child.name}`
    if (child.isDirectory()) {
      found.push({ path, isDirectory: true, bytes: 0 }, ...entriesIn(root, path))
    } else if (child.isFile() && !emptyFolders.test(dirname(path)) && !isSkipped(path)) {
      const bytes = statSync(join(root, path), { throwIfNoEntry: false })?.size ?? 0
      found.push({ path, isDirectory: false, bytes })
    }
  }
  return found
}

function childrenOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}
