// Writes PDF documents with PDFKit: headings, paragraphs and tables across pages, in every language of India.

import { buffer } from 'node:stream/consumers'
import { pairs } from '@lendloom/foundation/lists'
import { runParser } from '@lendloom/foundation/parser-thread'
import type { Font } from 'fontkit'
import { breakable, fontsOf, isIndic, runsOf, type Weight } from './pdf-font.ts'

declare global {
  namespace PDFKit.Mixins {
    interface PDFFont {
      /** Sets a parsed font; the types of PDFKit lack this overload. */
      font(font: Font, size?: number): this
    }
  }
}

/** Loaded with the first document, because it would be a tenth of the code that a program loads at its start. */
const loadPdfKit = async () => (await import('pdfkit')).default

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
      /** Draws lines between rows instead of a frame around every cell. */
      isLight?: boolean
      /** Indexes of bold rows, such as totals. */
      strong?: number[]
    }
type Table = Extract<Block, { kind: 'table' }>

/** A column of a table: its head, the text that a row has in it, and its share of the line. */
export interface PdfColumn<Row> {
  head: string
  of(row: Row): string
  width: number
  isRight?: boolean
}

/** A table whose columns are declared with their rows' texts. */
export const tableBlock = <Row>(
  columns: readonly PdfColumn<Row>[],
  rows: readonly Row[],
  look: Pick<Table, 'isLight' | 'strong'> = {},
): Block => ({
  kind: 'table',
  head: columns.map(({ head }) => head),
  rows: rows.map((row) => columns.map((column) => column.of(row))),
  widths: columns.map(({ width }) => width),
  right: columns.flatMap(({ isRight }, i) => (isRight ? [i] : [])),
  ...look,
})

interface NumberedLine {
  number: string
  label: string
  value: string
  /** A long number that belongs to the value. */
  reference?: string
}

/** A table of numbered lines without a head, as of a Key Facts Statement. */
export const numberedTable = (rows: NumberedLine[]): Block => ({
  kind: 'table',
  head: [],
  rows: rows.map(({ number, label, value, reference }) => [
    number,
    label,
    [value, reference].filter(Boolean).join('; '),
  ]),
  widths: [1, 7, 12],
  right: [0],
})

export interface PdfDocument {
  title: string
  author: string
  /** The language as BCP 47; Indian English by default. */
  language?: string
  /** Address and contact, printed below the author's name on the first page. */
  letterhead?: string[]
  blocks: Block[]
  createdAt: Date
}

/** A4, in points. */
const page = { width: 595, height: 842, margin: 48, bottom: 56 }
const sizes = { author: 13, title: 19, heading: 12, text: 9.5, cell: 8.5, dense: 7.5, foot: 7.5 }
const colours = { ink: '#111827', quiet: '#5b6475', line: '#c5cad6', head: '#eef1f6' }
const lineWidth = page.width - 2 * page.margin

interface Style {
  size: number
  weight: Weight
  colour: string
}
const styles = {
  author: { size: sizes.author, weight: 'bold', colour: colours.quiet },
  title: { size: sizes.title, weight: 'bold', colour: colours.ink },
  heading: { size: sizes.heading, weight: 'bold', colour: colours.ink },
  text: { size: sizes.text, weight: 'plain', colour: colours.ink },
  quiet: { size: sizes.cell, weight: 'plain', colour: colours.quiet },
  cell: { size: sizes.cell, weight: 'plain', colour: colours.ink },
  strong: { size: sizes.cell, weight: 'bold', colour: colours.ink },
} satisfies Record<string, Style>

interface Pen {
  pdf: PDFKit.PDFDocument
  /** A very long page on which the height of a text is measured. */
  draft: PDFKit.PDFDocument
  fonts: Record<Weight, Font[]>
}

/** A document takes up to 70 ms of processor time, the first document of a thread about 400 ms. */
const maker = { module: new URL(import.meta.url), name: 'makePdf', deadlineMs: 20_000 }

/** Writes the document in a thread. The same content gives the same bytes. */
export const pdfOf = async (document: PdfDocument): Promise<Buffer> =>
  Buffer.from(await runParser<Uint8Array>(maker, document))

/** Runs in the thread. */
export async function makePdf(document: PdfDocument): Promise<Buffer> {
  const { title, author, language = 'en-IN', letterhead, blocks, createdAt } = document
  const Document = await loadPdfKit()
  const { margin: left, bottom } = page
  const pdf = new Document({
    size: [page.width, page.height],
    margins: { left, right: left, top: left, bottom },
    bufferPages: true,
    lang: language,
    displayTitle: true,
    pdfVersion: '1.7',
    info: { Title: title, Author: author, CreationDate: createdAt, ModDate: createdAt },
  })
  const draft = new Document({ size: [page.width, 1e6], margin: 0 })
  const fonts = { plain: await fontsOf(language, 'plain'), bold: await fontsOf(language, 'bold') }
  const pen: Pen = { pdf, draft, fonts }
  writeParagraph(pen, author, styles.author)
  if (letterhead) writeLetterhead(pen, letterhead)
  pdf.y += 4
  writeParagraph(pen, title, styles.title)
  pdf.y += 6
  for (const [i, block] of blocks.entries()) draw(pen, block, blocks[i + 1])
  addFooters(pen, title)
  pdf.end()
  return buffer(pdf)
}

function draw(pen: Pen, block: Block, following: Block | undefined): void {
  if (block.kind === 'text') {
    writeParagraph(pen, block.text, styles.text)
    pen.pdf.y += 5
  } else if (block.kind === 'table') drawTable(pen, block)
  else {
    pen.pdf.y += 10
    ensureSpace(
      pen,
      heightOf(pen, block.text, styles.heading, lineWidth) + (following ? beginningHeight(pen, following) : 0),
    )
    writeParagraph(pen, block.text, styles.heading)
    pen.pdf.y += 4
  }
}

/** The height of the part of a block that must stay on the page of its heading. */
function beginningHeight(pen: Pen, block: Block): number {
  if (block.kind !== 'table') return 3 * sizes.text * 1.4
  const rows = rowsOf(pen, block)
  return rows.slice(0, block.head.length > 0 ? 2 : 1).reduce((sum, { height }) => sum + height, 4)
}

function writeLetterhead({ pdf, ...pen }: Pen, letterhead: string[]): void {
  for (const each of letterhead) writeParagraph({ pdf, ...pen }, each, styles.quiet)
  drawLine(pdf, pdf.y + 6)
  pdf.y += 14
}

function drawLine(pdf: PDFKit.PDFDocument, y: number): void {
  pdf
    .moveTo(page.margin, y)
    .lineTo(page.width - page.margin, y)
    .lineWidth(0.6)
    .stroke(colours.line)
}

function writeParagraph(pen: Pen, text: string, style: Style): void {
  write(pen, text, style, { x: page.margin, y: pen.pdf.y, width: lineWidth })
}

interface TextBox {
  x: number
  y: number
  width: number
  isRight?: boolean
}

/** Writes a text in the fonts that it needs, on a common baseline; PDFKit breaks lines and pages. */
function write({ pdf, fonts }: Pen, text: string, style: Style, { x, y, width, isRight }: TextBox): void {
  const { size, weight, colour } = style
  const runs = runsOf(text, fonts[weight])
  pdf.fillColor(colour)
  // The original text is copied, searched and read aloud, because shaping reorders the glyphs.
  if (isIndic(text)) pdf.markContent('Span', { actual: text })
  for (const [i, run] of runs.entries()) {
    pdf.font(run.font, size)
    const words = breakable(run.text, (word) => pdf.widthOfString(word) <= width)
    const lineGap = size * 1.4 - pdf.currentLineHeight(true)
    const options = { width, lineGap, baseline: -size, continued: i < runs.length - 1 }
    if (i === 0) pdf.text(words, x, y, { ...options, align: isRight && runs.length === 1 ? 'right' : 'left' })
    else pdf.text(words, options)
  }
  if (isIndic(text)) pdf.endMarkedContent()
}

function heightOf(pen: Pen, text: string, style: Style, width: number): number {
  write({ ...pen, pdf: pen.draft }, text, style, { x: 0, y: 0, width })
  return pen.draft.y
}

interface TableRow {
  cells: (TextBox & { text: string })[]
  height: number
  padding: number
  style: Style
  isHead: boolean
}

function rowsOf(pen: Pen, { head, rows, widths, right = [], strong = [] }: Table): TableRow[] {
  const whole = widths.reduce((sum, width) => sum + width, 0)
  let x = page.margin
  const columns = widths.map((share, i) => {
    const width = (share / whole) * lineWidth
    x += width
    return { x: x - width, y: 0, width, isRight: right.includes(i) }
  })
  // A table of many columns uses a smaller font, so that an amount of ten crores fits on one line.
  const isDense = widths.length > 6
  const padding = isDense ? 3 : 4.5
  const rowOf = (texts: string[], baseStyle: Style, isHead = false): TableRow => {
    const style = isDense ? { ...baseStyle, size: sizes.dense } : baseStyle
    const cells = pairs(columns, texts).map(([column, text]) => ({ ...column, text }))
    const heights = cells.map(({ text, width }) => heightOf(pen, text, style, width - 2 * padding))
    return { cells, height: Math.max(...heights) + 2 * padding - 2, padding, style, isHead }
  }
  return [
    ...(head.length > 0 ? [rowOf(head, styles.strong, true)] : []),
    ...rows.map((row, i) => rowOf(row, strong.includes(i) ? styles.strong : styles.cell)),
  ]
}

/** The table head is repeated on each further page. */
function drawTable(pen: Pen, block: Table): void {
  const rows = rowsOf(pen, block)
  const head = rows.find(({ isHead }) => isHead)
  for (const row of rows) {
    const isNewPage = ensureSpace(pen, row.isHead ? beginningHeight(pen, block) : row.height)
    if (isNewPage && head && !row.isHead) drawRow(pen, head, block)
    drawRow(pen, row, block)
  }
  pen.pdf.y += 8
}

function drawRow(pen: Pen, { cells, height, padding, style, isHead }: TableRow, { isLight = false }: Table): void {
  const { pdf } = pen
  const top = pdf.y
  if (isHead) pdf.rect(page.margin, top, lineWidth, height).fill(colours.head)
  for (const { text, x, width, isRight = false } of cells) {
    if (!isLight) pdf.rect(x, top, width, height).lineWidth(0.5).stroke(colours.line)
    write(pen, text, style, { x: x + padding, y: top + padding - 1, width: width - 2 * padding, isRight })
  }
  if (isLight) drawLine(pdf, top + height)
  pdf.y = top + height
}

/** Starts a new page when less than `height` is left; returns whether it did. */
function ensureSpace({ pdf }: Pen, height: number): boolean {
  if (pdf.y + height <= page.height - page.bottom || pdf.y <= page.margin) return false
  pdf.addPage()
  return true
}

function addFooters(pen: Pen, title: string): void {
  const { pdf } = pen
  const { start, count } = pdf.bufferedPageRange()
  for (let i = 0; i < count; i++) {
    pdf.switchToPage(start + i)
    // Without this, text below the margin would start a new page.
    pdf.page.margins.bottom = 0
    const y = page.height - 38
    const style = { ...styles.quiet, size: sizes.foot }
    write(pen, title, style, { x: page.margin, y, width: lineWidth - 60 })
    write(pen, `${i + 1} / ${count}`, style, { x: page.width - page.margin - 60, y, width: 60, isRight: true })
  }
}
