// Puts the table of the hosted page's messages into the guides that show it, between two comments.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ControlMessage } from '#contract/hosted/embed-message.ts'
import { code, type Pages, table } from './markdown.ts'

const home = join(import.meta.dirname, '..', '..')
const included = /(<!-- messages -->\n)[\s\S]*?(<!-- end -->)/g

/** The page's messages, and the reaction of an app around its web view; a missing message does not compile. */
const lines: Record<ControlMessage['type'], [fields: string, meaning: string, act: string]> = {
  'lab.ready': ['', 'the page works', 'hide your own progress indicator'],
  'lab.resize': ['`height`', 'the page is this high; in a frame only', 'nothing: a web view scrolls'],
  'lab.scroll': ['`top`', 'a new screen begins here; in a frame only', 'nothing: the page scrolls itself'],
  'lab.session_expired': [
    '',
    'the link or the session has ended',
    'ask your server for a fresh `embedUrl` and load it; not again while that one is loading',
  ],
  'lab.error': [
    '`code`, `retryable`',
    'something failed, and the page says so and offers to try again: `OFFLINE`, `BUSY`',
    'nothing, or a line in your log',
  ],
  'lab.open': ['`url`', 'a page of the lender', 'open it in a browser tab of the system, never in the web view'],
  'lab.exit': ['', 'the borrower is done, or wants out', 'close the screen'],
}

const update = [
  '(no `type`; has `borrower.journey.status`)',
  '`tenant_id`, `application_id`, `borrower`',
  'a lifecycle update (D1 §2.4)',
  'refresh what your app shows; your server learns the same by webhook, and that is the one to trust',
]

const messageTable = (): string =>
  table(
    ['Message', 'Fields', 'Meaning', 'What your app does'],
    [update, ...Object.entries(lines).map(([type, rest]) => [code(type), ...rest])],
  )

/** The pages of `docs` with the table, and their current content. */
export function pagesWithMessages(): Pages {
  const pages: Pages = {}
  for (const found of globSync('docs/**/*.md', { cwd: home }).sort()) {
    const path = found.replaceAll('\\', '/')
    const text = readFileSync(join(home, path), 'utf8')
    const filled = text.replace(included, (_, start: string, end: string) => `${start}\n${messageTable()}\n\n${end}`)
    if (text.includes('<!-- messages -->')) pages[path] = filled
  }
  return pages
}
