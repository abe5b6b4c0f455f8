// Parts of generated pages: headings, tables, diagrams, fields of a schema, embedded source files.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fieldsOf, type TypePart } from '@lendloom/foundation/schema-fields'

export type Pages = Record<string, string>

export const page = (title: string, ...parts: string[]): string =>
  `${[`# ${title}`, '<!-- Generated from the code by `npm run docs`. Edit the code, not this page. -->', ...parts].join('\n\n')}\n`

export const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replace(/\|/g, '\\|').replace(/\s+/g, ' ').trim()).join(' | ')} |`)
    .join('\n')

export const code = (text: string): string => `\`${text}\``

export const mermaid = (lines: string[]): string => ['```mermaid', ...lines, '```'].join('\n')

/** Path, type and rule of each field of an object. An object or list without a rule is shown by its inner fields alone. */
export const fieldTable = (schema: object): string =>
  table(
    ['Field', 'Type', 'Rule'],
    fieldsOf(schema)
      .map(({ path, type, isRequired, rule }) => [
        code(path),
        type.map(written).join(''),
        [isRequired ? '' : 'optional', rule?.replace(/^must be /, '')].filter(Boolean).join('; '),
      ])
      .filter(([, type = '', rule]) => rule !== '' || !/^(?:list of )?object$/.test(type)),
  )

const written = (part: TypePart): string =>
  'text' in part ? part.text : 'value' in part ? code(part.value) : part.schema

const home = join(import.meta.dirname, '..', '..')
const included = /(<!-- code: (\S+) -->\n)[\s\S]*?(<!-- end -->)/g

/**
 * Embeds source files into documents, between two comments, so that a tutorial shows the code that runs. Returns the
 * pages of `docs` that embed a file, with their current content.
 */
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
