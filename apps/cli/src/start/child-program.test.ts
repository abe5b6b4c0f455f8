// A program as a child process: restarts, graceful stops, logs, and errors at the start.

import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { deadlineMs } from '@lendloom/tests/setup/deadline'
import { CannotRun } from '#cli/command.ts'
import { startProgram } from './child-program.ts'
import { logFile } from './log-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'lendloom-program-'))
after(() => rmSync(folder, { recursive: true }))

function program(name: string, script: string, logBytes = 1_000_000) {
  const entry = join(folder, `${name}.mjs`)
  const log = join(folder, `${name}.log`)
  writeFileSync(entry, script)
  const lines: string[] = []
  const inherited = process.env
  const env = Promise.resolve({ LAMP: 'lit' })
  const started = startProgram({ name, entry, inherited, env, log, logBytes, say: (line) => lines.push(line) })
  return { ...started, lines, output: (suffix = '') => readFileSync(log + suffix, 'utf8') }
}

async function until(condition: () => boolean): Promise<void> {
  for (const deadline = Date.now() + deadlineMs; !condition(); await sleep(20))
    assert.ok(Date.now() < deadline, 'waited long enough')
}

const ready = `process.send({ type: 'ready', url: 'http://here', announce: { lamp: 'lit' } })`

test('a program reports its announcement, and its last output is logged when it is stopped', async () => {
  const polite = program(
    'polite',
    `process.on('SIGTERM', () => { console.log('bye'); process.exit() })
    setInterval(() => {}, 1000); ${ready}`,
  )
  assert.deepEqual((await polite.ready).announce, { lamp: 'lit' })
  await polite.stop()
  assert.equal(polite.output(), 'bye\n')
  assert.deepEqual(polite.lines, [])
})

test('a program that dies is restarted, and the restart is reported', async () => {
  const mortal = program('mortal', `console.log('born'); ${ready}; setTimeout(() => process.exit(3), 50)`)
  await mortal.ready
  await until(() => mortal.output().split('born').length > 2)
  await mortal.stop()
  assert.match(mortal.lines[0]!, /^the mortal ended \(exit code 3\) and is restarted; see .+mortal\.log$/)
})

test('a log is rotated in whole lines, with one previous file', async () => {
  const talkative = program(
    'talkative',
    `process.on('SIGTERM', () => process.exit())
    for (let i = 0; i < 500; i++) console.log(String(i).padStart(99, '.')); ${ready}; setInterval(() => {}, 1000)`,
    10_000,
  )
  await talkative.ready
  await talkative.stop()
  const before = talkative.output('.1')
  const now = talkative.output()
  assert.ok(before.length <= 10_000 && now.length <= 10_000 && now.length > 0)
  const numbers = (before + now).match(/^\.+(\d+)$/gm)!.map((line) => Number(line.replace(/\.+/, '')))
  assert.deepEqual(
    numbers,
    Array.from({ length: numbers.length }, (_, i) => 500 - numbers.length + i),
  )
  assert.ok(numbers.length >= 100)
})

test('a program that cannot start is not restarted, and the error has its last output', async () => {
  const line = `{"level":50,"msg":"could not start","err":{"message":"no lamp","stack":"Error: no lamp"}}`
  const lame = program('lame', `console.log('${line}'); process.exit(1)`)
  await assert.rejects(lame.ready, (error) => {
    assert.ok(error instanceof CannotRun)
    assert.match(
      error.message,
      /^the lame could not start \(exit code 1\); the last lines of .+:\n {2}could not start: Error: no lamp$/,
    )
    return true
  })
  await lame.stop()
})

test('a program that dies without output is reported in one line', async () => {
  const silent = program('silent', `process.kill(process.pid, 'SIGKILL')`)
  await assert.rejects(silent.ready, new CannotRun('the silent could not start (SIGKILL)'))
  await silent.stop()
})

test('a full disk only drops log lines', {
  skip: !existsSync('/dev/full') && 'there is no /dev/full here',
}, () => {
  const file = logFile('/dev/full', 1000)
  file.write(Buffer.from('a line\n'))
  file.write(Buffer.from('another\n'))
  file.close()
})
