// The clock command: durations, progress, and the entry in the audit log.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { listNewest } from '@lendloom/platform/src/people/audit/store.ts'
import { platformTenant } from '@lendloom/platform/src/people/person.ts'
import { connect } from '@lendloom/postgres/sql'
import { testDatabase } from '@lendloom/tests/setup/database'
import { announceRun } from '#cli/installation.ts'
import { main } from '#cli/main.ts'
import { progressOn } from '#cli/progress.ts'
import { millisecondsIn } from './advance.ts'

test('a duration consists of weeks, days, hours and minutes; anything else is rejected', () => {
  assert.equal(millisecondsIn('22w'), 22 * 7 * 86_400_000)
  assert.equal(millisecondsIn('1d12h30m'), 131_400_000)
  for (const wrong of ['', 'w', '3', '3s', '-1d', '1.5d', '2 w', '1d x'])
    assert.throws(() => millisecondsIn(wrong), /not a duration/)
})

test('progress is a bar at a terminal, and a line per ten percent elsewhere', () => {
  const began = Date.parse('2026-11-20T00:00:00.000Z')
  const day = 86_400_000
  const outputOf = (isTTY: boolean) => {
    const out: string[] = []
    const progress = progressOn(
      { isTTY, write: (text: string) => out.push(text) > 0 } as never,
      began,
      began + 20 * day,
    )
    for (const days of [1, 2, 3, 4, 20]) progress.moveTo(began + days * day)
    progress.showPending(began + 20 * day, ['job aa-look', 'job sweep'])
    progress.end()
    return out.map((text) => text.replace('\r\x1b[K', ''))
  }
  assert.deepEqual(outputOf(false), ['2026-11-22  10 %\n', '2026-11-24  20 %\n', '2026-12-10  100 %\n'])
  const terminalOutput = outputOf(true)
  assert.equal(terminalOutput[3], `${'█'.repeat(6)}${'░'.repeat(24)} 2026-11-24`)
  assert.match(terminalOutput[5]!, /waits for job aa-look and 1 more$/)
})

test('advancing the clock is recorded in the audit log', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'clock-'))
  after(() => rmSync(folder, { recursive: true }))
  const url = 'http://127.0.0.1:9'
  const databaseUrl = await testDatabase('platform')
  announceRun(folder, {
    pid: process.pid,
    startedAt: new Date().toISOString(),
    platform: { url, databaseUrl },
    partner: null,
    sandbox: { url, databaseUrl: await testDatabase('sandbox') },
  })
  const complaints: string[] = []
  const code = await main(['clock', 'advance', '90m'], {
    env: { LENDLOOM_DATA_DIR: folder },
    print: () => {},
    complain: (text) => complaints.push(text),
  })
  assert.equal(code, 0)
  assert.deepEqual(complaints, [])
  const db = connect(databaseUrl, { connections: 1 })
  after(() => db.close())
  const [entry, ...others] = await listNewest(db, platformTenant, null, 5)
  assert.equal(entry?.act, 'CLOCK_MOVED')
  assert.equal(entry?.personId, null)
  assert.equal(entry?.detail, '{"hours":1.5}')
  assert.equal(others.length, 0)
})
