// Checks in a parser thread that a file is what it claims to be, while it arrives or as a whole.

import { refuseParserFailure } from '#kit/http/refusing-parser.ts'
import { openParser, runParser } from '#kit/runtime/parser-thread.ts'
import type { ContentFault, readPicture } from './content-check.ts'
import { BadContent } from './content-reading.ts'
import type { Picture } from './picture-reading.ts'

export { BadContent } from './content-reading.ts'
export type { Picture, PictureType } from './picture-reading.ts'

/**
 * The check of an incoming file. Both methods throw `BadContent` as soon as the fault is certain, and `Refusal`:
 * `upstream`.
 */
export interface FileCheck {
  write(piece: Buffer): Promise<void>
  end(): Promise<void>
  /** Every check is closed. */
  close(): void
}

const module = new URL('./content-check.ts', import.meta.url)

/** Starts the check of a file of a checkable type. */
export function beginCheck(contentType: string): FileCheck {
  const session = openParser({ module, name: 'openCheck' }, contentType)
  const call = (method: string, ...args: Buffer[]) => judged(session.call<ContentFault | null>(method, ...args))
  return { write: (piece) => call('write', piece), end: () => call('end'), close: session.close }
}

/** Checks a whole file. Throws `BadContent`, or `upstream` when no thread is free. */
export const checkFile = (contentType: string, bytes: Buffer): Promise<void> =>
  judged(runParser<ContentFault | null>({ module, name: 'checkWhole' }, contentType, bytes))

/** The kind and size of a small picture, by its content. Throws `BadContent`, whose message completes "the file …". */
export async function checkPicture(bytes: Buffer): Promise<Picture> {
  const { picture, fault } = await read(
    runParser<ReturnType<typeof readPicture>>({ module, name: 'readPicture' }, bytes),
  )
  if (fault) throw new BadContent(fault.kind, fault.message)
  if (!picture) throw new Error('the picture was read without a result')
  return picture
}

async function judged(check: Promise<ContentFault | null>): Promise<void> {
  const fault = await read(check)
  if (fault) throw new BadContent(fault.kind, fault.message)
}

/** A file that crashes its parser thread counts as harmful. */
const read = <T>(parsing: Promise<T>): Promise<T> =>
  refuseParserFailure(parsing, (why) => new BadContent('costly', why))
