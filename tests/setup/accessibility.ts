// Checks a page and its frames with axe for violations of WCAG 2.2 AA.
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

export interface Scope {
  /** Selector of the element to check; by default the whole page. */
  within?: string
  /** Only these rules, or every axe rule including best practices; by default WCAG 2.2 AA. */
  rules?: readonly string[] | 'every'
  /** Leaves out child frames. Axe would wait for frames that run no scripts without end. */
  isWithoutFrames?: boolean
}

/** Fails when axe finds a barrier. Unlike `@axe-core/playwright`, does not inject axe again at every call. */
export async function assertAccessible(
  page: Page,
  where: string,
  { within: childFrame, rules, isWithoutFrames = false }: Scope = {},
): Promise<void> {
  const runOnly = Array.isArray(rules) ? { type: 'rule', values: rules } : { type: 'tag', values: wcag }
  const options = JSON.stringify({
    resultTypes: ['violations'],
    iframes: !isWithoutFrames,
    ...(rules !== 'every' && { runOnly }),
  })
  const context = JSON.stringify(childFrame ? { include: [childFrame] } : { exclude: [] })
  const frames =
    page.frames().length > 1 && !isWithoutFrames
      ? await checkFrame(page.mainFrame(), context, options)
      : await injectAxe(page.mainFrame())
  const barriers = await page.evaluate(
    async ([frames, context, options]) => {
      const report = frames
        ? window.axe.finishRun(JSON.parse(frames), JSON.parse(options))
        : // With a single frame, passed checks need not be reported.
          window.axe.run(JSON.parse(context), { ...JSON.parse(options), reporter: 'no-passes' })
      const { violations } = await report
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    },
    [frames ? `[${frames.join()}]` : '', context, options] as const,
  )
  assert.deepEqual(barriers, [], where)
}

/** Injects axe into a document that does not have it. */
async function injectAxe(frame: Frame): Promise<void> {
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(source)
}

/** Returns axe's findings in a frame and its child frames, as JSON. */
async function checkFrame(frame: Frame, context: string, options: string): Promise<string[]> {
  await injectAxe(frame)
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
    const frameElement = await frame.evaluateHandle(
      (selector) => window.axe.utils.shadowSelect(selector),
      frameSelector,
    )
    const within = await frameElement.asElement()?.contentFrame()
    results.push(...(within ? await checkFrame(within, frameContext, options) : ['null']))
  }
  return results
}
