// Starts the platform as an API process for benchmarks.
import { readFileSync } from 'node:fs'
import { type Seal, sealWith } from '@lendloom/seal/seal'
import { startChild } from '@lendloom/tests/setup/child-program'
import { freePort, platformEnvironment } from '@lendloom/tests/setup/platform'

export interface Api {
  url: string
  pid: number
  tenant: { tenantId: string; applicationId: string; apiKey: string }
  seal: Seal
  env: Record<string, string>
  stop(): void
}

/** Warm-up time: a program reaches full speed only after about ten thousand requests. */
export const warmUpSeconds = 8

export async function startApi(databaseUrl: string, extraEnv: Record<string, string> = {}): Promise<Api> {
  const port = await freePort()
  const env: Record<string, string> = {
    ...platformEnvironment(databaseUrl, port),
    MODE: 'api',
    LOG_LEVEL: 'info',
    RATE_LIMITS: 'off',
    // As many as pgbench's clients. On two cores, more connections lower the rate by a third.
    DATABASE_CONNECTIONS: '8',
    ...extraEnv,
  }
  const { child, pid, ready } = await startChild({ program: 'platform', env: { ...process.env, ...env } })
  const announce = ready.announce as { sandbox: { tenant: Api['tenant'] } }
  return {
    url: `http://127.0.0.1:${port}`,
    pid,
    tenant: announce.sandbox.tenant,
    seal: sealWith(env.LENDLOOM_KEYS!),
    env,
    stop: () => child.kill('SIGKILL'),
  }
}

/** Processor time of the program so far, in milliseconds. */
export function cpuMs({ pid }: Pick<Api, 'pid'>): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

export const apiMemoryMiB = ({ pid }: Pick<Api, 'pid'>): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024)

/** Returns the number after `--name`, or the fallback. */
export function option(args: string[], name: string, fallback: number): number {
  const at = args.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(args[at + 1])
}
