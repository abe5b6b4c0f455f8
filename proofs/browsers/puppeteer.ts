// Chromium and Firefox, by WebDriver BiDi or the protocol of Chromium's developer tools.
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromiumProgram } from '@lendloom/tests/setup/browser'
import { type Browser, launch, type Page } from 'puppeteer-core'
import { until } from '../setup/until.ts'
import type { Driver } from './driver.ts'

const firefoxPath = '/usr/bin/firefox-esr'

export const missingFirefox = (): string | null =>
  existsSync(firefoxPath) ? null : `${firefoxPath} is missing: apt-get install firefox-esr`

export const startChromium = async (): Promise<Driver> =>
  driverOf(await launch({ ...(await chromiumProgram()), browser: 'chrome', headless: true }))

export const startFirefox = async (): Promise<Driver> =>
  driverOf(await launch({ browser: 'firefox', executablePath: firefoxPath, headless: true }))

async function driverOf(browser: Browser): Promise<Driver> {
  const first = (await browser.pages())[0] ?? (await browser.newPage())
  const errors: string[] = []
  let page = watch(first)

  function watch(next: Page): Page {
    // Chromium also logs each refusal, such as that of a session before the user has signed in.
    next.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        errors.push(message.text())
    })
    next.on('pageerror', (error) => errors.push(String(error)))
    return next
  }

  async function frame() {
    await until(() => page.frames().length > 1, 'the page has a frame')
    return page.mainFrame().childFrames()[0] ?? page.mainFrame()
  }

  return {
    name: (await browser.version())
      .replace(/^\w*?(Chrom\w*|Firefox)\//i, '$1 ')
      .replace(/^./, (initial) => initial.toUpperCase()),
    open: async (url) => void (await page.goto(url)),
    resize: (width, height) => page.setViewport({ width, height }),
    evaluate: async (expression, isInFrame) => String(await (isInFrame ? await frame() : page).evaluate(expression)),
    press: (x, y) => page.mouse.click(x, y),
    type: (text) => page.keyboard.type(text),
    async enterPopup() {
      await until(async () => (await browser.pages()).length > 1, 'a window opens')
      const popup = (await browser.pages()).find((each) => each !== first)
      if (popup) page = watch(popup)
    },
    async leavePopup() {
      if (page !== first) await page.close().catch(() => {})
      page = first
      await page.bringToFront()
      await sleep(100)
    },
    picture: async () => Buffer.from(await page.screenshot()),
    takeErrors: async () => errors.splice(0),
    quit: () => browser.close(),
  }
}
