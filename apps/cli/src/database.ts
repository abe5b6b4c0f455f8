// Opens the database that the environment names, or that of the local installation.

import { secretText } from '@lendloom/foundation/config'
import { codeOf, messageOf } from '@lendloom/foundation/thrown'
import { connect, type Db, poolerSetting } from '@lendloom/postgres/sql'
import { type Seal, sealWith } from '@lendloom/seal/seal'
import { CannotRun, UsageError } from './command.ts'
import { contextName, localName } from './contexts.ts'
import { dataDirectory, runOf } from './installation.ts'
import { storedKeys } from './installation-keys.ts'
import { sealedColumns } from './keys/sealed-columns.ts'
import type { Program } from './program-names.ts'

export const databaseVariable: Record<Program, string> = {
  platform: 'DATABASE_URL',
  partner: 'PARTNER_DATABASE_URL',
  sandbox: 'SANDBOX_DATABASE_URL',
}

/** The URL of a program's database. Throws `CannotRun` with instructions if no database is known. */
export function databaseUrlOf(program: Program, env: NodeJS.ProcessEnv): string {
  const given = secretText(env, databaseVariable[program])
  if (given) return given
  const context = contextName(env)
  if (context !== null)
    throw new CannotRun(
      `this command needs the database, which the context ${context} does not have: run it on the platform's machine, with --context ${localName}`,
    )
  const directory = dataDirectory(env)
  const running = runOf(directory)?.[program]
  if (running) return running.databaseUrl
  throw new CannotRun(
    `no database: nothing runs on ${directory}; start Lendloom in another window (npm start) or set ${databaseVariable[program]}`,
  )
}

/** Opens a program's database, through a pooler if the environment names one. */
export const connectTo = (program: Program, env: NodeJS.ProcessEnv, connections: number): Db =>
  connect(databaseUrlOf(program, env), {
    connections,
    pooler: poolerSetting.read(env[databaseVariable[program].replace('URL', 'POOLER')] || 'none'),
  })

/** Opens a program's database during `work`. Throws `CannotRun` if the database is unreachable or outdated. */
export async function withDatabase<T>(
  program: Program,
  env: NodeJS.ProcessEnv,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const db = connectTo(program, env, 2)
  try {
    return await work(db)
  } catch (error) {
    throw explainError(error)
  } finally {
    await db.close()
  }
}

/** The seal of a program's data, from the environment or the local installation. */
export function sealOf(env: NodeJS.ProcessEnv, program: Program = 'platform'): Seal {
  const keys = secretText(env, 'LENDLOOM_KEYS')
  if (keys) return sealWith(keys, secretText(env, 'LENDLOOM_DIGEST_KEY'), sealedColumns[program])
  const stored = storedKeys(dataDirectory(env))
  return sealWith(stored[program], stored.digest?.[program], sealedColumns[program])
}

function explainError(error: unknown): unknown {
  const code = codeOf(error) ?? ''
  const message = messageOf(error)
  if (unreachableCodes.test(code)) return new CannotRun(`the database is not reachable: ${message}`)
  if (code === '42P01') return new CannotRun(`${message}: bring the database up to date with "lendloom migrate"`)
  // Commands do not check ids from the command line; the database's error quotes an invalid id.
  const [, invalidId] = code === '22P02' ? (/for type uuid: (".*")$/s.exec(message) ?? []) : []
  return invalidId ? new UsageError(`${invalidId} is not an id`) : error
}

/** The database is unreachable, denies access, or does not exist. */
const unreachableCodes = /^(ECONN|ENOTFOUND|ETIMEDOUT|EHOSTUNREACH|28|3D000|57P03)/
