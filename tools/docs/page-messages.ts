// Puts the table of the hosted page's messages into the guides that show it, between two comments.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ControlMessage } from '@lendloom/wire/hosted/embed-message'
import { code, type Pages, table } from './markdown.ts'

const home = join(import.meta.dirname, '..', '..')
const included = /(<!-- messages -->\n)[\s\S]*?(<!-- end -->)/g

/** The page's messages, and the reaction of an app around its web view; a missing message does not compile. */
const lines: Record<ControlMessage['type'], [fields: string, meaning: string, act: string]> = {
  'lab.ready': ['', 'the page works', 'hide your progress indicator'],
  'lab.resize': ['height', 'height of the page; in a frame only', 'nothing: a web view scrolls'],
  'lab.scroll': ['top', 'top of a new screen; in a frame only', 'nothing: the page scrolls itself'],
  'lab.session_expired': [
    '',
    'the link or the session has ended',
    'request a new `embedUrl` from your server and load it, but not twice while it loads',
  ],
  'lab.error': [
    'code, retryable',
    'a request failed, and the page offers a retry: `OFFLINE`, `BUSY`',
    'nothing, or log it',
  ],
  'lab.open': ['url', 'a page of the lender', 'open it in a browser tab of the system, never in the web view'],
  'lab.exit': ['', 'the borrower has finished or wants to leave', 'close the screen'],
}

const update = [
  '(no `type`; has `borrower.journey.status`)',
  'a lifecycle update (D1 §2.4)',
  'refresh your screen, but rely on the webhook that your server receives',
]

const messageTable = (): string =>
  table(
    ['Message', 'Meaning', 'What your app does'],
    [
      update,
      ...Object.entries(lines).map(([type, [fields, ...rest]]) => [
        code(fields ? `${type} {${fields}}` : type),
        ...rest,
      ]),
    ],
  )

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
