// A TCP load balancer for several processes: each connection goes to the next process that accepts it.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { freePort } from '@lendloom/tests/setup/platform'
import { atEnd } from '../../bench/setup/at-end.ts'

export interface Balancer {
  port: number
  connectionsByPort: Map<number, number>
  stop(): void
}

/** Balances over local `ports`, which may be filled later. */
export async function startBalancer(ports: number[]): Promise<Balancer> {
  const connectionsByPort = new Map<number, number>()
  let turn = 0
  const lead = (near: Socket, left: number): void => {
    const port = ports[turn++ % ports.length]
    if (port === undefined || left === 0) return void near.destroy()
    const far = connect({ host: '127.0.0.1', port, noDelay: true })
    far.once('error', () => (far.connecting || !near.bytesRead ? lead(near, left - 1) : near.destroy()))
    far.once('connect', () => {
      connectionsByPort.set(port, (connectionsByPort.get(port) ?? 0) + 1)
      far.once('close', () => near.destroy())
      near.once('close', () => far.destroy())
      near.pipe(far)
      far.pipe(near)
    })
  }
  const server = createServer({ pauseOnConnect: true, noDelay: true }, (near) => {
    near.on('error', () => {})
    lead(near, ports.length)
  })
  const port = await freePort()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return { port, connectionsByPort, stop: atEnd(() => void server.close()) }
}
