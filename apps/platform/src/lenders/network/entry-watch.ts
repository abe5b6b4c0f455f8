// Watches our entry in the registry outside the sandbox, so that /readyz and the metrics say when the network refuses us.
import { setTimeout as sleep } from 'node:timers/promises'
import { gauge } from '@lendloom/foundation/metrics'
import { messageOf } from '@lendloom/foundation/thrown'
import { isHostUnknown } from '@lendloom/http/client'
import type { NetworkContext } from './own-identity.ts'
import { entryFault, ownEntry } from './registry-entry.ts'

const faulty = gauge(
  'network_entry_faulty',
  'Whether the registry of the network does not answer or does not list our valid signing key: 1 or 0',
)

interface WatchState {
  /** Why the process is not ready: a host of the network has not been found since the start. */
  notReadyBecause: string | null
  /** Why the network may refuse us; other work continues. */
  fault: string | null
}

/** Absent in the sandbox, which subscribes by itself. */
const watches = new WeakMap<NetworkContext['config'], WatchState>()

export const networkMissing = ({ config }: Pick<NetworkContext, 'config'>): string | null =>
  watches.get(config)?.notReadyBecause ?? null

export const networkFault = ({ config }: Pick<NetworkContext, 'config'>): string | null =>
  watches.get(config)?.fault ?? null

/**
 * Checks the entry every minute, and every five seconds until it is valid for the first time. An outage of the registry
 * or an entry that is still missing does not make the process unready: the API has other work, and the registry itself
 * calls it during a subscription.
 */
export function watchNetworkEntry(ctx: NetworkContext, pauseMs = { faulty: 5000, valid: 60_000 }) {
  const stopping = new AbortController()
  const state: WatchState = { notReadyBecause: 'the registry of the network is being looked up', fault: null }
  watches.set(ctx.config, state)
  let wereHostsFound = false
  let wasValid = false

  async function check(): Promise<void> {
    const unknown = await unknownHost(ctx)
    wereHostsFound ||= unknown === null
    const fault = unknown ?? (await faultOfEntry(ctx))
    wasValid ||= fault === null
    if (fault !== state.fault)
      ctx.log[fault ? 'error' : 'info']({}, fault ?? 'the registry of the network lists our key')
    Object.assign(state, { fault, notReadyBecause: wereHostsFound ? null : unknown })
    faulty.set(fault === null ? 0 : 1)
  }

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      await check()
      const ms = wasValid ? pauseMs.valid : pauseMs.faulty
      await sleep(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  }
  const watching = watch()
  return {
    async stop() {
      stopping.abort()
      await watching
      watches.delete(ctx.config)
    },
  }
}

/** Never throws, because a faulty answer of the registry must not keep a new process unready. */
const faultOfEntry = (ctx: NetworkContext): Promise<string | null> =>
  ownEntry(ctx, 0).then(
    (entry) => entryFault(entry, ctx.clock())?.found ?? null,
    (error) => `our entry in the registry cannot be read: ${messageOf(error)}`,
  )

async function unknownHost({ config }: NetworkContext): Promise<string | null> {
  for (const name of ['NETWORK_REGISTRY_URL', 'NETWORK_GATEWAY_URL'] as const)
    if (await isHostUnknown(config[name])) return `the host ${new URL(config[name]).hostname} of ${name} does not exist`
  return null
}
