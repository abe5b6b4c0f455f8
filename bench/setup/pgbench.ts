// The rate at which PostgreSQL itself runs a script, by pgbench if installed.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BenchDatabase } from './database.ts'

/** Statements of one transaction. `variables` are random in each run and written `:name` in the statements. */
export interface Script {
  /** Concurrent connections; 8 by default. */
  clients?: number
  variables?: Record<string, [least: number, most: number]>
  statements: string[]
}

export interface Baseline {
  /** The driver's name, for the report. */
  name: string
  rate(seconds: number): Promise<number>
  remove(): void
}

const defaultClients = 8

export function baseline(database: BenchDatabase, script: Script): Baseline {
  if (spawnSync('pgbench', ['--version']).error)
    return {
      name: 'an equivalent loop in Node (pgbench is missing)',
      remove() {},
      rate: (seconds) => nodeRate(database, script, seconds),
    }
  const directory = mkdtempSync(join(tmpdir(), 'lendloom-pgbench-'))
  const file = join(directory, 'script.sql')
  const draws = Object.entries(script.variables ?? {}).map(
    ([name, [least, most]]) => `\\set ${name} random(${least}, ${most})`,
  )
  writeFileSync(file, [...draws, ...script.statements.map((statement) => `${statement};`), ''].join('\n'))
  return {
    name: 'pgbench',
    rate: (seconds) => pgbenchRate(database, file, seconds, script.clients ?? defaultClients),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}

async function pgbenchRate({ url }: BenchDatabase, file: string, seconds: number, clients: number): Promise<number> {
  const args = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '1', '-T', String(seconds), '-f', file, url]
  const pgbench = spawn('pgbench', args)
  let printed = ''
  pgbench.stdout.on('data', (chunk) => (printed += chunk))
  pgbench.stderr.on('data', (chunk) => (printed += chunk))
  await once(pgbench, 'close')
  const tps = /tps = ([\d.]+)/.exec(printed)?.[1]
  if (!tps) throw new Error(`pgbench: ${printed}`)
  return Number(tps)
}

async function nodeRate(
  { db }: BenchDatabase,
  { variables = {}, statements, clients = defaultClients }: Script,
  seconds: number,
): Promise<number> {
  const end = performance.now() + seconds * 1000
  const names = Object.keys(variables)
  const prepared = statements.map((statement, i) => {
    const used: string[] = []
    const text = statement.replace(/(?<!:):([a-z_]+)/g, (whole, name: string) =>
      names.includes(name) ? `$${used.push(name)}::bigint` : whole,
    )
    return { name: `bench-${i}`, text, used }
  })
  let count = 0
  const one = async (): Promise<void> => {
    const client = await db.pool.connect()
    for (; performance.now() < end; count++) {
      const drawn = Object.fromEntries(
        Object.entries(variables).map(([name, [least, most]]) => [
          name,
          least + Math.floor(Math.random() * (most - least + 1)),
        ]),
      )
      for (const { name, text, used } of prepared)
        await client.query({ name, text, values: used.map((each) => drawn[each]) })
    }
    client.release()
  }
  await Promise.all(Array.from({ length: clients }, one))
  return count / seconds
}

/**
 * Renders a captured statement with literals for its values; `sqlFor` returns the SQL for a value that must differ in each
 * row, or undefined.
 */
export function renderStatement(
  text: string,
  values: readonly unknown[],
  sqlFor: (value: unknown) => string | undefined,
): string {
  const literal = (value: unknown): string => {
    const own = sqlFor(value)
    if (own !== undefined) return own
    if (value === null || value === undefined) return 'null'
    if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'::bytea`
    if (value instanceof Date) return `'${value.toISOString()}'::timestamptz`
    if (Array.isArray(value)) return `array[${value.map(literal).join(', ')}]`
    return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
  }
  const whole = text.replace(/\$(\d+)/g, (_, number: string) => literal(values[Number(number) - 1]))
  return whole.replace(/\s+/g, ' ').trim()
}
