// The data directory of the embedded PostgreSQL: created atomically, with a record of the process that runs on it.

import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { codeOf } from '@lendloom/foundation/thrown'
import type { Binaries } from './binaries.ts'
import { invocation, type User } from './user.ts'

/** The role of the programs. It may create databases, but is not a superuser; the superuser cannot sign in. */
export const role = 'lendloom'
const version = '18'
export const secretFile = 'lendloom.secret'

/** The settings of the archive of the write-ahead log. Without this file, finished segments are not archived. */
export const archiveSettingsFile = 'lendloom-archive.conf'
const archiveSettings = `
# Segments are archived only while the included file exists, which "lendloom backup" writes.
archive_command = 'exit 0'
include_if_exists '${archiveSettingsFile}'
`
/** Only a superuser may take a base backup by default. */
const backupGrants = `grant execute on function pg_backup_start(text, boolean), pg_backup_stop(boolean) to ${role}\n`

/**
 * Creates the cluster at `directory` if it is missing: in a temporary directory that is then renamed, so that an
 * interrupted start leaves no partial cluster. Throws if the directory contains anything else.
 */
export async function ensureCluster(directory: string, binaries: Binaries, as: User | null): Promise<void> {
  if (existsSync(join(directory, 'PG_VERSION'))) return checkVersion(directory)
  if (existsSync(directory) && readdirSync(directory).length > 0)
    throw new Error(`${directory} is not empty and holds no PostgreSQL data; move it away or choose another directory`)
  mkdirSync(dirname(directory), { recursive: true })
  removeTemporaryClusters(directory)
  const temporary = `${directory}.new-${process.pid}`
  mkdirSync(temporary, { mode: 0o700 })
  if (as) chownSync(temporary, as.uid, as.gid)
  try {
    await initialize({ directory: temporary, binaries, as })
    renameSync(temporary, directory)
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true })
    // Another first start ran at the same time and was faster: use its cluster.
    if (!existsSync(join(directory, 'PG_VERSION'))) throw error
  }
}

export const secretOf = (directory: string): string => readFileSync(join(directory, secretFile), 'utf8')

async function initialize(cluster: StoppedCluster): Promise<void> {
  const { directory, binaries, as } = cluster
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const options = ['--username=postgres', '--auth=reject', '--data-checksums', '--no-instructions', ...locale]
  const files = binaries.needed.concat(directory)
  await run({ as, program: binaries.initdb, args: [`--pgdata=${directory}`, ...options], files })
  writeFileSync(join(directory, 'pg_hba.conf'), `host all ${role} 127.0.0.1/32 scram-sha-256\n`)
  const secret = createSecret(cluster)
  const sql =
    `create role ${role} login createdb password '${secret}'\n` +
    `grant pg_monitor, pg_checkpoint, pg_signal_backend to ${role}\n${backupGrants}`
  await runSingleUser(cluster, sql)
  appendFileSync(join(directory, 'postgresql.conf'), archiveSettings)
}

export interface StoppedCluster {
  directory: string
  binaries: Binaries
  as: User | null
}

/** Prepares a cluster of an earlier version for `lendloom backup`. */
export async function prepareForBackups(cluster: StoppedCluster): Promise<void> {
  const configuration = join(cluster.directory, 'postgresql.conf')
  if (readFileSync(configuration, 'utf8').includes(archiveSettingsFile)) return
  await runSingleUser(cluster, backupGrants)
  appendFileSync(configuration, archiveSettings)
}

export const applySecret = (cluster: StoppedCluster): Promise<void> =>
  runSingleUser(cluster, `alter role ${role} password '${secretOf(cluster.directory)}'\n`)

/** Writes a new password of the role. A backup contains none. */
export function createSecret({ directory, as }: Pick<StoppedCluster, 'directory' | 'as'>): string {
  const secret = randomBytes(24).toString('base64url')
  writeFileSync(join(directory, secretFile), secret, { mode: 0o600 })
  if (as) chownSync(join(directory, secretFile), as.uid, as.gid)
  return secret
}

async function runSingleUser({ directory, binaries, as }: StoppedCluster, sql: string): Promise<void> {
  // More iterations would not protect a long random password, and would slow down each connection.
  const settings = ['-c', 'exit_on_error=on', '-c', 'scram_iterations=1', '-c', 'archive_mode=off']
  const args = ['--single', '-D', directory, ...settings, 'postgres']
  await run({ as, program: binaries.postgres, args, files: binaries.needed.concat(directory), input: sql })
}

interface ProgramRun {
  as: User | null
  program: string
  args: string[]
  files: string[]
  input?: string
}

function run({ as, program, args: programArgs, files, input = '' }: ProgramRun): Promise<void> {
  const { command, args, options } = invocation(as, program, programArgs, files)
  return new Promise((resolve, reject) => {
    const child = execFile(
      command,
      args,
      { ...options, cwd: '/', env: postgresEnvironment() },
      (error, _out, complaint) => {
        if (!error) return resolve()
        reject(new Error(`${basename(program)} failed: ${complaint.trim() || error.message}`, { cause: error }))
      },
    )
    child.stdin?.end(input)
  })
}

/** The environment without variables that would affect PostgreSQL, such as another server's PGDATA. */
export const postgresEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name)))

function checkVersion(directory: string): void {
  const found = readFileSync(join(directory, 'PG_VERSION'), 'utf8').trim()
  if (found !== version)
    throw new Error(
      `${directory} was created by PostgreSQL ${found}, but this is ${version}; dump it with the old version and load it with the new one`,
    )
}

function removeTemporaryClusters(directory: string): void {
  const start = `${basename(directory)}.new-`
  for (const name of readdirSync(dirname(directory)))
    if (name.startsWith(start) && !isAlive(Number(name.slice(start.length))))
      rmSync(join(dirname(directory), name), { recursive: true, force: true })
}

export interface Postmaster {
  pid: number
  port: number
  /** Whether it accepts connections: postmaster.pid says "ready" for a primary, "standby" for a readable standby. */
  isReady: boolean
  /** Whether it replays the write-ahead log and accepts no connections meanwhile. */
  isReplaying: boolean
}

/** The running server of this directory, as its postmaster.pid says; null if none is running. */
export function postmasterOf(directory: string): Postmaster | null {
  const lines = postmasterLines(directory)
  const pid = Math.abs(Number(lines?.[0]))
  if (!lines || !pid || !isAlive(pid) || isForeignProcess(pid, directory)) return null
  const status = lines[7]?.trim() ?? ''
  return {
    pid,
    port: Number(lines[3]),
    isReady: ['ready', 'standby'].includes(status),
    isReplaying: status === 'standby',
  }
}

/**
 * After a crash the process id in postmaster.pid may belong to another process, and PostgreSQL would wait for it
 * forever. An impossible process id keeps PostgreSQL's second interlock, the shared memory segment, in force.
 */
export function forgetForeignProcess(directory: string): void {
  const lines = postmasterLines(directory)
  const pid = Math.abs(Number(lines?.[0]))
  if (!lines || !pid || (isAlive(pid) && !isForeignProcess(pid, directory))) return
  writeFileSync(join(directory, 'postmaster.pid'), [impossiblePid, ...lines.slice(1)].join('\n'))
}
const impossiblePid = 2 ** 31 - 1

function postmasterLines(directory: string): string[] | null {
  try {
    return readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** Whether a process with this id is running. A zombie counts as ended. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (codeOf(error) !== 'EPERM') return false
  }
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return true
  }
}

/** Whether Linux shows that the process is another program: its working directory is not the data directory. */
function isForeignProcess(pid: number, directory: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) !== realpathSync(directory)
  } catch (error) {
    return codeOf(error) === 'ENOENT' && existsSync('/proc/self/cwd')
  }
}
