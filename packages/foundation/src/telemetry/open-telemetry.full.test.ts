// OpenTelemetry in a process: the standard variables, and spans without messages of errors.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { startCollector } from '@lendloom/tests/setup/collector'

const collector = await startCollector()
after(() => collector.stop())

const traceIds = { sampled: '1'.repeat(32), unsampled: '2'.repeat(32) }
const program = `
  import { recordSpans } from '@lendloom/foundation/telemetry/start'
  import { continueTrace, flushSpans, trace } from '@lendloom/foundation/trace'
  await recordSpans(process.env, 'program')
  const facts = { name: 'work', kind: 'internal', attributes: { 'lendloom.attempt': 1, absent: undefined } }
  const run = (traceparent) =>
    continueTrace({ correlationId: 'c-1', traceparent }, facts, async () => {
      process.stdout.write((trace().traceparent ?? '-') + '\\n')
      throw new TypeError('of Asha Rao, ABCPE1234F')
    }).catch(() => {})
  await run('00-${traceIds.sampled}-${'3'.repeat(16)}-01')
  await run('00-${traceIds.unsampled}-${'3'.repeat(16)}-00')
  await run(null)
  await flushSpans()
  process.stdout.write(String(Boolean(globalThis[Symbol.for('opentelemetry.js.api.1')])) + '\\n')`

async function runWith(env: Record<string, string>): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    env: { PATH: process.env.PATH, ...env },
  })
  return stdout.trimEnd().split('\n')
}

test('docs/how-to/monitor.md: spans follow the decision of their cause, and have the type of an error without its message', async () => {
  const [sampled, unsampled, own] = await runWith({ ...collector.env, OTEL_SERVICE_NAME: 'tested' })
  assert.match(sampled!, new RegExp(`^00-${traceIds.sampled}-(?!3{16})[0-9a-f]{16}-01$`))
  assert.match(unsampled!, new RegExp(`^00-${traceIds.unsampled}-(?!3{16})[0-9a-f]{16}-00$`))
  assert.match(own!, /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  const spans = collector.spans()
  assert.deepEqual(
    spans.map(({ traceId }) => traceId).sort(),
    [traceIds.sampled, own!.slice(3, 35)].sort(),
    'the collector receives the sampled traces only',
  )
  const span = spans.find(({ traceId }) => traceId === traceIds.sampled)!
  assert.equal(span.spanId, sampled!.slice(36, 52))
  const { parentSpanId, service, name, attributes } = span
  assert.equal(parentSpanId, '3'.repeat(16))
  assert.equal(service, 'tested')
  assert.equal(name, 'work')
  assert.deepEqual(attributes, { 'lendloom.attempt': 1, 'error.type': 'TypeError' })
  assert.doesNotMatch(collector.texts().join(), /Asha|ABCPE/)
})

test('docs/how-to/monitor.md: the standard variables choose the sampler', async () => {
  const flagsWith = async (env: Record<string, string>) =>
    (await runWith({ ...collector.env, ...env })).slice(0, 3).map((traceparent) => traceparent.slice(-2))
  assert.deepEqual(await flagsWith({ OTEL_TRACES_SAMPLER: 'always_off' }), ['00', '00', '00'])
  const ratio = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }
  assert.deepEqual(await flagsWith(ratio), ['01', '00', '00'])
  for (const [name, value] of [
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
  ] as const)
    await assert.rejects(runWith({ ...collector.env, [name]: value }), ({ code, stderr }) => {
      assert.equal(code, 1)
      assert.match(stderr, new RegExp(`${name} must be `))
      return true
    })
})

test('docs/how-to/monitor.md: without a collector, the trace of the cause passes unchanged', async () => {
  const passed = [`00-${traceIds.sampled}-${'3'.repeat(16)}-01`, `00-${traceIds.unsampled}-${'3'.repeat(16)}-00`, '-']
  assert.deepEqual(await runWith({}), [...passed, 'false'])
  const [first] = await runWith({ ...collector.env, OTEL_SDK_DISABLED: 'true' })
  assert.equal(first, passed[0])
})
