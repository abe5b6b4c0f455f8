// `npm run docs`: writes the generated pages and OpenAPI files; a temporary database provides the schema.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { migrationsOf } from '@lendloom/cli/src/migrations.ts'
import { createDatabase, startPostgres } from '@lendloom/cli/src/postgres/server.ts'
import type { Program } from '@lendloom/cli/src/program-names.ts'
import { migrate } from '@lendloom/postgres/migrate'
import { connect } from '@lendloom/postgres/sql'
import type { Schema } from './data-model.ts'
import { generatedPages } from './pages.ts'
import { readTables, type TableRow } from './store.ts'

const home = join(import.meta.dirname, '..', '..')

const pages = await generatedPages(await migratedSchema())
for (const [path, text] of Object.entries(pages)) {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), text)
}
process.stdout.write(`${Object.keys(pages).join('\n')}\n`)

async function migratedSchema(): Promise<Schema> {
  const directory = mkdtempSync(join(tmpdir(), 'lendloom-docs-'))
  const server = await startPostgres({ directory: join(directory, 'postgres'), settings: { fsync: 'off' } })
  try {
    const [platform, partner, sandbox] = await Promise.all([
      tablesOf(server.url, 'platform'),
      tablesOf(server.url, 'partner'),
      tablesOf(server.url, 'sandbox'),
    ])
    return { platform, partner, sandbox }
  } finally {
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

async function tablesOf(server: string, program: Program): Promise<TableRow[]> {
  const db = connect(await createDatabase(server, program), { connections: 1 })
  try {
    await migrate(db, migrationsOf[program])
    return await readTables(db)
  } finally {
    await db.close()
  }
}
