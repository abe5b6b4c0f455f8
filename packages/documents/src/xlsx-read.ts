// Reads the visible sheets of an XLSX workbook as rows of text: a date as `2026-11-30`, a number with 15 digits.
import { FileFault, readXml, readXmlTree, type XmlElement } from './xml-read.ts'
import { unzip } from './zip-read.ts'

export interface Row {
  line: number
  cells: string[]
}

export interface SheetLimits {
  unzippedBytes: number
  rows: number
  columns: number
}

interface Workbook {
  strings: string[]
  dateFormats: boolean[]
  dayOffset: number
}

const maxElements = 100_000
/** The last row that a sheet can have. */
const maxRow = 1_048_576
/** Days between the two epochs of a workbook's dates, 1900 and 1904. */
const daysTo1904 = 1462
/** The number of the first of January 1970 in a workbook with the epoch 1900. */
const firstUnixDay = 25_569
const readFiles =
  /^xl\/(workbook\.xml|_rels\/workbook\.xml\.rels|sharedStrings\.xml|styles\.xml|worksheets\/[^/]+\.xml)$/

/** Returns the rows of each visible sheet. Throws `FileFault` for a file that is no workbook or exceeds the limits. */
export function readXlsx(bytes: Buffer, limits: SheetLimits): Row[][] {
  const parts = unzip(bytes, (name) => readFiles.test(name), limits.unzippedBytes)
  const partOf = (name: string): Buffer => {
    const part = parts.get(`xl/${name}`)
    if (!part) throw new FileFault(`it is not a workbook: it has no ${name}`)
    return part
  }
  const tree = readXmlTree(partOf('workbook.xml'), maxElements)
  const links = readXmlTree(partOf('_rels/workbook.xml.rels'), maxElements).children
  const properties = childOf(tree, 'workbookPr')
  const styles = parts.get('xl/styles.xml')
  const strings = parts.get('xl/sharedStrings.xml')
  const workbook: Workbook = {
    strings: strings ? sharedStringsOf(strings) : [],
    dateFormats: styles ? dateFormatsOf(readXmlTree(styles, maxElements)) : [],
    dayOffset: /^(1|true)$/.test(properties?.attributes.date1904 ?? '') ? daysTo1904 : 0,
  }
  const sheets = childOf(tree, 'sheets')?.children ?? []
  return sheets
    .filter(({ attributes }) => (attributes.state ?? 'visible') === 'visible')
    .map(({ attributes }) => {
      const id = Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1]
      const target = links.find((link) => link.attributes.Id === id)?.attributes.Target ?? ''
      return rowsOf(partOf(target.replace(/^\/xl\//, '')), workbook, limits)
    })
}

const childOf = ({ children }: XmlElement, name: string): XmlElement | undefined =>
  children.find((child) => child.name === name)

function sharedStringsOf(bytes: Buffer): string[] {
  const strings: string[] = []
  let text = ''
  let isText = false
  let isPhonetic = false
  readXml(bytes, {
    open(name) {
      if (name === 'si') text = ''
      if (name === 'rPh') isPhonetic = true
      isText = name === 't' && !isPhonetic
    },
    text(part) {
      if (isText) text += part
    },
    close(name) {
      isText = false
      if (name === 'rPh') isPhonetic = false
      if (name === 'si') strings.push(text)
    },
  })
  return strings
}

function dateFormatsOf(styles: XmlElement): boolean[] {
  const custom = new Map(
    childOf(styles, 'numFmts')?.children.map(({ attributes }) => [attributes.numFmtId, attributes.formatCode ?? '']),
  )
  return (childOf(styles, 'cellXfs')?.children ?? []).map(({ attributes: { numFmtId = '0' } }) => {
    const code = custom.get(numFmtId)
    if (code !== undefined) return /[dy]/i.test(code.slice(0, 255).replace(/"[^"]{0,99}"|\[[^\]]{0,99}\]|\\./g, ''))
    return /^(1[4-7]|22|2[7-9]|3[0-6]|5[0-8])$/.test(numFmtId)
  })
}

function rowsOf(bytes: Buffer, workbook: Workbook, limits: SheetLimits): Row[] {
  const rows: Row[] = []
  let row: Row = { line: 0, cells: [] }
  let cell: Record<string, string> = {}
  let text: string = ''
  let isText: boolean = false
  readXml(bytes, {
    open(name, attributes) {
      isText = name === 'v' || name === 't'
      if (name === 'c') {
        cell = attributes
        text = ''
      }
      if (name !== 'row') return
      const line = Number(attributes.r ?? row.line + 1)
      if (!Number.isInteger(line) || line <= row.line || line > maxRow)
        throw new FileFault(`row ${attributes.r} is out of sequence`)
      row = { line, cells: [] }
      if (rows.length >= limits.rows) throw new FileFault(`it has more than ${limits.rows} lines; upload it in parts`)
    },
    text(part) {
      if (isText) text += part
    },
    close(name) {
      isText = false
      if (name === 'c') setCell(row, { ...cell, text: cellText(workbook, cell, text) }, limits)
      if (name === 'row') rows.push(row)
    },
  })
  return rows
}

function setCell(row: Row, { r, text = '' }: Record<string, string>, { columns }: SheetLimits): void {
  const [letters] = /^[A-Z]{1,3}/.exec(r ?? '') ?? []
  const index = letters
    ? [...letters].reduce((sum, each) => sum * 26 + each.charCodeAt(0) - 64, 0) - 1
    : row.cells.length
  if (text === '') {
    // A cell without a reference follows the one before it, also an empty one.
    if (!letters && index < columns) row.cells.push('')
    return
  }
  if (index >= columns) throw new FileFault(`row ${row.line} has more than ${columns} columns`)
  while (row.cells.length < index) row.cells.push('')
  row.cells[index] = text
}

function cellText({ strings, dateFormats, dayOffset }: Workbook, { t = 'n', s }: Record<string, string>, text: string) {
  if (t === 's') return (strings[Number(text)] ?? '').trim()
  if (t === 'd') return text.slice(0, 10)
  const number = Number(text)
  if (t !== 'n' || text === '' || !Number.isFinite(number)) return text.trim()
  if (!dateFormats[Number(s)]) {
    if (Number.isInteger(number)) return Number.isSafeInteger(number) ? String(number) : text
    return String(Number(number.toPrecision(15)))
  }
  const day = new Date((Math.floor(number) + dayOffset - firstUnixDay) * 86_400_000)
  return Number.isNaN(day.getTime()) ? text : day.toISOString().slice(0, 10)
}
