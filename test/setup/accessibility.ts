// What keeps people from using a page, as axe finds it: by the rules of WCAG 2.2 AA, in the page and in its frames.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Frame, Page } from 'playwright-core'

declare const window: {
  axe: Pick<typeof axe, 'utils' | 'runPartial' | 'finishRun'> & {
    run(context: axe.ElementContext, options: axe.RunOptions): Promise<axe.AxeResults>
  }
}

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** WCAG 2.2, levels A and AA. */
const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

interface Scope {
  /** A selector of the element that is judged, with what it holds; the whole page unless there is one. */
  within?: string
  /** These rules alone, or every rule that axe has, best practice too; those of WCAG 2.2 AA otherwise. */
  rules?: readonly string[] | 'every'
}

/**
 * Fails when axe finds a barrier in what is shown.
 * The library `@axe-core/playwright` does the same by the same steps, but gives axe to each frame, and to a page of
 * its own, at every call: most of what the browser tests cost was that.
 */
export async function assertAccessible(page: Page, where: string, { within, rules }: Scope = {}): Promise<void> {
  const runOnly = Array.isArray(rules) ? { type: 'rule', values: rules } : { type: 'tag', values: wcag }
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules !== 'every' && { runOnly }) })
  const context = JSON.stringify(within ? { include: [within] } : { exclude: [] })
  const frames =
    page.frames().length > 1 ? await judge(page.mainFrame(), context, options) : await giveAxe(page.mainFrame())
  const barriers = await page.evaluate(
    async ([frames, context, options]) => {
      const found = frames
        ? window.axe.finishRun(JSON.parse(frames), JSON.parse(options))
        : // Where nothing has to be put together, what is in order need not be written out.
          window.axe.run(JSON.parse(context), { ...JSON.parse(options), reporter: 'no-passes' })
      const { violations } = await found
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    },
    [frames ? `[${frames.join()}]` : '', context, options] as const,
  )
  assert.deepEqual(barriers, [], where)
}

/** Lets a document have axe, unless it has it. */
async function giveAxe(frame: Frame): Promise<void> {
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(source)
}

/** Gives what axe has found in a frame and in those within it, as JSON. */
async function judge(frame: Frame, context: string, options: string): Promise<string[]> {
  await giveAxe(frame)
  const { result, inner } = await frame.evaluate(
    async ([context, options]) => {
      const parameters = [JSON.parse(context!), JSON.parse(options!)] as const
      const inner = window.axe.utils.getFrameContexts(...parameters)
      const result = JSON.stringify(await window.axe.runPartial(...parameters))
      return { result, inner: inner.map((each) => ({ ...each, frameContext: JSON.stringify(each.frameContext) })) }
    },
    [context, options],
  )
  const results = [result]
  for (const { frameSelector, frameContext } of inner) {
    const found = await frame.evaluateHandle((selector) => window.axe.utils.shadowSelect(selector), frameSelector)
    const within = await found.asElement()?.contentFrame()
    results.push(...(within ? await judge(within, frameContext, options) : ['null']))
  }
  return results
}
