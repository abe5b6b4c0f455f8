// Copies of the partners' files: new and resealed files are copied, deleted ones deleted when no backup needs them.

import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { codeOf } from '@lendloom/foundation/thrown'
import { clockFile } from '#cli/installation.ts'
import { copyDurably, type FileDigest, syncFolder } from '#cli/postgres/copy-file.ts'
import type { ListedFile } from './manifest.ts'

/** The folders of a data directory that hold files, by their names there. */
const folders = ['partner-files', 'second-partner-files', 'platform-archive']
/** The settings that name another place for a folder. */
const settingOf: Record<string, string> = { 'partner-files': 'PARTNER_FILES_DIR', 'platform-archive': 'ARCHIVE_DIR' }

interface IndexLine extends FileDigest {
  path: string
  modifiedMs: number
  /** When the partner no longer had the file. */
  goneAt?: string
}

export const filesFolder = (directory: string): string => join(directory, 'files')
const indexFile = (directory: string): string => join(filesFolder(directory), 'index.jsonl')

/** Where each file is, by its path in the backup. */
function sourcesOf(data: string, env: NodeJS.ProcessEnv): Map<string, string> {
  const sources = new Map<string, string>()
  for (const folder of folders) {
    const root = env[settingOf[folder] ?? ''] || join(data, folder)
    const objects = join(root, 'object')
    for (const entry of entriesOf(objects))
      if (entry.isFile()) {
        const path = join(entry.parentPath, entry.name)
        sources.set(join(folder, 'object', path.slice(objects.length + 1)), path)
      }
  }
  const clock = clockFile(data)
  if (existsSync(clock)) sources.set('clock.json', clock)
  return sources
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

/** Copies new and changed files, and marks the copies of deleted ones. Returns the number of copied files. */
export async function copyNewFiles(data: string, env: NodeJS.ProcessEnv, directory: string): Promise<number> {
  const copies = new Map(indexOf(directory).map((line) => [line.path, line]))
  const sources = sourcesOf(data, env)
  const goneAt = new Date().toISOString()
  for (const line of copies.values())
    if (!sources.has(line.path) && line.goneAt === undefined) appendToIndex(directory, { ...line, goneAt })
  let count = 0
  for (const [path, source] of sources) {
    const stats = statSync(source, { throwIfNoEntry: false })
    const copy = copies.get(path)
    if (!stats || (copy?.bytes === stats.size && copy.modifiedMs === stats.mtimeMs && !copy.goneAt)) continue
    const target = join(filesFolder(directory), path)
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
    const temporary = `${target}.${process.pid}-${Date.now()}`
    const digest = await copyDurably(source, temporary)
    renameSync(temporary, target)
    await syncFolder(dirname(target))
    appendToIndex(directory, { path, modifiedMs: stats.mtimeMs, ...digest })
    count++
  }
  return count
}

const appendToIndex = (directory: string, line: IndexLine): void =>
  appendFileSync(indexFile(directory), `${JSON.stringify(line)}\n`, { mode: 0o600, flush: true })

/** Deletes the copies of files that the partner had deleted before the oldest backup began. */
export function deleteGoneFiles(directory: string, oldestStartedAt: string): void {
  const lines = indexOf(directory)
  const isNeeded = ({ goneAt }: IndexLine): boolean => goneAt === undefined || goneAt >= oldestStartedAt
  const kept = lines.filter(isNeeded)
  if (kept.length === lines.length) return
  for (const line of lines) if (!isNeeded(line)) rmSync(join(filesFolder(directory), line.path), { force: true })
  const temporary = `${indexFile(directory)}.${process.pid}`
  writeFileSync(temporary, kept.map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600, flush: true })
  renameSync(temporary, indexFile(directory))
}

/** The copied files with their digests. A line that a crash cut off does not count. */
export const copiedFiles = (directory: string): ListedFile[] =>
  indexOf(directory).map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 }))

const safePath = /^(clock\.json|((second-)?partner-files|platform-archive)\/object\/[0-9a-f]{2}\/[0-9a-f]{64})$/

function indexOf(directory: string): IndexLine[] {
  const lines = new Map<string, IndexLine>()
  for (const text of indexText(directory).split('\n')) {
    const line = lineOf(text)
    if (line && safePath.test(line.path)) lines.set(line.path, line)
  }
  return [...lines.values()]
}

function indexText(directory: string): string {
  try {
    return readFileSync(indexFile(directory), 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return ''
    throw error
  }
}

function lineOf(text: string): IndexLine | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
