// The platform's receiver passes every check that needs no application, and each injected fault fails its check.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runConformCommand } from '@lendloom/tests/setup/conforming'
import { startFaultyWebhook, webhookFaults } from '@lendloom/tests/setup/faulty-webhook'
import { startLenderExchange } from '@lendloom/tests/setup/lender-exchange'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { receiver } from './checks/platform/receiver.ts'
import { conform } from './conform.ts'

const { env } = await startLenderExchange()
const credentials = JSON.parse(env.PARTNER_CREDENTIALS)
const platform = await testPlatform({ ...env, RATE_LIMITS: 'off' })
const url = `${platform.url}/api/partner/webhook`
const directory = mkdtempSync(join(tmpdir(), 'lendloom-conform-'))
after(() => rmSync(directory, { recursive: true, force: true }))
const file = (name: string) => join(directory, name)
writeFileSync(file('credentials.json'), env.PARTNER_CREDENTIALS)

test('D3 §4.2, §5, §7: the receiver passes every check that needs no application', async () => {
  const { exitCode, out } = await runConformCommand(
    '--platform',
    url,
    '--json',
    '--credentials',
    file('credentials.json'),
    '--junit',
    file('junit.xml'),
  )
  const { checks, failed } = JSON.parse(out)
  assert.equal(exitCode, 0, out)
  assert.equal(failed, 0, out)
  for (const { id } of receiver)
    assert.equal(checks.find((each: { id: string }) => each.id === id)?.result, 'passed', id)
  for (const { result, because } of checks) if (result === 'skipped') assert.match(because, /--listen|needs /)
  const junit = readFileSync(file('junit.xml'), 'utf8')
  assert.equal(junit.match(/<testcase /g)?.length, checks.length)
  assert.doesNotMatch(junit + out, new RegExp(credentials.webhook.bearer))
})

for (const fault of webhookFaults)
  test(`D3: a platform that ${fault.name} fails the check ${fault.check}`, async () => {
    const proxy = await startFaultyWebhook(fault, credentials, platform.url)
    const outcomes = await conform({
      testedSide: 'platform',
      url: proxy,
      credentials,
      listenAt: null,
      only: [fault.check],
      waitSeconds: 1,
      retryAfterSeconds: 1,
      say: () => {},
    })
    assert.deepEqual(
      outcomes.map(({ id, result }) => ({ id, result })),
      [{ id: fault.check, result: 'failed' }],
    )
    assert.ok(outcomes[0]!.because && outcomes[0]!.expected)
  })

test('a partner’s state file is refused for a platform', async () => {
  const state = file('state.json')
  const args = ['--credentials', file('credentials.json'), '--state', state, '--only', 'envelope.version']
  assert.equal((await runConformCommand('--platform', url, ...args)).exitCode, 0)
  const partnerRun = await runConformCommand(url, ...args)
  assert.equal(partnerRun.exitCode, 1, partnerRun.err)
  assert.match(partnerRun.err, /state of a run against the platform/, partnerRun.err)
})
