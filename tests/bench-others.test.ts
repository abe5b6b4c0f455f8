// The load of other programs during a benchmark: which processes are its own, and whose time counts.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { busiest, type Moment, momentOf, type ProcessTime, ticksOfOthers } from '../bench/setup/others.ts'

const children: (() => void)[] = []
after(() => {
  for (const kill of children) kill()
})

/** Starts a shell that starts a process without environment, and returns both process ids. */
async function startPair(env: Record<string, string>): Promise<[number, number]> {
  const child = spawn('sh', ['-c', 'env -i sleep 60 & echo $!; wait'], { env, detached: true })
  const pid = child.pid ?? 0
  children.push(() => process.kill(-pid, 'SIGKILL'))
  const [grandchild] = await once(child.stdout, 'data')
  return [pid, Number(grandchild)]
}

test('a process belongs to the benchmark if it or its parent has the mark, also when the parent has ended', async () => {
  const mark = 'BENCH_MARK=of-this-test'
  const ours = await startPair({ BENCH_MARK: 'of-this-test' })
  const others = await startPair({})
  const moment = momentOf(mark)
  const isOurs = (pid: number, at: Moment) => at.processes.get(pid)?.isOurs
  assert.deepEqual(
    [...ours, ...others].map((pid) => isOurs(pid, moment)),
    [true, true, false, false],
  )
  assert.equal(moment.processes.has(process.pid), false)
  process.kill(ours[0], 'SIGKILL')
  while (momentOf(mark).processes.get(ours[1])?.parent === ours[0]) await new Promise(setImmediate)
  assert.equal(isOurs(ours[1], momentOf(mark, moment)), true)
})

const at = (processes: Record<number, Partial<ProcessTime>>): Moment => ({
  at: 0,
  steal: 0,
  processes: new Map(
    Object.entries(processes).map(([pid, time]) => [Number(pid), { parent: 1, ticks: 0, isOurs: false, ...time }]),
  ),
})

test('counts the time of other processes, and that of their ended children once', () => {
  const before = at({ 1: {}, 5: { ticks: 100, isOurs: true }, 6: { ticks: 10 }, 7: { parent: 6, ticks: 30 } })
  // Process 7 and another child of 6 have ended; process 6 has waited for both. Process 8 is new.
  const later = at({ 1: {}, 5: { ticks: 190, isOurs: true }, 6: { ticks: 47 }, 8: { ticks: 3 } })
  assert.deepEqual(
    [...ticksOfOthers(before, later)],
    [
      [6, 7],
      [8, 3],
    ],
  )
})

test('the time of an ended daemon of the benchmark is not the load of the process that waited for it', () => {
  const before = at({ 9: { ticks: 4 }, 10: { parent: 9, ticks: 5000, isOurs: true } })
  assert.deepEqual([...ticksOfOthers(before, at({ 9: { ticks: 5004 } }))], [])
})

test('judges by the busiest ten seconds, and names the largest program', () => {
  const second = (ticks: number) => ({
    ms: 1000,
    ticks: new Map([
      ['small', 1],
      ['large', ticks],
    ]),
  })
  const intervals = [...Array(20).fill(second(0)), ...Array(10).fill(second(99)), ...Array(20).fill(second(2))]
  const { share, program } = busiest(intervals)
  assert.equal(program, 'large')
  assert.equal(share, busiest([second(99)]).share)
  assert.ok(share > 0 && share <= 1)
})
