// The data directory of an installation: its files, and the addresses of its running programs.

import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Clock, readClockOffset } from '@lendloom/foundation/clock'
import { codeOf, messageOf } from '@lendloom/foundation/thrown'
import { CannotRun } from './command.ts'

/** The folder with package.json: the working directory of programs, and the parent of the default data directory. */
export const home = resolve(import.meta.dirname, '..', '..', '..')

/** The environment file that the command line reads; programs do not. */
export const dotEnvFile = join(home, '.env')

/** The directory of data, keys and logs. */
export const dataDirectory = (env: NodeJS.ProcessEnv): string =>
  resolve(env.LENDLOOM_DATA_DIR || join(home, '.lendloom'))

/** The addresses of a running installation; absent when it is stopped. */
export interface InstallationRun {
  pid: number
  startedAt: string
  platform: { url: string; databaseUrl: string }
  partner: { url: string; databaseUrl: string } | null
  secondPartner?: { url: string; databaseUrl: string } | null
  sandbox: { url: string; databaseUrl: string; smtpPort?: number | null } | null
}

const runFile = (directory: string): string => join(directory, 'run.json')

/** Returns the addresses of the running programs; null if the installation is stopped. */
export const runOf = (directory: string): InstallationRun | null => readJson<InstallationRun>(runFile(directory))
/** Records that the programs run at these addresses. */
export const announceRun = (directory: string, run: InstallationRun): void => writeSecret(runFile(directory), run)
/** Records that the programs are stopped. */
export const forgetRun = (directory: string): void => rmSync(runFile(directory), { force: true })

/** The file with the credentials of the sandbox. */
export const sandboxFile = (directory: string): string => join(directory, 'sandbox.json')

/** The file with the generated keys that seal personal data. */
export const keyFile = (directory: string): string => join(directory, 'keys.json')

/** The file with the offset of the simulated clock. */
export const clockFile = (directory: string): string => join(directory, 'clock.json')

/** Writes a file that only the user can read, whole or not at all. */
export function writeSecret(file: string, value: unknown): void {
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  renameSync(temporary, file)
}

/** Reads a JSON file; null if there is none. Throws `CannotRun` if it is unreadable. */
export function readJson<T>(file: string): T | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw new CannotRun(`${file} cannot be read: ${messageOf(error)}`)
  }
}

/** Creates the directory. Throws `CannotRun` if it cannot be used. */
export function prepareDataDirectory(directory: string): void {
  try {
    mkdirSync(join(directory, 'logs'), { recursive: true })
    chmodSync(join(directory, 'logs'), 0o700)
  } catch (error) {
    throw new CannotRun(`${directory} cannot be used (${messageOf(error)}); set LENDLOOM_DATA_DIR to another directory`)
  }
}

/** The simulated time; the real time where no clock file exists. */
export function clockOf(env: NodeJS.ProcessEnv): Clock {
  const file = env.CLOCK_FILE || clockFile(dataDirectory(env))
  return () => new Date(Date.now() + readClockOffset(file).aheadMs)
}
