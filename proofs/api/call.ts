// Sends one request over HTTP and returns the answer; reads only the beginning of an endless answer.
import { request } from 'undici'

export interface Call {
  method: string
  url: string
  headers: Record<string, string>
  body?: string | Buffer | undefined
}

export interface Reply {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  ms: number
}

const maxBytes = 4 << 20
/** An event stream is read this long. */
const streamMs = 250

export async function send({ method, url, headers, body }: Call): Promise<Reply> {
  const began = performance.now()
  const cancel = new AbortController()
  const answer = await request(url, {
    method: method as 'GET',
    headers,
    signal: cancel.signal,
    headersTimeout: 30_000,
    bodyTimeout: 30_000,
    ...(body !== undefined && { body }),
  })
  const ms = performance.now() - began
  const isStream = String(answer.headers['content-type']).startsWith('text/event-stream')
  const timer = isStream ? setTimeout(() => cancel.abort(), streamMs) : undefined
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of answer.body) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > maxBytes) cancel.abort()
    }
  } catch (error) {
    if (!cancel.signal.aborted) throw error
  } finally {
    clearTimeout(timer)
  }
  const text = Buffer.concat(chunks).toString('utf8')
  return { status: answer.statusCode, headers: answer.headers, text, ms }
}
