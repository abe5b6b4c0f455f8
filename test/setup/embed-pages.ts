// The hosted page for the tests of a file: its programs, the pages that are opened and closed again, and who can use them.
import assert from 'node:assert/strict'
import { afterEach, before } from 'node:test'
import type { EmbedView } from '#contract/hosted/embed.ts'
import { assertAccessible } from './accessibility.ts'
import { type EmbedContext, type OpenHostedPage, startEmbedContext } from './embed-page.ts'
import { atProcessEnd } from './process-end.ts'

export interface EmbedPages {
  /** The platform behind the page, which plays what it is told. */
  readonly platform: EmbedContext['platform']
  /** Lets the host show another page at this path. */
  host(path: string, html: string): void
  /** Shows this view to whoever comes, and comes. */
  open(view: EmbedView, options?: Parameters<EmbedContext['open']>[0]): Promise<OpenHostedPage>
}

let shared: Promise<EmbedContext> | undefined
atProcessEnd(async () => (await shared)?.close())

/** After each test its pages are closed; none may have complained, unless `mayComplain`. */
export function embedPages({ mayComplain = false } = {}): EmbedPages {
  let ctx: EmbedContext
  before(async () => {
    // One for all files of this process: to build the page and to start a browser takes longer than many tests.
    shared ??= startEmbedContext()
    ctx = await shared
  })

  let opened: OpenHostedPage[] = []
  afterEach(async () => {
    const complaints = opened.flatMap((each) => each.complaints)
    // The pages that a page has opened are among those of its window.
    for (const page of new Set(opened.flatMap((each) => each.page.context().pages()))) await page.close()
    opened = []
    if (!mayComplain) assert.deepEqual(complaints, [], 'no breach of the policy, no error')
  })
  return {
    get platform() {
      return ctx.platform
    },
    host: (path, html) => void ctx.hostPages.set(path, html),
    async open(view, options = {}) {
      ctx.platform.reset()
      ctx.platform.show(view)
      const one = await ctx.open(options)
      opened.push(one)
      return one
    },
  }
}

/** WCAG 2.2 AA, or the rules that are named. */
export const assertFrameAccessible = (
  { page }: OpenHostedPage,
  what: string,
  rules?: readonly string[],
): Promise<void> => assertAccessible(page, what, { within: 'iframe', rules })
