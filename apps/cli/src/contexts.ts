// The contexts of a user: the platforms to which `lendloom login` has signed in, in a file that only the user can read.

import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Person } from '@lendloom/wire/console/staff'
import { secretOf } from '@lendloom/wire/webhook/signature'
import { CannotRun } from './command.ts'
import { dataDirectory, readJson, runOf, writeSecret } from './installation.ts'

export interface Context {
  /** The address of the platform. */
  url: string
  /** The session cookie, as `name=value`. */
  cookie: string
  person: Pick<Person, 'email' | 'name' | 'role' | 'tenantId'>
  expiresAt: string
  /** Default values of --tenant and --application. */
  tenant?: string | undefined
  application?: string | undefined
}

interface ContextsFile {
  /** The context of commands without --context; null for the installation on this machine. */
  current: string | null
  contexts: Record<string, Context>
  /** The secret with which each context's listeners sign, so that it stays the same. */
  listenSecrets: Record<string, string>
}

/** The name that stands for the installation on this machine. */
export const localName = 'local'

const fileOf = (env: NodeJS.ProcessEnv): string =>
  resolve(
    env.LENDLOOM_CONFIG_DIR || join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'lendloom'),
    'contexts.json',
  )

/** The names of contexts are chosen by the user, such as `constructor`, so these records have no prototype. */
export function readContexts(env: NodeJS.ProcessEnv): ContextsFile {
  const { current = null, contexts, listenSecrets } = readJson<Partial<ContextsFile>>(fileOf(env)) ?? {}
  const bare = <T>(record: Record<string, T> | undefined) => Object.assign(Object.create(null), record)
  return { current, contexts: bare(contexts), listenSecrets: bare(listenSecrets) }
}

/** Changes the file of contexts. */
export function changeContexts(env: NodeJS.ProcessEnv, change: (file: ContextsFile) => void): void {
  const file = readContexts(env)
  change(file)
  mkdirSync(dirname(fileOf(env)), { recursive: true, mode: 0o700 })
  writeSecret(fileOf(env), file)
}

/** The name of the context of a command; null for the installation on this machine. */
export function contextName(env: NodeJS.ProcessEnv): string | null {
  const name = env.LENDLOOM_CONTEXT || readContexts(env).current
  return name === localName ? null : name
}

/** The context of a command; null for the installation on this machine. Throws `CannotRun` for an unknown name. */
export function contextOf(env: NodeJS.ProcessEnv): Context | null {
  const name = contextName(env)
  return name === null ? null : contextNamed(env, name)
}

/** The tenant of the context: the one that was set, or that of its person; undefined for platform staff. */
export function tenantOfContext(env: NodeJS.ProcessEnv): string | undefined {
  const context = contextOf(env)
  return context?.tenant || (context?.person.tenantId ?? undefined)
}

/** Returns a context by its name. Throws `CannotRun` if there is none. */
export function contextNamed(env: NodeJS.ProcessEnv, name: string): Context {
  const context = readContexts(env).contexts[name]
  if (!context) throw new CannotRun(`there is no context "${name}"; see lendloom context list`)
  return context
}

/** The secret of this context's listeners; created at the first call. */
export function listenSecretOf(env: NodeJS.ProcessEnv): string {
  const name = contextName(env) ?? localName
  const known = readContexts(env).listenSecrets[name]
  if (known !== undefined) return known
  const secret = secretOf(randomBytes(32))
  changeContexts(env, ({ listenSecrets }) => {
    listenSecrets[name] = secret
  })
  return secret
}

/** The address of the platform that a command calls. Throws `CannotRun` without one. */
export function platformUrlOf(env: NodeJS.ProcessEnv): string {
  const directory = dataDirectory(env)
  const url = contextOf(env)?.url ?? (env.PUBLIC_URL || runOf(directory)?.platform.url)
  if (url) return url
  throw new CannotRun(
    `no platform: run lendloom login <url>, set PUBLIC_URL, or start Lendloom here in another window (npm start); nothing runs on ${directory}`,
  )
}
