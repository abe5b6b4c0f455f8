// Reads the text fields and the file of a form that a borrower submits. The content of a file must match its type (D3
// §4.3).

import { BadContent, checkFile, likelyType } from '@lendloom/files/file-content'
import { ownValue } from '@lendloom/foundation/record'
import { invalid } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import type { SentForm } from '@lendloom/http/form'
import type { DocumentRule } from '@lendloom/wire/exchange/document'

interface SubmittedFile {
  bytes: Buffer
  contentType: string
}

export interface SubmittedForm {
  /** Returns the trimmed text of a field; empty if the form does not have the field. */
  text(name: string): string
  /** Returns the file; null if none was chosen. Throws `invalid` with `message` if `rule` does not allow the file. */
  file(name: string, rule: DocumentRule, message: string): Promise<SubmittedFile | null>
}

/** Wraps a sent form, of which a page reads the fields that it has. */
export function submittedForm(sent: SentForm | undefined): SubmittedForm {
  const { fields, files } = required(sent, 'the form of a route that accepts a form')
  return {
    text: (name) => ownValue(fields, name)?.trim() ?? '',
    async file(name, rule, message) {
      const [file] = files
      // A browser sends an empty file for a field without a chosen file.
      if (!file || file.bytes.length === 0) return null
      return validateFile({ bytes: file.bytes, contentType: likelyType(file.bytes, file.type) }, rule, {
        path: name,
        message,
      })
    },
  }
}

async function validateFile(
  file: SubmittedFile,
  { contentTypes, maxBytes, mayHaveOwnerPassword }: DocumentRule,
  fault: { path: string; message: string },
): Promise<SubmittedFile> {
  if (!contentTypes.includes(file.contentType) || file.bytes.length > maxBytes) throw invalid(fault)
  try {
    const { hasOwnerPassword } = await checkFile(file.contentType, file.bytes)
    if (hasOwnerPassword && !mayHaveOwnerPassword) throw invalid(fault)
  } catch (error) {
    if (error instanceof BadContent) throw invalid(fault)
    throw error
  }
  return file
}
