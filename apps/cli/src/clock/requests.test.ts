// The launcher executes clock requests of a program once, and writes their progress.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readClockOffset, readProgress, writeClockRequest } from '@lendloom/foundation/clock'
import { testDatabase } from '@lendloom/tests/setup/database'
import { until } from '@lendloom/tests/setup/programs'
import { watchClockRequests } from './requests.ts'

test('a request is executed once; requests from before the launcher’s start are ignored', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'clock-'))
  after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'clock.json')
  const env = { DATABASE_URL: await testDatabase('platform') }
  writeClockRequest(file, { orderId: 'before the start', spanMs: 3_600_000 })
  const watcher = watchClockRequests({ file, env, programs: ['platform'] })
  after(() => watcher.stop())
  writeClockRequest(file, { orderId: 'a day', spanMs: 24 * 3_600_000 })
  const done = await until('the clock has advanced', async () => {
    const progress = readProgress(file)
    return progress?.isDone && progress
  })
  assert.equal(done.orderId, 'a day')
  assert.equal(done.problem, null)
  assert.equal(Date.parse(done.endsAt) - Date.parse(done.beganAt), 24 * 3_600_000)
  const ahead = readClockOffset(file).aheadMs
  assert.ok(Math.abs(ahead - 24 * 3_600_000) < 60_000, String(ahead))
})
