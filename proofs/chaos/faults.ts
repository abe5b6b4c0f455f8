// What happens to the programs: kills, freezes, a crash of the database, a full disk; at seeded random moments.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '@lendloom/tests/setup/patience'
import { atEnd } from '../../bench/setup/at-end.ts'
import { pick } from '../api/samples.ts'
import type { Installation } from '../setup/installation.ts'
import type { RunningProcess } from '../setup/process.ts'

export const faultKinds = ['kill', 'two kills', 'freeze', 'long freeze', 'database crash', 'full disk'] as const
export type FaultKind = (typeof faultKinds)[number]

const shares: Record<FaultKind, number> = {
  kill: 55,
  'two kills': 12,
  freeze: 15,
  'long freeze': 4,
  'database crash': 8,
  'full disk': 6,
}

/** A file system of its own, small enough to fill; null without the right to mount one. */
export interface SmallDisk {
  directory: string
  fill(): void
  free(): void
  stop(): void
}

export function mountSmallDisk(): SmallDisk | null {
  const directory = mkdtempSync(join(tmpdir(), 'lendloom-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', directory], { stdio: 'ignore' })
  } catch {
    rmSync(directory, { recursive: true })
    return null
  }
  const filler = join(directory, 'filler')
  const stop = atEnd(() => {
    execFileSync('umount', ['-l', directory], { stdio: 'ignore' })
    rmSync(directory, { recursive: true, force: true })
  })
  return {
    directory,
    fill() {
      const { bavail, bsize } = statfsSync(directory)
      try {
        writeFileSync(filler, Buffer.alloc(bavail * bsize))
      } catch (error) {
        // A program wrote meanwhile, so the disk is full already.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    },
    free: () => rmSync(filler, { force: true }),
    stop,
  }
}

export interface Chaos {
  counts: Record<FaultKind, number>
  /** Frozen processes that still have to continue. */
  settle(): Promise<void>
}

/** Causes this many faults, one after the other; long freezes continue beside them. */
export async function causeFaults(
  installation: Installation,
  disk: SmallDisk | null,
  { times, seed }: { times: number; seed: number },
): Promise<Chaos> {
  const random = seededRandom(seed)
  const counts = Object.fromEntries(faultKinds.map((kind) => [kind, 0])) as Record<FaultKind, number>
  const frozen = new Set<RunningProcess>()
  const thawing: Promise<void>[] = []
  const { processes, sandbox } = installation
  const mortal = (): RunningProcess =>
    pick(
      [...processes, sandbox].filter((each) => !frozen.has(each)),
      random,
    )
  const restart = async (victims: RunningProcess[]) => {
    await Promise.all(victims.map((each) => each.kill()))
    await sleep(random() * 400)
    // After a crash of the database a program may need a second start, as its supervisor would give it.
    for (const each of victims) await each.start().catch(() => each.start())
  }
  const freeze = (ms: number): Promise<void> => {
    const victim = mortal()
    frozen.add(victim)
    victim.signal('SIGSTOP')
    return sleep(ms).then(() => {
      victim.signal('SIGCONT')
      frozen.delete(victim)
    })
  }
  const acts: Record<FaultKind, () => Promise<unknown> | undefined> = {
    kill: () => restart([mortal()]),
    'two kills': () => restart([...new Set([mortal(), mortal()])]),
    freeze: () => freeze(300 + random() * 3000),
    'long freeze': () => void thawing.push(freeze(40_000)),
    'database crash': () => installation.restartDatabase('platform', random() * 1500),
    async 'full disk'() {
      disk?.fill()
      await sleep(500 + random() * 2500)
      disk?.free()
    },
  }
  const kinds = faultKinds.filter((kind) => kind !== 'full disk' || disk !== null)
  const weighted = kinds.flatMap((kind) => Array<FaultKind>(shares[kind]).fill(kind))
  for (let i = 0; i < times; i++) {
    await sleep(150 + random() * 1200)
    // At most two are frozen for long, or all workers of a program could be.
    const chosen = pick(weighted, random)
    const kind = chosen === 'long freeze' && frozen.size >= 2 ? 'kill' : chosen
    counts[kind]++
    await acts[kind]()
    if (i % 25 === 24) console.log(`${i + 1} faults`)
  }
  return { counts, settle: async () => void (await Promise.all(thawing)) }
}
