// A process and all that it starts, held to a part of one processor by a control group.
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { atEnd } from '../../bench/setup/at-end.ts'

const groups = '/sys/fs/cgroup/cpu'
/** The kernel's own period: with shorter ones half of what a process might use was left unused. */
const periodMicroseconds = 100_000

/** Why nothing can be capped here; null when it can. */
export const missingCaps = (): string | null =>
  existsSync(join(groups, 'cpu.cfs_quota_us')) ? null : 'there are no control groups of version 1 for processors'

/** From now on the process of that id and its children have together at most so many per cent of a processor. */
export function capProcessor(pid: number, perCent: number): void {
  const group = join(groups, `lendloom-${process.pid}-${pid}`)
  mkdirSync(group)
  writeFileSync(join(group, 'cpu.cfs_period_us'), String(periodMicroseconds))
  writeFileSync(join(group, 'cpu.cfs_quota_us'), String(Math.round((periodMicroseconds * perCent) / 100)))
  for (const each of [pid, ...childrenOf(pid)]) writeFileSync(join(group, 'cgroup.procs'), String(each))
  atEnd(() => {
    // A group goes when its last process has gone.
    for (let tries = 0; tries < 100 && existsSync(group); tries++)
      try {
        rmdirSync(group)
      } catch {
        Atomics.wait(idle, 0, 0, 20)
      }
  })
}

const idle = new Int32Array(new SharedArrayBuffer(4))

function childrenOf(pid: number): number[] {
  const found = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return found === '' ? [] : found.split(' ').map(Number)
}
