// The hosted page: every screen in English and Hindi, by keyboard, and after a reload.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { englishOf, reasons, wordsOf } from '@lendloom/lending/reason/reason'
import type { CatalogueMessage, Language } from '@lendloom/page/text'
import { catalogues, textFilesOf } from '@lendloom/page/text/catalogues'
import { currentConsentVersion } from '@lendloom/wire/hosted/consent-text'
import { type EmbedView, type Screen, screens } from '@lendloom/wire/hosted/embed-view'
import type { Frame } from 'playwright-core'
import type { OpenHostedPage } from '#test/setup/embed-page.ts'
import { assertFrameAccessible, embedPages } from '#test/setup/embed-pages.ts'
import { kaveri, meridian, viewAt } from '#test/setup/embed-views.ts'
import { until } from '#test/setup/programs.ts'

const pages = embedPages()
const { open } = pages

const lender = 'Kaveri Bank'
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
    LENDER_WORKING: text('working.prepares'),
    DISBURSAL: text('disbursal.title'),
    LINE_OPEN: text('line.yours'),
    DISBURSED: (texts['loan.late.title'] as Record<string, string>).one!,
    CLOSED: text('loan.closed.title'),
    NOT_OFFERED: text('end.NOT_OFFERED'),
    REJECTED: text('end.REJECTED'),
    NO_ANSWER: text('end.NO_ANSWER'),
    EXPIRED: text('end.EXPIRED'),
  }
}

/** Accessibility rules that depend on the language; all other rules run in English only. */
const languageRules = [
  'label',
  'button-name',
  'link-name',
  'select-name',
  'summary-name',
  'document-title',
  'html-lang-valid',
]

/** A profile that contains only the mobile number. */
const emptyProfile: EmbedView = {
  ...viewAt('PROFILE'),
  workProfile: {},
  address: {},
  endUse: null,
  profile: { contactNumber: '9876543210' },
}

/** Makes the platform merge each draft into the earlier ones. */
function keepDrafts(): void {
  let draftState = emptyProfile
  pages.platform.on('PUT /profile', ({ body }) => {
    const draft = body as Partial<EmbedView>
    const { profile, workProfile, address } = draftState
    draftState = {
      ...draftState,
      ...draft,
      profile: { ...profile, ...draft.profile },
      workProfile: { ...workProfile, ...draft.workProfile },
      address: { ...address, ...draft.address },
    }
    return draftState
  })
}

async function typeInNextField({ page }: OpenHostedPage, ...texts: string[]): Promise<void> {
  for (const text of texts) {
    await page.keyboard.press('Tab')
    await page.keyboard.type(text)
  }
}

async function press({ page }: OpenHostedPage, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

async function typePerson(hosted: OpenHostedPage): Promise<void> {
  await hosted.frame.getByLabel('PAN', { exact: true }).focus()
  await hosted.page.keyboard.type('abcpe1234f')
  await typeInNextField(hosted, 'Asha Rao', '29', '2', '1992')
  await press(hosted, 'Tab', 'Space')
  await typeInNextField(hosted, 'asha@mail.example')
  await press(hosted, 'Enter')
}

async function typeWorkAndHome(hosted: OpenHostedPage): Promise<void> {
  await hosted.frame.locator('h1:focus', { hasText: 'Your work and home' }).waitFor()
  await press(hosted, 'Tab', 'ArrowDown', 'ArrowUp')
  await typeInNextField(hosted, '85000', 'Example Industries', '', '400001')
  const state = hosted.frame.getByLabel('State', { exact: true })
  await until('the place is filled', async () => (await state.inputValue()) === 'Maharashtra')
  await typeInNextField(hosted, '', '', '7 Fort Road', '')
  await press(hosted, 'Enter')
}

async function typePurposeAndConsent(hosted: OpenHostedPage): Promise<void> {
  await hosted.frame.locator('h1:focus', { hasText: 'Your loan and your consent' }).waitFor()
  await typeInNextField(hosted, 'Tr')
  await hosted.frame.getByRole('link', { name: 'Privacy policy' }).waitFor()
  // The buttons to show and change what is sent, the folded part, and the link to the privacy policy precede the consents.
  await press(hosted, 'Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Space', 'Tab', 'Space', 'Tab', 'Enter')
}

/** Reloads the page, and waits for the new document: the old one still answers for a moment. */
async function reload(pageFrame: Frame): Promise<void> {
  await pageFrame.evaluate('window.isLeft = true')
  await pageFrame.evaluate('location.reload()')
  await until('the new document', () => pageFrame.evaluate<boolean>('!window.isLeft').catch(() => false))
}

describe('D1 §1: the hosted borrower experience', () => {
  for (const [language, rules] of [
    ['en', undefined],
    ['hi', languageRules],
  ] as const)
    test(`every screen exists in ${language}, meets WCAG 2.2 AA, and works under Trusted Types`, async () => {
      const hosted = await open(viewAt('PROFILE'), { language })
      const expected = headings(language)
      for (const screen of screens) {
        pages.platform.show(viewAt(screen))
        await hosted.frame.locator('main').waitFor()
        await hosted.pollAgain()
        await hosted.frame.locator('h1', { hasText: expected[screen] }).waitFor()
        await assertFrameAccessible(hosted, `${screen} in ${language}`, rules)
        assert.equal(await hosted.frame.locator('html').getAttribute('lang'), language)
      }
    })

  test('D1 §1: every reason is shown in Hindi, and in English after switching the language', async () => {
    const answers = reasons.map((code, i) => ({
      ...viewAt('NOT_OFFERED').lenders[0]!,
      id: `lender-${i}`,
      reason: wordsOf(code),
    }))
    const hosted = await open(viewAt('NOT_OFFERED', { lenders: answers }), { language: 'hi' })
    const { frame } = hosted
    const shownReasons = () => frame.locator('.reasons dt').allTextContents()
    await frame.locator('h1', { hasText: catalogues.hi.endings['end.NOT_OFFERED'] }).waitFor()
    const hindi = await shownReasons()
    assert.equal(hindi.length, reasons.length)
    for (const text of hindi) assert.match(text, /^(?:EMI|[\p{Script=Devanagari}\s\p{P}])+।$/u)
    await frame.getByRole('combobox', { name: 'भाषा' }).selectOption('English')
    await frame.locator('h1', { hasText: catalogues.en.endings['end.NOT_OFFERED'] }).waitFor()
    assert.deepEqual(await shownReasons(), reasons.map(englishOf))

    await frame.getByRole('combobox', { name: 'Language' }).selectOption('हिन्दी')
    const failed = { status: 'FAILURE', attempts: 1, redirectUrl: null } as const
    const problem = wordsOf('LIEN_NOT_MARKED')
    const stepsWithFailure = (name: 'kyc' | 'bankMandate') => ({
      ...viewAt('KYC').steps,
      [name]: { ...failed, problem },
    })
    const payment = {
      operationId: 'one',
      askedAt: '2026-11-30T10:00:00.000Z',
      unpaidUntil: null,
      kind: 'FORECLOSURE' as const,
      status: 'FAILED' as const,
      amount: null,
      parts: [],
      keptFees: null,
      payTo: null,
      redirectUrl: null,
      claim: null,
      check: null,
      saved: null,
    }
    const consent = { offerId: 'one', lenderId: kaveri.lenderId, lenderName: lender, purpose: 'MONITORING' } as const
    const endedConsent = { ...consent, standing: 'OVER', handle: null, problem } as const
    const views: EmbedView[] = [
      viewAt('KYC', { steps: stepsWithFailure('kyc') }),
      viewAt('BANK', { steps: stepsWithFailure('bankMandate') }),
      viewAt('DISBURSED', { servicing: [{ ...payment, problem }] }),
      viewAt('DISBURSAL', { accountAggregator: [endedConsent] }),
      viewAt('REJECTED', { endReason: problem }),
    ]
    for (const view of views) {
      pages.platform.show(view)
      await hosted.pollAgain()
      await frame.getByText('रजिस्ट्रार आपकी यूनिट पर लियन दर्ज नहीं कर सका।').first().waitFor()
      assert.doesNotMatch(await frame.locator('main').innerText(), /registrar/)
    }
    pages.platform.show(viewAt('REJECTED', { endReason: { code: 'UNKNOWN_REASON', en: 'Closed for the day.' } }))
    await hosted.pollAgain()
    await frame.getByText('Closed for the day.').waitFor()
  })

  test('D1 §2.1: the profile can be completed by keyboard, and drafts and consents reach the platform', async () => {
    const hosted = await open(emptyProfile)
    keepDrafts()
    pages.platform.on('POST /profile/submit', () => viewAt('SEARCHING'))
    await hosted.frame.getByText('+91 9876543210').waitFor()
    await typePerson(hosted)
    await typeWorkAndHome(hosted)
    await typePurposeAndConsent(hosted)
    await hosted.frame.getByRole('heading', { name: 'Looking for offers' }).waitFor()
    const acts = pages.platform.acts.filter(({ path }) => path !== '/session')
    assert.deepEqual(
      acts.map(({ method, path, body }) => ({ method, path, body })),
      [
        {
          method: 'PUT',
          path: '/profile',
          body: {
            profile: {
              pan: 'abcpe1234f',
              panName: 'Asha Rao',
              dob: '1992-02-29',
              gender: 'female',
              personalemail: 'asha@mail.example',
            },
          },
        },
        {
          method: 'PUT',
          path: '/profile',
          body: {
            workProfile: { employmentType: 'salaried', income: '85000', companyName: 'Example Industries' },
            address: { addressL1: '7 Fort Road', pincode: '400001', city: 'Mumbai', state: 'Maharashtra' },
          },
        },
        { method: 'PUT', path: '/profile', body: { endUse: 'travel' } },
        {
          method: 'POST',
          path: '/profile/submit',
          body: {
            consents: ['bureau', 'data_sharing'].map((purpose) => ({
              purpose,
              textVersion: currentConsentVersion,
              language: 'en',
            })),
          },
        },
      ],
    )
    assert.equal(new Set(acts.map(({ key }) => key)).size, 4, 'each act has its own idempotency key')
  })

  test('D1 §7: spaces and dashes in a pasted PAN or PIN code are removed', async () => {
    const hosted = await open(viewAt('PROFILE'))
    const { frame, page } = hosted
    const saved = viewAt('PROFILE')
    pages.platform.on('PUT /profile', () => saved)
    const paste = async (label: string, text: string) => {
      await frame.getByLabel(label, { exact: true }).fill('')
      await page.keyboard.insertText(text)
    }
    await frame.getByText('+91 9876543210').waitFor()
    pages.platform.acts.length = 0
    await paste('PAN', 'ABCXE1234F')
    await frame.getByRole('button', { name: 'Continue' }).click()
    await frame.getByText('Check the fourth letter: in the PAN of a person it is P').waitFor()
    await paste('PAN', ' BCDPE-1234 F\u00a0')
    await frame.getByRole('button', { name: 'Continue' }).click()
    await frame.getByRole('heading', { name: 'Your work and home' }).waitFor()
    await paste('PIN code', '560 001')
    const state = frame.getByLabel('State', { exact: true })
    await until('the place is filled', async () => (await state.inputValue()) === 'Karnataka')
    await frame.getByRole('button', { name: 'Continue' }).click()
    await frame.getByRole('heading', { name: 'Your loan and your consent' }).waitFor()
    assert.deepEqual(
      pages.platform.acts.map(({ body }) => body),
      [{ profile: { pan: 'BCDPE1234F' } }, { address: { pincode: '560001', city: 'Bengaluru', state: 'Karnataka' } }],
    )
  })

  test('D1 §4: details that the app filled in are for checking', async () => {
    const view = { ...viewAt('PROFILE'), prefilled: true, hostName: 'Sandbox Pay' }
    const { frame } = await open(view)
    await frame.locator('.lead').getByText('Sandbox Pay filled this in. Check it, then continue.').waitFor()
  })

  test('D1 §2.1: a date of birth can be typed through its three inputs, and pasted into each of them', async () => {
    const { frame, page } = await open(emptyProfile)
    await frame.getByText('+91 9876543210').waitFor()
    const parts = ['Day', 'Month', 'Year'].map((label) => frame.getByLabel(label, { exact: true }))
    const values = () => Promise.all(parts.map((each) => each.inputValue()))
    const day = parts[0]!
    for (const typed of ['17041992', '17/04/1992', '17.4.1992']) {
      await day.focus()
      await page.keyboard.type(typed)
      assert.deepEqual((await values()).map(Number), [17, 4, 1992], typed)
      for (const each of parts) await each.fill('')
    }
    await day.focus()
    await page.keyboard.type('17')
    await frame.locator('#field-dob:focus').waitFor()
    // A date that the borrower copied elsewhere, here from another field.
    const name = frame.getByLabel('Full name')
    for (const copied of ['1992-02-29', '29/02/1992', '29 Feb 1992', 'Feb 29, 1992', '29/02/92']) {
      await name.fill(copied)
      await name.press('ControlOrMeta+a')
      await name.press('ControlOrMeta+c')
      for (const input of parts) {
        for (const each of parts) await each.fill('')
        await input.press('ControlOrMeta+v')
        assert.deepEqual((await values()).map(Number), [29, 2, 1992], copied)
      }
    }
    await name.fill('Asha Rao')
    for (const [typed, error] of [
      [['29', 'Feb', '1992'], 'Enter the month as a number, 1 to 12'],
      [['29', '2', '1993'], 'This date does not exist'],
      [['29', '2', '1892'], 'Check the year: this is more than 110 years ago'],
      [['28', '2', '2992'], 'This date is in the future'],
      [['', '2', '1992'], 'Enter your date of birth'],
    ] as const) {
      for (const [i, text] of typed.entries()) await parts[i]!.fill(text)
      await frame.getByRole('button', { name: 'Continue' }).click()
      await frame.getByText(error, { exact: true }).waitFor()
    }
    // The error above moves the focus in its own time, and a text that is filled in at that moment is lost.
    await until('digits of another script', async () => {
      for (const [i, text] of ['२९', '०२', '१९९२'].entries()) await parts[i]!.fill(text)
      return (await values()).join() === '29,02,1992'
    })
  })

  test('D1 §2.1: the PIN code fills city and state, and never replaces text that the borrower entered', async () => {
    const { frame } = await open({ ...viewAt('PROFILE'), address: {} })
    await frame.getByText('+91 9876543210').waitFor()
    await frame.getByRole('button', { name: 'Continue' }).click()
    const field = (label: string) => frame.getByLabel(label, { exact: true })
    const pin = field('PIN code')
    const city = field('City or town')
    const state = field('State')
    const waitForState = (name: string) => until(name, async () => (await state.inputValue()) === name)
    await pin.fill('411-004')
    await waitForState('Maharashtra')
    assert.equal(await city.inputValue(), 'Pune')
    await pin.fill('403001')
    await waitForState('Goa')
    assert.equal(await city.inputValue(), '', 'the city of another PIN code is removed')
    await pin.fill('600001')
    await city.focus()
    await waitForState('Tamil Nadu')
    assert.equal(await city.inputValue(), 'Chennai', 'a focused field without the borrower’s text is filled')
    await city.fill('Panaji')
    await pin.fill('560001')
    await waitForState('Karnataka')
    assert.equal(await city.inputValue(), 'Panaji')
  })

  test('D1 §2.1: a state that differs from the PIN code’s is asked about once, and the error names both', async () => {
    const { frame } = await open({ ...viewAt('PROFILE'), address: { addressL1: '7 Fort Road' } })
    await frame.getByText('+91 9876543210').waitFor()
    await frame.getByRole('button', { name: 'Continue' }).click()
    const state = frame.getByLabel('State', { exact: true })
    await frame.getByLabel('PIN code').fill('400001')
    await until('the place is filled', async () => (await state.inputValue()) === 'Maharashtra')
    await state.selectOption('Goa')
    await frame.getByRole('button', { name: 'Continue' }).click()
    await frame.getByText('PIN code 400001 is in Maharashtra, not Goa. Check both.').waitFor()
    await frame.locator('#field-state:focus').waitFor()
    await frame.getByRole('button', { name: 'Continue' }).click()
    await frame.getByRole('heading', { name: 'Your loan and your consent' }).waitFor()
  })

  test('D1 §2.1: a stored state that differs from the stored PIN code’s is asked about too', async () => {
    const { address } = viewAt('PROFILE')
    const { frame } = await open({
      ...viewAt('PROFILE'),
      address: { ...address, pincode: '400001', state: 'Karnataka' },
    })
    await frame.getByText('+91 9876543210').waitFor()
    await frame.getByRole('button', { name: 'Continue' }).click()
    assert.equal(await frame.getByLabel('City').inputValue(), address.city ?? '')
    const isPlaceAsked = () => pages.platform.polls.some(({ path }) => path.includes('/pincode/400001'))
    await until('the place is asked for', isPlaceAsked)
    await frame.getByRole('button', { name: 'Continue' }).click()
    await frame.getByText('PIN code 400001 is in Maharashtra, not Karnataka. Check both.').waitFor()
  })

  test('D1 §2.1: a state that the app has spelt otherwise can stay', async () => {
    const { frame } = await open({ ...viewAt('PROFILE'), address: { ...viewAt('PROFILE').address, state: 'MH' } })
    await frame.getByText('+91 9876543210').waitFor()
    await frame.getByRole('button', { name: 'Continue' }).click()
    assert.equal(await frame.getByLabel('State', { exact: true }).inputValue(), 'MH')
    await frame.getByRole('button', { name: 'Continue' }).click()
    await frame.getByRole('heading', { name: 'Your loan and your consent' }).waitFor()
  })

  test('D1 §2.1: a text that is too long is not cut, and what was refused survives a reload with its error', async () => {
    const hosted = await open(viewAt('PROFILE'))
    const { frame, page } = hosted
    await frame.getByText('+91 9876543210').waitFor()
    await frame.getByRole('button', { name: 'Continue' }).click()
    const employer = frame.getByLabel('Employer or business name')
    const income = frame.getByLabel('Monthly take-home income')
    pages.platform.acts.length = 0
    await employer.fill('A'.repeat(201))
    await income.fill('500')
    await frame.getByRole('button', { name: 'Continue' }).click()
    await frame.getByText('Use at most 200 characters').waitFor()
    assert.equal((await employer.inputValue()).length, 201)
    assert.equal(pages.platform.acts.length, 0)
    const pageFrame = page.frames().find((each) => each.url().startsWith(pages.platform.url))!
    await reload(pageFrame)
    await until('the income is back', async () => (await income.inputValue()) === '500')
    assert.equal((await employer.inputValue()).length, 201)
    await frame.getByText('Use at most 200 characters').waitFor()
    await employer.fill('Rao Stores')
    await income.fill('50000')
    const stored = () => pageFrame.evaluate<string>('JSON.stringify(history.state)')
    await until('only what is wrong is kept', async () => !/AAAA|Rao Stores/.test(await stored()))
    await frame.getByLabel('PIN code').fill('4000')
    await until('half a PIN code is kept', async () => /"4000"/.test(await stored()))
    await reload(pageFrame)
    await until('half a PIN code is back', async () => (await frame.getByLabel('PIN code').inputValue()) === '4000')
  })

  test('D3 §2.1: an Aadhaar number in the field of the PAN is not kept for a reload', async () => {
    const { frame, page } = await open(viewAt('PROFILE'))
    await frame.getByText('+91 9876543210').waitFor()
    const pageFrame = page.frames().find((each) => each.url().startsWith(pages.platform.url))!
    const kept = () => pageFrame.evaluate<string>('JSON.stringify(history.state.lendloom.refusedInput)')
    const submit = async (pan: string) => {
      await frame.getByLabel('PAN', { exact: true }).fill(pan)
      await frame.getByRole('button', { name: 'Continue' }).click()
      await frame.getByText('Enter your PAN as on the card').waitFor()
      return await kept()
    }
    assert.equal(await submit('ABCPE12'), '{"pan":"ABCPE12"}')
    for (const aadhaar of ['234567890124', '2345 6789 0124', '2345-6789-0124'])
      assert.equal(await submit(aadhaar), '{}', aadhaar)
  })

  test('D1 §2.1: what was typed is saved when the borrower leaves the page, except what is wrong', async () => {
    const hosted = await open(viewAt('PROFILE'))
    const { frame, page } = hosted
    await frame.getByText('+91 9876543210').waitFor()
    await frame.getByRole('button', { name: 'Continue' }).click()
    pages.platform.acts.length = 0
    await frame.getByLabel('Employer or business name').fill('Rao Stores')
    await frame.getByLabel('Monthly take-home income').fill('500')
    const pageFrame = page.frames().find((each) => each.url().startsWith(pages.platform.url))!
    await reload(pageFrame)
    await until('the draft is saved', () => pages.platform.acts.length > 0)
    await frame.getByLabel('Employer or business name').waitFor()
    assert.equal(pages.platform.acts.length, 1, 'once')
    const [{ path, body } = assert.fail()] = pages.platform.acts
    assert.equal(path, '/profile')
    assert.deepEqual(body, { workProfile: { companyName: 'Rao Stores' } })
  })

  test('the review shows what was typed, hides it on request, and masks it after a reload', async () => {
    const hosted = await open(viewAt('PROFILE'))
    const { frame, page } = hosted
    await frame.getByText('+91 9876543210').waitFor()
    await frame.getByLabel('PAN', { exact: true }).fill('bcdpe1234f')
    pages.platform.on('PUT /profile', () => ({
      ...viewAt('PROFILE'),
      profile: { ...viewAt('PROFILE').profile, pan: 'BCDPE1234F' },
    }))
    await frame.getByRole('button', { name: 'Continue' }).click()
    await frame.getByRole('heading', { name: 'Your work and home' }).waitFor()
    await frame.getByRole('button', { name: 'Continue' }).click()
    const review = frame.getByRole('region', { name: 'What we send' })
    await review.getByText('BCDPE1234F').waitFor()
    await review.getByText('29 Feb 1992').waitFor()
    await review.getByText('+91 9876543210').waitFor()
    await assertFrameAccessible(hosted, 'the review')
    await review.getByRole('button', { name: 'Hide: About you' }).click()
    await review.getByText('••••••234F').waitFor()
    await review.getByText('••.••.1992').waitFor()
    await review.getByRole('button', { name: 'Show: About you' }).click()
    await review.getByText('29 Feb 1992').waitFor()
    await review.getByText('7 Fort Road, Mumbai, Maharashtra, 400001', { exact: true }).waitFor()
    const income = review.getByText('₹85,000', { exact: true })
    assert.equal(await income.isVisible(), false)
    await review.getByText('Salary · ₹85,000').click()
    await income.waitFor()
    assert.deepEqual(await review.locator('.rows dt').allTextContents(), ['Who receives it', 'Purpose', 'For how long'])
    pages.platform.show({ ...viewAt('PROFILE'), profile: { ...viewAt('PROFILE').profile, pan: 'BCDPE1234F' } })
    const pageFrame = page.frames().find((each) => each.url().startsWith(pages.platform.url))!
    await reload(pageFrame)
    await review.getByText('••••••234F').waitFor()
    assert.equal(await review.getByText('BCDPE1234F').count(), 0)
  })

  test('one line counts the errors, the first wrong field has the focus, and nothing is sent', async () => {
    const hosted = await open({ ...viewAt('PROFILE'), profile: { contactNumber: '9876543210', pan: 'ABCPE1234F' } })
    const { frame } = hosted
    await frame.getByText('+91 9876543210').waitFor()
    pages.platform.acts.length = 0
    await frame.getByLabel('PAN', { exact: true }).fill('ABC')
    await frame.getByRole('button', { name: 'Continue' }).click()
    await frame.getByRole('alert').getByText('Please check 5 things').waitFor()
    await assertFrameAccessible(hosted, 'a form with errors')
    await frame.getByRole('alert').getByRole('link', { name: 'Email' }).click()
    await frame.locator('#field-personalemail:focus').waitFor()
    await frame.getByRole('alert').getByRole('link', { name: 'PAN', exact: true }).click()
    const pan = frame.getByLabel('PAN', { exact: true })
    await frame.locator('#field-pan:focus').waitFor()
    assert.equal(await pan.getAttribute('aria-invalid'), 'true')
    await frame.getByText('Enter your PAN as on the card').waitFor()
    await pan.fill('ABCPE1234F')
    await frame.getByRole('alert').getByText('Please check 4 things').waitFor()
    assert.equal(pages.platform.acts.length, 0)
  })

  test('a failed step that sends the borrower to the lender’s numbers shows them', async () => {
    const view = viewAt('KYC')
    const kyc = {
      status: 'FAILURE' as const,
      attempts: 1,
      redirectUrl: null,
      problem: wordsOf('IDENTITY_NOT_VERIFIED'),
    }
    const skipped = { status: 'NOT_REQUIRED' as const, attempts: 0, redirectUrl: null, problem: null }
    const steps = { ...view.steps, kyc, bankMandate: skipped, eMandate: skipped, loanAgreement: skipped }
    const { frame } = await open({ ...view, steps })
    await frame.getByText('call the lender: its numbers are below').waitFor()
    await frame.getByRole('link', { name: '080-25001188' }).waitFor()
  })

  test('D1 §7: a field that the platform refuses is shown on its part of the profile', async () => {
    const { frame } = await open(viewAt('PROFILE'))
    await frame.getByText('+91 9876543210').waitFor()
    await frame.getByRole('button', { name: 'Continue' }).click()
    await frame.getByRole('heading', { name: 'Your work and home' }).waitFor()
    await frame.getByRole('button', { name: 'Continue' }).click()
    await frame.getByRole('heading', { name: 'Your loan and your consent' }).waitFor()
    pages.platform.refuse('POST /profile/submit', 400, 'VALIDATION_FAILED', {
      field: 'address.pincode',
      fields: [{ path: 'address.pincode', message: 'must be a PIN code of 6 digits' }],
    })
    for (const box of await frame.getByRole('checkbox').all()) await box.check()
    await frame.getByRole('button', { name: 'Agree and get offers' }).click()
    await frame.getByRole('heading', { name: 'Your work and home' }).waitFor()
    await frame.getByRole('alert').getByText('Please check one thing').waitFor()
    assert.equal(await frame.getByLabel('PIN code').getAttribute('aria-invalid'), 'true')
  })

  test('offers are sorted by APR, and an amount outside the limits is not sent', async () => {
    const { offers } = viewAt('OFFERS')
    const hosted = await open(
      viewAt('OFFERS', { offers: offers.map((offer) => ({ ...offer, submits: offer.id === meridian.id })) }),
    )
    const { frame } = hosted
    pages.platform.on(`POST /offers/${meridian.id}/select`, () => viewAt('FINALISING'))
    await frame.getByText('We do not favour any lender').waitFor()
    const names = await frame.locator('.card h2').allInnerTexts()
    assert.deepEqual(
      names.map((name) => name.split('\n').at(-1)),
      ['Kaveri Bank', 'Meridian Finance', 'Sahyadri Capital'],
    )
    assert.equal(await frame.getByRole('button', { name: 'Choose Sahyadri Capital' }).count(), 0, 'expired')
    await frame.getByText('The amount is above what this lender gives.').waitFor()
    await frame.getByText('Valid until 10 Jan').first().waitFor()
    await frame.getByRole('button', { name: 'Choose Meridian Finance' }).click()
    pages.platform.acts.length = 0
    await frame.getByRole('heading', { name: '₹2,50,000 over 24 months from Meridian Finance' }).waitFor()
    const figures = frame.locator('.compared dd')
    assert.deepEqual(
      await figures.allTextContents(),
      ['₹12,122', '17.34%', '₹2,90,928', '₹4,675', '₹2,45,075'],
      'confirmed by the lender',
    )
    assert.equal(await frame.getByText('This is an estimate').count(), 0)
    await assertFrameAccessible(hosted, 'figures confirmed by the lender')
    await frame.getByText('Meridian Finance first asks for your bank account and statement').waitFor()
    await frame.getByText('Change amount or term').click()
    await frame.getByLabel('Amount, in rupees').fill('4,00,001')
    await assertFrameAccessible(hosted, 'amount and term')
    await frame.getByRole('button', { name: 'Continue' }).click()
    await frame.getByRole('alert').getByText('Please check one thing').waitFor()
    await frame.locator('#field-amount:focus').waitFor()
    await frame.getByText('Enter ₹50,000 to ₹4,00,000').waitFor()
    assert.equal(pages.platform.acts.length, 0)
    await frame.getByLabel('Amount, in rupees').fill('1,50,000')
    await frame.getByText('12', { exact: true }).click()
    await frame.locator('.estimate').getByText('₹13,539').waitFor()
    await frame.getByText('This is an estimate. Meridian Finance gives you').waitFor()
    await frame.getByRole('heading', { name: '₹1,50,000 over 12 months from Meridian Finance' }).waitFor()
    await assertFrameAccessible(hosted, 'estimated figures')
    await frame.getByRole('button', { name: 'Continue' }).click()
    await frame.getByRole('heading', { name: 'is preparing your final offer' }).waitFor()
    assert.deepEqual(
      pages.platform.acts.map(({ body }) => body),
      [{ amount: '150000', tenureMonths: 12, language: 'en' }],
    )
  })

  test('income and sales are grouped in lakhs while typing, and sent as digits', async () => {
    const workProfile = { employmentType: 'selfEmployed' as const, income: 85_000 }
    const { frame } = await open(viewAt('PROFILE', { asksBusiness: true, workProfile }))
    await frame.getByText('+91 9876543210').waitFor()
    await frame.getByRole('button', { name: 'Continue' }).click()
    const income = frame.getByLabel('Monthly income from the business')
    await income.waitFor()
    assert.equal(await income.inputValue(), '85,000')
    for (const [typed, error] of [
      ['-5', 'Enter your monthly income, at least ₹1,000'],
      ['1.25 lakh', 'Enter a number in rupees, such as 1,25,000'],
      ['1,00,00,001', 'A monthly income can be at most ₹1,00,00,000. Check the digits'],
    ] as const) {
      await income.fill(typed)
      await frame.getByRole('button', { name: 'Continue' }).click()
      await frame.getByText(error, { exact: true }).waitFor()
    }
    await income.fill('१२५०००')
    assert.equal(await income.inputValue(), '1,25,000', 'digits of another script')
    await income.fill('')
    for (const key of '125000.00') await income.press(key)
    assert.equal(await income.inputValue(), '1,25,000', 'paise of zero do not become further digits')
    const sales = frame.getByLabel('Last year’s sales, in rupees')
    assert.ok(!(await sales.isVisible()), 'few borrowers fill in the optional fields')
    await frame.getByText('More about the business (optional)').click()
    const gstin = frame.getByLabel('GSTIN')
    await gstin.fill('27')
    await frame.getByText('More about the business (optional)').click()
    await frame.getByRole('button', { name: 'Continue' }).click()
    await frame.getByText('Enter the name of your business', { exact: true }).waitFor()
    await frame.locator('.bad :focus').waitFor()
    assert.ok(await gstin.isVisible(), 'an error opens the optional fields')
    await gstin.fill('')
    await sales.fill('Rs. 15,00,000.00/-')
    assert.equal(await sales.inputValue(), '15,00,000')
    pages.platform.acts.length = 0
    await frame.getByLabel('Type of business').selectOption('Sole proprietorship')
    await frame.getByLabel('What does your business do?').selectOption('Farming')
    await frame.getByLabel('Business name').fill('Asha Stores')
    await frame.getByRole('button', { name: 'Continue' }).click()
    await frame.getByRole('heading', { name: 'Your loan and your consent' }).waitFor()
    const { workProfile: sent } = pages.platform.acts.at(-1)!.body as { workProfile: Record<string, string> }
    assert.equal(sent.income, '125000')
    assert.equal(sent.annualTurnover, '1500000')
  })

  test('accepting the final offer needs consent, and declining it needs confirmation', async () => {
    const { frame } = await open(viewAt('FINAL_OFFER'))
    const path = `/offers/${kaveri.id}`
    pages.platform.on(`POST ${path}/accept`, () => viewAt('KYC'))
    pages.platform.on(`POST ${path}/decline`, () => viewAt('REJECTED'))
    await frame.getByRole('row', { name: 'Loan amount ₹2,50,000 ₹2,00,000' }).waitFor()
    assert.equal(
      await frame.getByRole('row').count(),
      2,
      'the APR is not compared, because the first offer was for another amount',
    )
    pages.platform.acts.length = 0
    await frame.getByRole('button', { name: 'Accept this loan' }).click()
    await frame.getByRole('alert').getByText('Please check one thing').waitFor()
    await frame.getByRole('button', { name: 'Decline' }).click()
    await frame.getByRole('heading', { name: 'Decline ₹2,00,000 from Kaveri Bank?' }).waitFor()
    await frame.getByText('Your other offer ends too.').waitFor()
    await frame.getByText('Kaveri Bank is not asked again.').waitFor()
    assert.equal(await frame.locator('button.main').innerText(), 'No, go back', 'the safe way is the main one')
    await frame.getByRole('button', { name: 'No, go back' }).click()
    assert.equal(pages.platform.acts.length, 0)
    await frame.getByRole('checkbox').check()
    await frame.getByRole('button', { name: 'Accept this loan' }).click()
    await frame.getByRole('heading', { name: 'Verify your identity' }).waitFor()
    const [accepted] = pages.platform.acts
    assert.equal(accepted!.path, `${path}/accept`)
    assert.deepEqual(accepted!.body, {
      quote: viewAt('FINAL_OFFER').selected!.quote,
      consents: [{ purpose: 'key_facts', textVersion: currentConsentVersion, language: 'en' }],
    })
  })

  test('D1 §3: new terms of the lender are announced, and need a new consent', async () => {
    const hosted = await open(viewAt('FINAL_OFFER'))
    const { frame } = hosted
    const path = `/offers/${kaveri.id}`
    const { selected } = viewAt('FINAL_OFFER')
    const otherQuote = { quoteId: 'Q-2', termsDigest: '6'.repeat(64) }
    const replaced = viewAt('FINAL_OFFER', {
      selected: { ...selected!, terms: { ...kaveri, annualPercentageRate: '285.77%' }, quote: otherQuote },
    })
    await frame.getByRole('checkbox').check()
    pages.platform.refuse(`POST ${path}/accept`, 409, 'STATE_PRECONDITION_FAILED', { change: 'OFFER_REPLACED' })
    pages.platform.show(replaced)
    await frame.getByRole('button', { name: 'Accept this loan' }).click()
    await frame.getByRole('alert').getByText('The lender changed its offer').waitFor()
    await frame.getByRole('status').getByText('The lender changed its offer').waitFor()
    await frame.getByText('285.77%').first().waitFor()
    assert.equal(await frame.getByRole('checkbox').isChecked(), false)
    pages.platform.on(`POST ${path}/accept`, () => viewAt('KYC'))
    await frame.getByRole('checkbox').check()
    await frame.getByRole('button', { name: 'Accept this loan' }).click()
    await frame.getByRole('heading', { name: 'Verify your identity' }).waitFor()
    assert.deepEqual((pages.platform.acts.at(-1)!.body as { quote: object }).quote, otherQuote)
  })

  test('D2 §4: an invalid bank account is not sent, and a valid one is sent without spaces', async () => {
    const { frame } = await open(viewAt('BANK'))
    pages.platform.on('POST /steps/bank-mandate', () => viewAt('LENDER_WORKING'))
    await frame.getByLabel('Account number', { exact: true }).fill('1234')
    pages.platform.acts.length = 0
    await frame.getByRole('button', { name: 'Confirm account' }).click()
    await frame.getByRole('alert').getByText('Please check 3 things').waitFor()
    assert.equal(pages.platform.acts.length, 0)
    await frame.getByLabel('Account number', { exact: true }).fill('1234 5678 9012')
    await frame.getByLabel('Re-enter account number').fill('123456789021')
    await frame.getByLabel('IFSC').fill('ZZZZ0000001')
    await frame.getByText('We do not know this IFSC.').waitFor()
    await frame.getByLabel('IFSC').fill('hdfc 0000-001')
    await frame.getByText('HDFC Bank, Nariman Point, Mumbai').waitFor()
    await frame.getByLabel('Savings').check()
    await frame.getByRole('button', { name: 'Confirm account' }).click()
    await frame.getByText('The two numbers differ.').waitFor()
    await frame.locator('#field-accountAgain:focus').waitFor()
    assert.equal(pages.platform.acts.length, 0, 'differing numbers are not sent')
    await frame.getByLabel('Re-enter account number').fill('1234-5678-9012')
    await frame.getByRole('button', { name: 'Confirm account' }).click()
    await frame.getByRole('heading', { name: 'Kaveri Bank is preparing the next step' }).waitFor()
    assert.deepEqual(pages.platform.acts[0]!.body, {
      accountHolderName: 'Asha Rao',
      accountNumber: '123456789012',
      ifsc: 'hdfc0000001',
      accountType: 'saving',
    })
  })

  test('D3 §2.3: the statement step shows the chosen amount, and names the platform as the owner of its page', async () => {
    const { selected } = viewAt('STATEMENT')
    const { frame } = await open(viewAt('STATEMENT', { selected: { ...selected!, amount: '150000.00' } }))
    await frame.getByRole('button', { name: 'Choose how to share' }).waitFor()
    assert.equal(
      await frame
        .locator('.who')
        .first()
        .innerText()
        .then((text) => text.includes('₹1,50,000')),
      true,
    )
    assert.equal(await frame.getByText(/2,00,000|9,368|Continue at Kaveri/).count(), 0)
    await frame.getByText('Kaveri Bank works out its final offer.').waitFor()
  })

  test('a step names the site on which it continues, and the list of steps names the next one once', async () => {
    const hosted = await open(viewAt('KYC'))
    const { frame } = hosted
    await frame.getByText('You continue on Kaveri Bank’s site (lender.example). The page opens in a new tab.').waitFor()
    pages.platform.show(viewAt('E_MANDATE', { version: 2 }))
    await hosted.pollAgain()
    await frame.getByRole('heading', { name: 'Set up autopay' }).waitFor()
    pages.platform.show(viewAt('LENDER_WORKING', { version: 3 }))
    await hosted.pollAgain()
    await frame.getByText('Your bank account is confirmed. Next: autopay.').waitFor()
    assert.equal(await frame.getByText('Being checked now').count(), 0, 'nothing of the next step is checked yet')
    assert.deepEqual(await frame.locator('.step-list small').allTextContents(), ['Done', 'Done', 'Now', 'Next'])
    const awaited = viewAt('LENDER_WORKING', { version: 4 })
    const { kyc, bankMandate, eMandate } = awaited.steps
    pages.platform.show({ ...awaited, bankAccount: null, steps: { ...awaited.steps, bankMandate: eMandate } })
    await hosted.pollAgain()
    await frame.getByText('Your identity is confirmed. Next: your bank account.').waitFor()
    const checked = { ...bankMandate, status: 'IN_PROGRESS' as const }
    pages.platform.show({ ...awaited, steps: { ...awaited.steps, kyc, bankMandate: checked }, version: 5 })
    await hosted.pollAgain()
    await frame.getByText('Being checked now: Bank account.').waitFor()
  })

  test('choosing a language while another one loads keeps the choice', async () => {
    const { page } = await open(viewAt('OFFERS'))
    const englishResponse = Promise.withResolvers<void>()
    await page.route('**/assets/offers-en.*', (route) => englishResponse.promise.then(() => route.continue()))
    await page.goto(`${pages.platform.url}/lab/embed?lang=en#token=bt_test_single-use`)
    await page.getByRole('combobox', { name: 'Language' }).selectOption('हिन्दी')
    await page.getByRole('combobox', { name: 'भाषा' }).waitFor()
    englishResponse.resolve()
    await page.getByRole('heading', { name: 'आपके लिए 3 ऑफ़र हैं' }).waitFor()
    assert.doesNotMatch(await page.locator('main').innerText(), /Choose|offers/)
  })

  test('FIS12 §26.2: a lender with one page says what is done there, and where the borrower accepts', async () => {
    const stops = [
      { step: 'kyc', state: 'done' },
      { step: 'bankMandate', state: 'now' },
      { step: 'eMandate', state: 'next' },
    ] as const
    const at = (screen: 'FINAL_OFFER' | 'KYC', states: 'next' | 'reported') => {
      const view = viewAt(screen)
      const reached = stops.map(({ step, state }) => ({ step, state: states === 'next' ? ('next' as const) : state }))
      return { ...view, selected: { ...view.selected!, lenderPage: { isOnline: true, isDone: false, stops: reached } } }
    }
    const { frame } = await open(at('FINAL_OFFER', 'next'))
    await frame.getByText('Kaveri Bank’s page asks you once more before anything binds you.').waitFor()
    await frame.getByRole('button', { name: 'Continue at Kaveri Bank' }).waitFor()
    const hosted = await open(at('KYC', 'next'))
    await hosted.frame.getByRole('heading', { name: 'Continue on the lender’s page' }).waitFor()
    await hosted.frame.getByText('You accept or decline the loan there').waitFor()
    const begun = at('KYC', 'reported')
    const { kyc } = begun.steps
    pages.platform.show({ ...begun, steps: { ...begun.steps, kyc: { ...kyc, status: 'IN_PROGRESS' } }, version: 99 })
    await hosted.pollAgain()
    await hosted.frame.locator('.step-list li.done').getByText('Your identity').waitFor()
    await hosted.frame.locator('.step-list li.now').getByText('Bank account').waitFor()
    await assertFrameAccessible(hosted, 'the stops of a lender')
    const done = stops.map(({ step }) => ({ step, state: 'done' as const }))
    const all = { ...begun, selected: { ...begun.selected, lenderPage: { isOnline: true, isDone: true, stops: done } } }
    pages.platform.show({ ...all, steps: { ...begun.steps, kyc: { ...kyc, status: 'IN_PROGRESS' } }, version: 100 })
    await hosted.pollAgain()
    await hosted.frame.getByRole('heading', { name: 'Kaveri Bank is paying out' }).waitFor()
    await hosted.frame.locator('.step-list li.now').getByText('Payout').waitFor()
    assert.equal(await hosted.frame.getByRole('button', { name: /Kaveri Bank|I am back/ }).count(), 0)
  })

  test('the language changes on the page and stays after a reload', async () => {
    const offers = viewAt('OFFERS').offers.map((offer) => ({
      ...offer,
      start: kaveri.start,
      totalInterest: '1723850.00',
    }))
    const { page, frame } = await open(viewAt('OFFERS', { offers }), { width: 290 })
    await frame.getByRole('heading', { name: 'You have 3 offers' }).waitFor()
    const languageSelect = frame.getByRole('combobox', { name: 'Language' })
    const heights = [languageSelect, frame.getByText('₹19,23,850').first()].map(
      async (each) => (await each.boundingBox())!.height,
    )
    assert.deepEqual(await Promise.all(heights), [44, 24], 'each on one line')
    await languageSelect.selectOption('हिन्दी')
    await frame.getByRole('heading', { name: 'आपके लिए 3 ऑफ़र हैं' }).waitFor()
    const pageFrame = page.frames().find((each) => each.url().startsWith(pages.platform.url))!
    await page.emulateMedia({ forcedColors: 'active' })
    const border = await pageFrame.evaluate(`getComputedStyle(document.querySelector('.card button')).borderTopWidth`)
    assert.equal(border, '1px', 'a button has a border in forced colours')
    await reload(pageFrame)
    await frame.getByRole('heading', { name: 'आपके लिए 3 ऑफ़र हैं' }).waitFor()
  })
})
