// The reference partner passes every check; interrupted runs resume; wrong options are reported.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  newConformingPlatform,
  runConformance,
  runConformCommand,
  startConformingPartner,
} from '@lendloom/tests/setup/conforming'
import vectors from '@lendloom/wire/exchange/vectors.json' with { type: 'json' }
import { allChecks } from './checks/all.ts'
import { wrongSignatures } from './checks/authentication.ts'
import { meet } from './first-contact.ts'

const { partner: partnerChecks } = allChecks
const directory = mkdtempSync(join(tmpdir(), 'lendloom-conform-'))
after(() => rmSync(directory, { recursive: true, force: true }))
const file = (name: string) => join(directory, name)
const first = await newConformingPlatform('FIRST')
const second = await newConformingPlatform('SECOND')
const partner = await startConformingPartner([first, second])
writeFileSync(file('credentials.json'), JSON.stringify(first.credentials))

test('D3: the partner passes every check through the command, with JSON and JUnit output', async () => {
  const { exitCode, out } = await runConformCommand(
    partner.url,
    '--json',
    '--credentials',
    file('credentials.json'),
    '--junit',
    file('junit.xml'),
    '--listen',
    `127.0.0.1:${first.port}`,
    '--webhook-url',
    `http://127.0.0.1:${first.port}/in`,
    '--wait',
    '120',
    '--retry-after',
    '1',
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

test('wrong options exit with 2, a wrong address for webhooks with 1', async () => {
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
  assert.equal(wrongWebhook.exitCode, 1)
  assert.match(wrongWebhook.err, /does not lead to --listen/)
})

test('D3 §7: what does not answer as a partner is refused before the first check, within seconds', async () => {
  const page = createServer((request, response) => response.end(`<h1>${request.url}</h1>`))
  const mute = createServer(() => {})
  for (const server of [page, mute]) await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const refusals: [url: string, because: RegExp][] = [
    ['http://127.0.0.1:9', /status was not answered: ECONNREFUSED/],
    [urlOf(page), /answers 200 without the JSON of D3 §7: this is no partner; check the URL/],
    [urlOf(mute), /status was not answered: no answer within 10 s/],
  ]
  for (const [url, because] of refusals) {
    const { exitCode, out, err } = await runConformCommand(url, '--credentials', file('credentials.json'))
    assert.equal(exitCode, 1)
    assert.equal(out, '')
    assert.match(err, because)
  }
  for (const server of [page, mute]) server.close().closeAllConnections()
})

test('D3 §5.2: a run says first that the clocks of both sides differ', async () => {
  for (const [seconds, expected] of [
    [0, null],
    [-60, /is \d\d s behind this one$/],
    [400, /is \d\d\d s ahead of this one: beyond 300 s every event is refused \(D3 §5\.2\)/],
  ] as const) {
    const lines: string[] = []
    const server = createServer((_, response) => {
      response.setHeader('date', new Date(Date.now() + seconds * 1000).toUTCString())
      response.writeHead(401).end('{}')
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    await meet('partner', `http://127.0.0.1:${(server.address() as AddressInfo).port}`, (line) => lines.push(line))
    server.close()
    assert.equal(lines.length, expected ? 1 : 0, lines.join())
    if (expected) assert.match(lines.join(), expected)
  }
})

test('D3 §5.2: a path that answers late does not make the clock of the tested side differ', async () => {
  const lines: string[] = []
  const late = createServer((request, response) => {
    setTimeout(() => response.writeHead(401).end('{}'), request.url === '/status' ? 0 : 6000)
  })
  await new Promise<void>((done) => late.listen(0, '127.0.0.1', done))
  await meet('partner', `http://127.0.0.1:${(late.address() as AddressInfo).port}`, (line) => lines.push(line))
  late.close()
  assert.deepEqual(lines, [])
})

test('D3 §7: at a service that answers as no partner, the run ends after ten failures', async () => {
  const other = createServer((_, response) => response.writeHead(404).end('{"message":"no such page"}'))
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  const { exitCode, out } = await runConformCommand(url, '--json', '--credentials', file('credentials.json'))
  other.close()
  const { checks, ...counts } = JSON.parse(out)
  assert.deepEqual(counts, { url, passed: 0, failed: 10, skipped: partnerChecks.length - 10 })
  assert.match(checks.at(-1).because, /^none of the first 10 checks passed: check URL and credentials$/)
  assert.equal(exitCode, 1)
})

test('--list shows every check with its request and expectation, and sends nothing', async () => {
  const { exitCode, out } = await runConformCommand('--list')
  assert.equal(exitCode, 0)
  // Long names are wrapped in the table of the text.
  const listed = (await runConformCommand('--list', '--json')).out
  for (const { id } of partnerChecks) assert.ok(listed.includes(`"${id}"`), id)
  for (const line of out.split('\n')) assert.ok(line.length <= 120, line)
  assert.equal(new Set(partnerChecks.map(({ id }) => id)).size, partnerChecks.length)
})
