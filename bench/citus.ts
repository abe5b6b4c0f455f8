// Measures the PostgreSQL cost of a session and an event over Citus, compared with one PostgreSQL.
import { withPrograms } from '../proofs/citus.ts'
import { type CitusOptions, missingCitus } from '../proofs/setup/citus.ts'
import type { Measured } from '../proofs/setup/programs.ts'
import { option } from './setup/api.ts'
import { serverCpuMs } from './setup/figures.ts'
import { judge } from './setup/goals.ts'

export const about = `CPU of PostgreSQL for a session and an event: one PostgreSQL, and Citus with a coordinator and two servers
The programs connect to the coordinator, then to a server for rows. Goals for a session, with programs at a server: the coordinator
takes at most 0.3 ms, and coordinator and servers together at most twice as much as one PostgreSQL. Used by docs/explanation/capacity.md.
Options: --seconds <n> of sessions (15), --events <n> (6000).`

export async function run(args: string[]): Promise<void> {
  const missing = missingCitus()
  if (missing !== null) {
    console.log(`not measured: ${missing}`)
    return judgeSession(null, null)
  }
  const size = { seconds: option(args, 'seconds', 15), events: option(args, 'events', 6000) }
  const alone = await costsWith({ servers: 0 }, size)
  const coordinator = await costsWith({ servers: 2 }, size)
  const server = await costsWith({ servers: 2, atServer: true }, size)
  for (const what of ['session', 'event'] as const) {
    const one = alone[what].coordinator
    const lineOf = (cost: Cost) => {
      const partOf = (ms: number) => `${ms.toFixed(2)} ms (${(ms / one).toFixed(1)} times)`
      return `coordinator ${partOf(cost.coordinator)}, servers ${partOf(cost.servers)}`
    }
    console.log(`${what}: one PostgreSQL ${one.toFixed(2)} ms`)
    console.log(`  programs at the coordinator: ${lineOf(coordinator[what])}`)
    console.log(`  programs at a server: ${lineOf(server[what])}`)
  }
  const session = server.session
  const times = (session.coordinator + session.servers) / alone.session.coordinator
  judgeSession(times, session.coordinator)
}

function judgeSession(times: number | null, coordinator: number | null): void {
  judge({ figure: 'session over Citus: CPU of one PostgreSQL', value: times, atMost: 2 })
  judge({ figure: 'session over Citus: CPU of the coordinator', value: coordinator, unit: 'ms', atMost: 0.3 })
}

interface Cost {
  coordinator: number
  servers: number
}

/** Processor milliseconds per session, and per applied event. */
const costsWith = (
  options: CitusOptions & { atServer?: boolean },
  { seconds, events }: { seconds: number; events: number },
): Promise<Record<'session' | 'event', Cost>> =>
  withPrograms(options, async (programs, citus) => {
    const spent = (): Cost => ({
      coordinator: serverCpuMs(citus.coordinator.pid()),
      servers: citus.servers.reduce((sum, server) => sum + serverCpuMs(server.pid()), 0),
    })
    const costOf = async (measure: () => Promise<Measured>): Promise<Cost> => {
      const before = spent()
      const { count } = await measure()
      const after = spent()
      return {
        coordinator: (after.coordinator - before.coordinator) / count,
        servers: (after.servers - before.servers) / count,
      }
    }
    return {
      session: await costOf(() => programs.createSessions(seconds)),
      event: await costOf(() => programs.applyEvents(events)),
    }
  })
