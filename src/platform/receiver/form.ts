// A form with a file that a borrower's browser sent: its texts, and its file when its content is what it says (D3 §4.3).
import type { DocumentRule } from '#contract/exchange/document.ts'
import { BadContent, checkFile } from '#kit/files/file-content.ts'
import { invalid, Refusal } from '#kit/http/refusal.ts'

export interface SentFile {
  bytes: Buffer
  contentType: string
}

export interface SentForm {
  /** Without blanks around it; empty where there is none. */
  text(name: string): string
  /** Null where none was chosen; refused as `invalid`, with `message` at its name, when it is not what `rule` allows. */
  file(name: string, rule: DocumentRule, message: string): Promise<SentFile | null>
}

/** Refused as `malformed` when it is no form. */
export async function readForm(raw: Buffer, contentType: string): Promise<SentForm> {
  const form = await new Response(new Uint8Array(raw), { headers: { 'content-type': contentType } })
    .formData()
    .catch(() => {
      throw new Refusal('malformed', 'this is not a form')
    })
  return {
    text(name) {
      const value = form.get(name)
      return typeof value === 'string' ? value.trim() : ''
    },
    async file(name, rule, message) {
      const value = form.get(name)
      return typeof value === 'string' || value === null || value.size === 0
        ? null
        : fileIn(value, rule, { path: name, message })
    },
  }
}

async function fileIn(
  file: File,
  { contentTypes, maxBytes }: DocumentRule,
  fault: { path: string; message: string },
): Promise<SentFile> {
  if (!contentTypes.includes(file.type) || file.size > maxBytes) throw invalid(fault)
  const bytes = Buffer.from(await file.arrayBuffer())
  try {
    await checkFile(file.type, bytes)
  } catch (error) {
    if (error instanceof BadContent) throw invalid(fault)
    throw error
  }
  return { bytes, contentType: file.type }
}
