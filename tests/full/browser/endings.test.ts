// Endings without a loan and steps that fail once, in a real browser: reason, advice and the link back.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { productIds } from '@lendloom/lending/product/products'
import type { EmbedView, Screen } from '@lendloom/wire/hosted/embed-view'
import { endings, journeysOf } from '@lendloom/wire/sandbox/journeys'
import { assertAccessible } from '#test/setup/accessibility.ts'
import {
  type Borrower,
  browseOnly,
  call,
  enter,
  newApplicant,
  openSession,
  type Plan,
  proceedUntil,
  readView,
  type SessionRequest,
  showsScreen,
} from '#test/setup/borrower.ts'
import { openContext, sharedBrowser } from '#test/setup/browser.ts'
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
  person?: Partial<SessionRequest>
  /** A loan against mutual funds, with a statement from the app's server. */
  funds?: true
  plan?: Plan
  /** The view to wait for. `lastAct` is the borrower's act in that view. */
  until: (view: EmbedView) => boolean
  lastAct?: (borrower: Borrower) => Promise<unknown>
  heading: RegExp
  words: string[]
}

const ended = 'This application has ended'
const owesNothing = 'You did not take a loan and owe nothing.'
const hasFailed = (view: EmbedView): boolean => Object.values(view.steps).some(({ problem }) => problem !== null)
const creditReport = 'Your credit report'
const reportTexts = [creditReport, 'TransUnion CIBIL', 'Experian', 'Equifax', 'CRIF High Mark', 'within 30 days']
/** Chooses the first offer once there are two. */
const chooseFirstOfTwo: Plan = {
  choose: ([offer, other]) =>
    offer && other ? { offer, amount: offer.amountPrincipal, tenureMonths: offer.tenureMonths } : null,
}
/** Chooses Meridian, whose steps all have separate pages. */
const chooseMeridian: Plan = {
  choose(offers) {
    const offer = offers.find(({ lenderName }) => lenderName === 'Meridian Finance')
    return offer ? { offer, amount: offer.amountPrincipal, tenureMonths: offer.tenureMonths } : null
  },
}
/** Scenarios that end without a loan. */
const journeys: Journey[] = [
  {
    title: 'no lender makes an offer because of the credit report',
    digits: '9002',
    until: showsScreen('NOT_OFFERED'),
    heading: /No lender made an offer/,
    words: ['Your credit score is lower than required.', ...reportTexts],
  },
  {
    title: 'the lender refuses the amount because of the credit report',
    digits: '9012',
    until: showsScreen('REJECTED'),
    heading: new RegExp(ended),
    words: [owesNothing, 'What you can do now', creditReport],
  },
  {
    title: 'KYC is rejected',
    digits: '9006',
    until: showsScreen('REJECTED'),
    heading: new RegExp(ended),
    words: [owesNothing, 'The lender could not verify your identity.', 'the same on your PAN card and your Aadhaar'],
  },
  {
    title: 'the mandate is rejected',
    digits: '9009',
    until: showsScreen('REJECTED'),
    heading: new RegExp(ended),
    words: [owesNothing, 'Ask your bank whether your account allows autopay'],
  },
  {
    title: 'the agreement is not signed',
    digits: '1234',
    plan: { declinedSteps: ['loan-agreement'] },
    until: showsScreen('REJECTED'),
    heading: new RegExp(ended),
    words: [owesNothing, 'Nothing binds you without your signature.'],
  },
  {
    title: 'the borrower declines the lender’s offline step',
    digits: '9072',
    plan: { declinedSteps: ['kyc'] },
    until: showsScreen('REJECTED'),
    heading: new RegExp(ended),
    words: [owesNothing, 'You said no on the lender’s page, or one of its checks'],
  },
  {
    title: 'the final offer is declined',
    digits: '1234',
    plan: chooseFirstOfTwo,
    until: showsScreen('FINAL_OFFER'),
    lastAct: (borrower) => call(borrower, 'POST', `/offers/${borrower.view.selected!.offerId}/decline`, {}),
    heading: new RegExp(ended),
    words: ['You declined the final offer.', 'If you change your mind'],
  },
  {
    title: 'the consent is withdrawn',
    digits: '1234',
    until: showsScreen('OFFERS'),
    lastAct: (borrower) => call(borrower, 'POST', '/consents/withdraw', {}),
    heading: new RegExp(ended),
    words: ['You withdrew your consent on', 'If you change your mind'],
  },
  {
    title: 'the offers lapse',
    digits: '9011',
    plan: browseOnly,
    until: showsScreen('OFFERS'),
    lastAct: (borrower) => until('the offers lapsed', async () => (await readView(borrower)).screen === 'EXPIRED'),
    heading: /This application has expired/,
    words: ['yours have expired', 'You can start again in An app today.'],
  },
  {
    title: 'the branch rejects the gold',
    digits: '9041',
    person: { journeyType: 'GOLD_LOAN' },
    until: showsScreen('REJECTED'),
    heading: new RegExp(ended),
    words: ['The branch could not accept the gold', 'Ask the branch what it could not accept.', 'Ask for', 'Call +91'],
  },
  {
    title: 'all units are under a lien',
    digits: '9054',
    funds: true,
    until: showsScreen('NOT_OFFERED'),
    heading: /No lender made an offer/,
    words: ['More units, free of any lien or lock-in, can help'],
  },
  {
    title: 'the lien is rejected',
    digits: '9052',
    funds: true,
    plan: chooseMeridian,
    until: showsScreen('REJECTED'),
    heading: new RegExp(ended),
    words: [owesNothing, 'Why', 'You can pledge only units without a lien or lock-in'],
  },
]
const lienStep = { screen: 'LIEN', funds: true, plan: chooseMeridian } as const
const registrarAdvice = 'Try again with the mobile number that the registrar has.'
const retries: (Omit<Journey, 'until' | 'heading'> & { screen: Screen })[] = [
  { title: 'KYC', digits: '9007', screen: 'KYC', words: ['Try again with good light'] },
  {
    title: 'the account',
    digits: '9008',
    screen: 'BANK',
    words: ['Compare the account number and IFSC with your passbook.'],
  },
  { title: 'the mandate', digits: '9015', screen: 'E_MANDATE', words: ['Try another way'] },
  { title: 'the signature', digits: '9010', screen: 'LOAN_AGREEMENT', words: ['the code arrives there'] },
  { title: 'the lien', digits: '9051', ...lienStep, words: [registrarAdvice] },
  { title: 'the lien of one of two funds', digits: '9053', ...lienStep, words: [registrarAdvice] },
]

/** Opens a journey and returns the hosted page's URL. */
async function openJourney({ person, funds }: Pick<Journey, 'person' | 'funds'>): Promise<string> {
  const { platformUrl, tenant } = programs
  const { profile, ...applicant } = newApplicant({ returnUrl, ...person })
  if (!funds) return (await openSession(platformUrl, tenant, { profile, ...applicant })).body.embedUrl
  const path = `/api/v1/hybrid/lamf/borrowers/${applicant.borrowerProviderID}/journey`
  // Term loans only, because other lenders would wait for a consent.
  const body = { personal: profile, mfc, returnUrl, loanPreferences: { productType: 'TERM_LOAN' } }
  const reply = await ask(`${platformUrl}${path}`, { method: 'POST', key: tenant.apiKey, body })
  return reply.body.data.embed_url
}

/** Runs the journey and opens its hosted page as a returning borrower. */
async function openEnding({ digits, plan, until: done, lastAct, ...options }: Omit<Journey, 'heading' | 'words'>) {
  const embedUrl = await openJourney(options)
  const borrower = await enter(programs.platformUrl, embedUrl, `ABCPE${digits}F`)
  await proceedUntil(borrower, digits, done, plan)
  await lastAct?.(borrower)
  const context = await openContext(browser, { viewport: { width: 390, height: 844 }, locale: 'en-IN' })
  // The page's history state, which survives a reload.
  const historyState = JSON.stringify({ lendloom: { session: borrower.sessionToken, returnUrl } })
  await context.addInitScript(`history.replaceState(${historyState}, '')`)
  const page = await context.newPage()
  const url = new URL(embedUrl)
  url.hash = ''
  await page.goto(url.href)
  return { page, context }
}

async function assertShown(page: Awaited<ReturnType<typeof openEnding>>['page'], words: string[]): Promise<void> {
  if (words.includes(creditReport)) await page.getByText(creditReport, { exact: true }).click()
  for (const each of words) await page.getByText(each).first().waitFor()
  await assertAccessible(page, words.join(' '))
}

describe('endings in the browser', { concurrency: 4 }, () => {
  for (const journey of journeys)
    test(`D1 §2.6, PAN ${journey.digits}: ${journey.title}: the page shows reason, advice and a link back`, async () => {
      const { page, context } = await openEnding(journey)
      await page.getByRole('heading', { level: 1, name: journey.heading }).waitFor()
      await assertShown(page, journey.words)
      const back = page.getByRole('link', { name: 'Back to An app' })
      assert.equal(await back.getAttribute('href'), returnUrl)
      await context.close()
    })

  for (const { screen, ...journey } of retries)
    test(`FIS12 §3.4, PAN ${journey.digits}: ${journey.title} fails once: the page shows reason and advice`, async () => {
      const { page, context } = await openEnding({
        ...journey,
        until: (view) => view.screen === screen && hasFailed(view),
      })
      await assertShown(page, ['It did not work last time', ...journey.words])
      await page.getByRole('button', { name: /^(Try again at|Confirm account)/ }).waitFor()
      await context.close()
    })

  test('D1 §2.6: after a refusal one tap asks the other lenders', async () => {
    const plan = { ...chooseMeridian, declinedSteps: ['kyc' as const] }
    const { page, context } = await openEnding({ title: '', digits: '1234', plan, until: showsScreen('REJECTED') })
    await page
      .getByRole('region', { name: 'Ask the other lenders' })
      .getByText('Meridian Finance is not asked again.')
      .waitFor()
    await page.locator('.card').getByRole('heading', { name: 'Ask the other lenders' }).waitFor()
    await assertAccessible(page, 'asking the other lenders')
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/ask-others.png`, fullPage: true })
    await page.getByRole('button', { name: 'Agree and ask the others' }).click()
    await page.getByRole('heading', { level: 1, name: /^You have/ }).waitFor()
    await page
      .getByRole('button', { name: /^Choose / })
      .first()
      .waitFor()
    assert.equal(await page.getByText('Meridian Finance').count(), 0)
    await context.close()
  })

  test('these tests cover every scenario that ends without a loan or has a failing step', () => {
    const covered = new Set([...journeys, ...retries].map(({ digits }) => digits))
    // servicing.test.ts covers late and failed payments, grievance.test.ts complaints.
    const relevantEndings = endings.filter(({ id }) => id === 'none' || id === 'retry' || id === 'declined')
    const all = productIds.flatMap((product) => relevantEndings.flatMap((ending) => journeysOf(product, ending)))
    const missing = all.filter(({ digits }) => !covered.has(digits))
    assert.deepEqual(missing, [])
  })
})
