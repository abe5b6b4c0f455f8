// Measures the rate at which PostgreSQL runs a script, with pgbench if it is installed.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BenchDatabase } from './database.ts'

/** Statements of one transaction. Each variable, written `:name`, is a random number of its range. */
export interface Script {
  /** Concurrent connections; 8 by default. */
  clients?: number
  variables?: Record<string, [min: number, max: number]>
  statements: string[]
}

export interface Baseline {
  /** Name of the load generator, for the report. */
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
    ([name, [min, max]]) => `\\set ${name} random(${min}, ${max})`,
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
  const runClient = async (): Promise<void> => {
    const client = await db.pool.connect()
    for (; performance.now() < end; count++) {
      const drawn = Object.fromEntries(
        Object.entries(variables).map(([name, [min, max]]) => [
          name,
          min + Math.floor(Math.random() * (max - min + 1)),
        ]),
      )
      for (const { name, text, used } of prepared)
        await client.query({ name, text, values: used.map((each) => drawn[each]) })
    }
    client.release()
  }
  await Promise.all(Array.from({ length: clients }, runClient))
  return count / seconds
}

/** Replaces the values of a captured statement by literals, or by `sqlFor(value)` if values must differ by row. */
export function renderStatement(
  text: string,
  values: readonly unknown[],
  sqlFor: (value: unknown) => string | undefined,
): string {
  const literal = (value: unknown): string => {
    const expression = sqlFor(value)
    if (expression !== undefined) return expression
    if (value === null || value === undefined) return 'null'
    if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'::bytea`
    if (value instanceof Date) return `'${value.toISOString()}'::timestamptz`
    if (Array.isArray(value)) return `array[${value.map(literal).join(', ')}]`
    return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
  }
  const whole = text.replace(/\$(\d+)/g, (_, number: string) => literal(values[Number(number) - 1]))
  return whole.replace(/\s+/g, ' ').trim()
}
