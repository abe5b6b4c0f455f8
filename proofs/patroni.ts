// Acknowledged requests survive each kind of failure of a Patroni cluster's primary, without manual intervention.
import { setTimeout as sleep } from 'node:timers/promises'
import { option } from '../bench/setup/api.ts'
import type { Outcome } from './main.ts'
import { type Cluster, missingParts, startCluster } from './setup/cluster.ts'
import type { Host } from './setup/hosts.ts'
import {
  type Counts,
  counted,
  type Databases,
  databasesOn,
  lineOf,
  more,
  type Programs,
  startPrograms,
} from './setup/programs.ts'

export const about = `Patroni, etcd and HAProxy on three simulated hosts: kill, freeze, partition, switch over and full disk lose nothing
Debian's programs, each host a network namespace on a private bridge; a commit waits for one standby (synchronous_mode
strict). The platform and the partner reach the primary through HAProxy and accept sessions and events, which are retried until
accepted. After each fault everything accepted must be stored and applied once, and all three hosts must work together again,
with no other intervention than restoring power, network or disk space.
The control has asynchronous standbys that are disconnected briefly before their primary is killed, as in the first fault, and
must lose something.
Faults: kill, freeze, partition, switchover, standby, disk; and control.
Options: --only <fault>, --seconds <n> of traffic before each fault (10). Everything takes about eight minutes. Needs root.`

export const missing = missingParts

/** How long a host stays frozen, disconnected or full: longer than the 20 seconds after which Patroni demotes it. */
const awayMs = 40_000

interface Fault {
  name: string
  /** Causes the fault and returns a function that undoes it. */
  begin(cluster: Cluster, primary: Host): Promise<() => void>
  /** Duration; by default until requests are accepted again. */
  lastsMs?: number
}

const faults: Fault[] = [
  {
    name: 'kill',
    begin: async (cluster, primary) => {
      await killWithDisconnectedStandbys(cluster, primary)
      return () => cluster.boot(primary)
    },
  },
  {
    name: 'freeze',
    begin: async ({ hosts }, primary) => {
      hosts.freeze(primary)
      return () => hosts.thaw(primary)
    },
    lastsMs: awayMs,
  },
  {
    name: 'partition',
    begin: async ({ hosts }, primary) => {
      hosts.cut(primary)
      return () => hosts.mend(primary)
    },
    lastsMs: awayMs,
  },
  {
    name: 'switchover',
    begin: async (cluster, primary) => {
      await cluster.switchOver(primary, await cluster.synchronousStandby())
      return () => {}
    },
  },
  {
    name: 'standby',
    begin: async (cluster) => {
      const standby = await cluster.synchronousStandby()
      cluster.hosts.crash(standby)
      return () => cluster.boot(standby)
    },
  },
  {
    name: 'disk',
    begin: async (cluster, primary) => {
      cluster.fillDisk(primary)
      return () => cluster.freeDisk(primary)
    },
    lastsMs: awayMs,
  },
]

/** Disconnects the standbys briefly before the primary is killed, so that anything it confirms alone is lost. */
async function killWithDisconnectedStandbys({ hosts, members }: Cluster, primary: Host): Promise<void> {
  const standbys = members.filter((host) => host !== primary)
  for (const host of standbys) hosts.cut(host)
  await sleep(disconnectedMs)
  hosts.crash(primary)
  for (const host of standbys) hosts.mend(host)
}
const disconnectedMs = 2000

const control = 'control'

interface Result extends Counts {
  name: string
  /** Whether three hosts work together again and no program was restarted. */
  recovered: boolean
}

export async function run(args: string[]): Promise<Outcome> {
  const seconds = option(args, 'seconds', 10)
  const only = args.includes('--only') ? args[args.indexOf('--only') + 1] : undefined
  const chosen = faults.filter(({ name }) => only === undefined || name === only)
  if (chosen.length === 0 && only !== control)
    throw new Error(`unknown fault "${only}"; faults: ${[...faults.map(({ name }) => name), control].join(', ')}`)
  const results = chosen.length > 0 ? await runSynchronous(chosen, seconds) : []
  const lost = only === undefined || only === control ? await runAsynchronousControl(seconds) : null
  return outcomeOf(results, lost)
}

/** Evaluates all faults. `lost` is the control's loss; null if it was not run. */
export function outcomeOf(results: Result[], lost: number | null): Outcome {
  const total = (of: keyof Counts) => results.reduce((sum, result) => sum + result[of], 0)
  const holds = results.every(
    ({ accepted, lost, notOnce, refused, recovered }) =>
      accepted > 0 && lost === 0 && notOnce === 0 && refused === 0 && recovered,
  )
  const longestGapMs = Math.max(0, ...results.map((result) => result.longestGapMs))
  const counts = {
    accepted: total('accepted'),
    lost: total('lost'),
    notOnce: total('notOnce'),
    refused: 0,
    longestGapMs,
  }
  const recovered = results.filter((result) => result.recovered).length
  const parts = [
    ...(results.length > 0
      ? [`${results.length} faults, ${recovered} recovered automatically, ${lineOf(counts)}`]
      : []),
    ...(lost === null ? [] : [`the asynchronous control lost ${lost}`]),
  ]
  return { passed: holds && (lost === null || lost > 0), figures: parts.join('; ') }
}

/** Runs the faults one after the other on the same cluster. */
async function runSynchronous(chosen: Fault[], seconds: number): Promise<Result[]> {
  return onCluster(true, async (cluster, programs, databases) => {
    const results: Result[] = []
    for (const fault of chosen) {
      const traffics = programs.send(pauseMs)
      await sleep(seconds * 1000)
      await more(traffics)
      const recovered = await runFault(fault, cluster, () => more(traffics, 120))
      if (recovered) await Promise.all(traffics.map((traffic) => traffic.finish()))
      else for (const traffic of traffics) traffic.abandon()
      const counts = await counted(databases, traffics, recovered)
      const result = { name: fault.name, ...counts, recovered: recovered && programs.survived() }
      console.log(`${fault.name}: ${lineOf(result)}, ${result.recovered ? 'recovered automatically' : 'NOT RECOVERED'}`)
      results.push(result)
      if (!recovered) break
    }
    return results
  })
}

async function runFault(fault: Fault, cluster: Cluster, accepted: () => Promise<void>): Promise<boolean> {
  const primary = await cluster.primary()
  const undo = await fault.begin(cluster, primary)
  try {
    if (fault.lastsMs !== undefined) await sleep(fault.lastsMs)
    else await accepted()
    undo()
    await cluster.whole()
    await accepted()
    const now = await cluster.primary()
    console.log(`${fault.name}: the primary was ${primary.name} and is ${now.name}`)
    return true
  } catch (error) {
    console.log(`${fault.name}: ${error instanceof Error ? error.message : error}`)
    return false
  }
}

/** Runs the first fault with asynchronous standbys. */
async function runAsynchronousControl(seconds: number): Promise<number> {
  return onCluster(false, async (cluster, programs, databases) => {
    const traffics = programs.send(pauseMs)
    await sleep(seconds * 1000)
    await more(traffics)
    const primary = await cluster.primary()
    await killWithDisconnectedStandbys(cluster, primary)
    await more(traffics.slice(0, 1), 120)
    for (const traffic of traffics) traffic.abandon()
    const counts = await counted(databases, traffics, false)
    console.log(`asynchronous (control): ${lineOf(counts)}`)
    return counts.lost
  })
}

/** Pause of each sender, because hosts, etcd and Patroni share two processors with the programs. */
const pauseMs = 50

async function onCluster<T>(
  synchronous: boolean,
  work: (cluster: Cluster, programs: Programs, databases: Databases) => Promise<T>,
): Promise<T> {
  const cluster = await startCluster({ synchronous })
  let programs: Programs | undefined
  try {
    const databases = await databasesOn(cluster.url)
    programs = await startPrograms(databases)
    return await work(cluster, programs, databases)
  } finally {
    programs?.stop()
    cluster.stop()
  }
}
