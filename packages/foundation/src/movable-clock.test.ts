// The movable clock of a simulation: forward only, for all programs at once, and kept across a restart.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '@lendloom/tests/setup/programs'
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
/** Milliseconds by which a clock is ahead, rounded to seconds. Adding 0 turns -0 into 0. */
const aheadMsOf = ({ clock }: MovableClock): number => Math.round((clock().getTime() - Date.now()) / 1000) * 1000 + 0

test('the clock shows real time without a file and before a move', () => {
  assert.equal(aheadMsOf(movableClock(null)), 0)
  assert.equal(aheadMsOf(clockOf(join(folder, 'none.json'))), 0)
})

test('all clocks move at the announced instant, and their listeners are called', async () => {
  const file = join(folder, 'clock.json')
  const clocks = [clockOf(file), clockOf(file)]
  let calls = 0
  for (const each of clocks) each.onMoved(() => calls++)
  const movesAt = writeClockOffset(file, 3 * day)
  for (;;) {
    const offsets = clocks.map(aheadMsOf)
    if (Date.now() >= movesAt.getTime()) break
    assert.deepEqual(offsets, [0, 0])
    await sleep(5)
  }
  await until('both listeners are called', () => calls === 2)
  assert.deepEqual(clocks.map(aheadMsOf), [3 * day, 3 * day])
  writeClockOffset(file, 5 * day)
  await until('both listeners are called again', () => calls === 4)
  assert.deepEqual(clocks.map(aheadMsOf), [5 * day, 5 * day])
  assert.equal(calls, 4)
})

test('a program that starts after a move has the same time, and the clock cannot be moved back', async () => {
  const file = join(folder, 'kept.json')
  // Waits until the move takes effect.
  await sleep(writeClockOffset(file, day).getTime() - Date.now() + 5)
  assert.equal(aheadMsOf(clockOf(file)), day)
  assert.throws(() => writeClockOffset(file, day - 1), /cannot be set back/)
  assert.equal(readClockOffset(file).aheadMs, day)
})
