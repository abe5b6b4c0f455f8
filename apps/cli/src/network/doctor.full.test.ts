// `lendloom network doctor` against the sandbox's registry, whose answers a proxy changes.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { daysAfter, secondsAfter, writeClockOffset } from '@lendloom/foundation/clock'
import { subscribe } from '@lendloom/platform/src/lenders/network/subscribe.ts'
import { commandLine } from '@lendloom/tests/setup/command-line'
import { testDatabase } from '@lendloom/tests/setup/database'
import { openSandbox } from '@lendloom/tests/setup/sandbox/open-sandbox'
import { testSubscriber } from '@lendloom/tests/setup/subscriber'
import { encryptionKeysFrom } from '@lendloom/wire/network/challenge'
import { type Participant, signingKeysFrom } from '@lendloom/wire/network/signing'
import { makeCertificates, opensslMissing } from '../../../../proofs/setup/certificates.ts'

const page = 'docs/how-to/join-the-network.md'
const sandbox = await openSandbox(() => testDatabase('sandbox'))
const { ctx, url } = await testSubscriber(sandbox.url, { workers: false })
assert.equal(await subscribe(ctx), 'subscribed')

const spoiled: { list: (listed: Participant[]) => Participant[]; status: number | null; date: () => Date } = {
  list: (listed) => listed,
  status: null,
  date: () => new Date(),
}
const untouched = { ...spoiled }
beforeEach(() => Object.assign(spoiled, untouched))

const proxy = createServer(async (request, response) => {
  const body = await new Response(request as never).arrayBuffer()
  const headers = { authorization: String(request.headers.authorization), 'content-type': 'application/json' }
  const method = String(request.method)
  const answer = await fetch(`${sandbox.url}${request.url}`, { method, headers, ...(method === 'POST' && { body }) })
  const content = await answer.json()
  response.writeHead(spoiled.status ?? answer.status, { date: spoiled.date().toUTCString() })
  response.end(JSON.stringify(Array.isArray(content) ? spoiled.list(content) : content))
})
proxy.listen(0, '127.0.0.1')
await once(proxy, 'listening')
after(() => {
  proxy.closeAllConnections()
  proxy.close()
})

const names = ['GATEWAY_URL', 'SUBSCRIBER_ID', 'KEY_ID', 'SIGNING_KEY', 'ENCRYPTION_KEY'] as const
const env = {
  ...Object.fromEntries(names.map((name) => [`NETWORK_${name}`, ctx.config[`NETWORK_${name}`]])),
  NETWORK_REGISTRY_URL: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/registry`,
  PUBLIC_URL: url,
  LENDLOOM_DATA_DIR: '/nowhere',
}

interface Line {
  name: string
  state: string
  found: string
  action: string | null
}

async function examine(changes: Record<string, string> = {}) {
  const { code, data } = await commandLine({ ...env, ...changes }).run('network', 'doctor', '--json')
  const lines: Line[] = data.items
  const wrong = lines.filter(({ state }) => state !== 'ok')
  const faults = Object.fromEntries(wrong.map(({ name, state, found }) => [name, `${state}: ${found}`]))
  for (const { name, action } of wrong) assert.ok(action, `${name} says what to do`)
  return { code, faults, lines: new Map(lines.map((line) => [line.name, line.found])) }
}

const withOurs = (change: (ours: Participant) => Partial<Participant>) => {
  spoiled.list = (listed) => listed.map((each) => ({ ...each, ...change(each) }))
}

test(`${page}: a sound entry passes all checks`, async () => {
  const { code, faults, lines } = await examine()
  assert.equal(code, 0)
  assert.deepEqual(faults, {})
  assert.equal(
    [...lines.keys()].join(', '),
    'registry, clock, entry, signing key, signature, other keys, encryption key, subscriber URL, ' +
      'callback address, verification page, on_subscribe, certificate, gateway',
  )
  assert.match(lines.get('signing key')!, /^our key key-1 of \S+ is valid from .* until .* \(36[45] days\)$/)
  assert.equal(lines.get('entry'), `${ctx.config.NETWORK_SUBSCRIBER_ID} is SUBSCRIBED as BAP of ONDC:FIS12`)
  const { text } = await commandLine(env).run('network', 'doctor')
  assert.match(text, /^ok +registry: .*\n.*\n\nChecks: 13. Failed: 0. Warnings: 0.$/s)
})

test(`${page}: a wrong key is named, whether the registry refuses it or lists another`, async () => {
  const other = signingKeysFrom(randomBytes(32))
  const refused = await examine({ NETWORK_SIGNING_KEY: other.privateKey })
  assert.equal(refused.code, 1)
  assert.match(refused.faults.registry!, /^failed: .* with 401: 1020 .*bad-signature/)
  assert.match(refused.faults['verification page']!, /another signature than that of our keys/)
  assert.equal(refused.lines.has('signing key'), false)
  withOurs(() => ({ signing_public_key: other.publicKey }))
  const { faults, lines } = await examine()
  assert.deepEqual(faults, { 'signing key': 'failed: the registry does not list our signing key under key-1' })
  assert.equal(lines.has('signature'), false)
  const encryption = encryptionKeysFrom(randomBytes(32))
  withOurs(() => ({ encr_public_key: encryption.publicKey }))
  assert.match((await examine()).faults['encryption key']!, /^failed: the registry lists another one/)
  withOurs(({ encr_public_key: _, ...rest }) => ({ ...rest, encr_public_key: undefined as never }))
  const unlisted = await examine()
  assert.equal(unlisted.code, 0)
  assert.deepEqual(Object.keys(unlisted.faults), ['encryption key'])
  spoiled.list = untouched.list
  const foreign = await examine({ NETWORK_ENCRYPTION_KEY: encryption.privateKey })
  assert.match(foreign.faults.on_subscribe!, /answers 200, without the text of the challenge/)
})

test(`${page}: an expired key fails, one that expires within 30 days warns, and a rotation shows both keys`, async () => {
  withOurs(() => ({ valid_until: secondsAfter(new Date(), -1).toISOString() }))
  assert.match((await examine()).faults['signing key']!, /^failed: our key key-1 .* until/)
  withOurs(() => ({ valid_until: daysAfter(new Date(), 20.5).toISOString() }))
  const { code, faults } = await examine()
  assert.equal(code, 0)
  assert.match(faults['signing key']!, /^warning: .*\(20 days\)$/)
  spoiled.list = ([ours]) => [ours!, { ...ours!, ukId: 'key-2', valid_until: '2099-01-01T00:00:00Z' }]
  assert.equal((await examine()).lines.get('other keys'), 'also valid: key-2 until 2099-01-01T00:00:00Z')
  spoiled.list = (listed) => listed.map((each) => ({ ...each, valid_until: 'soon' }))
  assert.match((await examine()).faults['signing key']!, /^failed: .* until soon/)
})

test(`${page}: an entry that is missing, of another role or not subscribed is named`, async () => {
  spoiled.list = () => []
  const { code, faults, lines } = await examine()
  assert.equal(code, 1)
  assert.match(faults.entry!, /is not in the registry for ONDC:FIS12$/)
  assert.equal(lines.has('signing key'), false)
  withOurs(() => ({ type: 'BPP' }))
  assert.match((await examine()).faults.entry!, /is in the registry as BPP, not as BAP/)
  withOurs(() => ({ status: 'UNSUBSCRIBED' }))
  assert.match((await examine()).faults.entry!, /has the status UNSUBSCRIBED/)
  const unknown = await examine({ NETWORK_SUBSCRIBER_ID: 'unknown.lendloom.example' })
  assert.match(unknown.faults.registry!, /401: 1020 .*unknown-sender/)
})

test(`${page}: each further domain of NETWORK_DOMAINS has a finding of its own`, async () => {
  const both = { NETWORK_DOMAINS: 'ONDC:FIS12,ONDC:FIS12:SL' }
  const missing = await examine(both)
  assert.equal(missing.code, 1)
  assert.match(
    missing.faults['entry in ONDC:FIS12:SL']!,
    /is not SUBSCRIBED as BAP of ONDC:FIS12:SL with the key key-1$/,
  )
  assert.deepEqual(Object.keys(missing.faults), ['entry in ONDC:FIS12:SL'], 'the first domain is sound')
  const joined = { ...ctx, config: { ...ctx.config, ...both } }
  assert.equal(await subscribe(joined), 'subscribed')
  const { code, lines } = await examine(both)
  assert.equal(code, 0)
  assert.match(lines.get('entry in ONDC:FIS12:SL')!, /is SUBSCRIBED as BAP of ONDC:FIS12:SL$/)
})

test(`${page}: another address in the entry, and addresses that another server answers, are named`, async () => {
  withOurs(() => ({ subscriber_url: 'https://old.lendloom.example/ondc' }))
  assert.match((await examine()).faults['subscriber URL']!, /lenders send to https:\/\/old.lendloom.example\/ondc/)
  spoiled.list = untouched.list
  const elsewhere = await examine({ NETWORK_SUBSCRIBER_URL: `${sandbox.url}/elsewhere` })
  assert.deepEqual(Object.keys(elsewhere.faults).sort(), [
    'callback address',
    'on_subscribe',
    'subscriber URL',
    'verification page',
  ])
  const down = await examine({ NETWORK_SUBSCRIBER_URL: 'http://127.0.0.1:9/ondc' })
  assert.match(down.faults['callback address']!, /does not answer from here: ECONNREFUSED/)
})

test(`${page}: a registry that is down, answers nonsense, or has another time is named`, async () => {
  const down = await examine({ NETWORK_REGISTRY_URL: 'http://127.0.0.1:9/registry' })
  assert.equal(down.code, 1)
  assert.match(down.faults.registry!, /does not answer: ECONNREFUSED/)
  assert.equal(down.lines.has('entry'), false)
  assert.match((await examine({ NETWORK_GATEWAY_URL: 'http://127.0.0.1:9' })).faults.gateway!, /ECONNREFUSED/)
  spoiled.status = 503
  assert.match((await examine()).faults.registry!, /answers our signed look-up with 503$/)
  spoiled.status = null
  const clockAt = async (seconds: number) => {
    spoiled.date = () => secondsAfter(new Date(), seconds)
    return (await examine()).faults
  }
  assert.deepEqual(await clockAt(3), {})
  assert.match((await clockAt(20)).clock!, /^warning: our clock is (19|20|21) s behind that of the registry/)
  assert.match((await clockAt(-90)).clock!, /^failed: our clock is (89|90|91) s ahead of that of the registry/)
  const directory = mkdtempSync(join(tmpdir(), 'lendloom-clock-'))
  after(() => rmSync(directory, { recursive: true }))
  writeClockOffset(join(directory, 'clock'), 86_400_000)
  Object.assign(spoiled, untouched)
  const simulated = await examine({ CLOCK_FILE: join(directory, 'clock') })
  assert.match(simulated.faults.registry!, /401: 1020 .*not-yet-valid/, 'signed with the simulated time')
  assert.equal(simulated.faults.clock, undefined)
})

test(`${page}: the certificate of the public address: trust, days left, and OCSP`, {
  skip: opensslMissing() ?? false,
}, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'lendloom-tls-'))
  const knownAuthorities = getCACertificates('default')
  after(() => {
    setDefaultCACertificates(knownAuthorities)
    rmSync(directory, { recursive: true })
  })
  let staple: Buffer | null = null
  const certificateWith = async (extensions: string, isTrusted = true): Promise<string> => {
    const { authority, certificateFile, keyFile } = makeCertificates(directory, extensions)
    if (isTrusted) setDefaultCACertificates([...knownAuthorities, authority])
    const files = { cert: readFileSync(certificateFile), key: readFileSync(keyFile) }
    const server = createTlsServer(files, async (request, response) => {
      const method = String(request.method)
      const body = await new Response(request as never).arrayBuffer()
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`${url}${request.url}`, { method, headers, ...(method === 'POST' && { body }) })
      response.writeHead(answer.status).end(await answer.text())
    })
    server.on('OCSPRequest', (_certificate, _issuer, respond) => respond(null, staple))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const subscriberUrl = `https://localhost:${(server.address() as AddressInfo).port}/ondc`
    withOurs(() => ({ subscriber_url: subscriberUrl }))
    const { faults } = await examine({ NETWORK_SUBSCRIBER_URL: subscriberUrl })
    server.closeAllConnections()
    server.close()
    if (isTrusted) assert.deepEqual(Object.keys(faults), ['certificate'])
    return faults.certificate!
  }
  assert.match(await certificateWith('', false), /^failed: .*clients refuse it: (UNABLE|SELF_SIGNED|DEPTH)/)
  assert.match(
    await certificateWith(''),
    /^warning: .*\(1 days\); it names no OCSP responder, and the server staples no/,
  )
  const responder = 'authorityInfoAccess=OCSP;URI:http://ocsp.example'
  assert.match(await certificateWith(responder), /^warning: .*; its OCSP responder is http:\/\/ocsp.example$/)
  staple = Buffer.from([0x30, 0x03, 0x0a, 0x01, 0x00])
  assert.match(await certificateWith(''), /^warning: .*; the server staples an OCSP response$/)
})

test(`${page}: outside the sandbox the public address must be https`, async () => {
  const { publicKey } = encryptionKeysFrom(randomBytes(32))
  const real = {
    SANDBOX: 'off',
    NETWORK_REGISTRY_ENCRYPTION_KEY: publicKey,
    NETWORK_SUBSCRIBER_ID: 'localhost.invalid',
  }
  const { data } = await commandLine({ ...env, ...real }).run('network', 'doctor', '--json')
  const certificates = data.items.filter(({ name }: Line) => name === 'certificate')
  assert.match(certificates[0].found, /^http:\/\/127.0.0.1:\d+ is not https$/)
  assert.match(certificates[1].found, /^https:\/\/localhost.invalid does not answer from here/)
})

test(`${page}: a new pair of keys is registered beside the old one, and both are valid`, async () => {
  const next = await testSubscriber(sandbox.url, { workers: false, env: { NETWORK_KEY_ID: 'key-2' } })
  const front = createServer(async (request, response) => {
    const isOfRegistry = /\/(ondc-site-verification.html|ondc\/on_subscribe)$/.test(String(request.url))
    const method = String(request.method)
    const body = await new Response(request as never).arrayBuffer()
    const answer = await fetch(`${isOfRegistry ? next.url : url}${request.url}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(method === 'POST' && { body }),
    })
    response.writeHead(answer.status).end(await answer.text())
  })
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  after(() => {
    front.closeAllConnections()
    front.close()
  })
  const address = { NETWORK_SUBSCRIBER_URL: `http://127.0.0.1:${(front.address() as AddressInfo).port}/ondc` }
  const { NETWORK_SIGNING_KEY, NETWORK_ENCRYPTION_KEY } = next.ctx.config
  const renewed = { ...address, NETWORK_KEY_ID: 'key-2', NETWORK_SIGNING_KEY, NETWORK_ENCRYPTION_KEY }
  const early = await commandLine({ ...env, ...renewed, NETWORK_SUBSCRIBER_URL: `${url}/ondc` }).runFailing(
    'network',
    'subscribe',
  )
  assert.match(early.errorOutput, /the registry refused: .*ondc-site-verification.html does not fit/)
  const { text } = await commandLine({ ...env, ...renewed }).run('network', 'subscribe')
  assert.match(text, /has joined the network/)
  const before = await examine()
  assert.equal(before.code, 0)
  assert.deepEqual(before.faults, {})
  assert.match(before.lines.get('other keys')!, /^also valid: key-2 until/)
  const switched = await examine(renewed)
  assert.equal(switched.code, 0)
  assert.deepEqual(switched.faults, {})
  assert.match(switched.lines.get('signing key')!, /^our key key-2 of/)
  assert.match(switched.lines.get('other keys')!, /^also valid: key-1 until/)
})
