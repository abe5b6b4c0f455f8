// An S3 service with one in-memory bucket. It verifies every signature (AWS Signature Version 4) with its own implementation.
import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after } from 'node:test'
import type { S3Bucket } from '@lendloom/files/src/s3-backend.ts'

export interface FakeS3 {
  bucket: S3Bucket & { keys: NonNullable<S3Bucket['keys']> }
  /** Stored objects by path. */
  objects: Map<string, Buffer>
  /** Parts of incomplete files, by upload ID. */
  uploads: Map<string, Buffer[]>
  requests: string[]
  /** While set, every request gets this status. */
  failureStatus: number | undefined
  /** Whether to change one byte of each uploaded file. */
  damagesUploads: boolean
}

type S3Response = [status: number, body?: Buffer | string]

/** Starts the service; it stops when the test file ends. */
export async function fakeS3(): Promise<FakeS3> {
  const server = createServer(async (request, response) => {
    const { method } = request
    const body = await buffer(request)
    s3.requests.push(`${method} ${request.url}`)
    if (s3.damagesUploads && method === 'PUT') body[body.length >> 1] = (body[body.length >> 1] ?? 0) ^ 1
    const [status, answer = ''] = answerTo(request, body)
    response
      .writeHead(status, { 'content-length': answer.length, etag: '"of it"' })
      .end(method === 'HEAD' ? '' : answer)
  }).listen(0, '127.0.0.1')

  function answerTo(request: IncomingMessage, body: Buffer): S3Response {
    if (s3.failureStatus) return [s3.failureStatus]
    if (!isSigned(request, s3.bucket)) return [403]
    if (request.headers['x-amz-content-sha256'] !== createHash('sha256').update(body).digest('hex'))
      return [400, '<Error><Code>XAmzContentSHA256Mismatch</Code></Error>']
    const { pathname, searchParams } = new URL(request.url ?? '', s3.bucket.url)
    if (request.method === 'HEAD') return [s3.objects.has(pathname) ? 200 : 404]
    if (request.method !== 'GET') return writeObject(pathname, `${request.method}`, searchParams, body)
    const object = s3.objects.get(pathname)
    if (!object) return [404]
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(String(request.headers.range))!.map(Number)
    return from! >= object.length ? [416] : [206, object.subarray(from, to! + 1)]
  }

  /** Handles a write: a whole file, or a step of a multipart upload (start, part, completion or abort). */
  function writeObject(path: string, method: string, query: URLSearchParams, body: Buffer): S3Response {
    const id = query.get('uploadId')
    if (query.has('uploads')) {
      const uploadId = `upload-${s3.requests.length}`
      s3.uploads.set(uploadId, [])
      return [200, `<InitiateMultipartUploadResult><UploadId>${uploadId}</UploadId></InitiateMultipartUploadResult>`]
    }
    const parts = s3.uploads.get(id ?? '')
    if (id !== null && !parts) return [404, '<Error><Code>NoSuchUpload</Code></Error>']
    if (!parts && method === 'DELETE') s3.objects.delete(path)
    else if (!parts) s3.objects.set(path, body)
    else if (method === 'PUT') parts[Number(query.get('partNumber')) - 1] = body
    else s3.uploads.delete(id ?? '')
    if (!parts || method !== 'POST') return [method === 'DELETE' ? 204 : 200]
    s3.objects.set(path, Buffer.concat(parts))
    return [200, '<CompleteMultipartUploadResult/>']
  }

  await once(server, 'listening')
  after(() => server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  const keys = { accessKeyId: 'AKIDTEST', secretAccessKey: 'a-secret-access-key' }
  const bucket = { url: `http://127.0.0.1:${port}/files`, region: 'ap-south-1', keys }
  const s3: FakeS3 = {
    bucket,
    objects: new Map(),
    uploads: new Map(),
    requests: [],
    failureStatus: undefined,
    damagesUploads: false,
  }
  return s3
}

const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest()

function isSigned(
  { method, url = '', headers }: IncomingMessage,
  { region: expectedRegion, keys }: FakeS3['bucket'],
): boolean {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w{64})$/
  const [, id, day, region, names, signature] = pattern.exec(headers.authorization ?? '') ?? []
  if (id !== keys.accessKeyId || region !== expectedRegion) return false
  const [path, query = ''] = url.split('?')
  const parameters = query.split('&').map((each) => (each.includes('=') || each === '' ? each : `${each}=`))
  const canonical = names!.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`)
  const request = [
    method,
    path,
    parameters.sort().join('&'),
    canonical.join(''),
    names,
    headers['x-amz-content-sha256'],
  ].join('\n')
  const digest = createHash('sha256').update(request).digest('hex')
  const text = `AWS4-HMAC-SHA256\n${headers['x-amz-date']}\n${day}/${region}/s3/aws4_request\n${digest}`
  const key = [region!, 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${keys.secretAccessKey}`, day!))
  return hmac(key, text).toString('hex') === signature
}
