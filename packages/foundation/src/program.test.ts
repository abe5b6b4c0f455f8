// The life cycle of a program: start, ready message, stop signals, lost launcher, failed start.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text as wholeText } from 'node:stream/consumers'
import { test } from 'node:test'

/** Runs a program whose start function has the body `start`; there, `say` writes to standard error. */
function program(start: string): { child: ChildProcess; output: Promise<string> } {
  const source = `
    import { ConfigError } from '@lendloom/foundation/config'
    import { logTo } from '@lendloom/foundation/log'
    import { runProgram } from '@lendloom/foundation/program'
    const say = (words) => process.stderr.write(words + '\\n')
    const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
    const forever = setInterval(() => {}, 1000)
    await runProgram(logTo('test', 'info'), async () => { ${start} })`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const output = Promise.all([wholeText(child.stdout!), wholeText(child.stderr!)]).then((both) => both.join(''))
  return { child, output }
}
const quickStop = `return { url: 'http://x', announce: { key: 1 }, stop: () => wait(50).then(() => say('stopped')) }`
const slowStop = `return { url: 'http://x', stop: () => { process.send('stopping'); return wait(60_000) } }`

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  test(`reports readiness to its launcher, and stops cleanly on ${signal}`, async () => {
    const { child, output } = program(quickStop)
    const [ready] = await once(child, 'message')
    assert.deepEqual(ready, { type: 'ready', url: 'http://x', announce: { key: 1 } })
    child.kill(signal)
    assert.deepEqual(await once(child, 'exit'), [0, null])
    assert.match(await output, /stopped/)
  })

test('a program stops when its launcher exits', async () => {
  const { child, output } = program(quickStop)
  await once(child, 'message')
  child.disconnect()
  assert.deepEqual(await once(child, 'exit'), [0, null])
  assert.match(await output, /the launcher is gone/)
})

test('a program exits at once on a second signal', async () => {
  const { child } = program(slowStop)
  await once(child, 'message')
  child.kill('SIGTERM')
  // The kernel merges equal pending signals, so the first must be handled before the second is sent.
  await once(child, 'message')
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [1, null])
})

const drainingStart = `
  process.once('message', () => process.emit('drained'))
  return {
    url: 'http://x',
    drain: () => new Promise((resolve) => { say('draining'); process.once('drained', resolve); process.send('draining') }),
    stop: async () => say('stopped'),
  }`

test('a program drains before it stops on SIGTERM, but not on SIGINT', async () => {
  const { child, output } = program(drainingStart)
  await once(child, 'message')
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'message'), ['draining', undefined])
  child.send('go on')
  assert.deepEqual(await once(child, 'exit'), [0, null])
  assert.match(await output, /still answering(.|\n)*stopping/)
  const interrupted = program(drainingStart)
  await once(interrupted.child, 'message')
  interrupted.child.kill('SIGINT')
  assert.deepEqual(await once(interrupted.child, 'exit'), [0, null])
  assert.doesNotMatch(await interrupted.output, /draining/)
})

test('a program exits on a second signal while it drains', async () => {
  const { child } = program(drainingStart)
  await once(child, 'message')
  child.kill('SIGTERM')
  await once(child, 'message')
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [1, null])
})

test('a program logs why it could not stop', async () => {
  const { child, output } = program(`return { url: 'http://x', stop: async () => { throw new Error('stuck') } }`)
  await once(child, 'message')
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [1, null])
  assert.match(await output, /"message":"stuck".*"msg":"could not stop cleanly"/)
})

test('a failed start prints a configuration error as text and logs any other error', async () => {
  const misconfigured = program(`throw new ConfigError('PORT must be a number')`)
  assert.deepEqual(await once(misconfigured.child, 'exit'), [1, null])
  assert.equal(await misconfigured.output, 'PORT must be a number\n')
  const failing = program(`throw new Error('no database')`)
  assert.deepEqual(await once(failing.child, 'exit'), [1, null])
  const line = JSON.parse(await failing.output)
  assert.equal(line.msg, 'could not start')
  assert.equal(line.err.message, 'no database')
})
