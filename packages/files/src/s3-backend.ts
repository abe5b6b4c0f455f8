// Stores finished files in a bucket of any S3-compatible service: sends them in parts, and reads a range per frame.
import { createReadStream } from 'node:fs'
import type { GetObjectCommandOutput } from '@aws-sdk/client-s3'
import { lazily } from '@lendloom/foundation/lazily'
import { fieldsOf } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'
import { codeOf } from '@lendloom/foundation/thrown'
import type { ObjectBackend } from './object-store.ts'

// Loaded with the first file, because few installations store files in a bucket.
const library = lazily(() => import('@aws-sdk/client-s3'))
const uploadLibrary = lazily(() => import('@aws-sdk/lib-storage'))

export interface S3Bucket {
  /** The address of the bucket, path style: `https://s3.ap-south-1.amazonaws.com/files`. */
  url: string
  region: string
  /** Null for keys that the SDK finds: in the environment, a profile, or the role of the machine, container or pod. */
  keys: { accessKeyId: string; secretAccessKey: string } | null
}

/** Time limits of a request that sends a part, possibly over a slow line, or reads a frame. */
const putMs = 120_000
const getMs = 30_000
/** Bytes per part; two parts at a time are in memory. */
const partSize = 8 << 20
/** The status with which S3 answers to a range that begins after the end of the file. */
const beyondTheEnd = 416
/** The errors of S3 for bytes that were changed in transit. */
const damageErrors: unknown[] = ['BadDigest', 'XAmzContentSHA256Mismatch']

/**
 * Stores files under `object/` in the bucket. The files are already sealed, so the connection need not protect them.
 * Throws an `upstream` refusal while the service is unavailable, and an `Error` when the service rejects a request.
 */
export function s3Backend(bucket: S3Bucket): ObjectBackend {
  const client = lazily(() => clientOf(bucket))
  const objectOf = (name: string) => ({ Bucket: new URL(bucket.url).pathname.split('/').at(-1), Key: `object/${name}` })
  return {
    has: (name) =>
      resultOf('looking for a file', { status: 404, value: false }, async () => {
        const { HeadObjectCommand } = await library()
        const head = new HeadObjectCommand(objectOf(name))
        await (await client()).send(head, { abortSignal: AbortSignal.timeout(getMs) })
        return true
      }),
    put: (name, path) =>
      resultOf('storing a file', null, async () => {
        const { Upload } = await uploadLibrary()
        const Body = createReadStream(path, { highWaterMark: 1 << 20 })
        const params = { ...objectOf(name), Body, ContentType: 'application/octet-stream' }
        const upload = new Upload({ client: await client(), params, partSize, queueSize: 2 })
        await upload.done().finally(() => Body.destroy())
      }),
    write: (name, bytes) =>
      resultOf('storing a file', null, async () => {
        const { PutObjectCommand } = await library()
        const put = new PutObjectCommand({ ...objectOf(name), Body: bytes, ContentType: 'application/octet-stream' })
        await (await client()).send(put, { abortSignal: AbortSignal.timeout(putMs) })
      }),
    async open(name) {
      let at = 0
      async function read(bytes: number): Promise<Buffer> {
        const endOfFile = { status: beyondTheEnd, value: Buffer.alloc(0) }
        const piece = await resultOf('reading a file', endOfFile, async () => {
          const { GetObjectCommand } = await library()
          const get = new GetObjectCommand({ ...objectOf(name), Range: `bytes=${at}-${at + bytes - 1}` })
          return rangeIn(await (await client()).send(get, { abortSignal: AbortSignal.timeout(getMs) }), bytes)
        })
        at += piece.length
        return piece
      }
      return { read, close: async () => {} }
    },
    remove: (name) =>
      resultOf('deleting a file', null, async () => {
        const { DeleteObjectCommand } = await library()
        await (await client()).send(new DeleteObjectCommand(objectOf(name)), {
          abortSignal: AbortSignal.timeout(getMs),
        })
      }),
  }
}

async function clientOf({ url, region, keys }: S3Bucket) {
  const { S3Client } = await library()
  return new S3Client({
    endpoint: url.slice(0, url.lastIndexOf('/')),
    region,
    forcePathStyle: true,
    ...(keys && { credentials: keys }),
    // The signature covers the SHA-256 of each part, which every service checks; not all support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 10_000, requestTimeout: putMs, throwOnRequestTimeout: true },
  })
}

/** Reads the range of an answer. Throws when the service sends the whole file instead. */
async function rangeIn({ $metadata, Body, ContentLength }: GetObjectCommandOutput, most: number): Promise<Buffer> {
  if ($metadata.httpStatusCode === 206 && Body && ContentLength !== undefined && ContentLength <= most)
    return Buffer.from(await Body.transformToByteArray())
  throw Object.assign(new Error('the service sent the whole file instead of a range'), { $metadata })
}

/**
 * Returns the result of a request, or `instead.value` if the service answers with `instead.status`. A failure of the
 * service is transient and refused as `upstream`; a request that the service rejects needs an operator.
 */
async function resultOf<T>(
  what: string,
  instead: { status: number; value: T } | null,
  request: () => Promise<T>,
): Promise<T> {
  try {
    return await request()
  } catch (error) {
    const { name, $metadata } = fieldsOf(error)
    const status = fieldsOf($metadata).httpStatusCode
    if (instead && status === instead.status) return instead.value
    if (typeof status === 'number' ? status >= 500 || damageErrors.includes(name) : isConnectionError(error))
      throw new Refusal('upstream', 'the object store is temporarily unavailable', { retryAfterSeconds: 30 })
    if (typeof status !== 'number') throw error
    throw new Error(`${what}: the object store answered ${status}`, { cause: error })
  }
}

/**
 * Whether the connection failed. The SDK adds `$metadata` with the number of attempts to an error without an answer; a
 * system error code means that the connection broke midway.
 */
const isConnectionError = (error: unknown): boolean => {
  const { name, $metadata } = fieldsOf(error)
  return (
    name !== 'CredentialsProviderError' &&
    ($metadata !== undefined || codeOf(error) !== undefined || name === 'AbortError')
  )
}
