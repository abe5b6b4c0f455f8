// The hosted page as a borrower meets it: every screen in English and Hindi, by keyboard, after a reload.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { currentConsentVersion } from '#contract/hosted/consent-text.ts'
import { type EmbedView, type Screen, screens } from '#contract/hosted/embed.ts'
import { englishOf, reasons, wordsOf } from '#contract/reason/reason.ts'
import type { Opened } from '#test/setup/embed-page.ts'
import { accessible, embedPages } from '#test/setup/embed-pages.ts'
import { kaveri, meridian, viewAt } from '#test/setup/embed-views.ts'
import { catalogues, textFilesOf } from '../../src/web/embed/text/catalogues.ts'
import type { CatalogueMessage, Language } from '../../src/web/embed/text.ts'

const pages = embedPages()
const { open } = pages

const lender = 'Kaveri Bank'
/** What stands above each screen. */
const headings = (language: Language): Record<Screen, string> => {
  const texts: Record<string, CatalogueMessage> = Object.assign({}, ...Object.values(textFilesOf(language)))
  const text = (key: string) => String(texts[key]).replace('{lender}', lender)
  return {
    PROFILE: text('profile.0'),
    SEARCHING: text('searching.title'),
    OFFERS: (texts['offers.title'] as { other: string }).other.replace('{count}', '3'),
    FINALISING: text('finalising.title'),
    FINAL_OFFER: text('final.title'),
    KYC: text('step.kyc'),
    VISIT: text('step.visit'),
    BANK: text('bank.title'),
    STATEMENT: text('step.statement'),
    LIEN: text('step.lien'),
    E_MANDATE: text('step.eMandate'),
    LOAN_AGREEMENT: text('step.loanAgreement'),
    LENDER_WORKING: text('working.title'),
    DISBURSAL: text('disbursal.title'),
    LINE_OPEN: text('line.title'),
    DISBURSED: text('loan.late.title'),
    CLOSED: text('loan.closed'),
    NOT_OFFERED: text('end.NOT_OFFERED'),
    REJECTED: text('end.REJECTED'),
    NO_ANSWER: text('end.NO_ANSWER'),
    EXPIRED: text('end.EXPIRED'),
  }
}

/** What another language can break; the rest is looked at in English. */
const wording = [
  'label',
  'button-name',
  'link-name',
  'select-name',
  'summary-name',
  'document-title',
  'html-lang-valid',
]

/** A profile with nothing in it but the number of the mobile. */
const empty: EmbedView = {
  ...viewAt('PROFILE'),
  workProfile: {},
  address: {},
  endUse: null,
  profile: { contactNumber: '9876543210' },
}

/** The platform keeps each draft beside those before it. */
function keepDrafts(): void {
  let kept = empty
  pages.platform.on('PUT /profile', ({ body }) => {
    const draft = body as Partial<EmbedView>
    const { profile, workProfile, address } = kept
    kept = {
      ...kept,
      ...draft,
      profile: { ...profile, ...draft.profile },
      workProfile: { ...workProfile, ...draft.workProfile },
      address: { ...address, ...draft.address },
    }
    return kept
  })
}

async function typeInNextField({ page }: Opened, ...texts: string[]): Promise<void> {
  for (const text of texts) {
    await page.keyboard.press('Tab')
    await page.keyboard.type(text)
  }
}

async function press({ page }: Opened, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

async function typePerson(one: Opened): Promise<void> {
  await one.inside.getByLabel('PAN', { exact: true }).focus()
  await one.page.keyboard.type('abcpe1234f')
  await typeInNextField(one, 'Asha Rao', '29', '2', '1992')
  await press(one, 'Tab', 'Space')
  await typeInNextField(one, 'asha@mail.example')
  await press(one, 'Enter')
}

async function typeWorkAndHome(one: Opened): Promise<void> {
  await one.inside.locator('h1:focus', { hasText: 'Your work and home' }).waitFor()
  await press(one, 'Tab', 'ArrowDown', 'ArrowUp')
  await typeInNextField(one, '85000', 'Example Industries', '', '7 Fort Road', '', '400001', 'Mumbai', 'Maharashtra')
  await press(one, 'Enter')
}

async function typePurposeAndConsent(one: Opened): Promise<void> {
  await one.inside.locator('h1:focus', { hasText: 'Your loan and your consent' }).waitFor()
  await typeInNextField(one, 'Tr')
  await one.inside.getByRole('link', { name: 'Privacy policy' }).waitFor()
  // Two ways to change what was typed, and the policy, come before the consents.
  await press(one, 'Tab', 'Tab', 'Tab', 'Tab', 'Space', 'Tab', 'Space', 'Tab', 'Enter')
}

describe('D1 §1: the hosted borrower experience', () => {
  for (const [language, rules] of [
    ['en', undefined],
    ['hi', wording],
  ] as const)
    test(`every screen is there in ${language}, usable with WCAG 2.2 AA, under Trusted Types`, async () => {
      const one = await open(viewAt('PROFILE'), { language })
      const expected = headings(language)
      for (const screen of screens) {
        pages.platform.show(viewAt(screen))
        await one.inside.locator('main').waitFor()
        await one.askAgain()
        await one.inside.locator('h1', { hasText: expected[screen] }).waitFor()
        await accessible(one, `${screen} in ${language}`, rules)
        assert.equal(await one.inside.locator('html').getAttribute('lang'), language)
      }
    })

  test('D1 §1: every reason there is, is shown in Hindi, wherever one is shown, and in English at once after a tap', async () => {
    const answers = reasons.map((code, i) => ({
      ...viewAt('NOT_OFFERED').lenders[0]!,
      id: `lender-${i}`,
      reason: wordsOf(code),
    }))
    const one = await open(viewAt('NOT_OFFERED', { lenders: answers }), { language: 'hi' })
    const { inside } = one
    const shown = () => inside.locator('.answers p').allTextContents()
    await inside.locator('h1', { hasText: catalogues.hi.endings['end.NOT_OFFERED'] }).waitFor()
    const hindi = await shown()
    assert.equal(hindi.length, reasons.length)
    for (const text of hindi) assert.match(text, /^[\p{Script=Devanagari}\s\p{P}]+।$/u)
    await inside.getByRole('combobox', { name: 'भाषा' }).selectOption('English')
    await inside.locator('h1', { hasText: catalogues.en.endings['end.NOT_OFFERED'] }).waitFor()
    assert.deepEqual(await shown(), reasons.map(englishOf))

    await inside.getByRole('combobox', { name: 'Language' }).selectOption('हिन्दी')
    const [failed, problem] = [
      { status: 'FAILURE', attempts: 1, redirectUrl: null } as const,
      wordsOf('LIEN_NOT_MARKED'),
    ]
    const notDone = (name: 'kyc' | 'bankMandate') => ({ ...viewAt('KYC').steps, [name]: { ...failed, problem } })
    const payment = {
      operationId: 'one',
      kind: 'FORECLOSURE',
      status: 'FAILED',
      amount: null,
      redirectUrl: null,
    } as const
    const consent = { offerId: 'one', lenderId: kaveri.lenderId, lenderName: lender, purpose: 'MONITORING' } as const
    const over = { ...consent, standing: 'OVER', handle: null, problem } as const
    const places: EmbedView[] = [
      viewAt('KYC', { steps: notDone('kyc') }),
      viewAt('BANK', { steps: notDone('bankMandate') }),
      viewAt('DISBURSED', { servicing: [{ ...payment, problem }] }),
      viewAt('DISBURSAL', { accountAggregator: [over] }),
      viewAt('REJECTED', { endReason: problem }),
    ]
    for (const view of places) {
      pages.platform.show(view)
      await one.askAgain()
      await inside.getByText('रजिस्ट्रार आपकी यूनिट पर लियन दर्ज नहीं कर सका।').first().waitFor()
      assert.doesNotMatch(await inside.locator('main').innerText(), /registrar/)
    }
    pages.platform.show(viewAt('REJECTED', { endReason: { outside: 'Closed for the day.' } }))
    await one.askAgain()
    await inside.getByText('Closed for the day.').waitFor()
  })

  test('D1 §2.1: a keyboard alone fills the profile in, and the drafts and consents reach the platform', async () => {
    const one = await open(empty)
    keepDrafts()
    pages.platform.on('POST /profile/submit', () => viewAt('SEARCHING'))
    await one.inside.getByText('+91 9876543210').waitFor()
    await typePerson(one)
    await typeWorkAndHome(one)
    await typePurposeAndConsent(one)
    await one.inside.getByRole('heading', { name: 'Looking for offers' }).waitFor()
    const acts = pages.platform.acts.filter(({ path }) => path !== '/session')
    assert.deepEqual(
      acts.map(({ method, path, body }) => [`${method} ${path}`, body]),
      [
        [
          'PUT /profile',
          {
            profile: {
              pan: 'abcpe1234f',
              panName: 'Asha Rao',
              dob: '1992-02-29',
              gender: 'female',
              personalemail: 'asha@mail.example',
            },
          },
        ],
        [
          'PUT /profile',
          {
            workProfile: { employmentType: 'salaried', income: '85000', companyName: 'Example Industries' },
            address: { addressL1: '7 Fort Road', pincode: '400001', city: 'Mumbai', state: 'Maharashtra' },
          },
        ],
        ['PUT /profile', { endUse: 'travel' }],
        [
          'POST /profile/submit',
          {
            consents: ['bureau', 'data_sharing'].map((purpose) => ({
              purpose,
              textVersion: currentConsentVersion,
              language: 'en',
            })),
          },
        ],
      ],
    )
    assert.equal(new Set(acts.map(({ key }) => key)).size, 4, 'each act has an idempotency key of its own')
  })

  test('D1 §7: a PAN and a PIN code that are pasted with blanks or dashes are saved whole, without them', async () => {
    const one = await open(viewAt('PROFILE'))
    const { inside, page } = one
    const saved = viewAt('PROFILE')
    pages.platform.on('PUT /profile', () => saved)
    const paste = async (label: string, text: string) => {
      await inside.getByLabel(label, { exact: true }).fill('')
      await page.keyboard.insertText(text)
    }
    await inside.getByText('+91 9876543210').waitFor()
    pages.platform.acts.length = 0
    await paste('PAN', ' BCDPE-1234 F\u00a0')
    await inside.getByRole('button', { name: 'Continue' }).click()
    await inside.getByRole('heading', { name: 'Your work and home' }).waitFor()
    await paste('PIN code', '560 001')
    await inside.getByRole('button', { name: 'Continue' }).click()
    await inside.getByRole('heading', { name: 'Your loan and your consent' }).waitFor()
    assert.deepEqual(
      pages.platform.acts.map(({ body }) => body),
      [{ profile: { pan: 'BCDPE1234F' } }, { address: { pincode: '560001' } }],
    )
  })

  test('what is wrong is listed, gets the focus, and leads to its field; nothing is sent', async () => {
    const one = await open({ ...viewAt('PROFILE'), profile: { contactNumber: '9876543210', pan: 'ABCPE1234F' } })
    const { inside } = one
    await inside.getByText('+91 9876543210').waitFor()
    pages.platform.acts.length = 0
    await inside.getByLabel('PAN', { exact: true }).fill('ABC')
    await inside.getByRole('button', { name: 'Continue' }).click()
    await inside.locator('.summary:focus', { hasText: 'Please check 5 things' }).waitFor()
    await accessible(one, 'a form with errors')
    await inside.getByRole('link', { name: 'Enter your PAN as on the card' }).click()
    const pan = inside.getByLabel('PAN', { exact: true })
    await inside.locator('#field-pan:focus').waitFor()
    assert.equal(await pan.getAttribute('aria-invalid'), 'true')
    await pan.fill('ABCPE1234F')
    await inside.getByRole('region', { name: 'Please check 4 things' }).waitFor()
    assert.equal(pages.platform.acts.length, 0)
  })

  test('D1 §7: what the platform refuses is shown at its field, on the part where it stands', async () => {
    const { inside } = await open(viewAt('PROFILE'))
    await inside.getByText('+91 9876543210').waitFor()
    await inside.getByRole('button', { name: 'Continue' }).click()
    await inside.getByRole('heading', { name: 'Your work and home' }).waitFor()
    await inside.getByRole('button', { name: 'Continue' }).click()
    await inside.getByRole('heading', { name: 'Your loan and your consent' }).waitFor()
    pages.platform.refuse('POST /profile/submit', 400, 'VALIDATION_FAILED', {
      field: 'address.pincode',
      fields: [{ path: 'address.pincode', message: 'must be a PIN code of 6 digits' }],
    })
    for (const box of await inside.getByRole('checkbox').all()) await box.check()
    await inside.getByRole('button', { name: 'Agree and get offers' }).click()
    await inside.getByRole('heading', { name: 'Your work and home' }).waitFor()
    await inside.getByRole('region', { name: 'Please check one thing' }).waitFor()
    assert.equal(await inside.getByLabel('PIN code').getAttribute('aria-invalid'), 'true')
  })

  test('offers are sorted by APR, and an amount outside the limits is not sent', async () => {
    const one = await open(viewAt('OFFERS'))
    const { inside } = one
    pages.platform.on(`POST /offers/${meridian.id}/select`, () => viewAt('FINALISING'))
    await inside.getByText('All for the same amount and term where the lender offers it').waitFor()
    const names = await inside.locator('.card h2').allInnerTexts()
    assert.deepEqual(
      names.map((name) => name.split('\n').at(-1)),
      ['Kaveri Bank', 'Meridian Finance', 'Sahyadri Capital'],
    )
    assert.equal(await inside.getByRole('button', { name: 'Choose Sahyadri Capital' }).count(), 0, 'expired')
    await inside.getByText('The amount is above what this lender gives.').waitFor()
    await inside.getByText('Valid until 10 Jan, 3:30 pm').first().waitFor()
    await inside.getByRole('button', { name: 'Choose Meridian Finance' }).click()
    pages.platform.acts.length = 0
    await inside.getByRole('heading', { name: '₹2,50,000 over 24 months from Meridian Finance' }).waitFor()
    const figures = inside.locator('.compared dd')
    assert.deepEqual(await figures.allTextContents(), ['₹12,122', '17.34%', '₹2,90,928'], 'of the lender itself')
    assert.equal(await inside.getByText('This is an estimate').count(), 0)
    await accessible(one, 'what is confirmed')
    await inside.getByText('Change', { exact: true }).click()
    await inside.getByLabel('Amount, in rupees').fill('4,00,001')
    await accessible(one, 'amount and term')
    await inside.getByRole('button', { name: 'Get the final offer' }).click()
    await inside.getByRole('region', { name: 'Please check one thing' }).getByText('₹50,000 to ₹4,00,000').waitFor()
    assert.equal(pages.platform.acts.length, 0)
    await inside.getByLabel('Amount, in rupees').fill('1,50,000')
    await inside.getByText('12', { exact: true }).click()
    await inside.locator('.estimate').getByText('₹13,539').waitFor()
    await inside.getByText('This is an estimate. Meridian Finance gives you').waitFor()
    await inside.getByRole('heading', { name: '₹1,50,000 over 12 months from Meridian Finance' }).waitFor()
    await accessible(one, 'what is changed')
    await inside.getByRole('button', { name: 'Get the final offer' }).click()
    await inside.getByRole('heading', { name: 'is preparing your final offer' }).waitFor()
    assert.deepEqual(
      pages.platform.acts.map(({ body }) => body),
      [{ amount: '150000', tenureMonths: 12, language: 'en' }],
    )
  })

  test('income and sales are grouped in lakhs while they are typed, and sent as digits', async () => {
    const workProfile = { employmentType: 'selfEmployed' as const, income: 85_000 }
    const { inside } = await open(viewAt('PROFILE', { asksBusiness: true, workProfile }))
    await inside.getByText('+91 9876543210').waitFor()
    await inside.getByRole('button', { name: 'Continue' }).click()
    const income = inside.getByLabel('Monthly take-home income')
    await income.waitFor()
    assert.equal(await income.inputValue(), '85,000')
    await income.fill('')
    for (const key of '125000') await income.press(key)
    assert.equal(await income.inputValue(), '1,25,000')
    const sales = inside.getByLabel('Last year’s sales, in rupees')
    await sales.fill('₹ 15,00,000')
    assert.equal(await sales.inputValue(), '15,00,000')
    pages.platform.acts.length = 0
    await inside.getByLabel('Type of business').selectOption('Sole proprietorship')
    await inside.getByLabel('What does your business do?').selectOption('Farming')
    await inside.getByLabel('Employer or business name').fill('Asha Stores')
    await inside.getByRole('button', { name: 'Continue' }).click()
    await inside.getByRole('heading', { name: 'Your loan and your consent' }).waitFor()
    const { workProfile: sent } = pages.platform.acts.at(-1)!.body as { workProfile: Record<string, string> }
    assert.deepEqual([sent.income, sent.annualTurnover], ['125000', '1500000'])
  })

  test('the final offer is accepted only with consent, and declined only on second thought', async () => {
    const { inside } = await open(viewAt('FINAL_OFFER'))
    const path = `/offers/${kaveri.id}`
    pages.platform.on(`POST ${path}/accept`, () => viewAt('KYC'))
    pages.platform.on(`POST ${path}/decline`, () => viewAt('REJECTED'))
    await inside.getByRole('row', { name: 'Loan amount ₹2,50,000 ₹2,00,000' }).waitFor()
    assert.equal(
      await inside.getByRole('row').count(),
      2,
      'the first offer was for another amount: its APR is no earlier one',
    )
    pages.platform.acts.length = 0
    await inside.getByRole('button', { name: 'Accept this loan' }).click()
    await inside.getByRole('region', { name: 'Please check one thing' }).waitFor()
    await inside.getByRole('button', { name: 'Decline' }).click()
    await inside.getByRole('button', { name: 'No, go back' }).click()
    assert.equal(pages.platform.acts.length, 0)
    await inside.getByRole('checkbox').check()
    await inside.getByRole('button', { name: 'Accept this loan' }).click()
    await inside.getByRole('heading', { name: 'Verify your identity' }).waitFor()
    const [accepted] = pages.platform.acts
    assert.equal(accepted!.path, `${path}/accept`)
    assert.deepEqual(accepted!.body, {
      consents: [{ purpose: 'key_facts', textVersion: currentConsentVersion, language: 'en' }],
    })
  })

  test('D2 §4: a bank account that is not one is not sent; a good one is, without its spaces', async () => {
    const { inside } = await open(viewAt('BANK'))
    pages.platform.on('POST /steps/bank-mandate', () => viewAt('LENDER_WORKING'))
    await inside.getByLabel('Account number', { exact: true }).fill('1234')
    pages.platform.acts.length = 0
    await inside.getByRole('button', { name: 'Confirm account' }).click()
    await inside.getByRole('region', { name: 'Please check 3 things' }).waitFor()
    assert.equal(pages.platform.acts.length, 0)
    await inside.getByLabel('Account number', { exact: true }).fill('1234 5678 9012')
    await inside.getByLabel('Re-enter account number').fill('123456789021')
    await inside.getByLabel('IFSC').fill('ZZZZ0000001')
    await inside.getByText('We do not know this IFSC.').waitFor()
    await inside.getByLabel('IFSC').fill('hdfc0000001')
    await inside.getByText('HDFC Bank, Nariman Point, Mumbai').waitFor()
    await inside.getByLabel('Savings').check()
    await inside.getByRole('button', { name: 'Confirm account' }).click()
    await inside.getByRole('link', { name: 'The two numbers differ.' }).click()
    assert.equal(pages.platform.acts.length, 0, 'a slip is found before anything is sent')
    await inside.getByLabel('Re-enter account number').fill('1234-5678-9012')
    await inside.getByRole('button', { name: 'Confirm account' }).click()
    await inside.getByRole('heading', { name: 'Kaveri Bank is checking' }).waitFor()
    assert.deepEqual(pages.platform.acts[0]!.body, {
      accountHolderName: 'Asha Rao',
      accountNumber: '123456789012',
      ifsc: 'hdfc0000001',
      accountType: 'saving',
    })
  })

  test('a language that is chosen while the texts of another are on their way stays', async () => {
    const { page } = await open(viewAt('OFFERS'))
    const held = Promise.withResolvers<void>()
    await page.route('**/assets/offers-en.*', (route) => held.promise.then(() => route.continue()))
    await page.goto(`${pages.platform.url}/lab/embed?lang=en#token=bt_test_single-use`)
    await page.getByRole('combobox', { name: 'Language' }).selectOption('हिन्दी')
    await page.getByRole('combobox', { name: 'भाषा' }).waitFor()
    held.resolve()
    await page.getByRole('heading', { name: 'आपके लिए 3 ऑफ़र हैं' }).waitFor()
    assert.doesNotMatch(await page.locator('main').innerText(), /Choose|offers/)
  })

  test('the language changes on the page and stays after a reload', async () => {
    const offers = viewAt('OFFERS').offers.map((offer) => ({
      ...offer,
      start: kaveri.start,
      totalInterest: '1723850.00',
    }))
    const { page, inside } = await open(viewAt('OFFERS', { offers }), { width: 290 })
    await inside.getByRole('heading', { name: 'You have 3 offers' }).waitFor()
    const other = inside.getByRole('combobox', { name: 'Language' })
    const heights = [other, inside.getByText('₹19,23,850').first()].map(
      async (each) => (await each.boundingBox())!.height,
    )
    assert.deepEqual(await Promise.all(heights), [44, 25.5], 'each on one line')
    await other.selectOption('हिन्दी')
    await inside.getByRole('heading', { name: 'आपके लिए 3 ऑफ़र हैं' }).waitFor()
    const frame = page.frames().find((each) => each.url().startsWith(pages.platform.url))!
    await page.emulateMedia({ forcedColors: 'active' })
    const edge = await frame.evaluate(`getComputedStyle(document.querySelector('.card .main')).borderTopWidth`)
    assert.equal(edge, '1px', 'without its colour a button has an edge')
    await frame.evaluate('location.reload()')
    await inside.getByRole('heading', { name: 'आपके लिए 3 ऑफ़र हैं' }).waitFor()
  })
})
