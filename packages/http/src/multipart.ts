// Reads a multipart form: collects the fields, and streams each file to a sink.
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { type FieldError, invalid, Refusal } from '@lendloom/foundation/refusal'

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
  /** The name of the form's file fields. */
  fileField: string
  /** Maximum number of files; 1 by default. */
  maxFiles?: number
  /** Whether the form may have no file. */
  isFileOptional?: boolean
  /** Maximum size of a field; 1 KiB by default, because most fields hold only identifiers and other short values. */
  maxFieldBytes?: number
  /** Returns the sink for the bytes of a file. An exception, or a failure of the sink, ends the reading. */
  openSink(part: FilePart): Writable
}

/** They bound the memory and time that a hostile form costs. */
const limits = {
  fieldNameSize: 100,
  fields: 32,
  parts: 40,
  headerPairs: 32,
  headerSize: 16 * 1024,
}

/** A form that is being read. */
interface FormProgress {
  fields: Record<string, string>
  faults: FieldError[]
  files: { incoming: Readable; stored: Promise<void> }[]
  /** The first error that ended the reading. */
  stopped?: { error: unknown }
}

/**
 * Reads the form to its end, and returns the fields when the sinks have received the whole files. Throws
 * `unsupported-media` for another content type, `malformed` for an incomplete form or a missing boundary, and `invalid`
 * for a repeated or overlong field, too many files or a missing file.
 */
export async function readForm(
  stream: Readable,
  headers: IncomingHttpHeaders,
  options: FormOptions,
): Promise<Record<string, string>> {
  const { fileField, maxFiles = 1, isFileOptional = false, maxFieldBytes = 1024 } = options
  const parser = parserFor(headers['content-type'] ?? '', { ...limits, fieldSize: maxFieldBytes, files: maxFiles })
  const form: FormProgress = { fields: Object.create(null), faults: [], files: [] }
  listen(parser, form, options)
  try {
    await pipeToParser(stream, parser)
    await Promise.all(form.files.map(({ stored }) => stored))
  } catch (error) {
    // Destroying the files makes further errors.
    const { error: cause } = form.stopped ?? { error }
    stream.unpipe(parser)
    for (const { incoming } of form.files) incoming.destroy()
    // The cause may be an error of a sink, so wait until the sinks have finished.
    await Promise.allSettled(form.files.map(({ stored }) => stored))
    throw cause
  }
  const { fields, faults } = form
  const hasFile = form.files.length > 0
  if (!hasFile && !isFileOptional && faults.length === 0) faults.push({ path: fileField, message: 'is required' })
  const [firstFault, ...otherFaults] = faults
  if (firstFault) throw invalid(firstFault, ...otherFaults)
  return { ...fields }
}

/** Collects the fields, pipes each file to its sink, and stops the parser at the first error. */
function listen(parser: BusboyInstance, form: FormProgress, { fileField, maxFiles = 1, openSink }: FormOptions): void {
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
      const stored = pipeline(incoming, sink)
      form.files.push({ incoming, stored })
      stored.catch(stop)
    } catch (error) {
      stop(error)
    }
  })
  const tooMany = maxFiles === 1 ? 'must be the only file' : `must have at most ${maxFiles} files`
  parser.on('filesLimit', () => stop(invalid({ path: fileField, message: tooMany })))
  for (const limit of ['fieldsLimit', 'partsLimit'] as const)
    parser.on(limit, () => stop(new Refusal('malformed', 'the form has too many parts')))
}

const byteEncodings = ['7bit', '8bit', 'binary']

type PartLimits = typeof limits & { fieldSize: number; files: number }

function parserFor(contentType: string, partLimits: PartLimits): BusboyInstance {
  if (!/^multipart\/form-data\s*(;|$)/i.test(contentType))
    throw new Refusal('unsupported-media', 'the body must be multipart/form-data')
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: partLimits,
      fileHwm: 1 << 20,
      highWaterMark: 1 << 20,
    })
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
    stream.once('error', (error) => reject(error instanceof Refusal ? error : incompleteForm()))
    stream.once('close', () => stream.readableEnded || fail())
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
