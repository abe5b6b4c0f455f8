// A browser's form with text fields and a file, whose content must match its type (D3 §4.3).
import type { DocumentRule } from '#contract/exchange/document.ts'
import { BadContent, checkFile } from '#kit/files/file-content.ts'
import { invalid, Refusal } from '#kit/http/refusal.ts'
import { runRefusingParser } from '#kit/http/refusing-parser.ts'
import type { FormParts } from './form-parts.ts'

interface SentFile {
  bytes: Buffer
  contentType: string
}

export interface SentForm {
  /** Returns a trimmed text field; empty if absent. */
  text(name: string): string
  /** Returns the file, or null without one. Throws `invalid` with `message` for a file that `rule` does not allow. */
  file(name: string, rule: DocumentRule, message: string): Promise<SentFile | null>
}

const parser = { module: new URL('./form-parts.ts', import.meta.url), name: 'formParts' }
const malformedForm = (why: string) => new Refusal('malformed', `the form ${why}`)

/** Throws `malformed` for a body that is not a form. */
export async function readForm(raw: Buffer, contentType: string): Promise<SentForm> {
  const parts = await runRefusingParser<FormParts>(parser, malformedForm, raw, contentType)
  return {
    text(name) {
      const value = parts.get(name)
      return typeof value === 'string' ? value.trim() : ''
    },
    async file(name, rule, message) {
      const value = parts.get(name)
      return typeof value === 'string' || value === undefined || value.bytes.length === 0
        ? null
        : checkedFile({ bytes: Buffer.from(value.bytes), contentType: value.type }, rule, { path: name, message })
    },
  }
}

async function checkedFile(
  file: SentFile,
  { contentTypes, maxBytes }: DocumentRule,
  fault: { path: string; message: string },
): Promise<SentFile> {
  if (!contentTypes.includes(file.contentType) || file.bytes.length > maxBytes) throw invalid(fault)
  try {
    await checkFile(file.contentType, file.bytes)
  } catch (error) {
    if (error instanceof BadContent) throw invalid(fault)
    throw error
  }
  return file
}
