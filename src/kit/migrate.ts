// Migrations go forward: numbered SQL files of a program, each applied once, never edited after.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Db } from '#kit/sql.ts'

/**
 * Brings a database up to the newest file of `directory` and gives the names it applied.
 * Several processes may call it at once: one applies, the others wait. An edited file is an error, not a surprise.
 */
export async function migrate(db: Db, directory: string): Promise<string[]> {
  const files = migrationsIn(directory)
  const client = await db.pool.connect()
  const applied: string[] = []
  try {
    await client.query('begin')
    await client.query(`select pg_advisory_xact_lock(hashtext('migrate'))`)
    await client.query(
      'create table if not exists migration (name text primary key, digest text not null, applied_at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string; digest: string }>('select name, digest from migration')
    const known = new Map(rows.map(({ name, digest }) => [name, digest]))
    for (const name of files) {
      const text = readFileSync(join(directory, name), 'utf8')
      const digest = createHash('sha256').update(text).digest('hex')
      const before = known.get(name)
      if (before === digest) continue
      if (before !== undefined) throw new Error(`migration ${name} was edited after it was applied`)
      await client.query(text)
      await client.query('insert into migration (name, digest) values ($1, $2)', [name, digest])
      applied.push(name)
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
  }
  return applied
}

/** Two branches may have written the same number: which of the two comes first is for people to say. */
function migrationsIn(directory: string): string[] {
  const files = readdirSync(directory)
    .filter((name) => /^\d{3}-.+\.sql$/.test(name))
    .sort()
  const twice = files.find((name, i) => name.slice(0, 3) === files[i - 1]?.slice(0, 3))
  if (twice) throw new Error(`there are two migrations of number ${twice.slice(0, 3)}`)
  return files
}
