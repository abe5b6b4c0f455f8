// A process with many webhook receivers, one port each, that records when each request arrives.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** `slow` answers after 200 ms. */
export type Behaviour = 'healthy' | 'slow' | 'refusing' | 'hanging' | 'failing'
const slowMs = 200

/** The `webhook-id` and arrival time, in milliseconds of the machine's monotonic clock. */
type Arrival = [id: string, at: number]

export interface Receivers {
  urls: string[]
  pid: number
  setBehaviours(behaviours: Behaviour[]): Promise<void>
  /** Returns the arrivals and the process's processor time in milliseconds, both since the last call. */
  collect(): Promise<{ arrivals: Arrival[]; cpuMs: number }>
  stop(): void
}

export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6

type Command = { behaviours: Behaviour[] } | { collect: true }

export async function startReceivers(count: number): Promise<Receivers> {
  const child = fork(import.meta.filename, [String(count)])
  const nextMessage = async <T>(): Promise<T> => (await once(child, 'message'))[0] as T
  const ask = <T>(command: Command): Promise<T> => {
    const answer = nextMessage<T>()
    child.send(command)
    return answer
  }
  const urls = await nextMessage<string[]>()
  return {
    urls,
    pid: child.pid!,
    setBehaviours: (behaviours) => ask({ behaviours }),
    collect: () => ask({ collect: true }),
    stop: () => void child.kill(),
  }
}

/** Runs in the child process. */
async function receive(count: number): Promise<void> {
  let arrivals: Arrival[] = []
  let cpu = process.cpuUsage()
  const behaviours = Array<Behaviour>(count).fill('healthy')
  const servers = await Promise.all(behaviours.map((_, i) => startServer(i)))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)

  async function startServer(i: number): Promise<Server> {
    const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
      arrivals.push([String(request.headers['webhook-id']), monotonicMs()])
      request.resume()
      if (behaviours[i] === 'hanging') return
      const answer = () => void response.writeHead(behaviours[i] === 'failing' ? 500 : 204).end()
      request.on('end', () => (behaviours[i] === 'slow' ? setTimeout(answer, slowMs) : answer()))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return server
  }

  async function setBehaviour(server: Server, i: number, behaviour: Behaviour): Promise<void> {
    if (behaviour === behaviours[i]) return
    behaviours[i] = behaviour
    if (behaviour === 'refusing') {
      server.close()
      server.closeAllConnections()
    } else if (!server.listening) {
      server.listen(ports[i], '127.0.0.1')
      await once(server, 'listening')
    }
  }

  process.on('message', async (command: Command) => {
    if ('behaviours' in command) {
      await Promise.all(servers.map((server, i) => setBehaviour(server, i, command.behaviours[i]!)))
      process.send?.('done')
      return
    }
    const { user, system } = process.cpuUsage(cpu)
    process.send?.({ arrivals, cpuMs: (user + system) / 1000 })
    arrivals = []
    cpu = process.cpuUsage()
  })
  process.on('disconnect', () => process.exit())
  process.send?.(ports.map((port) => `http://127.0.0.1:${port}/hook`))
}

if (import.meta.main) await receive(Number(process.argv[2]))
