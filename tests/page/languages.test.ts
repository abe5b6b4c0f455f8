// The hosted page in each language, on narrow phones and with text at 200 %: no text is cut off.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Language, languageFacts, languageNames, languages } from '@lendloom/lending/language'
import { reasons, wordsOf } from '@lendloom/lending/reason/reason'
import { catalogues } from '@lendloom/page/text/catalogues'
import type { EmbedGrievance } from '@lendloom/wire/hosted/embed-grievance'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { goldViewAt, visitAt } from '#test/setup/embed-gold-views.ts'
import { lamfViewAt, statedDrawdown } from '#test/setup/embed-lamf-views.ts'
import { embedPages } from '#test/setup/embed-pages.ts'
import { linkToken } from '#test/setup/embed-platform.ts'
import { receivedComplaint, updateFor, viewAt } from '#test/setup/embed-views.ts'
import { layoutFaults } from '#test/setup/layout.ts'
import { until } from '#test/setup/programs.ts'

const pages = embedPages()

const problem = wordsOf('LIEN_NOT_MARKED')
const failed = { status: 'FAILURE', attempts: 1, redirectUrl: null, problem } as const
const number = 'GR-2611-7K3Q9'
const complaint: EmbedGrievance = {
  id: '0192e0a4-0000-7000-8000-0000000000c1',
  topic: 'CHARGES',
  text: 'A charge of ₹500.',
  status: 'OPEN',
  number,
  closedAt: null,
  escalated: true,
  mayEscalate: true,
  late: true,
  notTaken: true,
  messages: [],
  resolution: null,
  rating: null,
  raisedAt: '2026-11-20T05:00:00.000Z',
  dueAt: '2026-11-21T05:00:00.000Z',
  officer: { name: 'Thomas Mathew', phone: '080-25001188', email: 'nodal@lender.example' },
}
const request = { ...receivedComplaint, number, receivedAt: complaint.raisedAt, dueAt: complaint.dueAt }

/** The screens of a journey, including the product-specific ones. */
const views: EmbedView[] = [
  viewAt('SEARCHING'),
  viewAt('OFFERS'),
  goldViewAt('OFFERS'),
  lamfViewAt('OFFERS'),
  viewAt('FINALISING'),
  viewAt('FINAL_OFFER'),
  goldViewAt('FINAL_OFFER'),
  lamfViewAt('FINAL_OFFER'),
  viewAt('KYC'),
  viewAt('KYC', { steps: { ...viewAt('KYC').steps, kyc: failed }, requests: ['CANCELLATION'] }),
  visitAt('due'),
  visitAt('timed'),
  visitAt('booked'),
  viewAt('BANK'),
  viewAt('STATEMENT'),
  viewAt('E_MANDATE'),
  lamfViewAt('LIEN'),
  viewAt('LOAN_AGREEMENT'),
  viewAt('LENDER_WORKING'),
  viewAt('DISBURSAL'),
  viewAt('DISBURSED', { grievances: { possible: true, items: [complaint] }, requests: ['PART_PAYMENT'] }),
  viewAt('LINE_OPEN'),
  viewAt('LINE_OPEN', { drawsHere: true }),
  viewAt('LINE_OPEN', { drawsHere: true, drawdowns: [statedDrawdown] }),
  viewAt('CLOSED'),
  viewAt('CLOSED', { endReason: wordsOf('PAYOUT_RETURNED') }),
  viewAt('NOT_OFFERED', {
    lenders: reasons.map((code, i) => ({ ...viewAt('NOT_OFFERED').lenders[0]!, id: `${i}`, reason: wordsOf(code) })),
  }),
  viewAt('REJECTED', { endReason: problem }),
  viewAt('NO_ANSWER'),
  viewAt('EXPIRED'),
]

/** CSS pixels: a usual phone, the narrowest phone, and the usual phone at 200 %. */
const widths = [390, 320, 195]

async function layoutFaultsIn(language: Language): Promise<string[]> {
  const { first, later } = catalogues[language]
  const allFaults: string[] = []
  const { page } = await pages.open(viewAt('PROFILE'), { language, width: 320 })
  await page.goto(`${pages.platform.url}/lab/embed?lang=${language}#token=${linkToken}`)
  const check = async (what: string) => {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 844 })
      for (const fault of await layoutFaults(page)) allFaults.push(`${what} at ${width} px: ${fault}`)
    }
  }
  const languageSelect = page.getByRole('combobox', { name: later['page.language'] })
  await languageSelect.waitFor()
  assert.deepEqual(await languageSelect.locator('option').allTextContents(), Object.values(languageNames))
  assert.equal(await languageSelect.locator(':checked').getAttribute('lang'), language)
  await check('PROFILE')
  for (const part of ['profile.1', 'profile.2'] as const) {
    await page.getByRole('button', { name: first['profile.next'] }).click()
    await page.getByRole('heading', { name: later[part] }).waitFor()
    await check(part)
  }
  for (const [i, view] of views.entries()) {
    // Each view has its own update, which the page acknowledges once the view is shown.
    const updates = [{ sequence: i + 1, payload: updateFor('STARTED') }]
    pages.platform.show({ ...view, updates })
    await page.evaluate('void dispatchEvent(new Event("pageshow"))')
    await until(`${view.screen} is shown`, () =>
      page.evaluate(`history.state.lendloom.relayed === ${i + 1} && !document.querySelector('.fetching, .loading')`),
    )
    await page.waitForLoadState('networkidle')
    await check(`${view.journeyType} ${view.screen}`)
  }
  const complaints = { officer: complaint.officer, nodal: complaint.officer, lender: 'Kaveri Bank', items: [request] }
  await page.route('**/api/embed/complaints', (route) => route.fulfill({ json: { complaints } }))
  await page.getByRole('button', { name: later['help.open'] }).click()
  await page.getByText(number).waitFor()
  await check('help')
  return allFaults
}

describe('WCAG 2.2 §1.4.4, §1.4.10: the page in every language, narrow and with large text', () => {
  for (const language of languages)
    test(`every screen fits without cutting text in ${languageFacts[language].english}`, async () => {
      assert.deepEqual(await layoutFaultsIn(language), [])
    })
})
