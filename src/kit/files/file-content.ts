// What a file really is, whatever it is called: read once while it comes in, in memory for one piece of it.

import { ownValue } from '#kit/runtime/record.ts'
import { jpeg, png } from './content-image.ts'
import { json } from './content-json.ts'
import { mp4 } from './content-mp4.ts'
import { pdf } from './content-pdf.ts'
import type { ContentCheck } from './content-reading.ts'
import { reading } from './content-reading.ts'

export { BadContent, type ContentCheck } from './content-reading.ts'

const checks: Record<string, () => ContentCheck> = {
  'application/pdf': pdf,
  'application/json': json,
  'image/png': () => reading(png()),
  'image/jpeg': () => reading(jpeg()),
  'video/mp4': () => reading(mp4()),
}

/** The types whose content can be checked. */
export const checkableTypes: readonly string[] = Object.keys(checks)

/** Begins the check of a file that claims to be of this type; undefined for a type that is not known here. */
export const checkContent = (contentType: string): ContentCheck | undefined => ownValue(checks, contentType)?.()
