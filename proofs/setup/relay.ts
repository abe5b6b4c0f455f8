// A TCP relay in front of a database, like a load balancer; it can be redirected and cut.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface Relay {
  port: number
  /** Closes every connection and refuses new ones until `to` is called. */
  cut(): void
  /** Closes the connections to the previous port and directs new ones to this port. */
  to(port: number): void
  stop(): void
}

/** Relays to the local `port`, or nowhere if it is null. */
export async function startRelay(port: number | null): Promise<Relay> {
  let target = port
  const open = new Set<Socket>()
  const server = createServer((near) => {
    near.on('error', () => {})
    if (target === null) return void near.destroy()
    const far = connect({ host: '127.0.0.1', port: target, noDelay: true })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.setNoDelay(true)
      one.on('error', () => {})
      one.once('close', () => {
        open.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const lead = (next: number | null) => {
    target = next
    for (const socket of open) socket.destroy()
  }
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the relay has no port')
  return {
    port: address.port,
    cut: () => lead(null),
    to: lead,
    stop() {
      lead(null)
      server.close()
    },
  }
}
