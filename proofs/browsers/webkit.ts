// WebKit, by WebDriver: Debian's MiniBrowser of WebKitGTK on a virtual screen.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@lendloom/tests/setup/platform'
import { Builder, Capabilities, Origin, type WebDriver } from 'selenium-webdriver'
import { atEnd } from '../../bench/setup/at-end.ts'
import { until } from '../setup/until.ts'
import type { Driver } from './driver.ts'
import { type Screen, screenPath, startScreen } from './screen.ts'

const driverPath = '/usr/bin/WebKitWebDriver'
const browserPath = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser'

export const missingWebKit = (): string | null =>
  [screenPath, driverPath, browserPath].every((path) => existsSync(path))
    ? null
    : `${[screenPath, driverPath, browserPath].filter((path) => !existsSync(path)).join(' and ')} are missing: apt-get install webkit2gtk-driver xvfb`

/** Errors that the page reports after it has been opened; WebDriver has no log. */
const watch = `(() => {
  const errors = (window.provenErrors = [])
  addEventListener('error', ({ message }) => errors.push(message))
  addEventListener('unhandledrejection', ({ reason }) => errors.push(String(reason)))
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => errors.push(violatedDirective + ' ' + blockedURI))
})()`

export async function startWebKit(): Promise<Driver> {
  const screen = await startScreen()
  const port = await freePort()
  const env = { DISPLAY: screen.display, LIBGL_ALWAYS_SOFTWARE: '1', WEBKIT_DISABLE_COMPOSITING_MODE: '1' }
  const server = spawn(driverPath, [`--port=${port}`], { env: { ...process.env, ...env }, stdio: 'ignore' })
  const stopServer = atEnd(() => server.kill())
  const url = `http://127.0.0.1:${port}`
  await until(
    () =>
      fetch(`${url}/status`).then(
        (answer) => answer.ok,
        () => false,
      ),
    'the driver of WebKit answers',
  )
  const browserOptions = { binary: browserPath, args: ['--automation'] }
  const capabilities = new Capabilities({ browserName: 'MiniBrowser', 'webkitgtk:browserOptions': browserOptions })
  const driver = await driverOf(await new Builder().usingServer(url).withCapabilities(capabilities).build(), screen)
  // The proof ends only when these programs have ended.
  const quit = async () => {
    await driver.quit()
    stopServer()
    screen.close()
  }
  return { ...driver, quit }
}

async function driverOf(driver: WebDriver, screen: Screen): Promise<Driver> {
  const [first = ''] = await driver.getAllWindowHandles()
  const evaluate = async (expression: string): Promise<string> =>
    String(await driver.executeScript(`return ${expression}`))
  const agent = await evaluate('navigator.userAgent')
  return {
    name: `WebKit ${/AppleWebKit\/([\d.]+).*Version\/([\d.]+)/.exec(agent)?.slice(1).join(', Safari ') ?? agent}`,
    async open(url) {
      await driver.get(url)
      await driver.executeScript(watch)
    },
    async resize(width, height) {
      const window = driver.manage().window()
      await window.setRect({ width, height, x: 0, y: 0 })
      // Its bars take a part of the window.
      const inner = JSON.parse(await evaluate('JSON.stringify([innerWidth, innerHeight])'))
      await window.setRect({ width: 2 * width - inner[0], height: 2 * height - inner[1], x: 0, y: 0 })
    },
    async evaluate(expression, isInFrame) {
      if (!isInFrame) return evaluate(expression)
      await driver.switchTo().frame(0)
      try {
        return await evaluate(expression)
      } finally {
        await driver.switchTo().defaultContent()
      }
    },
    press: (x, y) =>
      driver
        .actions()
        .move({ x: Math.round(x), y: Math.round(y), origin: Origin.VIEWPORT, duration: 0 })
        .click()
        .perform(),
    type: (text) => driver.actions().sendKeys(text).perform(),
    async enterPopup() {
      await until(async () => (await driver.getAllWindowHandles()).length > 1, 'a window opens')
      const popup = (await driver.getAllWindowHandles()).find((handle) => handle !== first)
      await driver.switchTo().window(popup ?? first)
    },
    async leavePopup() {
      for (const handle of await driver.getAllWindowHandles()) {
        if (handle === first) continue
        await driver.switchTo().window(handle)
        await driver.close()
      }
      await driver.switchTo().window(first)
    },
    // The driver's own pictures never come while a page is animated.
    async picture() {
      await sleep(500)
      const [width, height, above] = JSON.parse(
        await evaluate('JSON.stringify([innerWidth, innerHeight, outerHeight - innerHeight])'),
      )
      return screen.picture({ width, height, above })
    },
    takeErrors: async () => JSON.parse(await evaluate('JSON.stringify((window.provenErrors ?? []).splice(0))')),
    quit: () => driver.quit(),
  }
}
