// Finished files in a bucket of any S3-compatible service: one signed request each way, and a range of it for each frame.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import aws4 from 'aws4'
import { call, type Incoming, Unreached } from '#kit/http/client.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { ObjectBackend } from './object-store.ts'

export interface S3Bucket {
  /** The address of the bucket, path style: `https://s3.ap-south-1.amazonaws.com/files`. */
  url: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** A file of the largest size over a slow line. */
const putMs = 10 * 60_000
const getMs = 30_000
/** As S3 answers to a range that begins behind the end of the file. */
const beyondTheEnd = 416

/**
 * Files lie under `object/` in the bucket. They are sealed before they come here, so what protects their content is not the
 * connection. Refused as `upstream` while the service is away; what it refuses itself is thrown.
 */
export function s3Backend(bucket: S3Bucket): ObjectBackend {
  const get = (name: string, from: number, bytes: number): Promise<Incoming> =>
    signed(bucket, { method: 'GET', name, headers: { range: `bytes=${from}-${from + bytes - 1}` }, timeoutMs: getMs })
  return {
    async has(name) {
      const { status } = await get(name, 0, 1)
      if (status === 206 || status === 200) return true
      if (status === 404) return false
      throw refused('looking for a file', status)
    },
    async put(name, path) {
      const { size } = await stat(path)
      const headers = {
        'content-length': String(size),
        'content-type': 'application/octet-stream',
        // The service compares what has arrived: what a broken line has changed would be stored, and found out by its readers.
        'content-md5': await md5Of(path),
      }
      const body = createReadStream(path, { highWaterMark: 1 << 20 })
      const { status, body: answer } = await signed(bucket, { method: 'PUT', name, headers, body, timeoutMs: putMs })
      if (status === 400 && answer.includes('<Code>BadDigest</Code>')) throw away()
      if (status !== 200) throw refused('storing a file', status)
    },
    async open(name) {
      let at = 0
      async function read(bytes: number): Promise<Buffer> {
        const { status, body } = await get(name, at, bytes)
        if (status === beyondTheEnd) return Buffer.alloc(0)
        if (status !== 206) throw refused('reading a file', status)
        at += body.length
        return body
      }
      return { read, close: async () => {} }
    },
  }
}

async function md5Of(path: string): Promise<string> {
  const hash = createHash('md5')
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(piece)
  return hash.digest('base64')
}

/** What lies with the service passes; what it refuses is for people to put right. */
const refused = (what: string, status: number): Error =>
  status >= 500 ? away() : new Error(`${what}: the object store answered ${status}`)
const away = (): Refusal => new Refusal('upstream', 'the object store is away for a moment', { retryAfterSeconds: 30 })

interface S3Request {
  method: 'GET' | 'PUT'
  name: string
  headers: Record<string, string>
  body?: ReturnType<typeof createReadStream>
  timeoutMs: number
}

/** The body is not part of the signature: it is sealed and authenticated by itself, and its digest is among the headers that are signed. */
function signed(bucket: S3Bucket, { method, name, headers, body, timeoutMs }: S3Request): Promise<Incoming> {
  const { origin, host, pathname } = new URL(`${bucket.url}/object/${name}`)
  const { region, accessKeyId, secretAccessKey } = bucket
  const signed = aws4.sign(
    {
      ...{ service: 's3', region, host, method, path: pathname },
      headers: { ...headers, 'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD' },
    },
    { accessKeyId, secretAccessKey },
  )
  const sent = Object.entries(signed.headers ?? {}).map(([header, value]) => [header, String(value)])
  return call({
    ...{ method, url: origin + pathname, headers: Object.fromEntries(sent), timeoutMs },
    ...(body && { body }),
    maxBytes: 4 << 20,
  }).catch((error) => {
    throw error instanceof Unreached ? away() : error
  })
}
