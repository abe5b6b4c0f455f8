// Starts the partner's API process and a worker that applies events, for benchmarks of the event intake.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeOptions } from '@lendloom/foundation/program'
import { newSealKey } from '@lendloom/seal/seal'
import { freePort } from '@lendloom/tests/setup/platform'

export interface PartnerApi {
  url: string
  pid: number
  keys: string
  client: Client
  stop(): void
}

export interface Client {
  sender: string
  bearer: string
  keyId: string
  secret: string
}

export async function startPartnerApi(databaseUrl: string, env: Record<string, string> = {}): Promise<PartnerApi> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const secret = () => randomBytes(18).toString('base64url')
  const client = { sender: 'LENDLOOM', bearer: secret(), keyId: 'bench-1', secret: secret() }
  const webhook = { bearer: secret(), keyId: 'bench-2', secret: secret() }
  const keys = env.LENDLOOM_KEYS ?? newSealKey('b1')
  const files = mkdtempSync(join(tmpdir(), 'lendloom-bench-files-'))
  const child = startProgram('apps/partner/src/main.ts', {
    PARTNER_PORT: String(port),
    PARTNER_PUBLIC_URL: url,
    PARTNER_DATABASE_URL: databaseUrl,
    PARTNER_MODE: 'api',
    PARTNER_FILES_DIR: files,
    PARTNER_CLIENTS: JSON.stringify([{ ...client, keys: [client], webhook }]),
    LENDLOOM_KEYS: keys,
    LOG_LEVEL: 'info',
    ...env,
  })
  await waitUntilReady(child, 'the partner')
  const stop = () => {
    child.kill('SIGKILL')
    rmSync(files, { recursive: true, force: true })
  }
  return { url, pid: child.pid!, keys, client, stop }
}

export interface EventWorker {
  pid: number
  stop(): void
}

/** Starts a process that applies events. Each event updates a row of its case; an event out of order fails. */
export async function startEventWorker(databaseUrl: string, keys: string, pooler = 'none'): Promise<EventWorker> {
  const env = { DATABASE_URL: databaseUrl, DATABASE_POOLER: pooler, LENDLOOM_KEYS: keys }
  const child = startProgram('bench/setup/event-worker.ts', env)
  await waitUntilReady(child, 'the worker')
  return { pid: child.pid!, stop: () => child.kill('SIGKILL') }
}

const startProgram = (path: string, env: Record<string, string>): ChildProcess =>
  spawn(process.execPath, [...process.execArgv, ...nodeOptions, path], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })

async function waitUntilReady(child: ChildProcess, what: string): Promise<void> {
  const first = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => null)])
  if (!first) throw new Error(`${what} did not start`)
}
