// Files of messages from the page or the console. They are scanned before the transaction and stored in it.

import { invalid } from '#kit/http/refusal.ts'
import type { Context } from '#platform/context.ts'
import { examineFile, storeMailFile } from '#platform/mail/file.ts'
import type { Attachment } from './complaint.ts'
import type { ActContext } from './complaint-context.ts'

/** A file in a request; `content` is base64. */
export interface SentFile {
  name: string
  type: string
  content: string
}

export interface CheckedFile {
  name: string
  type: string
  bytes: Buffer
}

/** Checks and scans files. Throws `invalid` for a rejected file, `upstream` while the scanner is unavailable. */
export async function checkFiles(
  { scanner }: Pick<Context, 'scanner'>,
  files: SentFile[] = [],
): Promise<CheckedFile[]> {
  const checked: CheckedFile[] = []
  for (const [i, { name, type, content }] of files.entries()) {
    const bytes = Buffer.from(content, 'base64')
    const result = await examineFile(scanner, { name, type, bytes })
    if (result.type === null) throw invalid({ path: `files.${i}`, message: result.why })
    checked.push({ name: safeFileName(name), type: result.type, bytes })
  }
  return checked
}

/** The base name, without characters that could end a mail header early. */
const safeFileName = (name: string): string =>
  name
    .split(/[/\\]/)
    .at(-1)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes control characters
    ?.replace(/[\u0000-\u001f\u007f"]/g, '')
    .slice(0, 120) || 'file'

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
