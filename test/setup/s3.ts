// An S3 service with one bucket in memory, which checks every signature (AWS Signature Version 4) by its own reckoning.
import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after } from 'node:test'
import type { S3Bucket } from '#kit/files/s3-backend.ts'

export interface FakeS3 {
  bucket: S3Bucket
  /** What it keeps, by path. */
  objects: Map<string, Buffer>
  /** The requests that it had. */
  requests: string[]
  /** Answers everything with this status while it is set. */
  fail: number | undefined
  /** Changes a byte of each file on its way. */
  damage: boolean
}

/** It ends with the test file. */
export async function fakeS3(): Promise<FakeS3> {
  const server = createServer(async (request, response) => {
    const { method, url = '' } = request
    const body = await buffer(request)
    s3.requests.push(`${method} ${url}`)
    const answer = (status: number, bytes: Buffer | string = ''): void => void response.writeHead(status).end(bytes)
    if (s3.fail) return answer(s3.fail)
    if (!isSigned(request, s3.bucket)) return answer(403)
    if (method === 'PUT') {
      if (s3.damage) body[body.length >> 1] = (body[body.length >> 1] ?? 0) ^ 1
      const md5 = createHash('md5').update(body).digest('base64')
      if (request.headers['content-md5'] !== md5) return answer(400, '<Error><Code>BadDigest</Code></Error>')
      s3.objects.set(url, body)
      return answer(200)
    }
    const object = s3.objects.get(url)
    if (!object) return answer(404)
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(String(request.headers.range))!.map(Number)
    return from! >= object.length ? answer(416) : answer(206, object.subarray(from, to! + 1))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  const bucket = {
    ...{ url: `http://127.0.0.1:${port}/files`, region: 'ap-south-1' },
    ...{ accessKeyId: 'AKIDTEST', secretAccessKey: 'a-secret-access-key' },
  }
  const s3: FakeS3 = { bucket, objects: new Map(), requests: [], fail: undefined, damage: false }
  return s3
}

const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest()

function isSigned({ method, url, headers }: IncomingMessage, bucket: S3Bucket): boolean {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w{64})$/
  const [, id, day, region, names, signature] = pattern.exec(headers.authorization ?? '') ?? []
  if (id !== bucket.accessKeyId || region !== bucket.region) return false
  const canonical = names!.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`)
  const request = [method, url, '', canonical.join(''), names, headers['x-amz-content-sha256']].join('\n')
  const digest = createHash('sha256').update(request).digest('hex')
  const text = `AWS4-HMAC-SHA256\n${headers['x-amz-date']}\n${day}/${region}/s3/aws4_request\n${digest}`
  const key = [region!, 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${bucket.secretAccessKey}`, day!))
  return hmac(key, text).toString('hex') === signature
}
