// The smallest server reads or writes one row with bare Fastify and pg: the minimum cost of a request in this stack.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { nodeOptions } from '@lendloom/foundation/program'
import { freePort } from '@lendloom/tests/setup/platform'
import { fastify } from 'fastify'
import { Pool } from 'pg'
import { warmUpSeconds } from './api.ts'
import type { BenchDatabase } from './database.ts'
import { jsonRequest, load } from './http-load.ts'
import { type Figure, lineOf, measurePhase } from './measure.ts'

export interface MinimalServer {
  read: Figure
  write: Figure
}

const rows = 2000
const connections = 64

/** Measures and prints a read and a durable write of one row on the smallest server. */
export async function measureMinimalServer(
  database: Pick<BenchDatabase, 'db' | 'url' | 'pid'>,
  seconds: number,
): Promise<MinimalServer> {
  const { db, url } = database
  await db`create table bench_row (id uuid primary key default gen_random_uuid(), number int, body jsonb not null)`
  await db`insert into bench_row (number, body) select n, '{"status":"OFFERED"}' from generate_series(1, ${rows}::int) as n`
  await db`create index on bench_row (number)`
  const port = await freePort()
  const child = spawn(
    process.execPath,
    [...process.execArgv, ...nodeOptions, import.meta.filename, url, String(port)],
    {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  )
  try {
    await once(child, 'message')
    const subject = { database, pids: [child.pid!] }
    const host = `127.0.0.1:${port}`
    const reads = Array.from({ length: rows }, (_, i) => jsonRequest('GET', `/row/${i + 1}`, host, {}))
    const read = () => reads[Math.floor(Math.random() * rows)]!
    const written = jsonRequest('POST', '/row', host, {}, { resume: { lastCompletedStep: 'step-1' } })
    const phase = async (next: () => string, status: number, forSeconds: number) => {
      const { latencies } = await load({ host: '127.0.0.1', port, connections, seconds: forSeconds, next, status })
      return latencies
    }
    await phase(read, 200, warmUpSeconds / 2)
    await phase(() => written, 201, warmUpSeconds / 2)
    const minimalServer = {
      read: await measurePhase(subject, () => phase(read, 200, seconds)),
      write: await measurePhase(subject, () => phase(() => written, 201, seconds)),
    }
    console.log(`smallest server, reads of one row   ${lineOf(minimalServer.read)}`)
    console.log(`smallest server, writes of one row  ${lineOf(minimalServer.write)}`)
    return minimalServer
  } finally {
    child.kill('SIGKILL')
    await db`drop table bench_row`
  }
}

/** Runs in the child process. */
async function serve(url: string, port: number): Promise<void> {
  const pool = new Pool({ connectionString: url, max: 8 })
  const app = fastify({ logger: false })
  app.get<{ Params: { number: string } }>('/row/:number', async ({ params }) => {
    const values = [Number(params.number)]
    const found = await pool.query({ name: 'read', text: 'select id, body from bench_row where number = $1', values })
    return found.rows[0]
  })
  app.post('/row', async ({ body }, reply) => {
    const values = [JSON.stringify(body)]
    const made = await pool.query({
      name: 'write',
      text: 'insert into bench_row (body) values ($1) returning id',
      values,
    })
    return reply.code(201).send(made.rows[0])
  })
  await app.listen({ host: '127.0.0.1', port })
  process.send?.('ready')
}

if (import.meta.main) await serve(process.argv[2]!, Number(process.argv[3]))
