// Restarts two processes behind a balancer under load, first one and then the other, and counts failed requests.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SandboxTenant } from '@lendloom/platform/src/integrators/access/sandbox-tenants.ts'
import { startChild } from '@lendloom/tests/setup/child-program'
import { freePort, platformEnvironment } from '@lendloom/tests/setup/platform'
import { option } from './setup/api.ts'
import { benchDatabase } from './setup/database.ts'
import { percentile } from './setup/figures.ts'
import { sampleBorrower } from './setup/opening-sample.ts'

export const about = `Two platform processes behind a balancer, each restarted under load. Goal: no request fails.
Options: --rounds <n> restarts of each process (2); --connections <n> (16); --drain <n> DRAIN_SECONDS of the processes (2).
The balancer polls /readyz five times a second, never retries, and keeps connections open until a process closes them.`

const probeMs = 200
/** Duration of the load before, between and after restarts. */
const pauseMs = 2000

export async function run(args: string[]): Promise<void> {
  const rounds = option(args, 'rounds', 2)
  const connections = option(args, 'connections', 16)
  const database = await benchDatabase()
  // Both processes need the same keys and database.
  const env = {
    ...platformEnvironment(database.url, 0),
    MODE: 'api',
    RATE_LIMITS: 'off',
    DATABASE_CONNECTIONS: '8',
    DRAIN_SECONDS: String(option(args, 'drain', 2)),
  }
  const backends = [await startBackend(env), await startBackend(env)]
  const balancer = await startBalancer(backends)
  try {
    const load = startLoad(balancer.url, backends[0]!.tenant, connections)
    for (let round = 1; round <= rounds; round++)
      for (const [i, backend] of backends.entries()) {
        await sleep(pauseMs)
        const seconds = await restart(backend, env)
        console.log(`round ${round}, process ${i + 1}: stopped and ready again after ${seconds.toFixed(1)} s`)
        await waitUntil(() => backend.isReady)
      }
    await sleep(pauseMs)
    report(await load.stop())
  } finally {
    balancer.stop()
    for (const { child } of backends) child.kill('SIGKILL')
    await database.stop()
  }
}

interface Backend {
  port: number
  child: ChildProcess
  tenant: SandboxTenant
  /** Result of the balancer's last probe. */
  isReady: boolean
}

async function startBackend(env: Record<string, string>): Promise<Backend> {
  const port = await freePort()
  return { port, ...(await startProcess(env, port)), isReady: false }
}

async function startProcess(env: Record<string, string>, port: number) {
  const { child, ready } = await startChild({
    program: 'platform',
    env: { ...process.env, ...env, PORT: String(port) },
  })
  const { sandbox } = ready.announce as { sandbox: { tenant: SandboxTenant } }
  return { child, tenant: sandbox.tenant }
}

/** Stops the process by SIGTERM, as an orchestrator does, and starts the next one on its port. */
async function restart(backend: Backend, env: Record<string, string>): Promise<number> {
  const began = performance.now()
  backend.child.kill('SIGTERM')
  await once(backend.child, 'exit')
  backend.child = (await startProcess(env, backend.port)).child
  return (performance.now() - began) / 1000
}

async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(20)
}

interface Balancer {
  url: string
  stop(): void
}

async function startBalancer(backends: Backend[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true })
  const probe = (backend: Backend): void => {
    const probe = request({ host: '127.0.0.1', port: backend.port, path: '/readyz', timeout: 1000 }, (answer) => {
      backend.isReady = answer.statusCode === 200
      answer.resume()
    })
    probe.on('timeout', () => probe.destroy())
    probe.on('error', () => {
      backend.isReady = false
    })
    probe.end()
  }
  const probing = setInterval(() => backends.forEach(probe), probeMs)
  let turn = 0
  const server: Server = createServer((incoming, outgoing) => {
    const ready = backends.filter((backend) => backend.isReady)
    const backend = ready[++turn % ready.length]
    if (backend) forward(agent, backend, incoming, outgoing)
    else outgoing.writeHead(503).end('no process is ready')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  await waitUntil(() => backends.every(({ isReady }) => isReady))
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    stop() {
      clearInterval(probing)
      server.close()
      server.closeAllConnections()
      agent.destroy()
    },
  }
}

/** Forwards a request once; any error becomes a 502. */
function forward(agent: Agent, { port }: Backend, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, url, headers } = incoming
  const { connection: _, ...sentOn } = headers
  const forwarded = request({ host: '127.0.0.1', port, method, path: url, headers: sentOn, agent }, (answer) => {
    const { connection: __, 'keep-alive': ___, ...sentHeaders } = answer.headers
    outgoing.writeHead(answer.statusCode!, sentHeaders)
    answer.pipe(outgoing)
  })
  forwarded.on('error', (error) => {
    if (outgoing.headersSent) outgoing.destroy()
    else outgoing.writeHead(502).end(error.message)
  })
  incoming.pipe(forwarded)
}

interface Outcome {
  latencies: number[]
  /** Counts of failures by description. */
  failed: Map<string, number>
  seconds: number
}

/** Opens sessions and reads features on these connections until stopped. */
function startLoad(url: string, { apiKey }: SandboxTenant, connections: number) {
  const outcome: Outcome = { latencies: [], failed: new Map(), seconds: 0 }
  const began = performance.now()
  let number = 0
  let stopping = false
  async function sendRequests(): Promise<void> {
    while (!stopping) {
      const sent = performance.now()
      const failure = await sendRequest(url, apiKey, ++number)
      outcome.latencies.push(performance.now() - sent)
      if (failure) outcome.failed.set(failure, (outcome.failed.get(failure) ?? 0) + 1)
    }
  }
  const senders = Promise.all(Array.from({ length: connections }, sendRequests))
  return {
    async stop(): Promise<Outcome> {
      stopping = true
      await senders
      return { ...outcome, seconds: (performance.now() - began) / 1000 }
    },
  }
}

/** Sends a request and returns its failure, or null. */
async function sendRequest(url: string, apiKey: string, number: number): Promise<string | null> {
  const isRead = number % 4 === 0
  const sample = sampleBorrower(`restart-${number}`)
  const body = { ...sample, profile: { ...sample.profile, contactNumber: `9${String(number).padStart(9, '0')}` } }
  try {
    const answer = await fetch(url + (isRead ? '/api/lab/features' : '/api/lab/sessions'), {
      method: isRead ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(!isRead && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return answer.status === (isRead ? 200 : 201) ? null : `${answer.status} ${text.slice(0, 120)}`
  } catch (error) {
    return String((error as Error).cause ?? error)
  }
}

function report({ latencies, failed, seconds }: Outcome): void {
  const count = [...failed.values()].reduce((sum, each) => sum + each, 0)
  console.log(
    `\n${latencies.length} requests in ${seconds.toFixed(0)} s, ${count} failed; ` +
      `p50 ${percentile(latencies, 0.5).toFixed(1)} ms, p99 ${percentile(latencies, 0.99).toFixed(1)} ms, longest ${Math.max(...latencies).toFixed(0)} ms`,
  )
  for (const [what, times] of failed) console.log(`${times} times: ${what}`)
  if (count > 0) process.exitCode = 1
}
