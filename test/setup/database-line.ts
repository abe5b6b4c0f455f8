// A line between a pool and its database, for tests of what a network does: it stands still, is cut, or loses an answer.
import { once } from 'node:events'
import { createServer, type Socket, connect as tcp } from 'node:net'
import { freePort } from './platform.ts'

export interface DatabaseProxy {
  /** The database by this line. */
  url: string
  /** Nothing goes through any more, and connections stay open. What was sent arrives when the line goes on. */
  pause(): void
  resume(): void
  /** Stops as soon as a client has sent this. */
  stopAt(text: string): void
  /** The server commits; its answer is lost with all connections. */
  loseCommit(): void
  /** How often a client has sent something after an answer, or first: what is sent together is one round trip. */
  readonly roundTrips: number
  /** Takes no connection for so long, and ends those that are open. */
  outage(ms: number): Promise<void>
  close(): void
}

export async function databaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const state = { isStopped: false, stopAt: null as string | null, losesCommit: false, roundTrips: 0 }
  const answered = new WeakSet<Socket>()
  const hold = (socket: Socket) => void socket.pause().cork()
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }

  function onData(bytes: Buffer, [from, to]: [Socket, Socket], isOfClient: boolean): void {
    if (isOfClient && state.stopAt !== null && bytes.includes(state.stopAt)) line.pause()
    if (isOfClient && state.losesCommit && bytes.includes('commit')) {
      state.losesCommit = false
      to.removeAllListeners('data').once('data', cut)
    }
    if (!isOfClient) answered.add(to)
    else if (answered.delete(from)) state.roundTrips++
    to.write(bytes)
    if (state.isStopped) hold(from)
  }

  const listener = createServer((client) => {
    answered.add(client)
    const server = tcp({ host: hostname, port: Number(port) })
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] satisfies [Socket, Socket][]) {
      sockets.add(from.on('error', () => {}))
      from.on('data', (bytes: Buffer) => onData(bytes, [from, to], from === client))
      from.on('close', () => {
        sockets.delete(from)
        // What was sent before arrives, when the line goes on.
        to.end()
      })
      if (state.isStopped) hold(from)
    }
  })
  // Not one of those that clients are given: it is let go of for a while, and must be free again.
  const own = await freePort()
  await once(listener.listen(own, '127.0.0.1'), 'listening')
  const through = new URL(databaseUrl)
  through.port = String(own)
  const line: DatabaseProxy = {
    url: through.href,
    get roundTrips() {
      return state.roundTrips
    },
    pause() {
      Object.assign(state, { isStopped: true, stopAt: null })
      for (const socket of sockets) hold(socket)
    },
    resume() {
      state.isStopped = false
      for (const socket of sockets) {
        socket.resume()
        while (socket.writableCorked > 0) socket.uncork()
      }
    },
    stopAt: (text) => void Object.assign(state, { stopAt: text }),
    loseCommit: () => void Object.assign(state, { losesCommit: true }),
    async outage(ms) {
      listener.close()
      cut()
      await new Promise((resolve) => setTimeout(resolve, ms))
      await once(listener.listen(own, '127.0.0.1'), 'listening')
    },
    close() {
      listener.close()
      cut()
    },
  }
  return line
}
