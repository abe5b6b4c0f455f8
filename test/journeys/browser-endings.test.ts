// Every end without a loan, and every step that fails once, as a borrower sees it in a browser: the words, what to do, and the way back.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EmbedView, Screen } from '#contract/hosted/embed.ts'
import { productIds } from '#contract/product/products.ts'
import { endings, journeysOf } from '#contract/sandbox/journeys.ts'
import { assertAccessible } from '#test/setup/accessibility.ts'
import {
  type Borrower,
  browsing,
  call,
  enter,
  goOn,
  newApplicant,
  type Opening,
  openSession,
  type Plan,
  readView,
  shows,
} from '#test/setup/borrower.ts'
import { openContext, sharedBrowser } from '#test/setup/browser.ts'
import { deadlineMs } from '#test/setup/deadline.ts'
import { mfc } from '#test/setup/funds.ts'
import { ask } from '#test/setup/platform.ts'
import { until } from '#test/setup/programs.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'

const programs = await sharedPrograms()
const browser = await sharedBrowser()
const returnUrl = 'https://app.example/loans'

interface Journey {
  title: string
  digits: string
  person?: Partial<Opening>
  /** Against two mutual funds, which the app's server tells of. */
  funds?: true
  plan?: Plan
  /** What is waited for, and what the borrower then does. */
  until: (view: EmbedView) => boolean
  last?: (borrower: Borrower) => Promise<unknown>
  heading: RegExp
  words: string[]
}

const ended = 'This application has ended'
const owesNothing = 'You did not take a loan and owe nothing.'
const hasFailed = (view: EmbedView): boolean => Object.values(view.steps).some(({ problem }) => problem !== null)
const creditReport = [
  'Your credit report',
  'TransUnion CIBIL',
  'Experian',
  'Equifax',
  'CRIF High Mark',
  'within 30 days',
]
/** Chooses once there is another offer beside the first. */
const whenTwo: Plan = {
  choose: ([offer, other]) =>
    offer && other ? { offer, amount: offer.amountPrincipal, tenureMonths: offer.tenureMonths } : null,
}
/** Against mutual funds: the loan whose every step has a page of its own. */
const ofMeridian: Plan = {
  choose(offers) {
    const offer = offers.find(({ lenderName }) => lenderName === 'Meridian Finance')
    return offer ? { offer, amount: offer.amountPrincipal, tenureMonths: offer.tenureMonths } : null
  },
}
/** The scenarios that end a loan otherwise, and those in which a step is done again. */
const journeys: Journey[] = [
  {
    ...{ title: 'no lender offers, by the credit report', digits: '9002', until: shows('NOT_OFFERED') },
    heading: /No lender made an offer/,
    words: ["Your credit score does not meet this lender's requirement.", ...creditReport],
  },
  {
    ...{ title: 'the lender refuses the amount by the credit report', digits: '9012', until: shows('REJECTED') },
    heading: new RegExp(ended),
    words: [owesNothing, 'What you can do now', 'Your credit report'],
  },
  {
    ...{ title: 'KYC is rejected', digits: '9006', until: shows('REJECTED') },
    heading: new RegExp(ended),
    words: [owesNothing, 'The lender could not verify your identity.', 'the same on your PAN card and your Aadhaar'],
  },
  {
    ...{ title: 'the mandate is rejected', digits: '9009', until: shows('REJECTED') },
    heading: new RegExp(ended),
    words: [owesNothing, 'Ask your bank whether your account allows automatic payments'],
  },
  {
    ...{ title: 'the agreement is not signed', digits: '1234', plan: { declines: ['loan-agreement'] } },
    until: shows('REJECTED'),
    heading: new RegExp(ended),
    words: [owesNothing, 'Nothing binds you without your signature.'],
  },
  {
    ...{ title: 'the borrower does not go on outside the app', digits: '9072', plan: { declines: ['kyc'] } },
    until: shows('REJECTED'),
    heading: new RegExp(ended),
    words: [owesNothing, "The steps on the lender's page were not completed"],
  },
  {
    ...{ title: 'the final offer is declined', digits: '1234', plan: whenTwo, until: shows('FINAL_OFFER') },
    last: (borrower) => call(borrower, 'POST', `/offers/${borrower.view.selected!.offerId}/decline`, {}),
    heading: new RegExp(ended),
    words: ['You declined the final offer.', 'If you change your mind', 'Other offers you had'],
  },
  {
    ...{ title: 'the consent is withdrawn', digits: '1234', until: shows('OFFERS') },
    last: (borrower) => call(borrower, 'POST', '/consents/withdraw', {}),
    heading: new RegExp(ended),
    words: ['You withdrew your consent on', 'If you change your mind'],
  },
  {
    ...{ title: 'the offers lapse', digits: '9011', plan: browsing, until: shows('OFFERS') },
    last: (borrower) =>
      until('the offers lapsed', async () => (await readView(borrower)).screen === 'EXPIRED', 3 * deadlineMs),
    heading: /This application has expired/,
    words: ['yours have expired', 'You can start again in An app today.'],
  },
  {
    ...{ title: 'the gold is not taken in', digits: '9041', person: { journeyType: 'GOLD_LOAN' } },
    until: shows('REJECTED'),
    heading: new RegExp(ended),
    words: ['The branch could not accept the gold', 'Ask the branch what it could not accept.', 'Ask for', 'Call +91'],
  },
  {
    ...{ title: 'no unit is free', digits: '9054', funds: true, until: shows('NOT_OFFERED') },
    heading: /No lender made an offer/,
    words: ['More units, free of any lien or lock-in, can help'],
  },
  {
    ...{ title: 'the lien is rejected', digits: '9052', funds: true, plan: ofMeridian, until: shows('REJECTED') },
    heading: new RegExp(ended),
    words: [owesNothing, 'Why', 'You can pledge only units without a lien or lock-in'],
  },
]
const ofLien = { screen: 'LIEN', funds: true, plan: ofMeridian } as const
const registrars = 'Try again with the mobile number that the registrar has.'
const again: (Omit<Journey, 'until' | 'heading'> & { screen: Screen })[] = [
  { title: 'KYC', digits: '9007', screen: 'KYC', words: ['Try again with good light'] },
  {
    title: 'the account',
    digits: '9008',
    screen: 'BANK',
    words: ['Compare the account number and IFSC with your passbook.'],
  },
  { title: 'the mandate', digits: '9015', screen: 'E_MANDATE', words: ['Try another way'] },
  { title: 'the signature', digits: '9010', screen: 'LOAN_AGREEMENT', words: ['the code arrives there'] },
  { title: 'the lien', digits: '9051', ...ofLien, words: [registrars] },
  { title: 'the lien of one of two funds', digits: '9053', ...ofLien, words: [registrars] },
]

/** The page's address as the app's server gets it. */
async function begun({ person, funds }: Pick<Journey, 'person' | 'funds'>): Promise<string> {
  const { platformUrl, tenant } = programs
  const { profile, ...applicant } = newApplicant({ returnUrl, ...person })
  if (!funds) return (await openSession(platformUrl, tenant, { profile, ...applicant })).body.embedUrl
  const path = `/api/v1/hybrid/lamf/borrowers/${applicant.borrowerProviderID}/journey`
  // Only lenders who decide by the statement: another one would wait for a consent.
  const body = { personal: profile, mfc, returnUrl, loanPreferences: { productType: 'TERM_LOAN' } }
  const reply = await ask(`${platformUrl}${path}`, { method: 'POST', key: tenant.apiKey, body })
  return reply.body.data.embed_url
}

/** Goes as far as the journey says, and opens the page of it as its borrower comes back to it. */
async function arrive({ digits, plan, until: done, last, ...how }: Omit<Journey, 'heading' | 'words'>) {
  const embedUrl = await begun(how)
  const borrower = await enter(programs.platformUrl, embedUrl, `ABCPE${digits}F`)
  await goOn(borrower, digits, done, plan, 3 * deadlineMs)
  await last?.(borrower)
  const context = await openContext(browser, { viewport: { width: 390, height: 844 }, locale: 'en-IN' })
  // What the page keeps over a reload.
  const kept = JSON.stringify({ lendloom: { session: borrower.sessionToken, returnUrl } })
  await context.addInitScript(`history.replaceState(${kept}, '')`)
  const page = await context.newPage()
  const url = new URL(embedUrl)
  url.hash = ''
  await page.goto(url.href)
  return { page, context }
}

async function assertShown(page: Awaited<ReturnType<typeof arrive>>['page'], words: string[]): Promise<void> {
  for (const each of words) await page.getByText(each).first().waitFor()
  await assertAccessible(page, words.join(' '))
}

describe('endings in the browser', { concurrency: 4 }, () => {
  for (const journey of journeys)
    test(`D1 §2.6, PAN ${journey.digits}: ${journey.title}: what it means, what to do, and the way back`, async () => {
      const { page, context } = await arrive(journey)
      await page.getByRole('heading', { level: 1, name: journey.heading }).waitFor()
      await assertShown(page, journey.words)
      const back = page.getByRole('link', { name: 'Back to An app' })
      assert.equal(await back.getAttribute('href'), returnUrl)
      await context.close()
    })

  for (const { screen, ...journey } of again)
    test(`FIS12 §3.4, PAN ${journey.digits}: ${journey.title} failed: why, and what to do before the next try`, async () => {
      const { page, context } = await arrive({
        ...journey,
        until: (view) => view.screen === screen && hasFailed(view),
      })
      await assertShown(page, ['It did not work last time', ...journey.words])
      await page.getByRole('button', { name: /^(Try again at|Confirm account)/ }).waitFor()
      await context.close()
    })

  test('every scenario that ends a loan of any product, or in which a step fails, is among them', () => {
    const walked = new Set([...journeys, ...again].map(({ digits }) => digits))
    // Late and failed payments after the money are walked in servicing.test.ts, complaints in grievance.test.ts.
    const without = endings.filter(({ id }) => id === 'none' || id === 'retry' || id === 'declined')
    const all = productIds.flatMap((product) => without.flatMap((ending) => journeysOf(product, ending)))
    const missing = all.filter(({ digits }) => !walked.has(digits))
    assert.deepEqual(missing, [])
  })
})
