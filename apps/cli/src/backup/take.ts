// Takes a backup of a running installation: a base backup, the archive of the write-ahead log, and the partners' files.

import { existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { required } from '@lendloom/foundation/required'
import type { Client } from '@lendloom/postgres/connection'
import { CannotRun } from '#cli/command.ts'
import { takeBaseBackup } from '#cli/postgres/base-backup.ts'
import { postmasterOf } from '#cli/postgres/cluster.ts'
import { connected } from '#cli/postgres/lock.ts'
import { urlOf } from '#cli/postgres/server.ts'
import { type ArchivedServer, pruneArchive, startArchive, stopArchive, waitForSegments } from './archive.ts'
import { copyNewFiles, deleteGoneFiles } from './files.ts'
import {
  backupsIn,
  clusterIn,
  deleteOldBackups,
  keepBackup,
  newBackupFolder,
  type StoredBackup,
  walFolder,
} from './manifest.ts'
import { backupDirectoryOf, setBackupDirectory } from './setup.ts'

export interface BackupOptions {
  data: string
  env: NodeJS.ProcessEnv
  directory: string
  /** How many base backups to keep, with this one. */
  keep: number
  onCopied?(bytes: number, ofBytes: number): void
}

export interface TakenBackup {
  backup: StoredBackup
  newFiles: number
  deleted: { backups: number; segments: number }
}

/** Throws `CannotRun` if nothing runs, or if the directory holds backups of another database. */
export async function takeBackup(options: BackupOptions): Promise<TakenBackup> {
  const { data, env, keep } = options
  const server = runningServer(data)
  const directory = outsideOf(data, options.directory)
  const client = await connected(urlOf(server.directory, server.port), 'lendloom backup')
  try {
    const systemId = await requireSameDatabase(client, directory)
    return await archived(server, { data, directory }, async () => {
      const startedAt = new Date().toISOString()
      const folder = newBackupFolder(directory)
      try {
        const { files, folders, firstSegment, lastSegment, endedAt } = await takeBaseBackup(client, {
          from: server.directory,
          to: clusterIn({ folder }),
          ...(options.onCopied && { onCopied: options.onCopied }),
        })
        // After the database, so that every row has its file.
        const newFiles = await copyNewFiles(data, env, directory)
        const found = { firstSegment, lastSegment, startedAt }
        await waitForSegments(client, walFolder(directory), found)
        const manifest = { version: 1 as const, systemId, ...found, endedAt: endedAt.toISOString(), folders, files }
        const backup = await keepBackup(directory, folder, manifest)
        return { backup, newFiles, deleted: prune(directory, keep) }
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    })
  } finally {
    await client.end()
  }
}

/** Ends the archive; the backups stay. Returns the directory, or null if there was none. */
export function endBackups(data: string): string | null {
  const directory = backupDirectoryOf(data)
  if (directory !== null) stopArchive(runningServer(data))
  setBackupDirectory(data, null)
  return directory
}

function runningServer(data: string): ArchivedServer & { port: number } {
  const path = join(data, 'postgres')
  const running = postmasterOf(path)
  if (!running?.isReady)
    throw new CannotRun(
      `the embedded PostgreSQL of ${data} does not run: start Lendloom in another window (npm start), or set LENDLOOM_DATA_DIR; ` +
        'for a PostgreSQL of your own see docs/how-to/back-up-and-restore.md',
    )
  return { directory: realpathSync(path), ...running }
}

function outsideOf(data: string, directory: string): string {
  mkdirSync(directory, { recursive: true, mode: 0o755 })
  const path = realpathSync(directory)
  if (!relative(realpathSync(data), path).startsWith('..'))
    throw new CannotRun(`${directory} is in the data directory ${data}; choose a directory on another disk`)
  return path
}

/** A directory holds the backups of one database on one timeline. Returns the identifier of the database. */
async function requireSameDatabase(client: Client, directory: string): Promise<string> {
  const { rows } = await client.query<{ systemId: string; segment: string }>(
    `select system_identifier::text as "systemId", pg_walfile_name(pg_current_wal_lsn()) as segment from pg_control_system()`,
  )
  const { systemId, segment } = required(rows[0], 'the identifier of the database')
  const isOfOther = (backup: StoredBackup): boolean =>
    backup.systemId !== systemId || backup.firstSegment.slice(0, 8) !== segment.slice(0, 8)
  if (backupsIn(directory).some(isOfOther))
    throw new CannotRun(
      `${directory} holds backups of another database, or of this one before a restore; choose another directory`,
    )
  return systemId
}

interface ArchiveChange {
  data: string
  directory: string
}

/** Starts the archive before the backup. If the first backup fails, the previous state of the archive returns. */
async function archived<T>(server: ArchivedServer, { data, directory }: ArchiveChange, work: () => Promise<T>) {
  const previous = backupDirectoryOf(data)
  startArchive(server, walFolder(directory))
  setBackupDirectory(data, directory)
  try {
    return await work()
  } catch (error) {
    if (previous === null) stopArchive(server)
    else if (existsSync(previous)) startArchive(server, walFolder(previous))
    setBackupDirectory(data, previous)
    throw error
  }
}

function prune(directory: string, keep: number): TakenBackup['deleted'] {
  const backups = backupsIn(directory)
  const old = deleteOldBackups(backups, keep)
  const [oldest] = backups.slice(-keep)
  if (!oldest) return { backups: 0, segments: 0 }
  deleteGoneFiles(directory, oldest.startedAt)
  return { backups: old.length, segments: pruneArchive(walFolder(directory), oldest.firstSegment) }
}
