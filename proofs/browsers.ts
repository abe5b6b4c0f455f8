// Chromium, Firefox and WebKit carry a loan of each product to the money, and the stories of console and desk.
import { join } from 'node:path'
import { buildPages } from './api/pages.ts'
import { type Driver, personAt } from './browsers/driver.ts'
import { type LocalInstallation, startPlace } from './browsers/place.ts'
import { missingFirefox, startChromium, startFirefox } from './browsers/puppeteer.ts'
import { type Picture, writeReport } from './browsers/report.ts'
import { type Story, stories } from './browsers/stories.ts'
import { missingWebKit, startWebKit } from './browsers/webkit.ts'
import type { Outcome } from './main.ts'
import { type Checks, checks, wordsOf } from './setup/checks.ts'

export const about = `Chromium, Firefox and WebKit carry a loan of each product to the money, and the stories of console and desk
Runs Lendloom as npm start does, and the same steps in each engine: by mouse and keyboard, in the demo, in an app on
localhost, console, desk and mailbox. Writes pictures of the steps and one page that shows the engines beside each other.
Options: --out <folder> (dist/browsers); --engine <name> and --story <word> limit it, for example --engine firefox --story gold.`

const engines = { chromium: startChromium, firefox: startFirefox, webkit: startWebKit }

export const missing = (): string | null =>
  [missingFirefox(), missingWebKit()].filter((each) => each !== null).join('; ') || null

export async function run(args: string[]): Promise<Outcome> {
  const option = (name: string) => args.find((_, i) => args[i - 1] === `--${name}`)
  const chosen = stories.filter(({ title }) => title.toLowerCase().includes(option('story')?.toLowerCase() ?? ''))
  const names = Object.entries(engines).filter(([name]) => name.includes(option('engine') ?? ''))
  const all = checks()
  const pictures: Picture[] = []
  const versions: string[] = []
  buildPages()
  const place = await startPlace()
  try {
    for (const [, start] of names) {
      const driver = await start()
      versions.push(driver.name)
      try {
        for (const story of chosen) await tell(story, { driver, place, all, pictures })
      } finally {
        await driver.quit()
      }
    }
  } finally {
    await place.stop()
  }
  const report = writeReport(option('out') ?? join('dist', 'browsers'), versions, pictures)
  return {
    passed: all.failed.length === 0 && all.total > 0,
    figures: `${chosen.length} stories in ${versions.join(', ')}; ${pictures.length} pictures, see ${report}; ${wordsOf(all)}`,
  }
}

interface Telling {
  driver: Driver
  place: LocalInstallation
  all: Checks
  pictures: Picture[]
}

/** Runs one story in one engine. A story that fails leaves a picture of where it stopped. */
async function tell({ title, tell }: Story, { driver, place, all, pictures }: Telling): Promise<void> {
  const engine = driver.name
  const show = async (caption: string): Promise<void> => {
    pictures.push({ story: title, caption, engine, png: await driver.picture() })
  }
  const note: Checks['note'] = (claim, holds, what) => all.note(`${engine}: ${claim}`, holds, what)
  const startedAt = performance.now()
  const failure = await tell({
    driver,
    place,
    show,
    note,
    staff: personAt(driver, false),
    borrower: personAt(driver, true),
  }).then(
    () => null,
    async (error: unknown) => {
      await show('Where it stopped')
      return error
    },
  )
  note(title, failure === null, failure ?? `${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
  const errors = await driver.takeErrors()
  note(
    `${title}: the browser reports no error`,
    errors.length === 0,
    errors.length === 0 ? undefined : errors.join('; '),
  )
}
