// Finds the database of a command: from the environment, or of the local installation.

import { type Seal, sealWith } from '#kit/crypto/seal.ts'
import { connect, type Db, poolerSetting } from '#kit/db/sql.ts'
import { codeOf, messageOf } from '#kit/runtime/record.ts'
import { CannotRun, UsageError } from './command.ts'
import { dataDirectory, keysOf, runOf } from './installation.ts'
import { sealedColumns } from './keys/sealed-columns.ts'
import type { Program } from './programs.ts'

export const databaseVariable: Record<Program, string> = {
  platform: 'DATABASE_URL',
  partner: 'PARTNER_DATABASE_URL',
  sandbox: 'SANDBOX_DATABASE_URL',
}

/** The URL of a program's database. Throws `CannotRun` with instructions when there is none. */
export function databaseUrlOf(program: Program, env: NodeJS.ProcessEnv): string {
  const given = env[databaseVariable[program]]
  if (given) return given
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

/** Opens a program's database during `work`. An unreachable or outdated database becomes a `CannotRun` that says what to do. */
export async function withDatabase<T>(
  program: Program,
  env: NodeJS.ProcessEnv,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const db = connectTo(program, env, 2)
  try {
    return await work(db)
  } catch (error) {
    throw explained(error)
  } finally {
    await db.close()
  }
}

/** The seal of a program's database; by default the platform's. */
export const sealOf = (env: NodeJS.ProcessEnv, program: Program = 'platform'): Seal =>
  env.LENDLOOM_KEYS
    ? sealWith(env.LENDLOOM_KEYS, env.LENDLOOM_DIGEST_KEY, sealedColumns[program])
    : sealWith(
        keysOf(dataDirectory(env))[program],
        keysOf(dataDirectory(env)).digest?.[program],
        sealedColumns[program],
      )

function explained(error: unknown): unknown {
  const [code, message] = [codeOf(error) ?? '', messageOf(error)]
  if (isUnreachable.test(code)) return new CannotRun(`the database is not reachable: ${message}`)
  if (code === '42P01') return new CannotRun(`${message}: bring the database up to date with "lendloom migrate"`)
  // Typed ids go to the database unchecked; its error quotes the invalid one.
  const [, unreadable] = code === '22P02' ? (/for type uuid: (".*")$/s.exec(message) ?? []) : []
  return unreadable ? new UsageError(`${unreadable} is not an id`) : error
}

/** Unreachable, access denied, or no such database. */
const isUnreachable = /^(ECONN|ENOTFOUND|ETIMEDOUT|EHOSTUNREACH|28|3D000|57P03)/
