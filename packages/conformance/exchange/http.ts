// One request to the partner with exactly the given headers, also repeated ones, and its answer.
import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { codeOf, jsonIn, messageOf } from '#kit/runtime/record.ts'
import { Broken } from './outcome.ts'

export interface HttpRequest {
  method: string
  url: string
  /** A list sends the header once for each of its values; an absent one is left out. */
  headers: Record<string, string | string[] | undefined>
  body?: Buffer
}

export interface HttpAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  /** The body as JSON; null when it is none. */
  json: unknown
}

const timeoutMs = 30_000
const mostBytes = 16 * 1024 * 1024

/** The answer. Fails the check when none comes, for an interface that does not answer refuses nothing. */
export async function send(request: HttpRequest): Promise<HttpAnswer> {
  try {
    return await answerTo(request)
  } catch (error) {
    const why = [codeOf(error), messageOf(error)].filter(Boolean).join(' ')
    throw new Broken(`${request.method} ${request.url} was not answered: ${why}`)
  }
}

function answerTo({ method, url, headers, body }: HttpRequest): Promise<HttpAnswer> {
  const make = url.startsWith('https:') ? requestSecure : requestPlain
  const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined))
  return new Promise((resolve, reject) => {
    const length = body ? { 'content-length': String(body.length) } : {}
    const outgoing = make(url, { method, agent: false, headers: { ...given, ...length } })
    outgoing.setTimeout(timeoutMs, () => outgoing.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)))
    let answered = false
    outgoing.on('response', async (incoming) => {
      answered = true
      try {
        const chunks: Buffer[] = []
        let size = 0
        for await (const chunk of incoming) {
          size += chunk.length
          if (size > mostBytes) throw new Error('the answer is larger than 16 MiB')
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
    // A body that is refused before it is whole ends the connection after the answer.
    outgoing.on('error', (error) => {
      if (!answered) reject(error)
    })
    outgoing.end(body)
  })
}

const mostShown = 3000
const shortened = (text: string): string =>
  text.length > mostShown ? `${text.slice(0, mostShown)}… (${text.length} characters)` : text

/** A request as a failure shows it: the credential is left out, and a file is only counted. */
export function shownRequest({ method, url, headers, body }: HttpRequest): string {
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
  const at = text.indexOf('filename=')
  return at < 0 ? shortened(text) : `${text.slice(0, at + 200).replace(/[^\n -~\r]/g, '.')}… (${body.length} bytes)`
}

export function shownAnswer({ status, headers, text }: HttpAnswer): string {
  const some = ['content-type', 'retry-after'].flatMap((name) => (headers[name] ? [`${name}: ${headers[name]}`] : []))
  return [String(status), ...some, '', shortened(text)].join('\n')
}
