// The hosted page for a test file: shared programs, and pages that are closed after each test.
import assert from 'node:assert/strict'
import { afterEach, before } from 'node:test'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { assertAccessible } from './accessibility.ts'
import { type EmbedContext, type OpenHostedPage, startEmbedContext } from './embed-page.ts'
import { atProcessEnd } from './process-end.ts'

export interface EmbedPages {
  /** The scripted platform behind the page. */
  readonly platform: EmbedContext['platform']
  /** Serves another host page at this path. */
  host(path: string, html: string): void
  open(view: EmbedView, options?: Parameters<EmbedContext['open']>[0]): Promise<OpenHostedPage>
}

let shared: Promise<EmbedContext> | undefined
atProcessEnd(async () => (await shared)?.close())

/** Closes each test's pages and fails if one reported an error, unless `allowsErrors`. */
export function embedPages({ allowsErrors = false } = {}): EmbedPages {
  let ctx: EmbedContext
  before(async () => {
    // Shared by all files of this process, because starting the browser takes longer than many tests.
    shared ??= startEmbedContext()
    ctx = await shared
  })

  let opened: OpenHostedPage[] = []
  afterEach(async () => {
    const complaints = opened.flatMap((each) => each.complaints)
    const contexts = [...new Set(opened.map(({ page }) => page.context()))]
    // A page that is closed saves its draft, which the next test would take for its own.
    ctx.platform.endSession()
    // The context also contains pages that the page has opened.
    for (const page of contexts.flatMap((context) => context.pages())) await page.close()
    opened = []
    if (!allowsErrors) assert.deepEqual(complaints, [], 'the page must report no error')
  })
  return {
    get platform() {
      return ctx.platform
    },
    host: (path, html) => void ctx.hostPages.set(path, html),
    async open(view, options = {}) {
      ctx.platform.reset()
      ctx.platform.show(view)
      const hostedPage = await ctx.open(options)
      opened.push(hostedPage)
      return hostedPage
    },
  }
}

/** Checks the frame by WCAG 2.2 AA, or by these rules. */
export const assertFrameAccessible = (
  { page }: OpenHostedPage,
  what: string,
  rules?: readonly string[],
): Promise<void> => assertAccessible(page, what, { within: 'iframe', rules })
