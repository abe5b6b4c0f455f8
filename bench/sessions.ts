// How fast sessions can be created, against the rate at which PostgreSQL commits the same rows by itself.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Fragment, type Run, textOf } from '#kit/sql.ts'
import { register } from '#platform/webhook/register.ts'
import { freePort, platformEnvironment } from '../test/setup/platform.ts'
import { type BenchDatabase, benchDatabase } from './setup/database.ts'
import { percentile, serverCpuMs } from './setup/figures.ts'
import { jsonRequest, load } from './setup/http-load.ts'
import { openingSample } from './setup/opening-sample.ts'

export const about = `POST /api/lab/sessions for new borrowers, against pgbench committing the same rows with 8 clients
Goal: at least 0.5 of pgbench's rate, both on one machine in one run.
Options: --rounds <n> (3), --seconds <n> of each phase (5), --connections <n> (32).
Without pgbench an equal loop of 8 connections in Node stands in for it, and is named so.`

const option = (args: string[], name: string, fallback: number): number => {
  const at = args.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(args[at + 1])
}

export async function run(args: string[]): Promise<void> {
  const [rounds, seconds, connections] = [
    option(args, 'rounds', 3),
    option(args, 'seconds', 5),
    option(args, 'connections', 32),
  ]
  const database = await benchDatabase()
  const platform = await startApi(database.url)
  try {
    const { tenant } = platform
    await database.db.tx((tx) =>
      register(tx, platform.seal, tenant, { url: 'https://app.example/hook', statuses: null }, new Date()),
    )
    const baseline = baselineOf(database, platform)
    await sessions(platform, 2, connections)
    const ratios: number[] = []
    for (let round = 1; round <= rounds; round++) {
      await database.db`checkpoint`
      const alone = await baseline.rate(seconds)
      await database.db`checkpoint`
      const before = { own: cpuMs(platform.pid), database: serverCpuMs(database.pid) }
      const latencies = await sessions(platform, seconds, connections)
      const count = latencies.length
      const own = (cpuMs(platform.pid) - before.own) / count
      const server = (serverCpuMs(database.pid) - before.database) / count
      const rate = count / seconds
      ratios.push(rate / alone)
      console.log(
        `round ${round}: sessions ${rate.toFixed(0)}/s, ${baseline.name} ${alone.toFixed(0)}/s, ratio ${(rate / alone).toFixed(2)}; ` +
          `p50 ${percentile(latencies, 0.5).toFixed(2)} ms, p99 ${percentile(latencies, 0.99).toFixed(2)} ms; ` +
          `CPU a request: platform ${(own * 1000).toFixed(0)} us, PostgreSQL ${(server * 1000).toFixed(0)} us; memory ${memoryMiB(platform.pid)} MiB`,
      )
    }
    const ratio = percentile(ratios, 0.5)
    console.log(`\nmedian ratio ${ratio.toFixed(2)}, goal 0.50: ${ratio >= 0.5 ? 'met' : 'MISSED'}`)
    const [row] = await database.db<{ n: number }>`select count(*)::int as n from journey`
    console.log(`${row!.n} journeys stored`)
    baseline.remove()
  } finally {
    platform.stop()
    await database.stop()
  }
}

type Api = Awaited<ReturnType<typeof startApi>>

/** The real program, answering only. */
async function startApi(databaseUrl: string) {
  const { sealWith } = await import('#kit/seal.ts')
  const env: Record<string, string> = {
    ...platformEnvironment(databaseUrl, await freePort()),
    MODE: 'api',
    LOG_LEVEL: 'info',
    RATE_LIMITS: 'off',
  }
  const child = spawn(process.execPath, ['src/platform/main.ts'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [{ announce }] = (await once(child, 'message')) as [
    { announce: { sandbox: { tenant: { tenantId: string; applicationId: string; apiKey: string } } } },
  ]
  return {
    url: env.PUBLIC_URL!,
    pid: child.pid!,
    tenant: announce.sandbox.tenant,
    seal: sealWith(env.LENDLOOM_KEYS!),
    env,
    stop: () => child.kill('SIGKILL'),
  }
}

let people = 0

/** Requests for some seconds, each for a borrower nobody has seen. */
async function sessions({ url, tenant }: Api, seconds: number, connections: number): Promise<number[]> {
  const { hostname, port, host } = new URL(url)
  const headers = { authorization: `Bearer ${tenant.apiKey}` }
  const next = () => jsonRequest('POST', '/api/lab/sessions', host, headers, borrower())
  const { latencies } = await load({ host: hostname, port: Number(port), connections, seconds, next, status: 201 })
  return latencies
}

const borrower = () => {
  const number = ++people
  return {
    borrowerProviderID: `bench-${process.pid}-${number}`,
    profile: {
      contactNumber: `9${String(number).padStart(9, '0')}`,
      pan: 'ABCPE1234F',
      panName: 'Asha Kulkarni',
      dob: '1992-02-29',
      gender: 'female',
      personalemail: 'asha@mail.example',
    },
    workProfile: { employmentType: 'salaried', income: 85000, companyName: 'Example Industries' },
    address: { addressL1: '7 Fort Road', city: 'Mumbai', state: 'Maharashtra', pincode: '400001' },
  }
}

interface Baseline {
  name: string
  rate(seconds: number): Promise<number>
  remove(): void
}

/** The statement that a session commits, its ids made by PostgreSQL, everything else as in a real one. */
function baselineOf(database: BenchDatabase, { tenant, env }: Api): Baseline {
  const directory = mkdtempSync(join(tmpdir(), 'lendloom-pgbench-'))
  const remove = () => rmSync(directory, { recursive: true, force: true })
  const statement = statementOf(env, tenant)
  if (spawnSync('pgbench', ['--version']).error) {
    return {
      name: 'an equal loop in Node (no pgbench here)',
      remove,
      rate: (seconds) => nodeRate(database, statement, seconds),
    }
  }
  const script = join(directory, 'session.sql')
  writeFileSync(script, `${statement};\n`)
  return {
    name: 'pgbench',
    remove,
    async rate(seconds) {
      const pgbench = spawn('pgbench', [
        '-n',
        '-M',
        'prepared',
        '-c',
        '8',
        '-j',
        '1',
        '-T',
        String(seconds),
        '-f',
        script,
        database.url,
      ])
      let printed = ''
      pgbench.stdout.on('data', (chunk) => (printed += chunk))
      pgbench.stderr.on('data', (chunk) => (printed += chunk))
      await once(pgbench, 'close')
      const tps = /tps = ([\d.]+)/.exec(printed)?.[1]
      if (!tps) throw new Error(`pgbench: ${printed}`)
      return Number(tps)
    },
  }
}

async function nodeRate({ db }: BenchDatabase, statement: string, seconds: number): Promise<number> {
  const end = performance.now() + seconds * 1000
  let count = 0
  const one = async (): Promise<void> => {
    for (; performance.now() < end; count++) await db.pool.query({ name: 'session', text: statement })
  }
  await Promise.all(Array.from({ length: 8 }, one))
  return count / seconds
}

/** The real statement with literals for its values; what must differ from row to row is drawn by PostgreSQL. */
function statementOf(env: Record<string, string>, tenant: { tenantId: string; applicationId: string }): string {
  const { open, drawn } = openingSample(env, tenant)
  const values: unknown[] = []
  let text = ''
  const capture = (strings: TemplateStringsArray, ...given: unknown[]) => {
    text = textOf(new Fragment(strings, given), values)
    return Promise.resolve([])
  }
  void open(capture as unknown as Run)
  const literal = (value: unknown): string => {
    if (value === null) return 'null'
    const name = typeof value === 'string' ? drawn[value] : undefined
    if (name) return `(select ${name} from drawn)`
    if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'::bytea`
    if (value instanceof Date) return `'${value.toISOString()}'::timestamptz`
    return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
  }
  const filled = text
    .replace(/\$(\d+)/g, (_, number: string) => literal(values[Number(number) - 1]))
    .replace(/\s+/g, ' ')
    .trim()
  const ids = [...new Set(Object.values(drawn))].map(
    (name) => `${name.endsWith('_text') ? 'uuidv7()::text' : 'uuidv7()'} as ${name}`,
  )
  return filled.replace(/^with /, `with drawn as materialized (select ${ids.join(', ')}), `)
}

const cpuMs = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
const memoryMiB = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024)
