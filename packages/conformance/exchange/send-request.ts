// Sends one request with exactly the given headers, also repeated ones, and returns its answer.
import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { jsonIn } from '@lendloom/foundation/json'
import { codeOf, messageOf } from '@lendloom/foundation/thrown'
import { Violation } from './check-result.ts'

export interface HttpRequest {
  method: string
  url: string
  /** A list repeats the header for each value; `undefined` omits it. */
  headers: Record<string, string | string[] | undefined>
  body?: Buffer
  /** By default 30 s. */
  timeoutMs?: number
}

export interface HttpAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  /** The parsed body; null if it is not JSON. */
  json: unknown
}

const defaultTimeoutMs = 30_000
const maxBytes = 16 * 1024 * 1024

/** Throws `Violation` without an answer, because silence is not a refusal. */
export async function send(request: HttpRequest): Promise<HttpAnswer> {
  try {
    return await answerTo(request)
  } catch (error) {
    const reason = [codeOf(error), messageOf(error)].filter(Boolean).join(' ')
    throw new Violation(`${request.method} ${request.url} was not answered: ${reason}`)
  }
}

function answerTo({ method, url, headers, body, timeoutMs = defaultTimeoutMs }: HttpRequest): Promise<HttpAnswer> {
  const sendRequest = url.startsWith('https:') ? requestSecure : requestPlain
  const presentHeaders = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined))
  return new Promise((resolve, reject) => {
    const length = body ? { 'content-length': String(body.length) } : {}
    const outgoing = sendRequest(url, { method, agent: false, headers: { ...presentHeaders, ...length } })
    outgoing.setTimeout(timeoutMs, () => outgoing.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)))
    let isAnswered = false
    outgoing.on('response', async (incoming) => {
      isAnswered = true
      try {
        const chunks: Buffer[] = []
        let size = 0
        for await (const chunk of incoming) {
          size += chunk.length
          if (size > maxBytes) throw new Error('the answer is larger than 16 MiB')
          chunks.push(chunk)
        }
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, json: jsonIn(text) })
      } catch (error) {
        reject(error)
      } finally {
        outgoing.destroy()
      }
    })
    // A server that refuses a body early answers and then closes the connection.
    outgoing.on('error', (error) => {
      if (!isAnswered) reject(error)
    })
    outgoing.end(body)
  })
}

const maxCharacters = 3000
const shortened = (text: string): string =>
  text.length > maxCharacters ? `${text.slice(0, maxCharacters)}… (${text.length} characters)` : text

/** Formats a request for a report, without its credential and the bytes of its file. */
export function requestText({ method, url, headers, body }: HttpRequest): string {
  const lines = Object.entries(headers).flatMap(([name, value]) => {
    const values = Array.isArray(value) ? value : value === undefined ? [] : [value]
    return values.map((each) => `${name}: ${name === 'authorization' ? 'Bearer …' : each}`)
  })
  const isForm = String(headers['content-type']).startsWith('multipart/')
  const shownBody = body === undefined ? '' : isForm ? formWithoutFile(body) : shortened(body.toString('utf8'))
  return [`${method} ${url}`, ...lines, ...(shownBody ? ['', shownBody] : [])].join('\n')
}

function formWithoutFile(body: Buffer): string {
  const text = body.toString('latin1')
  const fileStart = text.indexOf('filename=')
  return fileStart < 0
    ? shortened(text)
    : `${text.slice(0, fileStart + 200).replace(/[^\n -~\r]/g, '.')}… (${body.length} bytes)`
}

export function answerText({ status, headers, text }: HttpAnswer): string {
  const headerLines = ['content-type', 'retry-after'].flatMap((name) =>
    headers[name] ? [`${name}: ${headers[name]}`] : [],
  )
  return [String(status), ...headerLines, '', shortened(text)].join('\n')
}
