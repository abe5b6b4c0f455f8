// A database of a program as an earlier version left it.
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase } from '#cli/postgres/server.ts'
import { uuidv4 } from '#kit/crypto/id.ts'
import { migrate } from '#kit/db/migrate.ts'
import { connect } from '#kit/db/sql.ts'
import { testServer } from './database.ts'

/** The platform's. */
export const platformMigrations = join(import.meta.dirname, '..', '..', 'src', 'platform', 'migrations')

/** Those of the partner. */
export const partnerMigrations = join(import.meta.dirname, '..', '..', 'src', 'partner', 'migrations')

/** A database before a migration; its url. */
export async function databaseBefore(migration: string, migrations = platformMigrations): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'lendloom-before-'))
  for (const name of readdirSync(migrations))
    if (name < migration) cpSync(join(migrations, name), join(directory, name))
  const url = await createDatabase(await testServer(), `before_${uuidv4().replaceAll('-', '')}`)
  const db = connect(url, { connections: 1 })
  await migrate(db, directory).finally(() => db.close())
  rmSync(directory, { recursive: true })
  return url
}
