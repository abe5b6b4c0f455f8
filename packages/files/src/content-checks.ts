// Content checks for a parser thread. They return faults, because a thrown error loses its class between threads.

import { ownValue } from '@lendloom/foundation/record'
import { jpeg, png } from './content-image.ts'
import { json } from './content-json.ts'
import { mp4 } from './content-mp4.ts'
import { pdf } from './content-pdf.ts'
import { type Picture, pictureIn } from './picture-type-and-size.ts'
import { BadContent, type ContentCheck, contentCheckOf } from './resumable-parser.ts'

const checks: Record<string, () => ContentCheck> = {
  'application/pdf': pdf,
  'application/json': json,
  'image/png': () => contentCheckOf(png()),
  'image/jpeg': () => contentCheckOf(jpeg()),
  'video/mp4': () => contentCheckOf(mp4()),
}

/** The types whose content can be checked. */
export const checkableTypes: readonly string[] = Object.keys(checks)

/** Starts the check of a file that claims this type; undefined for an unsupported type. */
export const contentCheck = (contentType: string): ContentCheck | undefined => ownValue(checks, contentType)?.()

/** A `BadContent` as plain data. */
export type ContentFault = Pick<BadContent, 'kind' | 'message'>

/** What a check finds out about an accepted file. */
export interface ContentFacts {
  /** Whether it is a PDF with an owner password, which opens without it but asks not to be changed. */
  hasOwnerPassword: boolean
}

/**
 * Opens a check as a session; `write` returns the fault, or null. `end` also tells whether the file must be written a
 * second time.
 */
export function openCheck(contentType: string) {
  const check = contentCheck(contentType)
  return {
    write: (chunk: Buffer) => faultOf(() => check?.write(chunk)),
    async end(): Promise<{ fault: ContentFault | null; isAgain: boolean }> {
      let isAgain = false
      const fault = await faultOf(async () => {
        isAgain = (await check?.end()) === 'again'
      })
      return { fault, isAgain }
    },
    facts: (): ContentFacts => ({ hasOwnerPassword: check?.hasOwnerPassword?.() ?? false }),
  }
}

/** Checks a file that is complete in memory. */
export async function checkWhole(
  contentType: string,
  bytes: Buffer,
): Promise<{ fault: ContentFault | null; facts: ContentFacts }> {
  const { write, end, facts } = openCheck(contentType)
  for (;;) {
    const writeFault = await write(bytes)
    if (writeFault) return { fault: writeFault, facts: facts() }
    const { fault, isAgain } = await end()
    if (!isAgain) return { fault, facts: facts() }
  }
}

/** Reads a small picture, or says why it is not accepted. */
export async function readPicture(bytes: Buffer): Promise<{ picture?: Picture; fault: ContentFault | null }> {
  let picture: Picture | undefined
  const fault = await faultOf(() => {
    picture = pictureIn(bytes)
  })
  return { ...(picture && { picture }), fault }
}

async function faultOf(act: () => void | Promise<void>): Promise<ContentFault | null> {
  try {
    await act()
    return null
  } catch (error) {
    if (error instanceof BadContent) return { kind: error.kind, message: error.message }
    throw error
  }
}
