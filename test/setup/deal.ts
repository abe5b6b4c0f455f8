// Deals test files to processes, by what they share and by what they cost in the run that was recorded last.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

export interface Batch {
  name: string
  files: string[]
  /** Expected, from what was recorded. */
  seconds: number
  /** Expected processor time in seconds, of the programs that it starts too. */
  processor: number
}

/** Seconds and processor seconds of each file, as they were on two idle cores. */
export type Recorded = Record<string, [seconds: number, processor: number]>

/** Of a file without a record. */
const unknown: Recorded[string] = [2, 1]

const recordPath = join(import.meta.dirname, '..', 'costs.json')
export const recorded = (): Recorded => JSON.parse(readFileSync(recordPath, 'utf8'))

/** One line for each file, in the order of their names: a change of a few files is a change of a few lines. */
export function record(costs: Recorded): void {
  const lines = Object.entries(costs)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, cost]) => `  ${JSON.stringify(file)}: ${JSON.stringify(cost).replace(',', ', ')}`)
  writeFileSync(recordPath, `{\n${lines.join(',\n')}\n}\n`)
}

/** What changes its process, ends processes or counts on being alone in its own. */
const needsItsOwn = /process\.(env|on|chdir)|mock\.|node:child_process|\bstart\w*Programs\(/
/** Needs PostgreSQL, a server, or another program. */
const isHeavy = /(?:from |import\(|import )'[^']*(?:\/setup\/|#test\/|cli\/postgres)/
/** Ends the programs that it shares. */
const isLast = /resealAll\(/

/** Files that share what takes long to start: the built page, a browser, programs; and how many processes they are dealt to. */
const groups: [name: string, shares: RegExp, processes: number][] = [
  ['the hosted page', /embedPages\(/, 2],
  // Apart from the journeys: a page that was closed leaves updates without a receiver, and a journey fails on them.
  ['browsers', /sharedBrowser\(/, 2],
  ['journeys', /sharedPrograms\(/, 3],
]

/** Seconds of the files that share a process because nothing keeps them apart. */
const secondsTogether = 40

/** The processes that a run of these files, or else of all, starts; each with its files in their order. */
export function batches(which: 'all' | 'unit' | 'light', costs: Recorded, only: string[] = []): Batch[] {
  const cost = (file: string) => costs[file] ?? unknown
  const batch = (name: string, files: string[]): Batch => ({
    name,
    files,
    seconds: files.reduce((sum, file) => sum + cost(file)[0], 0),
    processor: files.reduce((sum, file) => sum + cost(file)[1], 0),
  })
  const files = globSync(only.length > 0 ? only : ['src/**/*.test.ts', 'test/**/*.test.ts'])
  const groupsOfFiles = grouped(files.map((file) => relative('.', file)).sort())
  if (which === 'light') {
    const light = deal(groupsOfFiles.get('files without a server') ?? [], 2, cost)
    return light.map((each, i) => batch(`files without a server, ${i + 1} of 2`, each))
  }
  const all: Batch[] = []
  for (const [name, own] of groupsOfFiles) {
    const seconds = own.reduce((sum, file) => sum + cost(file)[0], 0)
    const processes = groups.find(([group]) => group === name)?.[2] ?? Math.ceil(seconds / secondsTogether)
    const hands = deal(own, processes, cost)
    all.push(...hands.map((hand, i) => batch(hands.length > 1 ? `${name}, ${i + 1} of ${hands.length}` : name, hand)))
  }
  return all
    .filter(({ files }) => which === 'all' || files[0]!.startsWith('src/'))
    .sort((a, b) => b.seconds - a.seconds)
}

/** The files that may share a process, by the name of what they have in common; a file alone has its own. */
function grouped(files: string[]): Map<string, string[]> {
  const byName = new Map<string, string[]>()
  for (const file of files) {
    const text = readFileSync(file, 'utf8')
    const name = groupOf(file, text)
    byName.set(name, [...(byName.get(name) ?? []), file])
  }
  return byName
}

function groupOf(file: string, text: string): string {
  const group = groups.find(([, shares]) => shares.test(text))
  if (group) return group[0]
  if (needsItsOwn.test(text)) return file
  if (!isHeavy.test(text)) return 'files without a server'
  return file.startsWith('test/') ? file : file.split('/').slice(0, 2).join('/')
}

/** Each file in turn, the dearest first, to the process that has least; a file that ends what it shares is the last of its process. */
function deal(files: string[], processes: number, cost: (file: string) => Recorded[string]): string[][] {
  const hands = Array.from({ length: Math.min(processes, files.length) }, () => ({ seconds: 0, files: [] as string[] }))
  const ending = files.filter((file) => isLast.test(readFileSync(file, 'utf8')))
  if (ending.length > processes)
    throw new Error(`${ending.length} files end the programs that they share, of ${processes}`)
  const give = (file: string, to: (typeof hands)[number]) => {
    to.files.push(file)
    to.seconds += cost(file)[0]
  }
  for (const [i, file] of ending.entries()) give(file, hands[i]!)
  const others = files.filter((file) => !ending.includes(file)).sort((a, b) => cost(b)[0] - cost(a)[0])
  for (const file of others)
    give(
      file,
      hands.reduce((least, hand) => (hand.seconds < least.seconds ? hand : least)),
    )
  return hands.map((hand) => hand.files.reverse())
}
