// Receives webhooks, and compares what arrived with what was delivered.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Installation } from './installation.ts'
import { until } from './until.ts'

export interface Receiver {
  url: string
  /** The `webhook-id` of each request in order of arrival. */
  came: string[]
  stop(): void
}

export async function startReceiver(): Promise<Receiver> {
  const came: string[] = []
  const server = createServer((request, response) => {
    came.push(String(request.headers['webhook-id']))
    request.resume().on('end', () => response.writeHead(204).end())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port')
  return {
    url: `http://127.0.0.1:${address.port}/hook`,
    came,
    stop: () => server.close().closeAllConnections(),
  }
}

/** Waits until nothing is left to deliver, and compares the deliveries with what arrived. */
export async function delivered({ db }: Pick<Installation, 'db'>, { came }: Pick<Receiver, 'came'>, seconds = 120) {
  const rows = () => db<{ id: string; journeyId: string; sequence: number; state: string }>`
    select event_id as id, journey_id, sequence, state from webhook_delivery order by journey_id, sequence`
  await until(
    async () => (await rows()).every(({ state }) => state !== 'PENDING'),
    'every update is delivered',
    seconds,
  )
  const sent = await rows()
  const first = firstOf(came)
  return {
    updates: sent.length,
    repeated: came.length - first.size,
    absent: sent.filter(({ id, state }) => state !== 'DELIVERED' || !first.has(id)).length,
    disordered: outOfOrder(sent, first),
    reversed: outOfOrder(sent, firstOf(came.toReversed())),
  }
}

const firstOf = (came: string[]): Map<string, number> => {
  const first = new Map<string, number>()
  for (const [i, id] of came.entries()) if (!first.has(id)) first.set(id, i)
  return first
}

/** Counts updates of a journey that arrived before their predecessor; `sent` is in journey order. */
const outOfOrder = (sent: { id: string; journeyId: string }[], first: Map<string, number>): number =>
  sent.filter(({ id, journeyId }, i) => {
    const before = sent[i - 1]
    return before?.journeyId === journeyId && (first.get(before.id) ?? 0) > (first.get(id) ?? 0)
  }).length
