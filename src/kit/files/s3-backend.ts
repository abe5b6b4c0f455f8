// Finished files in a bucket of any S3-compatible service: sent in parts, read by ranges, one for each frame.
import { createReadStream } from 'node:fs'
import type { GetObjectCommandOutput } from '@aws-sdk/client-s3'
import { Refusal } from '#kit/http/refusal.ts'
import { codeOf, fieldsOf, lazily } from '#kit/runtime/record.ts'
import type { ObjectBackend } from './object-store.ts'

// The libraries are loaded with the first file: few programs keep theirs in a bucket.
const library = lazily(() => import('@aws-sdk/client-s3'))
const uploads = lazily(() => import('@aws-sdk/lib-storage'))

export interface S3Bucket {
  /** The address of the bucket, path style: `https://s3.ap-south-1.amazonaws.com/files`. */
  url: string
  region: string
  /** Null for those that the SDK finds: of the environment, a profile, or the role of the machine, container or pod. */
  keys: { accessKeyId: string; secretAccessKey: string } | null
}

/** For one request: a part over a slow line, and a frame. */
const putMs = 120_000
const getMs = 30_000
/** Two parts at a time are in memory. */
const partSize = 8 << 20
/** As S3 answers to a range that begins behind the end of the file. */
const beyondTheEnd = 416
/** Bytes that were changed on their way. */
const damages: unknown[] = ['BadDigest', 'XAmzContentSHA256Mismatch']

/**
 * Files are under `object/` in the bucket. They are already sealed, so the connection need not protect them. Refused as
 * `upstream` while the service is unavailable; its own refusals are thrown.
 */
export function s3Backend(bucket: S3Bucket): ObjectBackend {
  const client = lazily(() => clientOf(bucket))
  const objectOf = (name: string) => ({ Bucket: new URL(bucket.url).pathname.split('/').at(-1), Key: `object/${name}` })
  return {
    has: (name) =>
      answered('looking for a file', { status: 404, value: false }, async () => {
        const { HeadObjectCommand } = await library()
        const head = new HeadObjectCommand(objectOf(name))
        await (await client()).send(head, { abortSignal: AbortSignal.timeout(getMs) })
        return true
      }),
    put: (name, path) =>
      answered('storing a file', null, async () => {
        const { Upload } = await uploads()
        const Body = createReadStream(path, { highWaterMark: 1 << 20 })
        const params = { ...objectOf(name), Body, ContentType: 'application/octet-stream' }
        const upload = new Upload({ client: await client(), params, partSize, queueSize: 2 })
        await upload.done().finally(() => Body.destroy())
      }),
    async open(name) {
      let at = 0
      async function read(bytes: number): Promise<Buffer> {
        const nothing = { status: beyondTheEnd, value: Buffer.alloc(0) }
        const piece = await answered('reading a file', nothing, async () => {
          const { GetObjectCommand } = await library()
          const get = new GetObjectCommand({ ...objectOf(name), Range: `bytes=${at}-${at + bytes - 1}` })
          return rangeIn(await (await client()).send(get, { abortSignal: AbortSignal.timeout(getMs) }), bytes)
        })
        at += piece.length
        return piece
      }
      return { read, close: async () => {} }
    },
  }
}

async function clientOf({ url, region, keys }: S3Bucket) {
  const { S3Client } = await library()
  return new S3Client({
    ...{ endpoint: url.slice(0, url.lastIndexOf('/')), region, forcePathStyle: true },
    ...(keys && { credentials: keys }),
    // Each part is signed with its SHA-256, which every service compares; not all of them know the newer checksums.
    ...{ requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' },
    requestHandler: { connectionTimeout: 10_000, requestTimeout: putMs, throwOnRequestTimeout: true },
  })
}

/** A service that sends the whole file instead of a range is not read. */
async function rangeIn({ $metadata, Body, ContentLength }: GetObjectCommandOutput, most: number): Promise<Buffer> {
  if ($metadata.httpStatusCode === 206 && Body && ContentLength !== undefined && ContentLength <= most)
    return Buffer.from(await Body.transformToByteArray())
  throw Object.assign(new Error('the whole file instead of a range'), { $metadata })
}

/**
 * The result of a request, or `instead` for a given status. Failures of the service are transient; its refusals need an
 * operator.
 */
async function answered<T>(
  what: string,
  instead: { status: number; value: T } | null,
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act()
  } catch (error) {
    const { name, $metadata } = fieldsOf(error)
    const status = fieldsOf($metadata).httpStatusCode
    if (instead && status === instead.status) return instead.value
    if (typeof status === 'number' ? status >= 500 || damages.includes(name) : isOfTheLine(error))
      throw new Refusal('upstream', 'the object store is away for a moment', { retryAfterSeconds: 30 })
    if (typeof status !== 'number') throw error
    throw new Error(`${what}: the object store answered ${status}`, { cause: error })
  }
}

/**
 * The SDK puts its number of attempts into `$metadata` of an error without an answer. A system error code means that
 * the connection broke midway.
 */
const isOfTheLine = (error: unknown): boolean => {
  const { name, $metadata } = fieldsOf(error)
  return (
    name !== 'CredentialsProviderError' &&
    ($metadata !== undefined || codeOf(error) !== undefined || name === 'AbortError')
  )
}
