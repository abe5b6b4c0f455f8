// Reads a form that people send: fields and a few files, within the memory that the process has for files.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Writable } from 'node:stream'
import { formFrom } from './body.ts'
import type { BodyReservation } from './body-memory.ts'
import { BodyBytes, limitedStream, readBody } from './body-stream.ts'
import { readForm } from './multipart.ts'

/** A file of a form. */
export interface SentFile {
  /** Without a path and without control characters. */
  name: string
  /** The media type that the sender claims, in lower case and without parameters. */
  type: string
  bytes: Buffer
}

export interface SentForm {
  fields: Readonly<Record<string, string>>
  files: readonly SentFile[]
}

export interface SentFormLimits {
  /** The name of the form's file fields, and how many files it may have. */
  field: string
  max: number
  /** Maximum size of the whole request. */
  maxBytes: number
}

/** Limit of a field, which may be a long text or the JSON of a request. */
const maxFieldBytes = 64 << 10

const urlEncoded = /^application\/x-www-form-urlencoded\s*(;|$)/i

/**
 * Reads a multipart form, or an URL-encoded form without files. Throws the errors of `readForm` and of `readBody`: the
 * bytes of the files stay reserved in `memory` until the request is answered.
 */
export async function readSentForm(
  request: IncomingMessage,
  { field, max, maxBytes }: SentFormLimits,
  memory: BodyReservation,
): Promise<SentForm> {
  const headers: IncomingHttpHeaders = request.headers
  if (urlEncoded.test(headers['content-type'] ?? '')) {
    const form = formFrom(await readBody(request, maxFieldBytes, memory))
    return { fields: Object.fromEntries([...form].reverse()), files: [] }
  }
  const files: SentFile[] = []
  const fields = await readForm(limitedStream(request, maxBytes, memory), headers, {
    fileField: field,
    maxFiles: max,
    isFileOptional: true,
    maxFieldBytes,
    openSink({ fileName, contentType }) {
      const body = new BodyBytes()
      return new Writable({
        write(chunk: Buffer, _encoding, done) {
          body.add(chunk)
          done()
        },
        final(done) {
          files.push({ name: fileName, type: contentType, bytes: body.whole() })
          done()
        },
      })
    },
  })
  return { fields, files }
}
