// A TCP proxy between a pool and its database that can stall, cut connections, or lose an answer, as a network does.
import { once } from 'node:events'
import { createServer, type Socket, connect as tcp } from 'node:net'
import { freePort } from './platform.ts'

export interface DatabaseProxy {
  /** The database's URL through the proxy. */
  url: string
  /** Stalls all traffic with connections open; pending data arrives after `resume`. */
  pause(): void
  resume(): void
  /** Pauses as soon as a client sends this text. */
  pauseAt(text: string): void
  /** Lets the next commit reach the server, then cuts all connections before its answer. */
  loseCommit(): void
  /** Number of round trips; statements that a client sends together count once. */
  readonly roundTrips: number
  /** Cuts all connections and refuses new ones for this time. */
  outage(ms: number): Promise<void>
  close(): void
}

export async function databaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const state = { isPaused: false, pauseAt: null as string | null, losesCommit: false, roundTrips: 0 }
  const answeredClients = new WeakSet<Socket>()
  const stall = (socket: Socket) => void socket.pause().cork()
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }

  function onData(bytes: Buffer, [from, to]: [Socket, Socket], isFromClient: boolean): void {
    if (isFromClient && state.pauseAt !== null && bytes.includes(state.pauseAt)) proxy.pause()
    if (isFromClient && state.losesCommit && bytes.includes('commit')) {
      state.losesCommit = false
      to.removeAllListeners('data').once('data', cut)
    }
    if (!isFromClient) answeredClients.add(to)
    else if (answeredClients.delete(from)) state.roundTrips++
    to.write(bytes)
    if (state.isPaused) stall(from)
  }

  const listener = createServer((client) => {
    answeredClients.add(client)
    const server = tcp({ host: hostname, port: Number(port) })
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] satisfies [Socket, Socket][]) {
      sockets.add(from.on('error', () => {}))
      from.on('data', (bytes: Buffer) => onData(bytes, [from, to], from === client))
      from.on('close', () => {
        sockets.delete(from)
        // Data that was already sent still arrives after `resume`.
        to.end()
      })
      if (state.isPaused) stall(from)
    }
  })
  // Outside the ephemeral range, because the port is released during an outage and must then still be free.
  const proxyPort = await freePort()
  await once(listener.listen(proxyPort, '127.0.0.1'), 'listening')
  const proxyUrl = new URL(databaseUrl)
  proxyUrl.port = String(proxyPort)
  const proxy: DatabaseProxy = {
    url: proxyUrl.href,
    get roundTrips() {
      return state.roundTrips
    },
    pause() {
      Object.assign(state, { isPaused: true, pauseAt: null })
      for (const socket of sockets) stall(socket)
    },
    resume() {
      state.isPaused = false
      for (const socket of sockets) {
        socket.resume()
        while (socket.writableCorked > 0) socket.uncork()
      }
    },
    pauseAt: (text) => void Object.assign(state, { pauseAt: text }),
    loseCommit: () => void Object.assign(state, { losesCommit: true }),
    async outage(ms) {
      listener.close()
      cut()
      await new Promise((resolve) => setTimeout(resolve, ms))
      await once(listener.listen(proxyPort, '127.0.0.1'), 'listening')
    },
    close() {
      listener.close()
      cut()
    },
  }
  return proxy
}
