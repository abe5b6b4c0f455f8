// A process with many webhook receivers, one port each, that records when each request arrives.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** `slow` answers after 200 ms. */
export type Behaviour = 'well' | 'slow' | 'refusing' | 'hanging' | 'failing'
const slowMs = 200

/** The `webhook-id` and arrival time, in milliseconds of the machine's monotonic clock. */
type Arrival = [id: string, at: number]

export interface Receivers {
  urls: string[]
  pid: number
  setBehaviours(moods: Behaviour[]): Promise<void>
  /** Returns the arrivals and the process's processor time since the last call in milliseconds. */
  collect(): Promise<{ arrivals: Arrival[]; cpuMs: number }>
  stop(): void
}

export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6

type Order = { moods: Behaviour[] } | { collect: true }

export async function startReceivers(count: number): Promise<Receivers> {
  const child = fork(import.meta.filename, [String(count)])
  const nextMessage = async <T>(): Promise<T> => (await once(child, 'message'))[0] as T
  const ask = <T>(order: Order): Promise<T> => {
    const answer = nextMessage<T>()
    child.send(order)
    return answer
  }
  const urls = await nextMessage<string[]>()
  return {
    urls,
    pid: child.pid!,
    setBehaviours: (moods) => ask({ moods }),
    collect: () => ask({ collect: true }),
    stop: () => void child.kill(),
  }
}

/** Runs in the child process. */
async function receive(count: number): Promise<void> {
  let arrivals: Arrival[] = []
  let cpu = process.cpuUsage()
  const moods = Array<Behaviour>(count).fill('well')
  const servers = await Promise.all(moods.map((_, i) => listening(i)))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)

  async function listening(i: number): Promise<Server> {
    const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
      arrivals.push([String(request.headers['webhook-id']), monotonicMs()])
      request.resume()
      if (moods[i] === 'hanging') return
      const answer = () => void response.writeHead(moods[i] === 'failing' ? 500 : 204).end()
      request.on('end', () => (moods[i] === 'slow' ? setTimeout(answer, slowMs) : answer()))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return server
  }

  async function setMood(server: Server, i: number, mood: Behaviour): Promise<void> {
    if (mood === moods[i]) return
    moods[i] = mood
    if (mood === 'refusing') {
      server.close()
      server.closeAllConnections()
    } else if (!server.listening) {
      server.listen(ports[i], '127.0.0.1')
      await once(server, 'listening')
    }
  }

  process.on('message', async (order: Order) => {
    if ('moods' in order) {
      await Promise.all(servers.map((server, i) => setMood(server, i, order.moods[i]!)))
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
