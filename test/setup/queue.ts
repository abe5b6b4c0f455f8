// The test files of a run in their order, and which of them a process may take next.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/**
 * What a file asks of its process: one that is its own, or one without the files of the other kind. Journeys keep apart from
 * browsers: a page that was closed leaves updates without a receiver, and a journey fails on them.
 */
export type ProcessSharing = 'alone' | 'journeys' | 'browsers' | 'any'

export interface TestFile {
  path: string
  sharing: ProcessSharing
  /** Seconds and processor seconds in the run that was recorded. */
  seconds: number
  processor: number
}

export type FileSelection = 'all' | 'unit' | 'light'

/** Seconds and processor seconds of each file, as they were on two idle cores. */
export type RecordedCosts = Record<string, [seconds: number, processor: number]>

/** Of a file without a record. */
const unknown: RecordedCosts[string] = [2, 1]

const recordPath = join(import.meta.dirname, '..', 'costs.json')
export const readCosts = (): RecordedCosts => JSON.parse(readFileSync(recordPath, 'utf8'))

/** One line for each file, in the order of their names: a change of a few files is a change of a few lines. */
export function writeCosts(costs: RecordedCosts): void {
  const lines = Object.entries(costs)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, cost]) => `  ${JSON.stringify(file)}: ${JSON.stringify(cost).replace(',', ', ')}`)
  writeFileSync(recordPath, `{\n${lines.join(',\n')}\n}\n`)
}

/** Changes its process, or counts on being alone in it. */
const needsItsOwn = /process\.(on|once|chdir)\(|mock\./
const usesBrowser = /sharedBrowser\(|embedPages\(/
const sharesPrograms = /sharedPrograms\(/
/** Needs PostgreSQL, a server, or another program. */
const isHeavy =
  /(?:from |import\(|import )'(?:[^']*(?:\/setup\/|#test\/|cli\/postgres)|\.\.\/prove\/|node:child_process)/

/** The files that such a run has, or those of `only`; the longest first. */
export function testFiles(which: FileSelection, costs: RecordedCosts, only: string[] = []): TestFile[] {
  const paths = globSync(only.length > 0 ? only : ['{src,packages,test}/**/*.test.ts'])
  return paths
    .map((path) => fileAt(relative('.', path), costs))
    .filter(({ path, text }) => which === 'all' || (which === 'unit' ? !path.startsWith('test/') : !isHeavy.test(text)))
    .map(({ text, ...file }) => file)
    .sort((a, b) => b.seconds - a.seconds)
}

function fileAt(path: string, costs: RecordedCosts): TestFile & { text: string } {
  const text = readFileSync(path, 'utf8')
  const [seconds, processor] = costs[path] ?? unknown
  return { path, text, sharing: companyOf(text), seconds, processor }
}

function companyOf(text: string): ProcessSharing {
  if (needsItsOwn.test(text)) return 'alone'
  if (usesBrowser.test(text)) return 'browsers'
  return sharesPrograms.test(text) ? 'journeys' : 'any'
}

/** Processors that a file keeps busy. */
export const loadOf = ({ seconds, processor }: TestFile): number => Math.min(2, processor / Math.max(seconds, 0.1))

/**
 * The place in `waiting` of the file that a process with this company takes next: the longest file for which the processors
 * have room; without such a file the one that needs them least. -1 where no file is left for the process.
 */
export function nextFileIndex(waiting: TestFile[], sharing: ProcessSharing, free: number): number {
  const may = waiting.map((file, i) => ({ file, i })).filter(({ file }) => isFor(file.sharing, sharing))
  const fitting = may.find(({ file }) => loadOf(file) <= free)
  const least = () => may.reduce((a, b) => (loadOf(b.file) < loadOf(a.file) ? b : a))
  return fitting?.i ?? (may.length > 0 ? least().i : -1)
}

const isFor = (file: ProcessSharing, sharing: ProcessSharing): boolean =>
  file === 'any' || sharing === 'any' || (file === sharing && file !== 'alone')
