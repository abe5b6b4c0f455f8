// The clock of a simulation: forward, for everybody at once, and kept over a restart.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '#test/setup/programs.ts'
import { type MovableClock, movableClock, readAhead, writeAhead } from './clock.ts'

const folder = mkdtempSync(join(tmpdir(), 'world-clock-'))
const open: MovableClock[] = []
after(() => {
  for (const each of open) each.stop()
  rmSync(folder, { recursive: true })
})
const clockOf = (file: string): MovableClock => {
  const made = movableClock(file)
  open.push(made)
  return made
}
const day = 86_400_000
// (What is rounded up to zero is -0.)
const aheadOf = ({ clock }: MovableClock): number => Math.round((clock().getTime() - Date.now()) / 1000) * 1000 + 0

test('without a file, or before it is moved, it is the real time', () => {
  assert.equal(aheadOf(movableClock(null)), 0)
  assert.equal(aheadOf(clockOf(join(folder, 'none.json'))), 0)
})

test('all who read it jump at the same instant, and are told; not before it was announced for', async () => {
  const file = join(folder, 'clock.json')
  const both = [clockOf(file), clockOf(file)]
  let notified = 0
  for (const each of both) each.onMoved(() => notified++)
  const from = writeAhead(file, 3 * day)
  for (;;) {
    const seen = both.map(aheadOf)
    if (Date.now() >= from.getTime()) break
    assert.deepEqual(seen, [0, 0])
    await sleep(5)
  }
  await until('both are told', () => notified === 2)
  assert.deepEqual(both.map(aheadOf), [3 * day, 3 * day])
  writeAhead(file, 5 * day)
  await until('both are told again', () => notified === 4)
  assert.deepEqual([...both.map(aheadOf), notified], [5 * day, 5 * day, 4])
})

test('who starts later lives in the same day, and nobody moves it back', async () => {
  const file = join(folder, 'kept.json')
  // The real time at which the new one begins.
  await sleep(writeAhead(file, day).getTime() - Date.now() + 5)
  assert.equal(aheadOf(clockOf(file)), day)
  assert.throws(() => writeAhead(file, day - 1), /forward only/)
  assert.equal(readAhead(file).aheadMs, day)
})
