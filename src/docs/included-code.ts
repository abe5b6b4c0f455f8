// Puts source files into the pages that show them, between two comments, so that a tutorial shows the code that runs.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Pages } from './markdown.ts'

const home = join(import.meta.dirname, '..', '..')
const included = /(<!-- code: (\S+) -->\n)[\s\S]*?(<!-- end -->)/g

/** The pages of `docs` that show a source file, with what the file says now. */
export function pagesWithCode(): Pages {
  const pages: Pages = {}
  for (const found of globSync('docs/**/*.md', { cwd: home }).sort()) {
    const path = found.replaceAll('\\', '/')
    const text = readFileSync(join(home, path), 'utf8')
    const filled = text.replace(included, (_, start: string, file: string, end: string) => {
      const source = readFileSync(join(home, file), 'utf8').trimEnd()
      return `${start}\n\`\`\`ts\n${source}\n\`\`\`\n\n${end}`
    })
    if (included.test(text)) pages[path] = filled
    included.lastIndex = 0
  }
  return pages
}
