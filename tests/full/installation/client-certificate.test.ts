// Receivers and lending partners that demand a client certificate, as real TLS servers.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { checkClientCertificate } from '@lendloom/cli/src/doctor/outside.ts'
import { systemClock } from '@lendloom/foundation/clock'
import { quietLog } from '@lendloom/foundation/log'
import { clientCertificateSetting } from '@lendloom/http/client-certificate'
import { deliveryPolicyOf } from '@lendloom/platform/src/integrators/webhook/delivery-policy.ts'
import { postSigned } from '@lendloom/platform/src/integrators/webhook/post-signed.ts'
import { askPartner } from '@lendloom/platform/src/lenders/partner/call-partner.ts'
import { makeCertificates, opensslMissing } from '../../../proofs/setup/certificates.ts'

const skip = opensslMissing() ?? false
const directory = mkdtempSync(join(tmpdir(), 'lendloom-certificates-'))
const setting = clientCertificateSetting('')
const knownAuthorities = getCACertificates('default')
after(() => {
  setDefaultCACertificates(knownAuthorities)
  rmSync(directory, { recursive: true })
})

async function strictServer() {
  const { authority, certificateFile, keyFile, client } = makeCertificates(directory)
  setDefaultCACertificates([...knownAuthorities, authority])
  const seen: string[] = []
  const server = createServer(
    {
      cert: readFileSync(certificateFile),
      key: readFileSync(keyFile),
      ca: authority,
      requestCert: true,
      rejectUnauthorized: true,
    },
    (request, response) => {
      seen.push(String((request.socket as TLSSocket).getPeerCertificate().subject.CN))
      response.writeHead(204).end()
    },
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `https://localhost:${(server.address() as AddressInfo).port}`, client, seen }
}

test('D1 §6: a receiver that demands a client certificate gets ours; a partner too', { skip }, async () => {
  const { url, client, seen } = await strictServer()
  const CLIENT_CERTIFICATE = setting.read(client)
  const request = { url, eventId: 'e', secrets: [], body: Buffer.from('{}'), correlationId: null }
  const without = await postSigned(request, deliveryPolicyOf({ SANDBOX: true }), new Date())
  assert.equal(without.outcome, 'failed')
  assert.deepEqual(seen, [])
  const config = { SANDBOX: true, CLIENT_CERTIFICATE }
  const delivered = await postSigned(request, deliveryPolicyOf(config), new Date())
  assert.equal(delivered.outcome, 'delivered')
  assert.equal(delivered.answer, '204')
  const credentials = { outgoing: [{ keyId: 'k', secret: 's', bearer: 'b', from: new Date(0).toISOString() }] }
  const partner = { url, credentials } as never
  const answer = await askPartner({ config, clock: systemClock, log: quietLog, partner }, { method: 'GET', path: '/' })
  assert.equal(answer.status, 204)
  assert.deepEqual(seen, ['hooks.lend.example', 'hooks.lend.example'])
  const live = await postSigned(request, deliveryPolicyOf({ ...config, SANDBOX: false }), new Date())
  assert.match(live.answer, /a private/)
})

test('docs/how-to/run-in-production.md: a wrong client certificate is refused; doctor knows its period', {
  skip,
}, () => {
  const first = makeCertificates(directory).client
  const second = makeCertificates(directory).client
  const certificate = setting.read(first)!
  const days = 24 * 3_600_000
  const before = certificate.validUntil.getTime()
  const stateAt = (ms: number) => checkClientCertificate(certificate, new Date(ms)).state
  assert.equal(stateAt(before - 31 * days), 'failed', 'not valid yet')
  assert.equal(stateAt(before - days), 'warning')
  assert.equal(stateAt(before + 1), 'failed')
  assert.match(certificate.subject, /hooks\.lend\.example/)
  assert.equal(setting.read(''), null)
  const keyOf = (text: string) => text.slice(text.indexOf('-----BEGIN PRIVATE'))
  for (const [text, message] of [
    [first.replace(keyOf(first), keyOf(second)), /not of its first certificate/],
    [first.replace(keyOf(first), ''), /certificate and one unencrypted private key/],
    [keyOf(first), /certificate and one unencrypted private key/],
    [first.replace(/(BEGIN CERTIFICATE-----\n).{8}/, '$1AAAAAAAA'), /certificate that cannot be read/],
    [
      `${first}\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`,
      /certificate chain that cannot be read/,
    ],
    [first.replace(/(BEGIN PRIVATE KEY-----\n).{8}/, '$1AAAAAAAA'), /private key that cannot be read/],
  ] as const)
    assert.throws(() => setting.read(text), { message })
})
