// Quality of the hosted page on a slow phone with slow 3G: first field, offers, layout shifts, interactions, taps.

import { application, newApplicant, openSession, type SessionRequest } from '@lendloom/tests/setup/borrower'
import { launchBrowser } from '@lendloom/tests/setup/browser'
import type { Browser } from 'playwright-core'
import { type Installation, startInstallation } from '../proofs/setup/installation.ts'
import { option } from './setup/api.ts'
import { percentile } from './setup/figures.ts'
import { type PageQuality, readQuality } from './setup/page-quality.ts'
import { newPhone, typeFirstCharacter, walkToDisbursal, walkToOffers } from './setup/page-walk.ts'

export const about = `The hosted page in Chromium with a sixth of the processor, 400 ms to the server and 400 kbit/s, nothing cached
Goals: first paint within 0.7 s of the navigation; the first field accepts a letter within 1.2 s; offers appear within 1.5 s
of the last lender's answer; layout shift at most 0.02 on the first screen and 0.05 over a whole journey; no interaction takes longer
than 100 ms; a whole personal loan takes at most 25 taps, including fields and lenders' pages, for a borrower whose profile
the app has prefilled (D1 §2.3).
The journey uses a real platform, workers and lenders. Chromium throttles network and processor, without TLS and TCP slow
start; a busy machine worsens every figure except shifts and taps.
Options: --loads <n> (7) of the first screen, --journeys <n> (3). Prints the median and the quartiles of each figure.`

const goals = {
  firstPaint: 700,
  firstCharacter: 1200,
  firstShift: 0.02,
  offers: 1500,
  shift: 0.05,
  interaction: 100,
  taps: 25,
}
type Figure = keyof typeof goals

const names: Record<Figure, [what: string, unit: string, decimals: number]> = {
  firstPaint: ['first paint', 'ms', 0],
  firstCharacter: ['first field accepts a letter', 'ms', 0],
  firstShift: ['layout shift of the first screen', '', 3],
  offers: ['offers after the last answer', 'ms', 0],
  shift: ['layout shift of a whole journey', '', 3],
  interaction: ['longest interaction of a journey', 'ms', 0],
  taps: ['taps of a whole journey', '', 0],
}

export async function run(args: string[]): Promise<void> {
  const loads = option(args, 'loads', 7)
  const journeys = option(args, 'journeys', 3)
  const figures: Record<Figure, number[]> = {
    firstPaint: [],
    firstCharacter: [],
    firstShift: [],
    offers: [],
    shift: [],
    interaction: [],
    taps: [],
  }
  const installation = await startInstallation({ each: 1, env: { SANDBOX_DISBURSAL_SECONDS: '1' } })
  const browser = await launchBrowser()
  try {
    // The first run of each loop is a warm-up.
    for (let i = 0; i <= loads; i++) {
      const { firstPaint, firstCharacter, shift } = await firstScreen(browser, installation)
      if (i > 0) add(figures, { firstPaint, firstCharacter, firstShift: shift })
    }
    for (let i = 0; i <= journeys; i++) {
      const { offers, quality, taps } = await personalLoan(browser, installation)
      console.log(`journey ${i}: longest interaction ${quality.interaction.ms} ms with ${quality.interaction.what}`)
      console.log(
        `journey ${i}: largest layout shift ${quality.largestShift.by.toFixed(3)} at ${quality.largestShift.what}`,
      )
      if (i > 0) add(figures, { offers, shift: quality.shift, interaction: quality.interaction.ms, taps })
    }
  } finally {
    await browser.close()
    await installation.stop()
  }
  print(figures)
}

function add(figures: Record<Figure, number[]>, values: Partial<Record<Figure, number | null>>): void {
  for (const [name, value] of Object.entries(values)) figures[name as Figure].push(value ?? Number.NaN)
}

function print(figures: Record<Figure, number[]>): void {
  let missed = 0
  for (const [name, [what, unit, decimals]] of Object.entries(names) as [Figure, (typeof names)[Figure]][]) {
    const [low, median, high] = [0.25, 0.5, 0.75].map((share) => percentile(figures[name], share).toFixed(decimals))
    const isMet = percentile(figures[name], 0.5) <= goals[name]
    if (!isMet) missed++
    console.log(
      `${what.padEnd(34)}${median} ${unit} (${low} to ${high}, n ${figures[name].length}), goal ${goals[name]}: ${isMet ? 'met' : 'MISSED'}`,
    )
  }
  if (missed > 0) process.exitCode = 1
}

/** Opens a session for a new borrower with these known details and returns the page's link. */
async function linkFor({ platformUrl, tenant }: Installation, known: Partial<SessionRequest> = {}): Promise<string> {
  const { status, body } = await openSession(platformUrl, tenant, newApplicant(known))
  if (status !== 201) throw new Error(`no session: ${JSON.stringify(body)}`)
  return body.embedUrl
}

async function firstScreen(browser: Browser, installation: Installation): Promise<PageQuality> {
  const url = await linkFor(installation)
  const phone = await newPhone(browser)
  try {
    return await typeFirstCharacter(phone, url)
  } finally {
    await phone.stop()
  }
}

async function personalLoan(browser: Browser, installation: Installation) {
  const { profile, workProfile, address } = application()
  const url = await linkFor(installation, { profile: { ...newApplicant().profile, ...profile }, workProfile, address })
  const phone = await newPhone(browser)
  try {
    await walkToOffers(phone, url)
    const { headings } = await readQuality(phone.page)
    const shownAt = Object.entries(headings).find(([text]) => text.startsWith('You have'))?.[1]
    // The last update of the journey before the borrower's choice: the search closed after the last lender's answer.
    const [last] = await installation.db<{
      at: Date
    }>`select updated_at as at from journey order by created_at desc limit 1`
    await walkToDisbursal(phone)
    const quality = await readQuality(phone.page)
    return { offers: Number(shownAt) - Number(last?.at), quality, taps: phone.taps }
  } finally {
    await phone.stop()
  }
}
