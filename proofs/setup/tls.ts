// Platform and partner behind Debian's Caddy with TLS: callers are identified by the forwarded address, and files are passed on.
import { existsSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { codeOf } from '@lendloom/foundation/thrown'
import { issueKey } from '@lendloom/platform/src/integrators/access/api-key.ts'
import { freePort } from '@lendloom/tests/setup/platform'
import { maxFileBytes } from '@lendloom/wire/exchange/document'
import { type Api, startApi } from '../../bench/setup/api.ts'
import { type BenchDatabase, benchDatabase } from '../../bench/setup/database.ts'
import { sampleBorrower } from '../../bench/setup/opening-sample.ts'
import { videoOf } from '../../bench/setup/upload.ts'
import { type Certificates, makeCertificates, opensslMissing } from './certificates.ts'
import type { Checks } from './checks.ts'
import { type Documents, digestOf, startDocuments } from './documents.ts'
import type { Part } from './part.ts'
import { directoryFor, startServer } from './server.ts'

const caddy = '/usr/bin/caddy'

export const behindTls: Part = {
  name: 'tls',
  missing: () => (existsSync(caddy) ? opensslMissing() : `there is no ${caddy}: apt-get install caddy`),
  async prove(note) {
    const { directory, remove } = directoryFor('tls')
    const certificates = makeCertificates(directory)
    const port = await freePort()
    const unbelieving = await freePort()
    const partnerPort = await freePort()
    const stops: (() => void | Promise<void>)[] = [remove]
    try {
      const database = await benchDatabase(4)
      stops.push(() => database.stop())
      const PUBLIC_URL = `https://127.0.0.1:${port}`
      const platform = await startApi(database.url, { PUBLIC_URL, TRUSTED_PROXIES: '127.0.0.1' })
      stops.push(platform.stop)
      // The control has no TRUSTED_PROXIES.
      const other = await startApi(database.url, { PUBLIC_URL, LENDLOOM_KEYS: platform.env.LENDLOOM_KEYS ?? '' })
      stops.push(other.stop)
      const partner = await startDocuments({ TRUSTED_PROXIES: '127.0.0.1' })
      stops.push(partner.stop)
      const sites = [
        { port, to: new URL(platform.url).port },
        { port: unbelieving, to: new URL(other.url).port },
        { port: partnerPort, to: String(partner.port) },
      ]
      stops.push(await startCaddy(directory, certificates, sites))
      await sessionsThrough({ port, unbelieving, certificates, platform, database, note })
      const seconds = await fileThrough({ partnerPort, certificates, partner, note })
      return `${maxFileBytes >> 20} MiB through TLS in ${seconds.toFixed(1)} s`
    } finally {
      for (const stop of stops.reverse()) await stop()
    }
  },
}

/** As in docs/how-to/run-in-production.md. */
async function startCaddy(
  directory: string,
  { certificateFile, keyFile }: Certificates,
  sites: { port: number; to: string }[],
): Promise<() => void> {
  const file = join(directory, 'Caddyfile')
  const blocks = sites.map(
    ({ port, to }) => `https://127.0.0.1:${port} {
	tls ${certificateFile} ${keyFile}
	respond /metrics 404
	reverse_proxy 127.0.0.1:${to}
}`,
  )
  writeFileSync(file, `{\n\tauto_https off\n\tadmin off\n}\n${blocks.join('\n')}\n`)
  const args = ['run', '--config', file, '--adapter', 'caddyfile']
  return startServer({ name: 'caddy', command: caddy, args, directory, port: sites.at(-1)?.port ?? 0 })
}

interface Sent {
  port: number
  path: string
  /** The trusted certificate authority; by default, those of the machine. */
  authority?: string
  /** The source address. */
  from?: string
  headers?: Record<string, string>
  body?: unknown
}

interface Answer {
  status: number
  text: string
}

/** The response, or the error code with which the connection failed. */
const sent = ({ port, path, authority, from = '127.0.0.1', headers = {}, body }: Sent): Promise<Answer | string> =>
  new Promise((resolve) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const method = text === undefined ? 'GET' : 'POST'
    const all = { ...headers, ...(text !== undefined && { 'content-type': 'application/json' }) }
    const to = { host: '127.0.0.1', port, path, method, headers: all, localAddress: from, agent: false as const }
    const going = request({ ...to, ...(authority !== undefined && { ca: authority }) }, (answer) => {
      let received = ''
      answer.setEncoding('utf8').on('data', (chunk) => (received += chunk))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: received }))
    })
    going.on('error', (error) => resolve(String(codeOf(error))))
    going.end(text)
  })

const statusOf = (answer: Answer | string): number | string => (typeof answer === 'string' ? answer : answer.status)

interface Sessions {
  port: number
  unbelieving: number
  certificates: Certificates
  platform: Api
  database: BenchDatabase
  note: Checks['note']
}

async function sessionsThrough({ port, unbelieving, certificates, platform, database, note }: Sessions) {
  const { authority } = certificates
  const health = await sent({ port, path: '/healthz', authority })
  note('the platform responds over TLS', statusOf(health) === 200, statusOf(health))
  const unknown = await sent({ port, path: '/healthz' })
  note(
    'a client that does not know the authority refuses the connection',
    unknown === 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' || unknown === 'SELF_SIGNED_CERT_IN_CHAIN',
    statusOf(unknown),
  )
  const figures = await sent({ port, path: '/metrics', authority })
  note('the metrics are not reachable from outside', statusOf(figures) === 404, statusOf(figures))
  const { tenantId, applicationId } = platform.tenant
  const key = { tenantId, applicationId, label: 'of one address', scopes: ['sessions' as const], isLive: false }
  const { apiKey } = await database.db.tx((tx) =>
    issueKey(tx, { ...key, expiresAt: null, addresses: ['127.0.0.2'] }, new Date()),
  )
  let people = 0
  const open = (at: number, from: string, forwarded?: string) => {
    const sample = sampleBorrower(`tls-${++people}`)
    const body = { ...sample, profile: { ...sample.profile, contactNumber: `9${String(people).padStart(9, '0')}` } }
    const headers = { authorization: `Bearer ${apiKey}`, ...(forwarded && { 'x-forwarded-for': forwarded }) }
    return sent({ port: at, path: '/api/lab/sessions', authority, from, headers, body })
  }
  const opened = await open(port, '127.0.0.2')
  note(
    'a session is created, with an API key for the address of its caller',
    statusOf(opened) === 201,
    statusOf(opened),
  )
  const isOurs = typeof opened !== 'string' && opened.text.includes(`"https://127.0.0.1:${port}/`)
  note('the page URL is the external one', isOurs)
  const elsewhere = await open(port, '127.0.0.3')
  note('from another address the same key is refused', statusOf(elsewhere) === 403, statusOf(elsewhere))
  const lying = await open(port, '127.0.0.3', '127.0.0.2')
  note('it is also refused if the caller claims the first address', statusOf(lying) === 403, statusOf(lying))
  const control = await open(unbelieving, '127.0.0.2')
  note('control: without TRUSTED_PROXIES every caller has the address of the proxy', statusOf(control) === 403)
}

interface File {
  partnerPort: number
  certificates: Certificates
  partner: Documents
  note: Checks['note']
}

/** Returns the duration in seconds. */
async function fileThrough({ partnerPort, certificates, partner, note }: File): Promise<number> {
  const file = videoOf(maxFileBytes - Buffer.concat(videoOf(0)).length)
  const entrance = { port: partnerPort, authority: certificates.authority }
  const begun = performance.now()
  const { status, body } = await partner.upload(file, undefined, entrance)
  const seconds = (performance.now() - begun) / 1000
  const isWhole = status === 201 && body.sha256 === digestOf(file)
  note(`a document of ${maxFileBytes >> 20} MiB reaches the partner complete over TLS`, isWhole, status)
  const { status: tooLarge } = await partner.upload([...file, Buffer.alloc(1)], undefined, entrance)
  note('a document that is one byte too large is refused', tooLarge === 413, tooLarge)
  return seconds
}
