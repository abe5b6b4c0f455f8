// The archive of the write-ahead log: the server copies each finished segment, compressed, into the backup directory.

import {
  chownSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import { messageOf } from '@lendloom/foundation/thrown'
import type { Client } from '@lendloom/postgres/connection'
import { CannotRun } from '#cli/command.ts'
import { archiveSettingsFile } from '#cli/postgres/cluster.ts'
import { serverUser } from '#cli/postgres/user.ts'

/** The size of a segment of the write-ahead log, which PostgreSQL fixes when a cluster is created. */
export const segmentBytes = 16 * 2 ** 20
const segmentPattern = /^([0-9A-F]{24})\.gz$/

export interface ArchivedServer {
  directory: string
  pid: number
}

/** Without other writes, a segment is finished after this time, which limits what the loss of the disk can cost. */
export const archiveSeconds = 60

/** Lets a running server archive into a folder from now on. */
export function startArchive({ directory, pid }: ArchivedServer, folder: string, seconds = archiveSeconds): void {
  prepareFolder(directory, folder)
  const target = `${shellQuoted(folder)}/%f.gz`
  // A segment that was copied before a crash is archived again; only the same bytes are accepted.
  const command =
    `if test -f ${target}; then gzip -1nc "%p" | cmp -s - ${target}; ` +
    `else gzip -1nc "%p" > ${target}.tmp && sync ${target}.tmp && mv ${target}.tmp ${target}; fi`
  const settings = `archive_command = '${command.replaceAll("'", "''")}'\narchive_timeout = ${seconds}\n`
  writeSettings(directory, settings)
  process.kill(pid, 'SIGHUP')
}

/** Ends the archiving of a running server. */
export function stopArchive({ directory, pid }: ArchivedServer): void {
  rmSync(join(directory, archiveSettingsFile), { force: true })
  process.kill(pid, 'SIGHUP')
}

/** The command with which PostgreSQL fetches a segment when a backup is restored. */
export const fetchCommand = (folder: string): string =>
  `test -f ${shellQuoted(folder)}/%f.gz && gunzip -c ${shellQuoted(folder)}/%f.gz > "%p"`

/** PostgreSQL replaces `%` sequences before the shell sees the command. */
const shellQuoted = (path: string): string => `'${path.replaceAll('%', '%%').replaceAll("'", `'\\''`)}'`

/** Creates the folder for the user of the server, who may be another one than ours. */
function prepareFolder(cluster: string, folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const user = serverUser(cluster)
  if (user) chownSync(folder, user.uid, user.gid)
}

function writeSettings(cluster: string, settings: string): void {
  const file = join(cluster, archiveSettingsFile)
  const { uid, gid } = statSync(cluster)
  writeFileSync(`${file}.new`, settings, { mode: 0o600 })
  chownSync(`${file}.new`, uid, gid)
  renameSync(`${file}.new`, file)
}

/** Returns the names of the archived segments, in order. */
export const segmentsIn = (folder: string): string[] =>
  readdirSync(folder)
    .flatMap((name) => segmentPattern.exec(name)?.[1] ?? [])
    .sort()

/** Returns the path of an archived segment. */
export const pathOfSegment = (folder: string, segment: string): string => join(folder, `${segment}.gz`)

/** Returns the name of the next segment of a timeline: eight digits of the timeline, then two halves of the number. */
export function segmentAfter(segment: string): string {
  const number = BigInt(`0x${segment.slice(8, 16)}`) * 256n + BigInt(`0x${segment.slice(16)}`) + 1n
  const hex = (value: bigint): string => value.toString(16).toUpperCase().padStart(8, '0')
  return segment.slice(0, 8) + hex(number / 256n) + hex(number % 256n)
}

/** After this time without the segment, the archive counts as failed. */
const waitMs = 300_000

export interface AwaitedSegments {
  firstSegment: string
  lastSegment: string
  startedAt: string
}

/** Waits until the archive has all segments. Throws `CannotRun` if the server fails to archive one. */
export async function waitForSegments(client: Client, folder: string, awaited: AwaitedSegments): Promise<void> {
  const { firstSegment, lastSegment, startedAt } = awaited
  const deadline = Date.now() + waitMs
  for (let segment = firstSegment; segment <= lastSegment; segment = segmentAfter(segment))
    while (!existsSync(pathOfSegment(folder, segment))) {
      const failed = await client.query('select 1 from pg_stat_archiver where last_failed_time > $1', [startedAt])
      if (failed.rowCount !== 0 || Date.now() > deadline)
        throw new CannotRun(
          `PostgreSQL cannot archive segment ${segment} into ${folder}: the user that it runs as must be able to write there; its log (postgres.log in the data directory) has the reason`,
        )
      await sleep(50)
    }
}

/** Deletes segments that no kept base backup needs. Returns their number. */
export function pruneArchive(folder: string, firstKept: string): number {
  const names = readdirSync(folder).filter((name) => /^[0-9A-F]{24}\./.test(name) && name.slice(0, 24) < firstKept)
  for (const name of names) rmSync(join(folder, name))
  return names.length
}

/** Decompresses all segments from `first` on, and returns the last one. Throws `CannotRun` for a missing or damaged one. */
export async function checkArchive(folder: string, first: string): Promise<string> {
  const segments = segmentsIn(folder).filter((segment) => segment >= first)
  let expected = first
  for (const segment of segments) {
    if (segment !== expected) throw new CannotRun(`segment ${expected} of the write-ahead log is missing in ${folder}`)
    const bytes = await unpackedBytes(pathOfSegment(folder, segment)).catch((error: unknown) => messageOf(error))
    if (bytes !== segmentBytes)
      throw new CannotRun(`segment ${segment} of the write-ahead log in ${folder} is damaged (${bytes})`)
    expected = segmentAfter(segment)
  }
  const last = segments.at(-1)
  if (last === undefined) throw new CannotRun(`segment ${first} of the write-ahead log is missing in ${folder}`)
  return last
}

async function unpackedBytes(path: string): Promise<number> {
  let bytes = 0
  const source = createReadStream(path)
  const unpacked = source.pipe(createGunzip())
  source.once('error', (error) => unpacked.destroy(error))
  for await (const piece of unpacked) bytes += Buffer.byteLength(piece)
  return bytes
}
