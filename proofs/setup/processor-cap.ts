// Limits a process and its children to a part of one processor by a control group.
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { atEnd } from '../../bench/setup/at-end.ts'

const groups = '/sys/fs/cgroup/cpu'
/** The kernel's default period; with shorter ones processes used only half of their quota. */
const periodMicroseconds = 100_000

/** Returns why processors cannot be capped here; null if they can. */
export const missingCaps = (): string | null =>
  existsSync(join(groups, 'cpu.cfs_quota_us')) ? null : 'control groups of version 1 for processors are missing'

/** Limits the process with this id and its children together to this percentage of a processor. */
export function capProcessor(pid: number, perCent: number): void {
  const group = join(groups, `lendloom-${process.pid}-${pid}`)
  mkdirSync(group)
  writeFileSync(join(group, 'cpu.cfs_period_us'), String(periodMicroseconds))
  writeFileSync(join(group, 'cpu.cfs_quota_us'), String(Math.round((periodMicroseconds * perCent) / 100)))
  for (const each of [pid, ...childrenOf(pid)]) writeFileSync(join(group, 'cgroup.procs'), String(each))
  atEnd(() => {
    // A group can be removed only after its last process has ended.
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
