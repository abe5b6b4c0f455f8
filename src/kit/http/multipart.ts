// Reads a multipart form with one file: collects the fields, and streams the file to a sink.
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { type FieldError, invalid, Refusal } from './refusal.ts'

/** Metadata of the file, which is known before the first byte of the file arrives. */
export interface FilePart {
  /** The file name that the sender gave, without a path. */
  fileName: string
  /** The media type that the sender claims, in lower case and without parameters. */
  contentType: string
  /** The fields that precede the file. `readForm` also returns later fields. */
  fields: Readonly<Record<string, string>>
}

export interface FormOptions {
  /** The name of the form's file field. */
  fileField: string
  /** Returns the sink for the bytes of the file. An exception, or a failure of the sink, ends the reading. */
  openSink(part: FilePart): Writable
}

/** Fields hold only identifiers and other short values. */
const limits = {
  fieldNameSize: 100,
  fieldSize: 1024,
  fields: 32,
  files: 1,
  parts: 40,
  headerPairs: 32,
  headerSize: 16 * 1024,
}

/** A form that is being read. */
interface FormProgress {
  fields: Record<string, string>
  faults: FieldError[]
  file?: { incoming: Readable; stored: Promise<void> }
  /** The first error that ended the reading. */
  stopped?: { error: unknown }
}

/**
 * Reads the form to its end, and returns the fields when the sink has received the whole file. Throws
 * `unsupported-media` for another content type, `malformed` for an incomplete form or a missing boundary, and `invalid`
 * for a repeated or overlong field, a second file or a missing file.
 */
export async function readForm(
  stream: Readable,
  headers: IncomingHttpHeaders,
  options: FormOptions,
): Promise<Record<string, string>> {
  const parser = parserFor(headers['content-type'] ?? '')
  const form: FormProgress = { fields: Object.create(null), faults: [] }
  listen(parser, form, options)
  try {
    await pipeToParser(stream, parser)
    await form.file?.stored
  } catch (error) {
    stream.unpipe(parser)
    form.file?.incoming.destroy()
    // The cause may be an error of the sink, so wait until the sink has finished.
    await form.file?.stored.catch(() => {})
    throw form.stopped ? form.stopped.error : error
  }
  const { fields, faults } = form
  if (!form.file && faults.length === 0) faults.push({ path: options.fileField, message: 'is required' })
  const [first, ...more] = faults
  if (first) throw invalid(first, ...more)
  return { ...fields }
}

/** Collects the fields, pipes the file to its sink, and stops the parser at the first error. */
function listen(parser: BusboyInstance, form: FormProgress, { fileField, openSink }: FormOptions): void {
  const { fields, faults } = form
  const stop = (error: unknown): void => {
    form.stopped ??= { error }
    parser.destroy()
  }
  parser.on('field', (name, value, nameTruncated, valueTruncated) => {
    if (name === fileField) faults.push({ path: name, message: 'must be sent as a file, with a file name' })
    else if (nameTruncated || valueTruncated) faults.push({ path: name, message: 'is too long' })
    else if (name in fields) faults.push({ path: name, message: 'is repeated' })
    else fields[name] = value
  })
  parser.on('file', (name, incoming, ...metadata) => {
    const [fileName, encoding, type] = metadata
    if (name !== fileField) return stop(invalid({ path: name, message: 'is a file, which is not expected here' }))
    if (!byteEncodings.includes(encoding)) return stop(invalid({ path: name, message: 'must be sent unencoded' }))
    try {
      const part = { fileName: displayName(fileName), contentType: type.toLowerCase(), fields: { ...fields } }
      const sink = openSink(part).once('error', stop)
      incoming.once('error', () => stop(incompleteForm()))
      form.file = { incoming, stored: pipeline(incoming, sink) }
      form.file.stored.catch(stop)
    } catch (error) {
      stop(error)
    }
  })
  parser.on('filesLimit', () => stop(invalid({ path: fileField, message: 'must be the only file' })))
  for (const limit of ['fieldsLimit', 'partsLimit'] as const)
    parser.on(limit, () => stop(new Refusal('malformed', 'the form has too many parts')))
}

const byteEncodings = ['7bit', '8bit', 'binary']

function parserFor(contentType: string): BusboyInstance {
  if (!/^multipart\/form-data\s*(;|$)/i.test(contentType))
    throw new Refusal('unsupported-media', 'the body must be multipart/form-data')
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits, fileHwm: 1 << 20, highWaterMark: 1 << 20 })
  } catch {
    throw new Refusal('malformed', 'the multipart form has no boundary')
  }
}

const incompleteForm = () => new Refusal('malformed', 'the form is incomplete')

/** Resolves when the parser has read the form to its end; rejects when the form is incomplete. */
const pipeToParser = (stream: Readable, parser: BusboyInstance): Promise<void> =>
  new Promise((resolve, reject) => {
    const fail = () => reject(incompleteForm())
    parser.once('finish', resolve).on('error', fail).once('close', fail)
    stream.once('error', fail).once('close', () => stream.readableEnded || fail())
    stream.pipe(parser)
  })

/** Removes control characters from a file name, and limits its length. */
function displayName(fileName: string): string {
  const name = fileName
    .replaceAll(/[\p{C}]/gu, '')
    .trim()
    .slice(0, maxNameLength)
  return name || 'file'
}
const maxNameLength = 200
