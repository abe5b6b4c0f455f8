// Checks uploaded PDFs, counts their pages and appends pages to them, all in a parser thread.

import { lazily } from '@lendloom/foundation/lazily'
import { ParserFailure, runParser } from '@lendloom/foundation/parser-thread'
import { messageOf } from '@lendloom/foundation/thrown'
import { makePdf, type PdfDocument } from './pdf.ts'

const module = new URL(import.meta.url)

/** Limit of the total size of a PDF's inflated objects; its pictures and page contents stay compressed. */
const maxInflatedBytes = 64 << 20
let inflatedBytes = 0
const tooMuch = 'too much in compressed objects'

/** Counts the library's buffers as they grow, because the heap limit of the thread does not include them. */
const library = lazily(async () => {
  const pdfLib = await import('@cantoo/pdf-lib')
  const { PDFContext, PDFRawStream, decodePDFRawStream } = pdfLib
  const compressed = PDFContext.create().obj({ Filter: 'FlateDecode' })
  const flate = decodePDFRawStream(PDFRawStream.of(compressed, Uint8Array.of(0x78, 0x9c)))
  const streams: { buffer?: Uint8Array; ensureBuffer(bytes: number): Uint8Array } = Object.getPrototypeOf(
    Object.getPrototypeOf(flate),
  )
  const { ensureBuffer } = streams
  streams.ensureBuffer = function (bytes) {
    const before = this.buffer?.byteLength ?? 0
    const buffer = ensureBuffer.call(this, bytes)
    inflatedBytes += buffer.byteLength - before
    if (inflatedBytes > maxInflatedBytes) throw new Error(tooMuch)
    return buffer
  }
  return pdfLib
})

async function load(bytes: Uint8Array, options: { password?: string } = {}) {
  const { PDFDocument } = await library()
  inflatedBytes = 0
  const document = await PDFDocument.load(bytes, options).catch((error) => {
    throw inflatedBytes > maxInflatedBytes ? new Error(tooMuch, { cause: error }) : error
  })
  if (inflatedBytes > maxInflatedBytes) throw new Error(tooMuch)
  return document
}

/** Runs a function of this file in a thread. Errors lose their class there, so `ParserFailure` is thrown here. */
const inThread = <T>(name: string, ...args: unknown[]): Promise<T> =>
  runParser<T>({ module, name }, ...args).catch((error) => {
    throw messageOf(error) === tooMuch ? new ParserFailure('too-much-memory', error) : error
  })

/** Returns false for an unreadable PDF; rethrows the error of the size limit. */
function isUnreadable(error: unknown): false {
  if (messageOf(error) === tooMuch) throw error
  return false
}

/** Appends the pages of `more` to a PDF. Throws when `source` is not a PDF that the parser thread can read. */
export const appendPages = async (source: Uint8Array, more: PdfDocument): Promise<Buffer> =>
  Buffer.from(await inThread<Uint8Array>('withPages', source, more))

/** Counts the pages of a PDF in a parser thread. Throws when the bytes are not a PDF. */
export const countPages = (bytes: Uint8Array): Promise<number> => inThread<number>('pagesOf', bytes)

/** Whether these bytes are a complete PDF with pages that opens without a password; parsed in a thread. */
export const isPdf = (bytes: Uint8Array): Promise<boolean> => inThread<boolean>('hasPages', bytes)

/** Whether `appendPages` can extend these bytes, an unencrypted PDF as in `isPdf`; parsed in a thread. */
export const isExtendablePdf = (bytes: Uint8Array): Promise<boolean> => inThread<boolean>('takesPages', bytes)

/** Runs in the thread. */
export async function withPages(source: Uint8Array, more: PdfDocument): Promise<Buffer> {
  const whole = await load(source)
  const appendix = await load(await makePdf(more))
  for (const page of await whole.copyPages(appendix, appendix.getPageIndices())) whole.addPage(page)
  whole.setModificationDate(more.createdAt)
  return Buffer.from(await whole.save())
}

/** Runs in the thread. */
export async function pagesOf(bytes: Uint8Array): Promise<number> {
  return (await load(bytes)).getPageCount()
}

/** Runs in the thread. A PDF with an owner password opens with an empty one. */
export const hasPages = (bytes: Uint8Array): Promise<boolean> =>
  load(bytes, { password: '' }).then((document) => document.getPageCount() > 0, isUnreadable)

/** Runs in the thread. Adds a page as a test, which fails when page counts in the file are wrong. */
export async function takesPages(bytes: Uint8Array): Promise<boolean> {
  try {
    const whole = await load(bytes)
    const hasPages = whole.getPageCount() > 0
    whole.addPage()
    return hasPages
  } catch (error) {
    return isUnreadable(error)
  }
}
