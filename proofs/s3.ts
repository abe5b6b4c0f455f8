// Documents in a real object store: the largest is read back intact, changed ones are refused, retries find their file.
import { once } from 'node:events'
import { connect as connectTo, createServer } from 'node:net'
import { uuidv4 } from '@lendloom/seal/id'
import { maxFileBytes } from '@lendloom/wire/exchange/document'
import { videoOf } from '../bench/setup/upload.ts'
import type { Outcome } from './main.ts'
import { checks, wordsOf } from './setup/checks.ts'
import { type Documents, digestOf, startDocuments } from './setup/documents.ts'
import { missingParts, type Swift, startSwift } from './setup/swift.ts'
import { until } from './setup/until.ts'

export const about = `The partner's documents in OpenStack Swift by its S3 interface: 250 MiB are read back intact, changed ones are refused
Debian's Swift with one of each of its servers. Documents are uploaded by the partner's own route and read at its desk: one of
the largest size; one with a byte changed in the bucket, one exchanged for another, one changed on its way to the bucket; one
whose row is lost because the partner is killed between file and row, and which is sent again; with a wrong secret; and while
the store is down.`

export const missing = missingParts

const MiB = 1 << 20

export async function run(): Promise<Outcome> {
  const swift = await startSwift()
  const relay = await startCorruptingRelay(Number(new URL(swift.bucket.url).port))
  const all = checks()
  let partner: Documents | undefined
  try {
    const { url, region, accessKeyId, secretAccessKey } = swift.bucket
    const through = new URL(url)
    through.port = String(relay.port)
    partner = await startDocuments({
      PARTNER_S3_URL: through.href,
      PARTNER_S3_REGION: region,
      PARTNER_S3_ACCESS_KEY_ID: accessKeyId,
      PARTNER_S3_SECRET_ACCESS_KEY: secretAccessKey,
    })
    const stage: Stage = { swift, relay, partner, note: all.note }
    const seconds = await largest(stage)
    await changedInTheBucket(stage)
    await changedOnTheWay(stage)
    await lostRow(stage)
    await wrongSecret(stage)
    await storeDown(stage)
    all.note('no draft is left of refused files', partner.drafts() === 0)
    return {
      passed: all.failed.length === 0,
      figures: `250 MiB stored in ${seconds.up.toFixed(1)} s and read in ${seconds.back.toFixed(1)} s; ${wordsOf(all)}`,
    }
  } finally {
    await partner?.stop()
    relay.stop()
    swift.stop()
  }
}

interface Stage {
  swift: Swift
  relay: CorruptingRelay
  partner: Documents
  note: ReturnType<typeof checks>['note']
}

async function largest({ partner, swift, note }: Stage): Promise<{ up: number; back: number }> {
  const empty = videoOf(0)
  const file = videoOf(maxFileBytes - Buffer.concat(empty).length)
  const sha256 = digestOf(file)
  const begun = performance.now()
  const { status, body } = await partner.upload(file)
  const sent = performance.now()
  note(`a document of ${maxFileBytes / MiB} MiB is stored`, status === 201 && body.sha256 === sha256, status)
  const back = await partner.read(body.document_id)
  note('it is read back with the same SHA-256', back === sha256)
  note('the bucket has one object', (await objects(swift)).length === 1)
  return { up: (sent - begun) / 1000, back: (performance.now() - sent) / 1000 }
}

async function changedInTheBucket({ partner, swift, note }: Stage): Promise<void> {
  const one = await small(partner, swift)
  const other = await small(partner, swift)
  note('a small document is read back', (await partner.read(one.documentId)) === one.sha256)
  const bytes = Buffer.from(await (await swift.request('GET', `/${one.key}`)).arrayBuffer())
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
  await swift.request('PUT', `/${one.key}`, bytes)
  note('a document with a byte changed in the bucket is not served', (await partner.read(one.documentId)) === null)
  const foreign = Buffer.from(await (await swift.request('GET', `/${other.key}`)).arrayBuffer())
  await swift.request('PUT', `/${one.key}`, foreign)
  note('a document exchanged for another one is not served', (await partner.read(one.documentId)) === null)
}

async function changedOnTheWay({ partner, swift, relay, note }: Stage): Promise<void> {
  const file = videoOf(3 * MiB)
  const requestId = uuidv4()
  const before = await objects(swift)
  relay.damage()
  const damaged = await partner.upload(file, requestId)
  note('a document changed on its way to the bucket is not acknowledged', damaged.status >= 500, damaged.status)
  note('and is not in the bucket', (await objects(swift)).length === before.length)
  const { status, body } = await partner.upload(file, requestId)
  note('the retried document is stored', status === 201, status)
  note('and is read back', (await partner.read(body.document_id)) === digestOf(file))
}

/** Blocks the insert of a file's row by a lock until the partner is killed. */
async function lostRow({ partner, swift, note }: Stage): Promise<void> {
  const file = videoOf(2 * MiB)
  const requestId = uuidv4()
  const before = await objects(swift)
  const rows = await partner.stored()
  const lock = await partner.db.pool.connect()
  await lock.query('begin; lock table document_request in share mode')
  const cut = partner.upload(file, requestId)
  await until(async () => (await objects(swift)).length === before.length + 1, 'the file is in the bucket')
  await partner.kill()
  note('a partner that is killed between file and row has acknowledged nothing', (await cut).status === 0)
  await lock.query('rollback')
  lock.release()
  note('and has no row', (await partner.stored()) === rows)
  const left = await objects(swift)
  await partner.start()
  const { status, body } = await partner.upload(file, requestId)
  note('the same request again is stored', status === 201, status)
  note('with the object that was there', (await objects(swift)).join() === left.join())
  note('and is read back', (await partner.read(body.document_id)) === digestOf(file))
}

async function wrongSecret({ partner, swift, note }: Stage): Promise<void> {
  const rows = await partner.stored()
  const before = await objects(swift)
  await partner.kill()
  await partner.start({ PARTNER_S3_SECRET_ACCESS_KEY: 'another' })
  const { status } = await partner.upload(videoOf(MiB))
  note('with a wrong secret nothing is acknowledged', status >= 500, status)
  note('and nothing is stored', (await partner.stored()) === rows && (await objects(swift)).length === before.length)
  await partner.kill()
  await partner.start()
}

async function storeDown({ partner, swift, note }: Stage): Promise<void> {
  const file = videoOf(MiB)
  const requestId = uuidv4()
  const rows = await partner.stored()
  await swift.down()
  const { status } = await partner.upload(file, requestId)
  note('while the store is down the answer is 503', status === 503, status)
  note('and nothing is stored', (await partner.stored()) === rows)
  await swift.up()
  const again = await partner.upload(file, requestId)
  note('when it is up again the same request is stored', again.status === 201, again.status)
}

interface Small {
  documentId: string
  sha256: string
  key: string
}

async function small(partner: Documents, swift: Swift): Promise<Small> {
  const file = videoOf(MiB)
  const before = new Set(await objects(swift))
  const { body } = await partner.upload(file)
  const key = (await objects(swift)).find((each) => !before.has(each))?.split(' ')[0] ?? ''
  return { documentId: body.document_id, sha256: digestOf(file), key }
}

/** Lists the bucket's objects with their digests and modification times. */
async function objects(swift: Swift): Promise<string[]> {
  const text = await (await swift.request('GET', '')).text()
  return [...text.matchAll(/<Key>(.+?)<\/Key><LastModified>(.+?)<\/LastModified><ETag>(.+?)<\/ETag>/g)]
    .map(([, ...parts]) => parts.join(' '))
    .sort()
}

interface CorruptingRelay {
  port: number
  /** Changes a byte in the middle of the next file that is sent. */
  damage(): void
  stop(): void
}

/** Starts a TCP relay that may corrupt data on its way to the store, as a broken network card or proxy does. */
async function startCorruptingRelay(port: number): Promise<CorruptingRelay> {
  let isDamaging = false
  const server = createServer((near) => {
    const far = connectTo({ host: '127.0.0.1', port })
    let isPut = false
    near.on('data', (bytes: Buffer) => {
      isPut ||= bytes.toString('latin1', 0, 4) === 'PUT '
      // Headers arrive first in a separate chunk, so a long chunk is file data.
      if (isDamaging && isPut && bytes.length > 10_000) {
        bytes[5000] = (bytes[5000] ?? 0) ^ 1
        isDamaging = false
      }
      if (!far.write(bytes)) near.pause()
    })
    far.on('drain', () => near.resume())
    far.pipe(near)
    near.on('end', () => far.end())
    near.on('error', () => {})
    far.on('error', () => near.destroy())
    near.on('close', () => far.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the relay has no port')
  return {
    port: address.port,
    damage() {
      isDamaging = true
    },
    stop: () => server.close(),
  }
}
