// PDFs from elsewhere, read in a parser thread: whether they are whole, how many pages they have, and pages behind their own.

import { runParser } from '#kit/runtime/parser-thread.ts'
import { makePdf, type PdfDocument } from './pdf.ts'

const library = () => import('@cantoo/pdf-lib')
const module = new URL(import.meta.url)

/**
 * A document followed by the pages of another one. Throws when `source` is not a PDF that the parser thread can read.
 */
export const appendPages = async (source: Uint8Array, more: PdfDocument): Promise<Buffer> =>
  Buffer.from(await runParser<Uint8Array>({ module, name: 'withPages' }, source, more))

/** How many pages a PDF has, counted in a parser thread. Throws when the bytes are none. */
export const countPages = (bytes: Uint8Array): Promise<number> => runParser<number>({ module, name: 'pagesOf' }, bytes)

/** Whether these bytes are a whole PDF, with pages, that anybody may open; read in a parser thread. */
export const isPdf = (bytes: Uint8Array): Promise<boolean> => runParser<boolean>({ module, name: 'hasPages' }, bytes)

/** Whether these bytes are a PDF as `isPdf` wants it, to which `appendPages` can add pages; read in a parser thread. */
export const isExtendablePdf = (bytes: Uint8Array): Promise<boolean> =>
  runParser<boolean>({ module, name: 'takesPages' }, bytes)

/** Runs in the thread. */
export async function withPages(source: Uint8Array, more: PdfDocument): Promise<Buffer> {
  const { PDFDocument } = await library()
  const whole = await PDFDocument.load(source)
  const added = await PDFDocument.load(await makePdf(more))
  for (const sheet of await whole.copyPages(added, added.getPageIndices())) whole.addPage(sheet)
  whole.setModificationDate(more.createdAt)
  return Buffer.from(await whole.save())
}

/** Runs in the thread. */
export async function pagesOf(bytes: Uint8Array): Promise<number> {
  const { PDFDocument } = await library()
  return (await PDFDocument.load(bytes)).getPageCount()
}

/** Runs in the thread. */
export const hasPages = (bytes: Uint8Array): Promise<boolean> =>
  pagesOf(bytes).then(
    (pages) => pages > 0,
    () => false,
  )

/** Runs in the thread. The library counts the pages itself, but adds one by the counts in the tree of pages. */
export async function takesPages(bytes: Uint8Array): Promise<boolean> {
  const { PDFDocument } = await library()
  try {
    const whole = await PDFDocument.load(bytes)
    const hasPages = whole.getPageCount() > 0
    whole.addPage()
    return hasPages
  } catch {
    return false
  }
}
