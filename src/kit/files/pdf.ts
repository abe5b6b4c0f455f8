// Small documents as PDF: headings, paragraphs and tables that flow over pages; the one file that knows the PDF library.

import type { Color, PDFDocument, PDFFont, PDFPage } from 'pdf-lib'
import { asciiOf } from '#kit/runtime/ascii.ts'
import { normalize } from '#kit/runtime/normalize.ts'
import { pairs } from '#kit/runtime/pairs.ts'
import { runParser } from '#kit/runtime/parser-thread.ts'

/** Loaded with the first document: it is a tenth of what a program reads to start. */
const library = () => import('pdf-lib')

export type Block =
  | { kind: 'heading'; text: string }
  | { kind: 'text'; text: string }
  /** `widths` are shares of the line; cells listed in `right` are aligned to the right. */
  | {
      kind: 'table'
      head: string[]
      rows: string[][]
      widths: number[]
      right?: number[]
      /** Lines between the rows alone, instead of a frame around every cell. */
      isLight?: boolean
      /** Rows that are written bold, as totals are. */
      strong?: number[]
    }

export interface PdfDocument {
  title: string
  author: string
  /** Below the author's name on the first page, over a line: where they are, whom to turn to. */
  letterhead?: string[]
  blocks: Block[]
  createdAt: Date
}

const page = { width: 595, height: 842, margin: 48 }
const sizes = { author: 15, title: 18, heading: 12, text: 9.5, cell: 8.5, foot: 7.5 }
const lineWidth = page.width - 2 * page.margin
const leading = 1.35
const padding = 4

interface Pen {
  pdf: PDFDocument
  plain: PDFFont
  bold: PDFFont
  /** The colour of the lines of a table. */
  grey: Color
  sheet: PDFPage
  y: number
}

/** Gives the bytes of the document. Text outside the standard fonts' letters is spelled with them; `₹` becomes `Rs`. */
export async function pdfOf({ title, author, letterhead, blocks, createdAt }: PdfDocument): Promise<Buffer> {
  const { PDFDocument, StandardFonts, rgb } = await library()
  const pdf = await PDFDocument.create()
  pdf.setTitle(title, { showInWindowTitleBar: true })
  pdf.setAuthor(author)
  pdf.setLanguage('en-IN')
  pdf.setCreationDate(createdAt)
  pdf.setModificationDate(createdAt)
  const plain = await pdf.embedFont(StandardFonts.Helvetica)
  const bold = await pdf.embedFont(StandardFonts.HelveticaBold)
  const sheet = pdf.addPage([page.width, page.height])
  const pen: Pen = { pdf, plain, bold, grey: rgb(0.7, 0.73, 0.8), sheet, y: page.height - page.margin }
  lines(pen, author, bold, letterhead ? sizes.author : sizes.heading)
  if (letterhead) headOf(pen, letterhead)
  lines(pen, title, bold, sizes.title)
  if (letterhead) pen.y -= 8
  for (const block of blocks) draw(pen, block)
  number(pen, title)
  return Buffer.from(await pdf.save())
}

const module = new URL(import.meta.url)

/** A document with the pages of another one behind its own. Throws when `source` is not a PDF that a parser thread can read. */
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
  const added = await PDFDocument.load(await pdfOf(more))
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

function draw(pen: Pen, block: Block): void {
  if (block.kind === 'text') lines(pen, block.text, pen.plain, sizes.text)
  else if (block.kind === 'table') table(pen, block)
  else {
    pen.y -= 8
    // A heading does not stand alone at the foot of a page.
    needSpace(pen, 60)
    lines(pen, block.text, pen.bold, sizes.heading)
  }
}

function headOf(pen: Pen, letterhead: string[]): void {
  for (const each of letterhead) lines(pen, each, pen.plain, sizes.cell)
  pen.y -= 4
  pen.sheet.drawLine({
    start: { x: page.margin, y: pen.y },
    end: { x: page.width - page.margin, y: pen.y },
    thickness: 1,
    color: pen.grey,
  })
  pen.y -= 12
}

function lines(pen: Pen, text: string, font: PDFFont, size: number): void {
  for (const line of wrapped(latin(text), font, size, lineWidth)) {
    needSpace(pen, size * leading)
    pen.y -= size * leading
    pen.sheet.drawText(line, { x: page.margin, y: pen.y, size, font })
  }
  pen.y -= 4
}

function table(pen: Pen, block: Extract<Block, { kind: 'table' }>): void {
  const { head, rows, widths, right = [], isLight = false, strong = [] } = block
  const whole = widths.reduce((sum, width) => sum + width, 0)
  const columns = widths.map((width, i) => ({ width: (width / whole) * lineWidth, isRight: right.includes(i) }))
  const size = sizes.cell
  const line = (cells: string[], font: PDFFont): void => {
    const filled = pairs(columns, cells).map(([column, cell]) => ({
      ...column,
      parts: wrapped(latin(cell), font, size, column.width - 2 * padding),
    }))
    const height = Math.max(...filled.map(({ parts }) => parts.length)) * size * leading + 2 * padding
    if (needSpace(pen, height) && cells !== head && head.length > 0) line(head, pen.bold)
    if (isLight) underline(pen, pen.y - height)
    let x = page.margin
    for (const { width, isRight, parts } of filled) {
      const frame = { x, y: pen.y - height, width, height }
      if (!isLight) pen.sheet.drawRectangle({ ...frame, borderWidth: 0.5, borderColor: pen.grey })
      for (const [n, part] of parts.entries()) {
        const indent = isRight ? width - padding - font.widthOfTextAtSize(part, size) : padding
        pen.sheet.drawText(part, { x: x + indent, y: pen.y - padding - size - n * size * leading + 1, size, font })
      }
      x += width
    }
    pen.y -= height
  }
  if (head.length > 0) line(head, pen.bold)
  for (const [i, row] of rows.entries()) line(row, strong.includes(i) ? pen.bold : pen.plain)
  pen.y -= 6
}

const underline = ({ sheet, grey }: Pen, y: number): void =>
  sheet.drawLine({ start: { x: page.margin, y }, end: { x: page.width - page.margin, y }, thickness: 0.5, color: grey })

/** Turns the page when `height` is no longer left; tells whether it did. */
function needSpace(pen: Pen, height: number): boolean {
  if (pen.y - height > page.margin) return false
  pen.sheet = pen.pdf.addPage([page.width, page.height])
  pen.y = page.height - page.margin
  return true
}

function number({ pdf, plain }: Pen, title: string): void {
  const sheets = pdf.getPages()
  for (const [i, sheet] of sheets.entries())
    sheet.drawText(latin(`${title}, page ${i + 1} of ${sheets.length}`), {
      x: page.margin,
      y: 24,
      size: sizes.foot,
      font: plain,
    })
}

function wrapped(text: string, font: PDFFont, size: number, width: number): string[] {
  const found: string[] = []
  let line = ''
  for (const word of text.split(/\s+/).flatMap((each) => broken(each, font, size, width))) {
    const longer = line === '' ? word : `${line} ${word}`
    if (font.widthOfTextAtSize(longer, size) <= width) line = longer
    else {
      found.push(line)
      line = word
    }
  }
  return [...found, line]
}

/** A word wider than its line is cut into pieces that fit. */
function broken(word: string, font: PDFFont, size: number, width: number): string[] {
  if (font.widthOfTextAtSize(word, size) <= width) return [word]
  const fitting = Math.max(1, Math.floor((word.length * width) / font.widthOfTextAtSize(word, size)) - 1)
  return word.match(new RegExp(`.{1,${fitting}}`, 'gu')) ?? [word]
}

/** The standard fonts write Latin letters only; those of other scripts are spelled with them. */
const latin = (text: string): string =>
  normalize(text.replaceAll('₹', 'Rs ').replaceAll('•', 'x'), 'NFKC')
    .replace(/[^\x20-\x7e\xa1-\xff\n]/gu, (other) => asciiOf(other))
    .replace(/[^\x20-\x7e\xa1-\xff\n]/g, '?')
