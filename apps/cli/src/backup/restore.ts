// Restores a backup into an empty data directory: verifies it, copies it beside the target, replays, checks the keys.

import { chownSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { messageOf } from '@lendloom/foundation/thrown'
import { CannotRun } from '#cli/command.ts'
import { storedKeys } from '#cli/installation-keys.ts'
import { isAlive } from '#cli/postgres/cluster.ts'
import { copyDurably, forEachConcurrently, syncFolder } from '#cli/postgres/copy-file.ts'
import { databaseUrl, recoverPostgres, startPostgres } from '#cli/postgres/server.ts'
import { serverUser } from '#cli/postgres/user.ts'
import { checkArchive, fetchCommand, pathOfSegment } from './archive.ts'
import { copiedFiles, filesFolder } from './files.ts'
import { checkKeys } from './keys.ts'
import { backupsIn, clusterIn, type ListedFile, type StoredBackup, verifyFiles, walFolder } from './manifest.ts'

export interface RestoreOptions {
  /** The data directory to restore into: empty but for the keys. */
  data: string
  env: NodeJS.ProcessEnv
  directory: string
  /** The instant to restore to, as ISO 8601; null for everything in the archive. */
  to: string | null
  onProgress?(step: string, bytes: number, ofBytes: number): void
}

export interface RestoredInstallation {
  backup: StoredBackup
  files: number
  /** The number of opened values by database. */
  databases: Record<string, number>
}

/** Throws `CannotRun` with the reason, and then leaves nothing behind. */
export async function restoreBackup(options: RestoreOptions): Promise<RestoredInstallation> {
  const { data, env, directory, to } = options
  requireEmptyTarget(data)
  const keys = storedKeys(data)
  const backup = chooseBackup(directory, to)
  const files = copiedFiles(directory)
  await verify(options, backup, files)
  const cluster = join(data, `postgres${suffix}`)
  const partnerFiles = join(data, `files${suffix}`)
  try {
    await copyCluster(backup, cluster, options)
    await recover(options, backup, cluster)
    const databases = await checkDatabases(cluster, (url, name) => checkKeys({ url, name, keys, env }))
    await copyAll(filesFolder(directory), files, partnerFiles)
    for (const name of namesIn(partnerFiles)) renameSync(join(partnerFiles, name), join(data, name))
    // Last: the data directory counts as restored once it has a database.
    renameSync(cluster, join(data, 'postgres'))
    await syncFolder(data)
    return { backup, files: files.length, databases }
  } finally {
    for (const path of [cluster, `${cluster}.log`, partnerFiles]) rmSync(path, { recursive: true, force: true })
  }
}

const suffix = `.restoring-${process.pid}`
const leftover = /\.restoring-(\d+)(\.log)?$/
/** What the operator or an earlier attempt may have put there. */
const allowed = new Set(['keys.json', 'logs', 'compiled'])

function requireEmptyTarget(data: string): void {
  if (!existsSync(join(data, 'keys.json')))
    throw new CannotRun(
      `${join(data, 'keys.json')} is missing: put the keys of the backed-up installation there first; a backup contains none`,
    )
  for (const name of readdirSync(data)) {
    const pid = Number(leftover.exec(name)?.[1])
    if (pid && !isAlive(pid)) rmSync(join(data, name), { recursive: true, force: true })
  }
  const others = readdirSync(data).filter((name) => !allowed.has(name))
  if (others.length > 0)
    throw new CannotRun(
      `${data} is not empty (${others.slice(0, 5).join(', ')}): stop Lendloom and move it away, or name an empty directory with keys.json in LENDLOOM_DATA_DIR`,
    )
}

function chooseBackup(directory: string, to: string | null): StoredBackup {
  const backups = backupsIn(directory)
  const [first] = backups
  if (!first) throw new CannotRun(`${directory} has no complete backup`)
  const chosen = backups.findLast(({ endedAt }) => to === null || Date.parse(endedAt) <= Date.parse(to))
  if (!chosen) throw new CannotRun(`the first backup ended at ${first.endedAt}; a restore to ${to} is not possible`)
  return chosen
}

async function verify({ directory, to, onProgress }: RestoreOptions, backup: StoredBackup, files: ListedFile[]) {
  const ofBytes = [...backup.files, ...files].reduce((sum, { bytes }) => sum + bytes, 0)
  let verified = 0
  const count = (bytes: number): void => {
    verified += bytes
    onProgress?.('verifying', verified, ofBytes)
  }
  await verifyFiles(clusterIn(backup), backup.files, count)
  await verifyFiles(filesFolder(directory), files, count)
  // With an instant, the server itself refuses an archive that does not reach it.
  if (to === null) await checkArchive(walFolder(directory), backup.firstSegment)
}

async function copyCluster(backup: StoredBackup, cluster: string, { onProgress }: RestoreOptions): Promise<void> {
  const as = serverUser(cluster)
  const own = (path: string): void => void (as && chownSync(path, as.uid, as.gid))
  mkdirSync(cluster, { mode: 0o700 })
  own(cluster)
  for (const folder of backup.folders) {
    mkdirSync(join(cluster, folder), { recursive: true, mode: 0o700 })
    own(join(cluster, folder))
  }
  const ofBytes = backup.files.reduce((sum, { bytes }) => sum + bytes, 0)
  let copied = 0
  await forEachConcurrently([...backup.files, recoverySignal], async ({ path, bytes }) => {
    const target = join(cluster, path)
    await copyDurably(path === recoverySignal.path ? '/dev/null' : join(clusterIn(backup), path), target)
    own(target)
    copied += bytes
    onProgress?.('copying', copied, ofBytes)
  })
}

/** An empty file that starts a recovery from the archive. */
const recoverySignal = { path: 'recovery.signal', bytes: 0 }

async function recover({ directory, to, onProgress }: RestoreOptions, backup: StoredBackup, cluster: string) {
  onProgress?.('replaying', 0, 1)
  const wal = walFolder(directory)
  const settings = {
    restore_command: fetchCommand(wal),
    // PostgreSQL does not know Z here.
    ...(to !== null && { recovery_target_time: to.replace('Z', '+00:00'), recovery_target_action: 'promote' }),
  }
  const reads = [pathOfSegment(wal, backup.firstSegment)]
  await recoverPostgres({ directory: cluster, settings, reads }).catch((error: unknown) => {
    throw new CannotRun(reasonOf(messageOf(error), to), { cause: error })
  })
}

function reasonOf(log: string, to: string | null): string {
  if (!/recovery ended before configured recovery target/.test(log)) return log
  const last = /last completed transaction was at log time (\S+ \S+)/.exec(log)?.[1]
  return (
    `the archive has no transaction after ${to}${last ? `; its last one is of ${last} UTC` : ''}; ` +
    'without --to everything in the archive is restored'
  )
}

async function checkDatabases(
  cluster: string,
  check: (url: string, name: string) => Promise<number | null>,
): Promise<Record<string, number>> {
  const server = await startPostgres({ directory: cluster })
  try {
    const counts: Record<string, number> = {}
    for (const name of ['lendloom', 'lendloom_partner', 'lendloom_second_partner', 'lendloom_sandbox']) {
      const opened = await check(databaseUrl(server.url, name), name)
      if (opened !== null) counts[name] = opened
    }
    if (Object.keys(counts).length === 0) throw new CannotRun('the backup has no database of Lendloom')
    return counts
  } finally {
    await server.stop()
  }
}

async function copyAll(from: string, files: ListedFile[], to: string): Promise<void> {
  mkdirSync(to, { mode: 0o700 })
  await forEachConcurrently(files, async ({ path }) => {
    mkdirSync(dirname(join(to, path)), { recursive: true, mode: 0o700 })
    await copyDurably(join(from, path), join(to, path))
  })
}

const namesIn = (folder: string): string[] => readdirSync(folder)
