// The movable clock of a simulation: forward only, for all programs at once, and kept across a restart.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '#test/setup/programs.ts'
import { type MovableClock, movableClock, readClockOffset, writeClockOffset } from './clock.ts'

const folder = mkdtempSync(join(tmpdir(), 'world-clock-'))
const openClocks: MovableClock[] = []
after(() => {
  for (const each of openClocks) each.stop()
  rmSync(folder, { recursive: true })
})
const clockOf = (file: string): MovableClock => {
  const clock = movableClock(file)
  openClocks.push(clock)
  return clock
}
const day = 86_400_000
/** How far a clock is ahead, in whole seconds; adding 0 turns -0 into 0. */
const aheadOf = ({ clock }: MovableClock): number => Math.round((clock().getTime() - Date.now()) / 1000) * 1000 + 0

test('the clock shows real time without a file and before a move', () => {
  assert.equal(aheadOf(movableClock(null)), 0)
  assert.equal(aheadOf(clockOf(join(folder, 'none.json'))), 0)
})

test('all clocks move at the announced instant, and their listeners are called', async () => {
  const file = join(folder, 'clock.json')
  const both = [clockOf(file), clockOf(file)]
  let calls = 0
  for (const each of both) each.onMoved(() => calls++)
  const from = writeClockOffset(file, 3 * day)
  for (;;) {
    const offsets = both.map(aheadOf)
    if (Date.now() >= from.getTime()) break
    assert.deepEqual(offsets, [0, 0])
    await sleep(5)
  }
  await until('both listeners are called', () => calls === 2)
  assert.deepEqual(both.map(aheadOf), [3 * day, 3 * day])
  writeClockOffset(file, 5 * day)
  await until('both listeners are called again', () => calls === 4)
  assert.deepEqual([...both.map(aheadOf), calls], [5 * day, 5 * day, 4])
})

test('a program that starts after a move has the same time, and the clock cannot be moved back', async () => {
  const file = join(folder, 'kept.json')
  // Waits until the move takes effect.
  await sleep(writeClockOffset(file, day).getTime() - Date.now() + 5)
  assert.equal(aheadOf(clockOf(file)), day)
  assert.throws(() => writeClockOffset(file, day - 1), /forward only/)
  assert.equal(readClockOffset(file).aheadMs, day)
})
