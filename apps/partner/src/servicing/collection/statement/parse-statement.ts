// Reads a bank statement, in a parser thread: CSV, XLSX, MT940 or CAMT.053, recognized by its content.

import { isUtf8 } from 'node:buffer'
import { FileFault } from '@lendloom/documents/xml-read'
import { runRefusingParser } from '@lendloom/http/refusing-parser'
import { readCamtStatement } from './camt.ts'
import { isMt940, readMt940Statement } from './mt940.ts'
import { type StatementFile, type StatementRules, unreadableStatement } from './statement-line.ts'
import { readCsvStatement, readXlsxStatement } from './table.ts'

/** Reads a file in a parser thread. Throws the errors of `fileOf`, and `upstream` when no thread is free. */
export const parseStatement = (bytes: Buffer, rules: StatementRules): Promise<StatementFile> =>
  runRefusingParser(parser, (why) => unreadableStatement(`the file ${why}`), bytes, rules)

const parser = { module: new URL(import.meta.url), name: 'fileOf', deadlineMs: 5000 }

/** Reads a file. Throws `invalid` for the field `file`, with the place of the fault, and for a file without amounts. */
export function fileOf(bytes: Buffer, rules: StatementRules): StatementFile {
  try {
    const file = readFile(bytes, rules)
    if (file.lines.length === 0) throw unreadableStatement('no line has an amount')
    return file
  } catch (error) {
    if (error instanceof FileFault) throw unreadableStatement(error.message)
    throw error
  }
}

function readFile(bytes: Buffer, rules: StatementRules): StatementFile {
  if (bytes.subarray(0, 4).equals(Buffer.from('PK\x03\x04'))) return readXlsxStatement(bytes, rules)
  if (bytes.subarray(0, 4).equals(Buffer.from([0xd0, 0xcf, 0x11, 0xe0])))
    throw unreadableStatement('it is an old or protected Excel file: save it as XLSX or CSV, without a password')
  if (bytes.subarray(0, 5).equals(Buffer.from('%PDF-')))
    throw unreadableStatement('it is a PDF: get it from the bank as CSV, XLSX, MT940 or CAMT.053')
  const text = textOf(bytes)
  const start = text
    .slice(0, 1000)
    .replace(/^\ufeff/, '')
    .trimStart()
  if (/^<(!doctype html|html|table)/i.test(start)) throw unreadableStatement('it is a web page: save it as XLSX or CSV')
  if (start.startsWith('<')) return readCamtStatement(bytes, rules)
  return isMt940(start) ? readMt940Statement(text, rules) : readCsvStatement(text, rules)
}

/** Spreadsheets write UTF-16 with a byte order mark, or the character set of Windows. */
function textOf(bytes: Buffer): string {
  const mark = bytes.toString('hex', 0, 2)
  const utf16 = { fffe: 'utf-16le', feff: 'utf-16be' }[mark]
  return new TextDecoder(utf16 ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252')).decode(bytes)
}
