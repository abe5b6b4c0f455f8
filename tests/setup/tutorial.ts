// The blocks of a tutorial, and a folder in which its commands run as in a clone of the repository.
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

export interface Block {
  language: string
  /** The file that the block is saved as, or the label of a tab; empty for commands and output. */
  file: string
  content: string
  /** Whether the block starts the platform; the test's programs replace it. */
  isPlatform: boolean
}

/** Returns all code blocks of a page in order. */
export function blocksOf(page: string): Block[] {
  const markdown = readFileSync(join(root, `docs/tutorials/${page}.md`), 'utf8')
  const matches = markdown.matchAll(/(<!-- the platform -->\n\n)?^```(\w*)(?: \[([\w.]+)\])?\n([\s\S]*?)^```$/gm)
  return [...matches].map(([, mark, language = '', file = '', content = '']) => ({
    language,
    file,
    content,
    isPlatform: mark !== undefined,
  }))
}

/** Creates a folder of links to the repository's files, without the data of a running installation. */
export function linkRepository(home: string, except: string[] = []): string {
  const folder = join(home, 'lendloom')
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(root))
    if (name !== '.lendloom' && !except.includes(name)) symlinkSync(join(root, name), join(folder, name))
  return folder
}
