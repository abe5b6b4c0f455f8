// Platform, lending partner and sandbox in one process with simulated time, network, disk, crashes: repeatable by a seed.
import type { Outcome } from './main.ts'
import { installAll } from './simulate/install-all.ts'

export const about = `Simulated clocks, network, disk and crashes, by a seed: nothing lost, doubled, out of order or stuck; shrinks a failure
The real platform, lending partner and sandbox run in one process, each on a PostgreSQL of its own (PGlite). Time, chance, timers,
HTTP, database connections, threads and files are simulated: every pending action is in one queue, and each step takes one. Borrowers
go from their session to the money of the lending partner, and instalments are debited, while requests are lost, answered in vain,
repeated and delayed, programs and databases crash, networks part, clocks run wrong, and a power cut takes what the disk had not
synced. Then all must be quiet, and the checks of the proof chaos must hold. A failing run is shrunk to the fewest faults and loans.
Every quarter of a second no journey may be without an act of the borrower or a job. Controls: the first seed has the same trace
again; an event that is acknowledged but not stored, and deleted jobs, are found and shrunk to that fault.
Options: --seeds <n> (10), --seed <first> (1), --loans <n> (4), --faults <n> (20), --seconds <n> (20; in which borrowers begin and faults
come), --days <n> (8), --only <numbers of faults, with commas>, --trace (prints each step).`

export async function run(args: string[]): Promise<Outcome> {
  await installAll()
  const { option } = await import('../bench/setup/api.ts')
  const { runSeeds } = await import('./simulate/seeds.ts')
  const at = args.indexOf('--only')
  return runSeeds({
    seeds: option(args, 'seeds', 10),
    firstSeed: option(args, 'seed', 1),
    loans: option(args, 'loans', 4),
    faults: option(args, 'faults', 20),
    days: option(args, 'days', 8),
    windowMs: 1000 * option(args, 'seconds', 20),
    only: at < 0 ? null : (args[at + 1] ?? '').split(',').map(Number),
    isTraced: args.includes('--trace'),
  })
}
