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
// Adding 0 turns -0 into 0.
const aheadOf = ({ clock }: MovableClock): number => Math.round((clock().getTime() - Date.now()) / 1000) * 1000 + 0

test('is the real time without a file and before it is moved', () => {
  assert.equal(aheadOf(movableClock(null)), 0)
  assert.equal(aheadOf(clockOf(join(folder, 'none.json'))), 0)
})

test('all readers jump at the announced instant and are notified', async () => {
  const file = join(folder, 'clock.json')
  const both = [clockOf(file), clockOf(file)]
  let notified = 0
  for (const each of both) each.onMoved(() => notified++)
  const from = writeClockOffset(file, 3 * day)
  for (;;) {
    const seen = both.map(aheadOf)
    if (Date.now() >= from.getTime()) break
    assert.deepEqual(seen, [0, 0])
    await sleep(5)
  }
  await until('both are notified', () => notified === 2)
  assert.deepEqual(both.map(aheadOf), [3 * day, 3 * day])
  writeClockOffset(file, 5 * day)
  await until('both are notified again', () => notified === 4)
  assert.deepEqual([...both.map(aheadOf), notified], [5 * day, 5 * day, 4])
})

test('a program that starts later has the same time, and the clock cannot be moved back', async () => {
  const file = join(folder, 'kept.json')
  // Waits until the move takes effect.
  await sleep(writeClockOffset(file, day).getTime() - Date.now() + 5)
  assert.equal(aheadOf(clockOf(file)), day)
  assert.throws(() => writeClockOffset(file, day - 1), /forward only/)
  assert.equal(readClockOffset(file).aheadMs, day)
})
