// The index of the decisions, read off their pages.
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { page, table } from './markdown.ts'

const folder = join(import.meta.dirname, '..', '..', 'docs', 'decisions')

export interface Decision {
  file: string
  number: string
  title: string
  /** Such as `2026-11-20`; undefined where the page does not say. */
  decidedOn: string | undefined
}

export const decisions = (): Decision[] =>
  globSync('[0-9]*.md', { cwd: folder })
    .sort()
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      const [, title = ''] = /^# (.+)$/m.exec(text) ?? []
      const [, decidedOn] = /^Decided on (\d{4}-\d{2}-\d{2})\.$/m.exec(text) ?? []
      return { file: basename(file), number: file.slice(0, 4), title, decidedOn }
    })

/** `docs/decisions/README.md`. */
export const decisionIndex = (): string =>
  page(
    'Decisions',
    'One page for each decision that is not obvious: the situation, the choice, and what would change our mind. A new one takes the next number and says the day on which it was decided; `npm run docs` then adds it here. A decision that no longer holds stays, and names the one that replaces it.',
    table(
      ['Number', 'Decision', 'Decided on'],
      decisions().map(({ number, title, file, decidedOn = '' }) => [number, `[${title}](${file})`, decidedOn]),
    ),
  )
