// Finds citations of the requirements in code, tests and docs, and checks that each cited section, rule or row exists.
import { existsSync, globSync, readFileSync } from 'node:fs'

/** The documents that are cited, by their short names. */
const files: Record<string, string> = {
  D1: 'docs/requirements/hosted-sessions.md',
  D2: 'docs/requirements/headless-api.md',
  D3: 'docs/requirements/partner-exchange.md',
  FIS12: 'docs/requirements/network.md',
}

export interface Citation {
  document: string
  /** Such as `2.4`. */
  section: string
  /** A rule or a row of the section by its number, or a form by its name, such as `F2`. */
  item: { kind: 'rule' | 'row' | 'name'; name: string } | null
  /** Counted from 1. */
  line: number
}

/** A requirement as it can be cited: its sections by number, each with its items and its text. */
export type Sections = Map<string, { rules: Set<string>; rows: Set<string>; text: string }>

const heading = /^#{2,4} §(\d+(?:\.\d+)*)(?=\s|$)/

/** The sections of a requirement. Throws when a number is given twice. */
export function sectionsOf(markdown: string): Sections {
  const sections: Sections = new Map()
  let current: { rules: Set<string>; rows: Set<string>; text: string } | undefined
  for (const line of markdown.split('\n')) {
    const [, number] = heading.exec(line) ?? []
    if (number !== undefined) {
      if (sections.has(number)) throw new Error(`§${number} is there twice`)
      current = { rules: new Set(), rows: new Set(), text: '' }
      sections.set(number, current)
    } else if (/^#{1,2} /.test(line)) current = undefined
    if (!current) continue
    current.text += `${line}\n`
    const [, rule] = /^\s{0,3}(\d+)\.\s/.exec(line) ?? []
    if (rule) current.rules.add(rule)
    const [, cell] = /^\|\s*(\d+(?:\s*(?:,|and|–|-)\s*\d+)*)\s*\|/.exec(line) ?? []
    for (const row of numbersOf(cell ?? '')) current.rows.add(row)
  }
  return sections
}

/** `5, 8–11` and `1 and 2` as single numbers. */
function numbersOf(list: string): string[] {
  return [...list.matchAll(/(\d+)(?:\s*[–-]\s*(\d+))?/g)].flatMap(([, from, to]) =>
    range(Number(from), Number(to ?? from)),
  )
}
const range = (from: number, to: number): string[] =>
  Array.from({ length: Math.max(0, to - from) + 1 }, (_, i) => String(from + i))

/** A number may stand in a regular expression, with its dots escaped. */
const number = '\\d+(?:\\\\*\\.\\d+)*'
const rangeEnd = `(?:(?:\\s*[–-]\\s*|\\s+to\\s+)§?(?<last>${number}))?`
const several = '\\d+(?:(?:\\s*[–-]\\s*|,\\s*|\\s+and\\s+)\\d+)*'
const item = `(?:,?\\s+(?:event\\s+)?(?:(?<kind>rule|row)(?:\\s+\\d+|s\\s+${several})|(?<name>F\\d+)\\b))?`
const reference = new RegExp(`§(?<first>${number})${rangeEnd}(?<items>${item})`, 'y')
const separator = /(?:[,;]\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+)(?=§)/y
const start = /\b(D[123]|FIS12),?\s+(?=§)|§/g
const atLineEnd = /\b(D[123]|FIS12),?\s*$/

/**
 * Returns the citations of a text, with lists (`D1 §2.1, §7`) and ranges (`D1 §2.4–2.6`) expanded. A `§` without a document
 * name belongs to the first of these documents: `own`; the last one cited on its line; the one cited at the end of the
 * previous line, if the line starts with `§`. It is ignored if there is none.
 */
export function citationsIn(text: string, own?: string): Citation[] {
  let before: string | undefined
  return text.split('\n').flatMap((line, at) => {
    const continuedFrom = /^[\s/*]*§/.test(line) ? before : undefined
    const cited = line.includes('§') ? citationsOfLine(line, own, continuedFrom, at + 1) : []
    before = atLineEnd.exec(line)?.[1] ?? cited.at(-1)?.document
    return cited
  })
}

function citationsOfLine(text: string, own: string | undefined, before: string | undefined, line: number): Citation[] {
  const found: Citation[] = []
  let last = before
  start.lastIndex = 0
  for (let match = start.exec(text); match; match = start.exec(text)) {
    const named = match[1]
    const from = named === undefined ? match.index : match.index + match[0].length
    const isOther = named === undefined && /(?:RFC|ISO|H\.\d)[\s\w.-]*$/.test(text.slice(0, from))
    const document = named ?? own ?? last
    const { cited, end } = listAt(text, from)
    if (document !== undefined && !isOther) found.push(...cited.map((each) => ({ ...each, document, line })))
    last = named ?? last
    start.lastIndex = Math.max(end, from + 1)
  }
  return found
}

type Cited = Pick<Citation, 'section' | 'item'>

/** The list of references that begins at an index, and the index where it ends. */
function listAt(text: string, from: number): { cited: Cited[]; end: number } {
  const cited: Cited[] = []
  let end = from
  for (let at: number | null = from; at !== null; at = matchEnd(separator, text, end)) {
    reference.lastIndex = at
    const match = reference.exec(text)
    if (!match) break
    end = reference.lastIndex
    cited.push(...expanded(match))
  }
  return { cited, end }
}

function matchEnd(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : null
}

function expanded({ groups: { first, last, items, kind, name } = {} }: RegExpExecArray): Cited[] {
  const sections = last === undefined ? [plain(first!)] : sectionRange(plain(first!), plain(last))
  const wanted: Citation['item'][] =
    name === undefined
      ? numbersOf(items!).map((each) => ({ kind: kind as 'rule' | 'row', name: each }))
      : [{ kind: 'name', name }]
  const end = sections.pop()!
  return [
    ...sections.map((section) => ({ section, item: null })),
    ...(wanted.length > 0 ? wanted : [null]).map((item) => ({ section: end, item })),
  ]
}

const plain = (section: string): string => section.replaceAll('\\', '')

/** Expands `2.4–2.6`, also in the short form `6.3–4`. A range across parents gives only its two ends. */
function sectionRange(first: string, last: string): string[] {
  const from = first.split('.')
  const to = last.split('.')
  const parents = from.slice(0, -1)
  const fullLast = to.length < from.length ? [...from.slice(0, from.length - to.length), ...to] : to
  if (fullLast.slice(0, -1).join('.') !== parents.join('.')) return [first, fullLast.join('.')]
  return range(Number(from.at(-1)), Number(fullLast.at(-1))).map((each) => [...parents, each].join('.'))
}

/** Whether a citation leads somewhere: to a section, or to an item of one (`§6.3` may be rule 3 of §6). */
export function isResolved(sections: Sections, { section, item }: Citation): boolean {
  const target = sections.get(section)
  const [, parent, child] = /^(.+)\.(\d+)$/.exec(section) ?? []
  const parentSection = parent === undefined ? undefined : sections.get(parent)
  if (item === null)
    return target !== undefined || parentSection?.rules.has(child!) || parentSection?.rows.has(child!) || false
  if (!target) return false
  if (item.kind === 'name') return new RegExp(`\\b${item.name}\\b`).test(target.text)
  return target.rules.has(item.name) || (item.kind === 'row' && target.rows.has(item.name))
}

/** All that a person wrote: sources, tests, benchmarks, examples, migrations and documents. */
export const writtenFiles = (): string[] =>
  globSync([
    '{apps,packages,tests,tools,bench,proofs,examples,bin,docs}/**/*.{ts,tsx,js,mjs,sql,css,html,md}',
    '*.md',
    '.env.example',
  ])
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !/(?:^|\/)(?:node_modules|dist)\//.test(path))
    .sort()

/** The document of a `§` without a name: in a requirements document this document, in code of the network FIS12. */
const ownOf = (path: string): string | undefined =>
  Object.keys(files).find((document) => files[document] === path) ??
  (/^packages\/(wire\/src|conformance)\/network\//.test(path) ? 'FIS12' : undefined)

const ofArchitecture = /\bARCHITECTURE rule (\d+)/g
const ofDecision = /\bdocs\/decisions\/[\w-]+\.md/g
/** Citations of documents that are not in the repository: always unresolved. */
const missingDocuments = new RegExp(`\\b(?:${['decisions', 'house', 'spec'].join('|')}) §[\\d.]*`, 'g')

/** Returns every unresolved citation as `file:line: citation`. */
export function unresolvedCitations(): string[] {
  const known = new Map(
    Object.entries(files).map(([document, path]) => [document, sectionsOf(readFileSync(path, 'utf8'))]),
  )
  const rules = new Set(Array.from(readFileSync('ARCHITECTURE.md', 'utf8').matchAll(/^(\d+)\. /gm), ([, rule]) => rule))
  return writtenFiles().flatMap((path) => {
    if (path === 'tests/citations.test.ts') return []
    const text = readFileSync(path, 'utf8')
    const cited = citationsIn(text, ownOf(path))
      .filter((each) => known.has(each.document) && !isResolved(known.get(each.document)!, each))
      .map((each) => [each.line, spelled(each)] as const)
    const others = [
      ...[...text.matchAll(ofArchitecture)].filter(([, rule]) => !rules.has(rule)),
      ...[...text.matchAll(ofDecision)].filter(([page]) => !existsSync(page)),
      ...text.matchAll(missingDocuments),
    ].map((match) => [text.slice(0, match.index).split('\n').length, match[0]] as const)
    return [...cited, ...others].map(([line, what]) => `${path}:${line}: ${what}`)
  })
}

const spelled = ({ document, section, item }: Citation): string =>
  `${document} §${section}${item === null ? '' : ` ${item.kind === 'name' ? '' : `${item.kind} `}${item.name}`}`
