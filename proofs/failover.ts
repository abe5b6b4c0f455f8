// Acknowledged sessions and events survive the loss of the primary: it is killed under load and its standby takes over.
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseUrl } from '@lendloom/cli/src/postgres/server.ts'
import { option } from '../bench/setup/api.ts'
import type { Outcome } from './main.ts'
import {
  type Counts,
  counted,
  lineOf as countsOf,
  type Databases,
  databasesOn,
  more,
  startPrograms,
  throughPort,
} from './setup/programs.ts'
import { startRelay } from './setup/relay.ts'
import { administer, type Pair, startPair } from './setup/standby.ts'

export const about = `A primary killed while sessions and events are accepted: nothing acknowledged is lost, nothing is applied twice
Sessions go to a platform process, signed events to a partner process whose worker applies them; both reach their database
through a relay. The standby's connection is cut shortly before all processes of the primary are killed; then the standby is
promoted and the relay points to it. Senders repeat unanswered requests.
With a synchronous standby nothing acknowledged may be missing. The control has an asynchronous standby and must lose something,
otherwise the proof could not detect a loss.
Options: --seconds <n> of traffic before the connection is cut (5), --cut <n> milliseconds from there to the kill (1500).`

export async function run(args: string[]): Promise<Outcome> {
  const times = { seconds: option(args, 'seconds', 5), cutMs: option(args, 'cut', 1500) }
  const results: Failover[] = []
  for (const synchronous of [true, false]) {
    const result = await failover({ synchronous, ...times })
    console.log(`${synchronous ? 'synchronous' : 'asynchronous (control)'}: ${lineOf(result)}`)
    results.push(result)
  }
  const [safe, control] = results
  if (!safe || !control) throw new Error('both runs must return a result')
  return {
    passed: holds(safe) && control.lost > 0,
    figures: `${lineOf(safe)}; the asynchronous control lost ${control.lost} of ${control.accepted}`,
  }
}

export interface Failover extends Counts {
  /** Maximum connections to the primary while no commit could be confirmed. */
  connections: number
  /** Whether no program was restarted. */
  survived: boolean
}

/** Whether the result meets the claim for a synchronous standby. */
export const holds = ({ accepted, lost, notOnce, refused, connections, survived }: Failover): boolean =>
  accepted > 0 && lost === 0 && notOnce === 0 && refused === 0 && survived && connections <= maxConnections

export const lineOf = (result: Failover): string => `${countsOf(result)}, at most ${result.connections} connections`

/** The pools of all programs and this run's own connections; a commit that waits for the standby keeps its connection. */
const maxConnections = 60

export interface Run {
  synchronous: boolean
  seconds: number
  cutMs: number
  /** Starts a pooler between the programs and the relay. */
  before?: (relayPort: number, url: string) => Promise<Before>
}

export interface Before {
  port: number
  isPooled: boolean
  stop(): void | Promise<void>
}

const direct: Run['before'] & {} = async (port) => ({ port, isPooled: false, stop: () => {} })

export async function failover({ synchronous, seconds, cutMs, before = direct }: Run): Promise<Failover> {
  const pair = await startPair({ synchronous })
  const relay = await startRelay(pair.primary.port)
  const stops: (() => void | Promise<void>)[] = [relay.stop]
  try {
    const databases = await databasesOn(pair.primary.url)
    const { port, isPooled, stop } = await before(relay.port, pair.primary.url)
    stops.push(stop)
    const programs = await startPrograms(throughPort(databases, port), { isPooled })
    stops.push(programs.stop)
    const traffics = programs.send()
    await sleep(seconds * 1000)
    await more(traffics)
    pair.link.cut()
    await sleep(cutMs)
    // With an asynchronous standby, requests accepted now are lost with the primary.
    if (!synchronous) await more(traffics)
    const connections = await connectionsTo(pair)
    pair.crash()
    relay.cut()
    await pair.promote()
    relay.to(pair.standby.port)
    await more(traffics)
    // A lost event leaves a gap that blocks later versions of its case.
    if (synchronous) await Promise.all(traffics.map((traffic) => traffic.finish()))
    else for (const traffic of traffics) traffic.abandon()
    const promoted: Databases = {
      platform: databaseUrl(pair.standby.url, 'platform'),
      partner: databaseUrl(pair.standby.url, 'partner'),
    }
    return { ...(await counted(promoted, traffics, synchronous)), connections, survived: programs.survived() }
  } finally {
    for (const stop of stops.reverse()) await stop()
    await pair.stop()
  }
}

async function connectionsTo({ primary }: Pair): Promise<number> {
  const [row] = await administer(
    primary,
    `select count(*)::int as count from pg_stat_activity where usename = 'lendloom'`,
  )
  return Number(row?.count)
}
