// Measures the start-up cost of each program, of a test platform, of commands, and of a whole installation.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeOptions } from '@lendloom/foundation/program'
import { newSealKey } from '@lendloom/seal/seal'
import { type Program, serverVariable, testDatabase } from '@lendloom/tests/setup/database'
import { freePort, platformEnvironment } from '@lendloom/tests/setup/platform'
import { partnerEnvironments } from '@lendloom/tests/setup/programs'
import { startTestServer } from '@lendloom/tests/setup/server'
import { cpuMs, option } from './setup/api.ts'
import { judge } from './setup/goals.ts'

export const about = `Start-up cost: seconds and processor seconds until ready
Goal: an installation is ready within 3 s at its first start and 1.5 s at a later start.
Prints minima with a warm compile cache. Options: --rounds <n> (5); --installation <n> rounds of the installation (2).`

const home = join(import.meta.dirname, '..')
const cache = mkdtempSync(join(tmpdir(), 'lendloom-start-'))

export async function run(args: string[]): Promise<void> {
  const rounds = option(args, 'rounds', 5)
  const installations = option(args, 'installation', 2)
  const server = await startTestServer()
  process.env[serverVariable] = server.url
  try {
    for (const program of ['platform', 'sandbox', 'partner'] as const) {
      const env = await environmentOf(program)
      await report(program, rounds, () => untilReady([...nodeOptions, `apps/${program}/src/main.ts`], env))
    }
    await report('testPlatform', rounds, () => untilReady(['--input-type=module', '-e', testProcess]))
    for (const command of ['--help', 'key --help', 'desk --help', 'journey --help', 'start --help', 'settings'])
      await report(`lendloom ${command}`, rounds, () => untilEnded(['bin/lendloom.js', ...command.split(' ')]))
    const seconds: Record<InstallationStart, number[]> = { 'first start': [], 'later start': [] }
    for (let round = 0; round < installations; round++) await installation(seconds)
    if (installations === 0) return
    judge({ figure: 'npm start, first', value: Math.min(...seconds['first start']), unit: 's', atMost: 3 })
    judge({ figure: 'npm start, later', value: Math.min(...seconds['later start']), unit: 's', atMost: 1.5 })
  } finally {
    await server.stop()
    rmSync(cache, { recursive: true, force: true })
  }
}

const testProcess = `
  await import('@lendloom/foundation/quick-imports.mjs')
  const { testPlatform } = await import('@lendloom/tests/setup/platform')
  await testPlatform()
  process.send('ready')
  process.on('disconnect', () => process.exit())`

async function environmentOf(program: Program): Promise<Record<string, string>> {
  const database = await testDatabase(program)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  if (program === 'platform') return platformEnvironment(database, port)
  const common = { LOG_LEVEL: 'error', LENDLOOM_KEYS: newSealKey('b1') }
  if (program === 'sandbox')
    return { ...common, SANDBOX_PORT: String(port), SANDBOX_URL: url, SANDBOX_DATABASE_URL: database }
  const unreachableUrl = 'http://127.0.0.1:9'
  return {
    ...common,
    ...partnerEnvironments({
      url,
      database,
      directory: join(cache, 'files'),
      platformUrl: unreachableUrl,
      sandboxUrl: unreachableUrl,
    }).partner,
  }
}

interface Cost {
  seconds: number
  cpuSeconds: number
}

/** Warms up once, then prints the minimum of all rounds, because other load only adds time. */
async function report(name: string, rounds: number, measure: () => Promise<Cost>): Promise<void> {
  await measure()
  const costs: Cost[] = []
  for (let round = 0; round < rounds; round++) costs.push(await measure())
  const minimum = (of: keyof Cost): string => Math.min(...costs.map((cost) => cost[of])).toFixed(2)
  console.log(`${name.padEnd(24)} ${minimum('seconds')} s  processor ${minimum('cpuSeconds')} s`)
}

function start(args: string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, args, {
    cwd: home,
    env: { ...process.env, NODE_COMPILE_CACHE: join(cache, 'compiled'), ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

/** Waits for the ready message that a program sends to its launcher. */
async function untilReady(args: string[], env: NodeJS.ProcessEnv = {}): Promise<Cost> {
  const began = performance.now()
  const child = start(args, env)
  await once(child, 'message')
  const cost = { seconds: (performance.now() - began) / 1000, cpuSeconds: cpuMs({ pid: child.pid! }) / 1000 }
  // Node writes the compile cache at exit.
  child.kill('SIGTERM')
  if (child.connected) child.disconnect()
  await once(child, 'exit')
  return cost
}

async function untilEnded(args: string[]): Promise<Cost> {
  const began = performance.now()
  const before = childrenCpuSeconds()
  await once(start(args, {}), 'exit')
  return { seconds: (performance.now() - began) / 1000, cpuSeconds: childrenCpuSeconds() - before }
}

/** Processor time of children that have ended. */
function childrenCpuSeconds(): number {
  const text = readFileSync('/proc/self/stat', 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}

type InstallationStart = 'first start' | 'later start'

/** Measures `lendloom start` in a new data directory, first empty, then existing. */
async function installation(seconds: Record<InstallationStart, number[]>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'lendloom-installation-'))
  const names = ['PORT', 'PARTNER_PORT', 'SECOND_PARTNER_PORT', 'SANDBOX_PORT', 'SANDBOX_SMTP_PORT', 'MAIL_IN_PORT']
  const ports = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, String(await freePort())] as const)),
  )
  for (const start of ['first start', 'later start'] as const) {
    const began = performance.now()
    const before = childrenCpuSeconds()
    const child = spawn(process.execPath, ['bin/lendloom.js', 'start', '--json'], {
      cwd: home,
      env: { ...process.env, LENDLOOM_DATA_DIR: directory, ...ports },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    const took = (performance.now() - began) / 1000
    seconds[start].push(took)
    child.kill('SIGTERM')
    await once(child, 'exit')
    const cpuSeconds = childrenCpuSeconds() - before
    console.log(
      `installation, ${start}`.padEnd(24),
      `${took.toFixed(2)} s  processor ${cpuSeconds.toFixed(2)} s, with shutdown`,
    )
  }
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
}
