// Platform and partner in several processes each, APIs and workers, on one PostgreSQL, with a sandbox around them.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '#cli/postgres/cluster.ts'
import { createDatabase, startPostgres } from '#cli/postgres/server.ts'
import { newSealKey, type Seal, sealWith } from '#kit/crypto/seal.ts'
import { connect, type Db } from '#kit/db/sql.ts'
import { nodeOptions, type Ready } from '#kit/runtime/program.ts'
import type { SandboxTenant } from '#platform/access/sandbox-tenants.ts'
import { sandboxProviders } from '#platform/provider/settings.ts'
import { platformColumns } from '#platform/sealed-columns.ts'
import { freePort, platformEnvironment } from '#test/setup/platform.ts'
import { partnerEnvironments, quick, unhurried } from '#test/setup/programs.ts'
import { atEnd } from '../../bench/setup/at-end.ts'
import { startBalancer } from './balancer.ts'

export interface Process {
  program: 'platform' | 'partner'
  mode: 'api' | 'worker'
  port: number
  /** Ends it as a power cut would. */
  kill(): Promise<void>
}

export interface Installation {
  platformUrl: string
  tenant: SandboxTenant
  processes: Process[]
  db: Db
  partnerDb: Db
  sandboxDb: Db
  seal: Seal
  stop(): Promise<void>
}

const each = 2

export async function startInstallation(): Promise<Installation> {
  const home = mkdtempSync(join(tmpdir(), 'lendloom-workers-'))
  const children: ChildProcess[] = []
  let postmaster: number | undefined
  const remove = atEnd(() => {
    for (const child of children) child.kill('SIGKILL')
    if (postmaster !== undefined && isAlive(postmaster)) process.kill(postmaster, 'SIGKILL')
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  })
  const server = await startPostgres({ directory: join(home, 'postgres') })
  postmaster = server.pid
  const ports = { platform: [] as number[], partner: [] as number[] }
  const balancers = { platform: await startBalancer(ports.platform), partner: await startBalancer(ports.partner) }
  const databases: Db[] = []
  const stop = async () => {
    for (const balancer of Object.values(balancers)) balancer.stop()
    for (const child of children) child.kill('SIGKILL')
    await Promise.all(databases.map((db) => db.close()))
    await server.stop()
    remove()
  }
  try {
    const urls = {
      platform: await createDatabase(server.url, 'platform'),
      partner: await createDatabase(server.url, 'partner'),
      sandbox: await createDatabase(server.url, 'sandbox'),
    }
    const env = await environments(urls, balancers, home)
    const start = async (program: string, more: Record<string, string>): Promise<[Ready, ChildProcess]> => {
      const child = spawn(process.execPath, [...nodeOptions, `src/${program}/main.ts`], {
        env: { ...process.env, ...env[program as keyof typeof env], ...more },
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      })
      children.push(child)
      const first = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => null)])
      if (!first) throw new Error(`the ${program} did not start`)
      return [first[0] as Ready, child]
    }
    await start('sandbox', {})
    const processes: Process[] = []
    let tenant: SandboxTenant | undefined
    for (const program of ['platform', 'partner'] as const)
      for (const mode of ['api', 'worker'] as const)
        for (let i = 0; i < each; i++) {
          const port = await freePort()
          const [name, modeName] = program === 'platform' ? ['PORT', 'MODE'] : ['PARTNER_PORT', 'PARTNER_MODE']
          const [ready, child] = await start(program, { [name]: String(port), [modeName]: mode })
          if (mode === 'api') ports[program].push(port)
          if (program === 'platform' && mode === 'api')
            tenant ??= (ready.announce.sandbox as { tenant: SandboxTenant }).tenant
          const kill = async () => {
            const ended = once(child, 'exit')
            child.kill('SIGKILL')
            await ended
            // A balancer finds out by its probes; connections that were open break.
            const at = ports[program].indexOf(port)
            if (at >= 0) ports[program].splice(at, 1)
          }
          processes.push({ program, mode, port, kill })
        }
    if (!tenant) throw new Error('the platform announces its tenant')
    const [db, partnerDb, sandboxDb] = [urls.platform, urls.partner, urls.sandbox].map((url) =>
      connect(url, { connections: 3 }),
    ) as [Db, Db, Db]
    databases.push(db, partnerDb, sandboxDb)
    const seal = sealWith(env.platform.LENDLOOM_KEYS ?? '', '', platformColumns)
    return { platformUrl: env.platform.PUBLIC_URL ?? '', tenant, processes, db, partnerDb, sandboxDb, seal, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

type Urls = Record<'platform' | 'partner' | 'sandbox', string>

/** What each program is told; ports and modes differ by process. */
async function environments(
  urls: Urls,
  balancers: Record<'platform' | 'partner', { port: number }>,
  home: string,
): Promise<Record<keyof Urls, Record<string, string>>> {
  const platformUrl = `http://127.0.0.1:${balancers.platform.port}`
  const sandboxPort = await freePort()
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`
  const lender = partnerEnvironments({
    ...{ url: `http://127.0.0.1:${balancers.partner.port}`, database: urls.partner, directory: join(home, 'files') },
    ...{ platformUrl, sandboxUrl },
  })
  const common = { ...quick, ...unhurried, LOG_LEVEL: 'silent' }
  return {
    platform: {
      ...platformEnvironment(urls.platform, balancers.platform.port),
      ...common,
      NETWORK_REGISTRY_URL: `${sandboxUrl}/registry`,
      NETWORK_GATEWAY_URL: `${sandboxUrl}/gateway`,
      AA_REGISTRY_URL: `${sandboxUrl}/aggregator/registry`,
      ...sandboxProviders(sandboxUrl),
      ...lender.platform,
    },
    partner: { ...common, ...lender.partner },
    sandbox: {
      ...common,
      SANDBOX_PORT: String(sandboxPort),
      SANDBOX_URL: sandboxUrl,
      SANDBOX_DATABASE_URL: urls.sandbox,
      LENDLOOM_KEYS: newSealKey('s1'),
    },
  }
}
