// An integrator's server with a webhook endpoint and a callback address; verifies signatures and records updates.

import { after } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import type { SandboxTenant } from '@lendloom/platform/src/integrators/access/sandbox-tenants.ts'
import type { LifecycleUpdate } from '@lendloom/wire/hosted/lifecycle'
import { verify } from '@lendloom/wire/webhook/signature'
import { ask } from './platform.ts'
import { until } from './programs.ts'
import { type Received, type Reply, startReceiver } from './receiver.ts'

export interface Arrival {
  channel: 'webhook' | 'callback'
  /** The `webhook-id`: one for each logical event (D1 §6.4). */
  id: string
  status: string
  journeyId: string
  payload: LifecycleUpdate
  raw: string
}

export interface Listener {
  endpointId: string
  callbackUrl: string
  readonly arrivals: Arrival[]
  /** Requests whose signature did not verify. */
  readonly forged: string[]
  /** Returns the answer to a valid request; by default 204. */
  answer: (request: Received) => Reply | Promise<Reply>
  /** The updates of a journey on one channel in order of arrival, with repetitions. */
  received(journeyId: string, channel?: Arrival['channel']): Arrival[]
  /** Waits for an update with this status on each of these channels. */
  waitForArrivals(journeyId: string, status: string, channels?: Arrival['channel'][]): Promise<Arrival[]>
}

/** Registers an endpoint of the tenant's application for all statuses. */
export async function startListener(platformUrl: string, { apiKey }: SandboxTenant): Promise<Listener> {
  const receiver = await startReceiver()
  after(() => receiver.stop())
  const url = receiver.url('/webhook')
  const registered = await ask(`${platformUrl}/api/lab/webhook-endpoints`, {
    method: 'POST',
    key: apiKey,
    body: { url },
  })
  if (registered.status !== 201) throw new Error(`no endpoint: ${JSON.stringify(registered.body)}`)
  const { id: endpointId, secret } = registered.body
  const arrivals: Arrival[] = []
  const forged: string[] = []
  receiver.answer = (request) => {
    const fault = faultOf(secret, request)
    if (fault !== null) {
      forged.push(fault)
      return 400
    }
    arrivals.push(arrivalOf(request))
    return listener.answer(request)
  }
  const received: Listener['received'] = (journeyId, channel = 'webhook') =>
    arrivals.filter((each) => each.journeyId === journeyId && each.channel === channel)
  const listener: Listener = {
    endpointId,
    callbackUrl: receiver.url('/callback'),
    arrivals,
    forged,
    received,
    answer: () => 204,
    async waitForArrivals(journeyId, status, channels = ['webhook']) {
      const hasArrived = () =>
        channels.every((channel) => received(journeyId, channel).some((arrival) => arrival.status === status))
      await until(`${journeyId} reported as ${status}`, hasArrived).catch((error: Error) => {
        throw new Error(`${error.message}; received: ${received(journeyId).map((arrival) => arrival.status)}`)
      })
      return received(journeyId, channels[0])
    },
  }
  return listener
}

function faultOf(secret: string, { headers, body }: Received): string | null {
  try {
    verify(secret, headers, body, new Date())
    return null
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

function arrivalOf({ path, id, body }: Received): Arrival {
  const raw = body.toString('utf8')
  const payload = JSON.parse(raw) as LifecycleUpdate
  const { id: journeyId, status } = payload.borrower.journey
  return { channel: path === '/webhook' ? 'webhook' : 'callback', id, status, journeyId, payload, raw }
}
