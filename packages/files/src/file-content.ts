// Checks in a parser thread that a file has the content of its claimed type, while it arrives or as a whole.

import { openParser, runParser } from '@lendloom/foundation/parser-thread'
import { refuseParserFailure } from '@lendloom/http/refusing-parser'
import type { ContentFacts, ContentFault, checkWhole, openCheck, readPicture } from './content-checks.ts'
import type { Picture } from './picture-type-and-size.ts'
import { BadContent } from './resumable-parser.ts'

export type { Picture, PictureType } from './picture-type-and-size.ts'
export { BadContent } from './resumable-parser.ts'

/**
 * The check of an incoming file. `write` and `end` throw `BadContent` as soon as a fault is certain, and an `upstream`
 * refusal when no thread is free.
 */
export interface FileCheck {
  write(piece: Buffer): Promise<void>
  /** `readAgain` returns the same bytes once more, from which an encrypted file is decrypted. */
  end(readAgain: () => AsyncIterable<Buffer>): Promise<ContentFacts>
  /** Must be called after every check. */
  close(): void
}

/** The first bytes of the types that phones and mail programs often give another name, such as a photo named `.pdf`. */
const typesByStart: Record<string, string> = {
  '%PDF-': 'application/pdf',
  '\x89PNG\r\n': 'image/png',
  '\xff\xd8\xff': 'image/jpeg',
}

/** Returns the type that the first bytes tell; otherwise the claimed one. The content must still be checked. */
export function likelyType(bytes: Buffer, claimed: string): string {
  const start = bytes.toString('latin1', 0, 8)
  return Object.entries(typesByStart).find(([each]) => start.startsWith(each))?.[1] ?? claimed
}

const module = new URL('./content-checks.ts', import.meta.url)

/** A bank statement of some thousand streams takes a second or two, and more on a busy machine. */
const deadlineMs = 6000

export function beginCheck(contentType: string): FileCheck {
  const session = openParser({ module, name: 'openCheck', deadlineMs }, contentType)
  const call = <T>(method: string, ...args: Buffer[]): Promise<T> => parserResult(session.call<T>(method, ...args))
  const write = async (piece: Buffer) => throwFault(await call<ContentFault | null>('write', piece))
  async function end(): Promise<boolean> {
    const { fault, isAgain } = await call<Awaited<ReturnType<ReturnType<typeof openCheck>['end']>>>('end')
    throwFault(fault)
    return isAgain
  }
  return {
    write,
    async end(readAgain) {
      while (await end()) for await (const piece of readAgain()) await write(piece)
      return call<ContentFacts>('facts')
    },
    close: session.close,
  }
}

/** Checks a whole file. Throws `BadContent`, or `upstream` when no thread is free. */
export async function checkFile(contentType: string, bytes: Buffer): Promise<ContentFacts> {
  const parsing = runParser<Awaited<ReturnType<typeof checkWhole>>>(
    { module, name: 'checkWhole', deadlineMs },
    contentType,
    bytes,
  )
  const { fault, facts } = await parserResult(parsing)
  throwFault(fault)
  return facts
}

/** Returns the type and size of a small picture, by its content. Throws `BadContent`. */
export async function checkPicture(bytes: Buffer): Promise<Picture> {
  const { picture, fault } = await parserResult(
    runParser<Awaited<ReturnType<typeof readPicture>>>({ module, name: 'readPicture' }, bytes),
  )
  throwFault(fault)
  if (!picture) throw new Error('the picture was read without a result')
  return picture
}

function throwFault(fault: ContentFault | null): void {
  if (fault) throw new BadContent(fault.kind, fault.message)
}

/** Throws `BadContent` for a file that crashes its parser thread or exceeds its limits. */
const parserResult = <T>(parsing: Promise<T>): Promise<T> =>
  refuseParserFailure(parsing, (why) => new BadContent('costly', why))
