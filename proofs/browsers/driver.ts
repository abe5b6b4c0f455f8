// The interface of the proof to a browser, and how a person finds, presses and fills what a page shows.
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../setup/until.ts'

/** One window of a browser. Points are in CSS pixels from the upper left corner of its page. */
export interface Driver {
  /** Name and version, such as `Firefox 153.0`. */
  readonly name: string
  open(url: string): Promise<void>
  resize(width: number, height: number): Promise<void>
  /** Evaluates an expression that returns a JSON text or a promise of one: in the page, or in its first frame. */
  evaluate(expression: string, isInFrame: boolean): Promise<string>
  press(x: number, y: number): Promise<void>
  type(text: string): Promise<void>
  /** Waits for a window that the page has opened, and continues in it. */
  enterPopup(): Promise<void>
  /** Closes that window and continues in the first one. */
  leavePopup(): Promise<void>
  /** A PNG of what the window shows. */
  picture(): Promise<Buffer>
  /** What the browser has reported since the last call: errors of scripts, and violations of policies. */
  takeErrors(): Promise<string[]>
  quit(): Promise<void>
}

/** A visible element by its selector and, optionally, its accessible name or text. */
export type Target = string | { css: string; text: RegExp }

const patienceMs = 60_000

/** Finds the first visible element, and scrolls to it. Returns its middle, or null if it is absent or covered. */
const locate = `(css, source, flags) => {
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0
  const nameOf = (element) => (element.getAttribute('aria-label') ?? element.innerText ?? '').trim()
  const element = [...document.querySelectorAll(css)].find((each) =>
    isShown(each) && (source === null || new RegExp(source, flags).test(nameOf(each))))
  if (!element) return null
  element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' })
  const { left, top, width, height } = element.getBoundingClientRect()
  const [x, y] = [left + width / 2, top + height / 2]
  const hit = document.elementFromPoint(x, y)
  const isCovered = !hit || !(element.contains(hit) || hit.contains(element) || hit.closest('label')?.contains(element))
  return { x, y, isCovered, value: String(element.value ?? ''), isChecked: element.checked === true }
}`

interface FoundElement {
  x: number
  y: number
  isCovered: boolean
  value: string
  isChecked: boolean
}

const argumentsOf = (target: Target): string => {
  const { css, text } = typeof target === 'string' ? { css: target, text: null } : target
  return [css, text?.source ?? null, text?.flags ?? ''].map((each) => JSON.stringify(each)).join(', ')
}

export type Person = ReturnType<typeof personAt>

/** A person who uses the page, or its first frame. */
export function personAt(driver: Driver, isInFrame: boolean) {
  async function look(target: Target): Promise<FoundElement | null> {
    // A page that is just being replaced has no context to evaluate in.
    const found = await driver
      .evaluate(`JSON.stringify((${locate})(${argumentsOf(target)}))`, isInFrame)
      .catch(() => 'null')
    return JSON.parse(found)
  }

  async function find(target: Target, holds: (found: FoundElement) => boolean = () => true): Promise<FoundElement> {
    for (const deadline = Date.now() + patienceMs; ; await sleep(100)) {
      const found = await look(target)
      if (found && holds(found)) return found
      if (Date.now() > deadline) throw new Error(`${driver.name} does not show ${argumentsOf(target)}`)
    }
  }

  async function press(target: Target): Promise<void> {
    await find(target, ({ isCovered }) => !isCovered)
    // Scrolling may have moved the frame, and a resized frame moves its content.
    await sleep(150)
    const { x, y } = await find(target, ({ isCovered }) => !isCovered)
    const offset = isInFrame ? await frameOffset() : { x: 0, y: 0 }
    await driver.press(offset.x + x, offset.y + y)
  }

  const frameOffset = async (): Promise<{ x: number; y: number }> =>
    JSON.parse(await driver.evaluate(`JSON.stringify(document.querySelector('iframe').getBoundingClientRect())`, false))

  return {
    look,
    find,
    press,
    /** Waits until the page no longer shows the element. */
    async leave(target: Target): Promise<void> {
      await until(async () => (await look(target)) === null, `${argumentsOf(target)} has gone`)
    },
    async fill(css: string, text: string): Promise<void> {
      await press(css)
      await driver.evaluate(`String(document.querySelector(${JSON.stringify(css)}).select())`, isInFrame)
      await driver.type(text)
      await find(css, ({ value }) => value.toLowerCase() === text.toLowerCase())
    },
    /** Chooses an option as the page sees it; a list of options is a window of the system, which no driver reaches. */
    async choose(css: string, value: string): Promise<void> {
      await find(css)
      const setter = `((field) => { field.value = ${JSON.stringify(value)}; field.dispatchEvent(new Event('change', { bubbles: true })) })`
      await driver.evaluate(`String(${setter}(document.querySelector(${JSON.stringify(css)})))`, isInFrame)
      await find(css, (found) => found.value === value)
    },
    async check(css: string): Promise<void> {
      await press(css)
      await find(css, ({ isChecked }) => isChecked)
    },
  }
}
