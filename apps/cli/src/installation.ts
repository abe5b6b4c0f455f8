// The data directory of an installation, and the addresses of its running programs.

import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { codeOf, messageOf } from '@lendloom/foundation/thrown'
import { CannotRun } from './command.ts'

/** The folder with package.json: the working directory of programs, and the parent of the default data directory. */
export const home = resolve(import.meta.dirname, '..', '..', '..')

/** The environment file that the command line reads; programs do not. */
export const dotEnvFile = join(home, '.env')

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

export const runOf = (directory: string): InstallationRun | null => readJson<InstallationRun>(runFile(directory))
export const announceRun = (directory: string, run: InstallationRun): void => writeSecret(runFile(directory), run)
export const forgetRun = (directory: string): void => rmSync(runFile(directory), { force: true })

export const sandboxFile = (directory: string): string => join(directory, 'sandbox.json')

export const keyFile = (directory: string): string => join(directory, 'keys.json')

export const clockFile = (directory: string): string => join(directory, 'clock.json')

export function writeSecret(file: string, value: unknown): void {
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  renameSync(temporary, file)
}

export function readJson<T>(file: string): T | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw new CannotRun(`${file} cannot be read: ${messageOf(error)}`)
  }
}

export function prepareDataDirectory(directory: string): void {
  try {
    mkdirSync(join(directory, 'logs'), { recursive: true })
    chmodSync(join(directory, 'logs'), 0o700)
  } catch (error) {
    throw new CannotRun(`${directory} cannot be used (${messageOf(error)}); set LENDLOOM_DATA_DIR to another directory`)
  }
}
