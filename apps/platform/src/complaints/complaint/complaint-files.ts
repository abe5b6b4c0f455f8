// Files of messages from the page or the console. They are scanned before the transaction and stored in it.

import { likelyType } from '@lendloom/files/file-content'
import { invalid } from '@lendloom/foundation/refusal'
import type { SentForm } from '@lendloom/http/form'
import {
  attachmentField,
  attachmentTypes,
  maxAttachmentBytes,
  maxAttachments,
} from '@lendloom/wire/console/complaint-lists'
import { withoutAadhaar } from '@lendloom/wire/remove-aadhaar'
import type { Context } from '#platform/context.ts'
import { examineFile, storeMailFile } from '#platform/mail/attachment.ts'
import type { Attachment } from './complaint.ts'
import type { ActContext } from './complaint-context.ts'

/** Room for the other fields of a form with files. */
const maxFieldBytes = 128 << 10

/** A route that accepts a message as JSON, or in a form with files. */
export const acceptsFiles = {
  accepts: 'form',
  files: { field: attachmentField, max: maxAttachments },
  maxBytes: maxAttachments * maxAttachmentBytes + maxFieldBytes,
} as const

export interface CheckedFile {
  name: string
  type: string
  bytes: Buffer
}

/** Checks and scans files. Throws `invalid` for a rejected file, `upstream` while the scanner is unavailable. */
export async function checkFiles(
  { scanner }: Pick<Context, 'scanner'>,
  form: SentForm | undefined,
): Promise<CheckedFile[]> {
  const checked: CheckedFile[] = []
  for (const [i, { name, type, bytes }] of (form?.files ?? []).entries()) {
    const path = `${attachmentField}.${i}`
    if (!attachmentTypes.some((each) => each === likelyType(bytes, type)))
      throw invalid({ path, message: `must be one of ${attachmentTypes.join(', ')}` })
    if (bytes.length > maxAttachmentBytes)
      throw invalid({ path, message: `must not be larger than ${maxAttachmentBytes >> 20} MiB` })
    const result = await examineFile(scanner, { name: safeFileName(name), type, bytes })
    if (result.type === null) throw invalid({ path, message: result.why })
    checked.push({ name: result.name, type: result.type, bytes })
  }
  return checked
}

/** The base name, without an Aadhaar number and without characters that could end a mail header early. */
function safeFileName(name: string): string {
  const baseName = name.split(/[/\\]/).at(-1) ?? ''
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes control characters
  return withoutAadhaar(baseName.replace(/[\u0000-\u001f\u007f"]/g, '')).slice(0, 120) || 'file'
}

export async function storeComplaintFiles(
  ctx: ActContext,
  tenantId: string,
  files: CheckedFile[],
): Promise<Attachment[]> {
  const attachments: Attachment[] = []
  for (const { name, type, bytes } of files)
    attachments.push({
      name,
      type,
      size: bytes.length,
      objectKey: await storeMailFile(ctx, tenantId, bytes),
      why: null,
    })
  return attachments
}
