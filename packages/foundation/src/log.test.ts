// Log lines: one JSON object each, with the trace of their request and without personal data.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { DatabaseError } from 'pg'
import { cacheBytes } from './cache.ts'
import { logTo, quietLog } from './log.ts'
import { runInTrace } from './trace.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read the fields that they expect
function captureLines(write: (log: ReturnType<typeof logTo>) => void): any[] {
  const lines: string[] = []
  write(logTo('tests', 'info', { write: (chunk) => void lines.push(chunk) }))
  return lines
    .join('')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

test('a line has the time, the program, the message and the logged fields', () => {
  const [line] = captureLines((log) => log.info({ status: 201, at: new Date(0), money: 5n }, 'answered'))
  const { time, pid, hostname, ...rest } = line
  assert.match(time, /^\d{4}-\d\d-\d\dT.*Z$/)
  assert.deepEqual(rest, {
    level: 30,
    program: 'tests',
    status: 201,
    at: '1970-01-01T00:00:00.000Z',
    money: 5,
    msg: 'answered',
  })
})

test('limits the memory of the cache of field names', () => {
  for (let i = 0; i < 100; i++) captureLines((log) => log.info({ [`${'x'.repeat(20_000)}${i}`]: 1 }, 'seen'))
  const bytes = cacheBytes().get('log-names')!
  assert.ok(bytes > 0 && bytes <= 512 * 1024, `${bytes} bytes`)
})

test('writes text with line breaks as one line', () => {
  assert.equal(captureLines((log) => log.warn({ why: 'a\nb\r\n{"level":60}' }, 'two\nlines')).length, 1)
})

test('D2 §9: a line has the correlation id of its request, also after an await', async () => {
  const lines: string[] = []
  const log = logTo('tests', 'info', { write: (chunk) => void lines.push(chunk) })
  await runInTrace({ correlationId: 'c-1', traceparent: 'tp' }, async () => {
    await null
    log.info({}, 'inside')
  })
  log.info({}, 'outside')
  const [inside, outside] = lines.map((line) => JSON.parse(line))
  assert.equal(inside.correlationId, 'c-1')
  assert.equal(inside.traceparent, 'tp')
  assert.equal(outside.correlationId, undefined)
})

test('D1 §6.6: masks personal and secret fields in every spelling and at every depth', () => {
  const secrets = {
    pan: 'ABCPE1234F',
    panName: 'Asha',
    PAN: 'ABCPE1234F',
    contactNumber: '9800000001',
    contact_number: '9800000001',
    mobile: '9800000001',
    personalemail: 'a@b.c',
    official_email: 'a@b.c',
    dob: '1990-01-01',
    accountNumber: '123456789',
    refreshToken: 'rt_x',
    signingSecret: 'whsec_x',
    Authorization: 'Bearer x',
    password: 'x',
    embedUrl: 'https://x#token=y',
    apiKey: 'sk_x',
    body: { anything: 1 },
    profile: { anything: 1 },
  }
  const deep = { a: { b: [{ c: { ...secrets } }] } }
  const [flat, nested] = captureLines((log) => {
    log.info(secrets, 'flat')
    log.info(deep, 'nested')
  })
  for (const key of Object.keys(secrets)) {
    assert.equal(flat[key], '[masked]', key)
    assert.equal(nested.a.b[0].c[key], '[masked]', key)
  }
  assert.equal(deep.a.b[0]!.c.pan, 'ABCPE1234F', 'the logged object is not changed')
})

test('does not mask fields with similar names, nor null', () => {
  const facts = { span: 'x', journeyId: 'j', bodyBytes: 5, tokenId: 'k', attempt: 1, pan: null }
  const [line] = captureLines((log) => log.info(facts, 'x'))
  for (const [key, value] of Object.entries(facts)) assert.equal(line[key], value)
})

test('limits the length of logged bytes and circular objects', () => {
  const loop: Record<string, unknown> = { raw: Buffer.from('secret'), list: new Uint8Array(3) }
  loop.self = loop
  const [line] = captureLines((log) => log.info(loop, 'x'))
  assert.equal(line.raw, '[bytes]')
  assert.equal(line.list, '[bytes]')
  assert.ok(JSON.stringify(line).length < 2000)
})

test('logs type, message and stack of an error, without personal data in them', () => {
  const databaseError = Object.assign(new DatabaseError('duplicate key value', 10, 'error'), {
    code: '23505',
    detail: 'Key (external_id)=(asha-7) already exists.',
    constraint: 'borrower_pkey',
    table: 'borrower',
  })
  const journey = '01930000-0000-7000-8000-000000000001'
  const outer = new Error(`no row for ABCPE1234F, 9800000001, bt_0123456789abc, ${journey}`, { cause: databaseError })
  const [first, second] = captureLines((log) => {
    log.error({ err: databaseError }, 'x')
    log.error({ err: outer }, 'x')
  })
  const { stack, ...rest } = first.err
  assert.match(stack, /log\.test\.ts/)
  assert.deepEqual(rest, {
    type: 'DatabaseError',
    message: 'duplicate key value',
    code: '23505',
    constraint: 'borrower_pkey',
    table: 'borrower',
  })
  assert.equal(second.err.message, `no row for [masked], [masked], [masked], ${journey}: duplicate key value`)
  assert.doesNotMatch(JSON.stringify([first, second]), /asha-7|ABCPE|98000/)
})

test('writes nothing below the log level, and the quiet log writes nothing at all', () => {
  assert.deepEqual(
    captureLines((log) => log.debug({}, 'x')),
    [],
  )
  quietLog.error({ err: new Error('x') }, 'x')
})

test('writes every line to standard output before the process ends', () => {
  const statusByEnding = {
    'process.exit(0)': 0,
    'setTimeout(() => {}, 10)': 0,
    "throw new Error('uncaught')": 1,
    "setImmediate(() => process.kill(process.pid, 'SIGKILL'))": null,
  }
  for (const [ending, status] of Object.entries(statusByEnding)) {
    const source = `import { logTo } from '@lendloom/foundation/log'
      const log = logTo('test', 'info')
      for (let i = 0; i < 2000; i++) log.info({ i, padding: 'x'.repeat(100) }, 'line')
      ${ending}`
    const run = spawnSync(process.execPath, ['--input-type=module', '--eval', source], { encoding: 'utf8' })
    assert.equal(run.status, status, ending)
    const numbers = run.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).i)
    assert.deepEqual(numbers, [...Array(2000).keys()], ending)
  }
})

test('all loggers of a process share one listener to its exit', () => {
  logTo('first', 'silent')
  const count = process.listenerCount('exit')
  for (let i = 0; i < 20; i++) logTo(`program ${i}`, 'silent')
  assert.equal(process.listenerCount('exit'), count)
})
