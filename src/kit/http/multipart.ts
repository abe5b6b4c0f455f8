// Reads a form with one file as a stream: collects the fields and pipes the file to a sink.
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { type FieldError, invalid, Refusal } from './refusal.ts'

/** The form's metadata of its file, available before the first byte. */
export interface FilePart {
  /** Without any path, as the sender calls it. */
  fileName: string
  /** As the sender claims, in lower case and without parameters. */
  contentType: string
  /** The fields before the file; later ones are only in the form's result. */
  fields: Readonly<Record<string, string>>
}

export interface FormOptions {
  /** The name of the part that is the file. */
  fileField: string
  /** Returns the sink for the file's bytes. Its refusal, or a failure of its stream, ends the reading. */
  take(part: FilePart): Writable
}

/** Enough for identifiers; no field of ours is larger. */
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
  file?: { incoming: Readable; taken: Promise<void> }
  /** The first error that ended the reading. */
  stopped?: { error: unknown }
}

/**
 * Reads the form to its end and returns its fields after the sink has all bytes of the file. Throws `unsupported-media` for
 * another form, `malformed` for an incomplete one or one without a boundary, `invalid` for a repeated or too long field, two
 * files, or no file.
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
    await form.file?.taken
  } catch (error) {
    stream.unpipe(parser)
    form.file?.incoming.destroy()
    // The file's result is known only after its reader has finished.
    await form.file?.taken.catch(() => {})
    throw form.stopped ? form.stopped.error : error
  }
  const { fields, faults } = form
  if (!form.file && faults.length === 0) faults.push({ path: options.fileField, message: 'is required' })
  const [first, ...more] = faults
  if (first) throw invalid(first, ...more)
  return { ...fields }
}

/** Collects the fields, pipes the file to its sink, and stops the parser at the first error. */
function listen(parser: BusboyInstance, form: FormProgress, { fileField, take }: FormOptions): void {
  const { fields, faults } = form
  const stop = (error: unknown): void => {
    form.stopped ??= { error }
    parser.destroy()
  }
  parser.on('field', (name, value, nameTruncated, valueTruncated) => {
    if (name === fileField) faults.push({ path: name, message: 'must be sent as a file, with a file name' })
    else if (nameTruncated || valueTruncated) faults.push({ path: name, message: 'is too long' })
    else if (name in fields) faults.push({ path: name, message: 'must be given once' })
    else fields[name] = value
  })
  parser.on('file', (name, incoming, ...described) => {
    const [fileName, encoding, type] = described
    if (name !== fileField) return stop(invalid({ path: name, message: 'is a file, which is not expected here' }))
    if (!byteEncodings.includes(encoding))
      return stop(invalid({ path: name, message: 'must be sent as its bytes, not encoded' }))
    try {
      const part = { fileName: plainName(fileName), contentType: type.toLowerCase(), fields: { ...fields } }
      const sink = take(part).once('error', stop)
      incoming.once('error', () => stop(incompleteForm()))
      form.file = { incoming, taken: pipeline(incoming, sink) }
      form.file.taken.catch(stop)
    } catch (error) {
      stop(error)
    }
  })
  parser.on('filesLimit', () => stop(invalid({ path: fileField, message: 'must be the only file' })))
  for (const limit of ['fieldsLimit', 'partsLimit'] as const)
    parser.on(limit, () => stop(new Refusal('malformed', 'the form has more parts than are expected')))
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

const incompleteForm = () => new Refusal('malformed', 'the form ended before it was whole')

/** Resolves when the parser has read everything, including the part after the file; rejects if the form breaks off. */
const pipeToParser = (stream: Readable, parser: BusboyInstance): Promise<void> =>
  new Promise((resolve, reject) => {
    const fail = () => reject(incompleteForm())
    parser.once('finish', resolve).on('error', fail).once('close', fail)
    stream.once('error', fail).once('close', () => stream.readableEnded || fail())
    stream.pipe(parser)
  })

/** A name to show to people: no path, no control characters, not endless. */
function plainName(fileName: string): string {
  const plain = fileName
    .replaceAll(/[\p{C}]/gu, '')
    .trim()
    .slice(0, longestName)
  return plain || 'file'
}
const longestName = 200
