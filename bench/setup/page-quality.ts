// Browser measurements of the hosted page on a slow phone and network: paints, layout shifts, interactions.
import type { Page } from 'playwright-core'

/** A slow phone on slow 3G: 400 ms round trip, 400 kbit/s, and a sixth of this machine's speed. */
const slowNetwork = { latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000, offline: false }
const cpuRate = 6

export async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await session.send('Network.emulateNetworkConditions', slowNetwork)
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuRate })
}

/** Times are milliseconds since the navigation started; null if not reached. */
export interface PageQuality {
  firstPaint: number | null
  /** When a letter typed into the first field is drawn. */
  firstCharacter: number | null
  /** First appearance of each heading, in wall-clock milliseconds. */
  headings: Record<string, number>
  /** Cumulative layout shift (CLS) so far. */
  shift: number
  /** The largest single shift, with its screen and element. */
  largestShift: { by: number; what: string }
  /** The longest interaction in milliseconds, with its element. */
  interaction: { ms: number; what: string }
}

/**
 * Script text that runs in the page before its own code. Layout shifts are summed in windows of at most five seconds with gaps
 * below one second, as in CLS; the longest interaction counts, as in INP with fewer than fifty interactions.
 */
const watcher = `
  const seen = window.seen = { firstPaint: null, firstCharacter: null, headings: {}, shift: 0, largestShift: { by: 0, what: '' }, interaction: { ms: 0, what: '' } }
  let windowOf = { sum: 0, from: 0, last: 0 }
  const observe = (type, act, more) => new PerformanceObserver((list) => list.getEntries().forEach(act)).observe({ type, buffered: true, ...more })
  observe('paint', ({ name, startTime }) => { if (name === 'first-contentful-paint') seen.firstPaint = startTime })
  observe('layout-shift', ({ value, startTime, hadRecentInput, sources }) => {
    if (hadRecentInput) return
    if (value > seen.largestShift.by) {
      const [first] = sources.map(({ node, previousRect: was, currentRect: is }) =>
        (node?.className || node?.nodeName) + ' from ' + was.top + ' to ' + is.top + ' (' + node?.textContent.slice(0, 30) + ')')
      seen.largestShift = { by: value, what: (document.querySelector('h1')?.textContent ?? '') + ': ' + first }
    }
    if (startTime - windowOf.last > 1000 || startTime - windowOf.from > 5000) windowOf = { sum: 0, from: startTime, last: startTime }
    windowOf.sum += value
    windowOf.last = startTime
    seen.shift = Math.max(seen.shift, windowOf.sum)
  })
  observe('event', ({ interactionId, duration, name, target }) => {
    if (interactionId && duration > seen.interaction.ms)
      seen.interaction = { ms: duration, what: name + ' ' + (target?.id || target?.textContent?.slice(0, 30) || 'of what is gone') + ', then ' + document.querySelector('h1')?.textContent }
  }, { durationThreshold: 16 })
  addEventListener('input', () => requestAnimationFrame(() => setTimeout(() => { seen.firstCharacter ??= performance.now() })), true)
  new MutationObserver(() => {
    for (const { textContent } of document.querySelectorAll('h1')) seen.headings[textContent] ??= Date.now()
  }).observe(document, { childList: true, subtree: true, characterData: true })
`

export const installWatcher = (page: Page): Promise<unknown> => page.addInitScript(watcher)

export const readQuality = (page: Page): Promise<PageQuality> => page.evaluate('window.seen')
