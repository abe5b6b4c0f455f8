// The reference partner passes every check; interrupted runs resume; wrong options are reported.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import vectors from '#contract/exchange/vectors.json' with { type: 'json' }
import {
  newConformingPlatform,
  runConformance,
  runConformCommand,
  startConformingPartner,
} from '#test/setup/conforming.ts'
import { allChecks } from './checks/all.ts'
import { wrongSignatures } from './checks/authentication.ts'

const { partner: partnerChecks } = allChecks
const directory = mkdtempSync(join(tmpdir(), 'lendloom-conform-'))
after(() => rmSync(directory, { recursive: true, force: true }))
const file = (name: string) => join(directory, name)
const [first, second] = [await newConformingPlatform('FIRST'), await newConformingPlatform('SECOND')]
const partner = await startConformingPartner([first, second])
writeFileSync(file('credentials.json'), JSON.stringify(first.credentials))

test('D3: the partner passes every check through the command, with JSON and JUnit output', async () => {
  const { exitCode, out } = await runConformCommand(
    ...[partner.url, '--json', '--credentials', file('credentials.json'), '--junit', file('junit.xml')],
    ...['--listen', `127.0.0.1:${first.port}`, '--webhook-url', `http://127.0.0.1:${first.port}/in`],
    ...['--wait', '120', '--retry-after', '1'],
  )
  const { checks, ...counts } = JSON.parse(out)
  const notPassed = checks.filter(({ result }: { result: string }) => result !== 'passed')
  assert.deepEqual(notPassed, [])
  assert.deepEqual(counts, { url: partner.url, passed: partnerChecks.length, failed: 0, skipped: 0 })
  assert.equal(exitCode, 0)
  const junit = readFileSync(file('junit.xml'), 'utf8')
  assert.equal(junit.match(/<testcase /g)?.length, partnerChecks.length)
  assert.doesNotMatch(junit + out, new RegExp(first.credentials.bearer))
})

test('D3 §7: an interrupted run resumes with its case and repeats no passed check', async () => {
  const state = file('state.json')
  const interrupted = await runConformance(partner.url, second, { state, only: ['lead.registered'] })
  assert.deepEqual([...new Set(interrupted.map(({ result }) => result))], ['passed'])
  const lines: string[] = []
  const all = await runConformance(partner.url, second, {
    state,
    only: ['offer.accepted'],
    say: (line) => lines.push(line),
  })
  assert.deepEqual(
    all.filter(({ result }) => result !== 'passed'),
    [],
  )
  const repeated = all.filter(({ id }) => interrupted.some((each) => each.id === id))
  assert.deepEqual(repeated, interrupted)
  const { caseRef, sent } = JSON.parse(readFileSync(state, 'utf8'))
  const { body } = await partner.ask('GET', `/status?external_reference_id=${caseRef}`, {
    headers: { authorization: `Bearer ${second.credentials.bearer}`, 'x-request-id': sent.lead.eventId },
  })
  assert.equal(body.case_status, 'OFFER_ACCEPTED')
})

test('D3 §5.2: every published invalid vector is sent to the partner', () => {
  const invalidNames = vectors.vectors.filter(({ outcome }) => outcome !== null).map(({ name }) => name)
  for (const name of invalidNames) assert.ok(wrongSignatures[name], name)
})

test('wrong options exit with 2, an unreachable partner with 1', async () => {
  const credentials = ['--credentials', file('credentials.json')]
  const listenOptions = ['--listen', `127.0.0.1:${first.port}`]
  for (const args of [
    [partner.url],
    [partner.url, '--credentials', file('nowhere.json')],
    ['partner.example', ...credentials],
    [partner.url, ...credentials, '--listen', 'here'],
    [partner.url, ...credentials, '--wait', 'long'],
    [partner.url, ...credentials, '--only', 'nothing.of-the-kind'],
  ]) {
    const { exitCode, err } = await runConformCommand(...args)
    assert.equal(exitCode, 2, `${args.join(' ')}: ${err}`)
  }
  const wrongWebhook = await runConformCommand(
    partner.url,
    ...credentials,
    ...listenOptions,
    '--webhook-url',
    `${partner.url}/healthz`,
  )
  assert.deepEqual([wrongWebhook.exitCode, /does not lead to --listen/.test(wrongWebhook.err)], [1, true])
  const unreachable = await runConformCommand(
    'http://127.0.0.1:9',
    '--json',
    ...credentials,
    ...listenOptions,
    '--only',
    'dedupe',
  )
  assert.equal(unreachable.exitCode, 1)
  const { failed, checks } = JSON.parse(unreachable.out)
  assert.ok(failed > 0)
  assert.match(checks[0].because, /was not answered: ECONNREFUSED/)
})

test('--list shows every check with its request and expectation, and sends nothing', async () => {
  const { exitCode, out } = await runConformCommand('--list')
  assert.equal(exitCode, 0)
  for (const { id } of partnerChecks) assert.ok(out.includes(id), id)
  assert.equal(new Set(partnerChecks.map(({ id }) => id)).size, partnerChecks.length)
})
