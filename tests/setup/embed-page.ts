// The hosted page in a real browser, embedded in a host page on another site.

import type { Language } from '@lendloom/lending/language'
import type { BrowserContext, FrameLocator, Page } from 'playwright-core'
import { openContext, sharedBrowser } from './browser.ts'
import { type EmbedPlatform, linkToken, startEmbedPlatform, startHost } from './embed-platform.ts'
import { pagesDirectory } from './pages.ts'
import { until } from './programs.ts'

/** A message as the host's window received it. */
interface PageMessage {
  type?: string
  borrower?: { journey: { status: string } }
  [key: string]: unknown
}

export interface OpenHostedPage {
  page: Page
  /** The embedded hosted page. */
  frame: FrameLocator
  /** Returns all messages that the host has received. */
  messages(): Promise<PageMessage[]>
  /** Errors that the browser reported: policy violations and script errors. */
  complaints: string[]
  /** Makes the page poll its journey, as it does when it becomes visible again. */
  pollAgain(): Promise<void>
}

export interface EmbedContext {
  platform: EmbedPlatform
  hostUrl: string
  /** HTML of further host pages, by path. */
  hostPages: Map<string, string>
  /** Opens a host page in which the SDK has mounted the hosted page. */
  open(options?: { language?: Language; token?: string; host?: string; width?: number }): Promise<OpenHostedPage>
  close(): Promise<void>
}

const hostPage = (address: string) => `<!doctype html><html lang="en"><title>Host</title><h1>The app</h1>
<div id="here"></div><script>window.messages = []; addEventListener('message', ({ data }) => window.messages.push(data))</script>
<script src="${address}/sdk/lendloom.js"></script>
<script>
  const url = new URLSearchParams(location.search).get('embed')
  window.updates = []
  window.mounted = Lendloom.mountLendloom({
    container: document.getElementById('here'), embedUrl: url, onUpdate: (update) => window.updates.push(update),
  })
</script>`

/** Starts a scripted platform, a host and a browser. */
export async function startEmbedContext(): Promise<EmbedContext> {
  let address = ''
  const hostPages = new Map<string, string>()
  const host = await startHost((path) => hostPages.get(path) ?? hostPage(address))
  const platform = await startEmbedPlatform(pagesDirectory, [host.url])
  address = platform.url
  // Tests share one browser context per width: the hosted page stores nothing, and a new context would double the cost of
  // opening a page.
  const contexts = new Map<number, Promise<BrowserContext>>()
  async function contextFor(width: number): Promise<BrowserContext> {
    const opened = contexts.get(width) ?? newContext(width)
    contexts.set(width, opened)
    return opened
  }
  const newContext = async (width: number) =>
    openContext(await sharedBrowser(), { viewport: { width, height: 844 }, locale: 'en-IN' })

  async function open(
    { language = 'en', host: from = host.url, width = 390, ...rest } = {} as OpenOptions,
  ): Promise<OpenHostedPage> {
    const page = await (await contextFor(width)).newPage()
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      // The browser also logs refusals that a test has scripted.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        complaints.push(message.text())
    })
    const embed = new URL(`${address}/lab/embed?lang=${language}`)
    if (rest.token !== '') embed.hash = `token=${rest.token ?? linkToken}`
    await page.goto(`${from}/?embed=${encodeURIComponent(embed.href)}`)
    const frame = page.frameLocator('iframe')
    return {
      page,
      frame,
      complaints,
      messages: () => page.evaluate(() => (globalThis as unknown as { messages: PageMessage[] }).messages),
      pollAgain: async () => {
        const frame = page.frames().find((each) => each.url().startsWith(address))!
        const { length } = platform.polls
        // The page ignores the event while a poll is pending, and the answer to that poll may be outdated.
        await until('the page polls again', async () => {
          // If the session has ended, the host may already have replaced the page.
          await frame.evaluate('void dispatchEvent(new Event("pageshow"))').catch((error: Error) => {
            if (!frame.isDetached()) throw error
          })
          return frame.isDetached() || platform.polls.length > length
        })
      },
    }
  }
  return {
    platform,
    hostUrl: host.url,
    hostPages,
    open,
    async close() {
      await Promise.all([platform.stop(), host.stop()])
    },
  }
}

type OpenOptions = NonNullable<Parameters<EmbedContext['open']>[0]>
