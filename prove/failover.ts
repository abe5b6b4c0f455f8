// What was acknowledged is there after the primary is lost: sessions and events are accepted, the primary is killed, its standby takes over.
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseUrl } from '#cli/postgres/server.ts'
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
Sessions go to a process of the platform, signed events to one of the partner, whose worker applies them; both reach their
database through a relay. The standby's line is cut a moment before every process of the primary is killed; then the standby
is promoted and the relay leads there. Senders repeat what has no answer.
With a synchronous standby nothing acknowledged may be missing. The control has an asynchronous one and must lose something,
or this could not tell a loss.
Options: --seconds <n> of traffic before the line is cut (5), --cut <n> milliseconds from there to the kill (1500).`

export async function run(args: string[]): Promise<Outcome> {
  const times = { seconds: option(args, 'seconds', 5), cutMs: option(args, 'cut', 1500) }
  const results: Failover[] = []
  for (const synchronous of [true, false]) {
    const result = await failover({ synchronous, ...times })
    console.log(`${synchronous ? 'synchronous' : 'asynchronous (control)'}: ${lineOf(result)}`)
    results.push(result)
  }
  const [safe, control] = results
  if (!safe || !control) throw new Error('both runs give a result')
  return {
    passed: holds(safe) && control.lost > 0,
    figures: `${lineOf(safe)}; the asynchronous control lost ${control.lost} of ${control.accepted}`,
  }
}

export interface Failover extends Counts {
  /** Connections that the primary held at most while no commit could be confirmed. */
  connections: number
  /** Both programs were the same processes before and after. */
  survived: boolean
}

/** Whether it went as it must with a synchronous standby. */
export const holds = ({ accepted, lost, notOnce, refused, connections, survived }: Failover): boolean =>
  accepted > 0 && lost === 0 && notOnce === 0 && refused === 0 && survived && connections <= mostConnections

export const lineOf = (result: Failover): string => `${countsOf(result)}, at most ${result.connections} connections`

/** Each program's pool, and the few that this run has itself: who waits for the standby keeps a connection, and opens no other. */
const mostConnections = 60

export interface Run {
  synchronous: boolean
  seconds: number
  cutMs: number
  /** What stands before the relay on the programs' way. */
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
    const own = await databasesOn(pair.primary.url)
    const { port, isPooled, stop } = await before(relay.port, pair.primary.url)
    stops.push(stop)
    const programs = await startPrograms(throughPort(own, port), { isPooled })
    stops.push(programs.stop)
    const traffics = programs.send()
    await sleep(seconds * 1000)
    await more(traffics)
    pair.link.cut()
    await sleep(cutMs)
    // Without a standby to wait for, what is accepted now is lost with the primary.
    if (!synchronous) await more(traffics)
    const connections = await connectionsTo(pair)
    pair.crash()
    relay.cut()
    await pair.promote()
    relay.to(pair.standby.port)
    await more(traffics)
    // Events that were lost leave gaps that no later version of their case passes.
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
