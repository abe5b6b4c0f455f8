// Reads a form that a browser submits, with text fields and files. The content of a file must match its type (D3 §4.3).
import type { DocumentRule } from '#contract/exchange/document.ts'
import { BadContent, checkFile } from '#kit/files/file-content.ts'
import { invalid, Refusal } from '#kit/http/refusal.ts'
import { runRefusingParser } from '#kit/http/refusing-parser.ts'
import type { FormParts } from './form-parts.ts'

interface SubmittedFile {
  bytes: Buffer
  contentType: string
}

export interface SubmittedForm {
  /** Returns the trimmed text of a field; empty if the form does not have the field. */
  text(name: string): string
  /** Returns a file; null if none was chosen. Throws `invalid` with `message` if `rule` does not allow the file. */
  file(name: string, rule: DocumentRule, message: string): Promise<SubmittedFile | null>
}

const parser = { module: new URL('./form-parts.ts', import.meta.url), name: 'parseFormParts' }
const malformedForm = (why: string) => new Refusal('malformed', `the form ${why}`)

/** Throws `malformed` for a body that is not a form. */
export async function readForm(raw: Buffer, contentType: string): Promise<SubmittedForm> {
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
        : validateFile({ bytes: Buffer.from(value.bytes), contentType: value.type }, rule, { path: name, message })
    },
  }
}

async function validateFile(
  file: SubmittedFile,
  { contentTypes, maxBytes }: DocumentRule,
  fault: { path: string; message: string },
): Promise<SubmittedFile> {
  if (!contentTypes.includes(file.contentType) || file.bytes.length > maxBytes) throw invalid(fault)
  try {
    await checkFile(file.contentType, file.bytes)
  } catch (error) {
    if (error instanceof BadContent) throw invalid(fault)
    throw error
  }
  return file
}
