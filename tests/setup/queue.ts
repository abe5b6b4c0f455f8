// The test files of a run in order, and which of them a process may run next.
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { deadlineMs } from './deadline.ts'

/**
 * What a test file requires of its process: its own process, or one without files of the other kind. Journey files and browser
 * files are kept apart, because a closed page leaves updates without a receiver and a journey fails on them.
 */
export type ProcessSharing = 'alone' | 'journeys' | 'browsers' | 'any'

export interface TestFile {
  path: string
  sharing: ProcessSharing
  /** Elapsed seconds and processor seconds in the recorded run. */
  seconds: number
  processor: number
}

/** Tiers of tests. CONTRIBUTING.md says what each is for. */
export const tiers = ['code', 'smoke', 'page', 'full'] as const
export type Tier = (typeof tiers)[number]

export const selections = ['commit', 'all', 'rest', 'light', ...tiers] as const
export type FileSelection = (typeof selections)[number]

/** Beside the code, these run long: programs that are killed again and again, and whatever takes seconds of a processor. */
const isFullBesideCode = /\.(crash|full)\.test\.ts$/

export function tierOf(path: string): Tier {
  const [, folder] = /^tests\/(smoke|page|full)\//.exec(path) ?? []
  return isFullBesideCode.test(path) ? 'full' : ((folder as Tier | undefined) ?? 'code')
}

/** Elapsed seconds and processor seconds of each file, measured on two idle cores. */
export type RecordedCosts = Record<string, [seconds: number, processor: number]>

/** The cost assumed for a file without a recorded cost. */
const defaultCost: RecordedCosts[string] = [2, 1]

const recordPath = join(import.meta.dirname, '..', 'costs.json')
export const readCosts = (): RecordedCosts => JSON.parse(readFileSync(recordPath, 'utf8'))

/** Writes one line per file, sorted by name, so that a change to a few files changes only a few lines. */
export function writeCosts(costs: RecordedCosts): void {
  const lines = Object.entries(costs)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, cost]) => `  ${JSON.stringify(file)}: ${JSON.stringify(cost).replace(',', ', ')}`)
  writeFileSync(recordPath, `{\n${lines.join(',\n')}\n}\n`)
}

/** Matches a file that changes its process or relies on being alone in it. */
const needsOwnProcess = /process\.(on|once|emit|chdir)\(|mock\./
const usesBrowser = /sharedBrowser\(|embedPages\(/
const sharesPrograms = /sharedPrograms\(/
/** Matches a file that needs PostgreSQL, a server or another program. */
const heavyImports =
  /(?:from |import\(|import )'(?:[^']*(?:\/setup\/(?!law-rounds)|cli\/(?:src\/)?postgres)|\.\.\/proofs\/|node:child_process)/
/** Matches a file with laws: their number of rounds depends on the tier. */
const hasLaws = /\broundsOf\(|\bfc\.(?:assert|check)\(/

/** The test files that a word of the command line names: a file, a pattern or all of a folder. */
export function filesNamed(word: string): string[] {
  const isFolder = statSync(word, { throwIfNoEntry: false })?.isDirectory()
  const paths = globSync(isFolder ? join(word, '**/*.test.ts') : word)
  return paths.filter((path) => path.endsWith('.test.ts')).map((path) => relative('.', path))
}

/** The files of this kind of run, the longest first; only those in `only`, if it has any. `commit` runs those of any tier. */
export function testFiles(which: FileSelection, costs: RecordedCosts, only: string[] = []): TestFile[] {
  const paths = only.length > 0 ? only : globSync('{apps,packages,tests,tools}/**/*.test.ts')
  return paths
    .map((path) => fileAt(path, costs))
    .filter((file) => (only.length > 0 && which === 'commit') || isSelected(file, which))
    .map(({ text, ...file }) => file)
    .sort((a, b) => b.seconds - a.seconds)
}

/** Processor seconds that a file may take in `light`, whose answer a person waits for. The rules of the repository take longer. */
const lightProcessor = 1
const alwaysLight = 'tests/architecture.test.ts'

function isSelected({ path, text, processor }: TestFile & { text: string }, which: FileSelection): boolean {
  const tier = tierOf(path)
  switch (which) {
    case 'all':
      return true
    case 'commit':
      return tier === 'code' || tier === 'smoke'
    // What `commit` left out, and the laws of which it ran a part.
    case 'rest':
      return tier === 'page' || tier === 'full' || hasLaws.test(text)
    case 'light':
      return path === alwaysLight || (tier === 'code' && !heavyImports.test(text) && processor < lightProcessor)
    default:
      return tier === which
  }
}

function fileAt(path: string, costs: RecordedCosts): TestFile & { text: string } {
  const text = readFileSync(path, 'utf8')
  const [seconds, processor] = costs[path] ?? defaultCost
  return { path, text, sharing: sharingOf(text), seconds, processor }
}

function sharingOf(text: string): ProcessSharing {
  if (needsOwnProcess.test(text)) return 'alone'
  if (usesBrowser.test(text)) return 'browsers'
  return sharesPrograms.test(text) ? 'journeys' : 'any'
}

/**
 * Time limit of one file, because a test may keep its process alive forever: generous, because a machine may be slow, and
 * longer than the deadline of a test, which says for what it has waited.
 */
export const limitMsOf = ({ seconds }: TestFile): number => deadlineMs + Math.min(10 * seconds + 60, 15 * 60) * 1000

/** The number of processors that a file keeps busy. */
export const loadOf = ({ seconds, processor }: TestFile): number => Math.min(2, processor / Math.max(seconds, 0.1))

/**
 * The index in `waiting` of the file that a process runs next: the longest file that fits the free processors, otherwise
 * the one with the lowest load. -1 if no file is left for the process. A `new` process may run any file.
 */
export function nextFileIndex(waiting: TestFile[], sharing: ProcessSharing | 'new', free: number): number {
  const candidates = waiting.map((file, i) => ({ file, i })).filter(({ file }) => isFor(file.sharing, sharing))
  const fitting = candidates.find(({ file }) => loadOf(file) <= free)
  const leastLoad = () => candidates.reduce((a, b) => (loadOf(b.file) < loadOf(a.file) ? b : a))
  return fitting?.i ?? (candidates.length > 0 ? leastLoad().i : -1)
}

function isFor(file: ProcessSharing, sharing: ProcessSharing | 'new'): boolean {
  if (sharing === 'new') return true
  if (sharing === 'alone' || file === 'alone') return false
  return file === 'any' || sharing === 'any' || file === sharing
}
