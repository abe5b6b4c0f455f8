// The hosted page of a gold loan: the gold, the branch and the visit.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { wordsOf } from '@lendloom/lending/reason/reason'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { branches, goldViewAt, kaveriGold, meridianGold, visitAt } from '#test/setup/embed-gold-views.ts'
import type { OpenHostedPage } from '#test/setup/embed-page.ts'
import { assertFrameAccessible, embedPages } from '#test/setup/embed-pages.ts'

const pages = embedPages()
const { open } = pages
async function show(hosted: OpenHostedPage, view: EmbedView): Promise<void> {
  pages.platform.show(view)
  await hosted.pollAgain()
}

const select = `POST /offers/${kaveriGold.id}/select`

describe('D1 §2.1: a gold loan on the hosted page', () => {
  test('the profile asks for the gold instead of income, and saves each part', async () => {
    const { personalemail, ...profile } = goldViewAt('PROFILE').profile
    let savedView = goldViewAt('PROFILE', { profile, goldLoan: null, address: {}, endUse: null })
    const hosted = await open(savedView)
    const { page, frame } = hosted
    pages.platform.on('PUT /profile', ({ body }) => {
      const { goldLoan, address, endUse = savedView.endUse } = body as Partial<EmbedView>
      savedView = {
        ...savedView,
        goldLoan: { ...savedView.goldLoan, ...goldLoan },
        address: { ...savedView.address, ...address },
        endUse,
      }
      return savedView
    })
    pages.platform.on('POST /profile/submit', () => goldViewAt('SEARCHING'))
    await frame.getByText('Step 1 of 4: Details').waitFor()
    await frame.getByText('Email (optional)').waitFor()
    await frame.getByRole('button', { name: 'Continue' }).click()
    await frame.getByRole('heading', { name: 'Your gold and your address' }).waitFor()
    assert.equal(await frame.getByText('How do you earn your income?').count(), 0)

    const weight = frame.getByLabel('Weight of your gold, in grams')
    assert.equal(await weight.getAttribute('inputmode'), 'decimal')
    await weight.fill('24,5')
    await frame.getByRole('button', { name: 'Continue' }).click()
    await frame.getByRole('alert').getByText('Please check 3 things').waitFor()
    await assertFrameAccessible(hosted, 'the gold, with errors')
    await frame.getByText('Enter the weight in grams').waitFor()
    await frame.locator('#field-jewelleryWeightGrams:focus').waitFor()
    await weight.fill('24.5')
    await frame.getByText('Choose the purity of your gold').waitFor()
    await frame.locator('#field-purity').focus()
    await page.keyboard.press('ArrowDown')
    await frame.getByLabel('22K').and(frame.locator(':checked')).waitFor()
    await frame.getByLabel('PIN code').fill('400001')
    await frame.getByRole('button', { name: 'Continue' }).click()

    await frame.getByRole('heading', { name: 'Your loan and your consent' }).waitFor()
    assert.equal(
      await frame.getByText('Add your gold piece by piece').count(),
      0,
      'it belongs to the part with the weight',
    )
    assert.equal(await frame.getByLabel('Myself').isChecked(), true)
    assert.equal(await frame.getByLabel('Type of business or organisation').count(), 0)
    await frame.getByLabel('A business or organisation').check()
    await frame.getByLabel('Type of business or organisation').fill('Partnership')
    await frame.getByLabel('What is the loan for?').selectOption('marriage')
    for (const box of await frame.getByRole('checkbox').all()) await box.check()
    await assertFrameAccessible(hosted, 'the type of borrower')
    await frame.getByRole('button', { name: 'Agree and get offers' }).click()
    await frame.getByRole('heading', { name: 'Looking for offers' }).waitFor()
    const drafts = pages.platform.acts.filter(({ method }) => method === 'PUT').map(({ body }) => body)
    assert.deepEqual(drafts, [
      { goldLoan: { userType: 'individual' } },
      { goldLoan: { jewelleryWeightGrams: '24.5', purity: '22K' }, address: { pincode: '400001' } },
      { goldLoan: { userType: 'non-individual', constitution: 'Partnership' }, endUse: 'marriage' },
    ])
  })

  test('the calculator sums the pieces into weight and lowest purity', async () => {
    const hosted = await open(goldViewAt('PROFILE', { goldLoan: null }))
    const { frame } = hosted
    await frame.getByText('Step 1 of 4: Details').waitFor()
    await frame.getByRole('button', { name: 'Continue' }).click()
    const weight = frame.getByLabel('Weight of your gold, in grams')
    await frame.getByText('Add your gold piece by piece').click()
    const piece = (position: number) => frame.getByRole('group', { name: `Piece ${position}`, exact: true })
    await piece(1).getByLabel('Weight in grams').fill('12,4')
    await piece(1).getByText('Enter the weight in grams as a number').waitFor()
    await piece(1).getByLabel('Weight in grams').fill('12.405')
    await piece(1).getByLabel('Purity').selectOption('22K')
    assert.equal(await weight.inputValue(), '12.405')
    await frame.getByRole('button', { name: 'Add another piece' }).click()
    await frame.getByText('Enter the weight and purity of every piece.').waitFor()
    assert.equal(await weight.inputValue(), '', 'an incomplete sum is cleared')
    await piece(2).getByLabel('Type of piece').selectOption('Coin')
    await piece(2).getByLabel('Purity').selectOption('18K')
    await piece(2).getByLabel('How many').fill('4')
    await piece(2).getByLabel('Total weight of all 4, in grams').fill('15')
    assert.equal(await weight.inputValue(), '27.405')
    await piece(2).getByLabel('I have weighed one of them').check()
    await piece(2).getByLabel('Weight of each, in grams').waitFor()
    await frame.getByText('5 pieces, lowest purity 18K').waitFor()
    await frame.getByText('A lender may take at most 50 g of gold coins').waitFor()
    assert.equal(await weight.inputValue(), '72.405')
    assert.equal(await frame.getByLabel('18K').isChecked(), true)
    await assertFrameAccessible(hosted, 'the pieces')
    await frame.getByRole('button', { name: 'Remove piece 2' }).click()
    await frame.getByText('One piece, 22K').waitFor()
    assert.equal(await weight.inputValue(), '12.405')
  })

  test('the app’s values are prefilled, and a weight that the platform refuses is shown at its field', async () => {
    const { frame } = await open(goldViewAt('PROFILE', { workProfile: { income: 40000 } }))
    await frame.getByText('Step 1 of 4: Details').waitFor()
    await frame.getByRole('button', { name: 'Continue' }).click()
    await frame.getByText('Only the gold and the PIN code are required.').waitFor()
    assert.equal(await frame.getByLabel('Monthly take-home income').isVisible(), false, 'the loan needs no income')
    await frame.getByText('Income (optional)', { exact: true }).click()
    await frame.getByLabel('Monthly take-home income').fill('lots')
    await frame.getByRole('button', { name: 'Continue' }).click()
    await frame.getByText('Enter a number in rupees, such as 1,25,000', { exact: true }).waitFor()
    await frame.getByLabel('Monthly take-home income').fill('40000')
    assert.equal(await frame.getByLabel('Weight of your gold, in grams').inputValue(), '24.5')
    assert.equal(await frame.getByLabel('22K').isChecked(), true)
    await frame.getByRole('button', { name: 'Continue' }).click()
    await frame.getByRole('heading', { name: 'Your loan and your consent' }).waitFor()
    pages.platform.refuse('POST /profile/submit', 400, 'VALIDATION_FAILED', {
      missingFields: ['goldLoan.jewelleryWeightGrams'],
    })
    for (const box of await frame.getByRole('checkbox').all()) await box.check()
    await frame.getByRole('button', { name: 'Agree and get offers' }).click()
    await frame.getByRole('alert').getByText('Please check one thing').waitFor()
    const weight = frame.getByLabel('Weight of your gold, in grams')
    assert.equal(await weight.getAttribute('aria-invalid'), 'true')
    assert.equal(
      pages.platform.acts.some(({ method }) => method === 'PUT'),
      false,
      'unchanged parts are not saved',
    )
  })

  test('Continue waits for the app’s values before it validates', async () => {
    const { page } = await open(goldViewAt('PROFILE'))
    const response = Promise.withResolvers<void>()
    await page.route('**/api/embed/session', (route) => response.promise.then(() => route.continue()))
    await page.goto(`${pages.platform.url}/lab/embed?lang=en#token=bt_test_single-use`)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'One moment…' }).waitFor()
    response.resolve()
    await page.getByRole('heading', { name: 'Your gold and your address' }).waitFor()
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    assert.equal(overflow, 0, 'no overflow at twice the text size')
  })

  test('FIS12 §9.1: an offer shows loan to value and branches, and the nearest branch is preselected', async () => {
    const hosted = await open(goldViewAt('OFFERS'))
    const { frame } = hosted
    await frame.locator('.offer').first().getByText('All details').click()
    await frame.getByText('up to 74.07% of your gold’s value').waitFor()
    await frame.getByText('7 branches, the nearest in your area').first().waitFor()
    await frame.getByText('One branch, about 40 km away').first().waitFor()
    await assertFrameAccessible(hosted, 'offers')
    await frame.getByRole('button', { name: 'Choose Kaveri Bank' }).click()
    // The app requested this amount (D1 §2.1).
    await frame.getByRole('heading', { name: '₹1,50,000 over 12 months from Kaveri Bank' }).waitFor()
    const group = frame.getByRole('group', { name: 'Which branch will you bring the gold to?' })
    const radios = group.getByRole('radio')
    await radios.first().waitFor()
    await frame.getByText('₹2,70,000', { exact: true }).waitFor()
    await frame.getByText('₹11,021 a gram, for the 24.5 g you entered').waitFor()
    await frame.getByText('From Kaveri Bank’s offer').waitFor()
    await group.getByText('about 1 hour by road').first().waitFor()
    assert.equal(await frame.getByText('The nearest branch is far').count(), 0)
    assert.equal(await radios.count(), 5)
    assert.equal(await radios.first().isChecked(), true)
    await group.getByRole('button', { name: 'Show all 7 branches' }).click()
    await frame.locator('#field-branchID-5:focus').waitFor()
    assert.equal(await radios.count(), branches.length)
    await assertFrameAccessible(hosted, 'the branches')
    pages.platform.refuse(select, 400, 'VALIDATION_FAILED', {
      fields: [{ path: 'branchID', message: 'must be one of the branches of this offer' }],
    })
    await frame.getByRole('button', { name: 'Get the final offer' }).click()
    await frame.getByText('Choose a branch').waitFor()
    await frame.locator('#field-branchID:focus').waitFor()
    pages.platform.on(select, () => goldViewAt('FINALISING'))
    await group.getByRole('radio', { name: /^Thane about 30 km away/ }).check()
    await frame.getByRole('button', { name: 'Get the final offer' }).click()
    await frame.getByRole('heading', { name: 'is preparing your final offer' }).waitFor()
    assert.deepEqual(pages.platform.acts.at(-1)!.body, {
      amount: '150000',
      tenureMonths: 12,
      branchID: 'thane',
      language: 'en',
    })
    await show(hosted, goldViewAt('FINAL_OFFER'))
    await frame.getByText('3 Station Road, Thane').waitFor()
    await frame.getByText('74.07% of your gold’s value', { exact: true }).waitFor()
  })

  test('a card marks a distant nearest branch, and offers can be sorted by distance', async () => {
    const distantOffer = { ...kaveriGold, branches: [{ ...branches[4]!, aboutKm: 830 }] }
    const hosted = await open(goldViewAt('OFFERS', { offers: [distantOffer, meridianGold] }))
    const { frame } = hosted
    const card = (name: string) => frame.locator('.offer', { hasText: name })
    await card('Kaveri Bank').getByText('about 830 km away').first().waitFor()
    assert.equal(await card('Meridian Finance').locator('.far').count(), 0)
    const names = () => frame.locator('.offer h2').allInnerTexts()
    assert.deepEqual(await names(), ['Kaveri Bank', 'Meridian Finance'])
    await frame.getByLabel('Sort by').selectOption('Nearest branch')
    await card('Meridian Finance').locator('.badge', { hasText: 'Nearest branch' }).waitFor()
    assert.deepEqual(await names(), ['Meridian Finance', 'Kaveri Bank'])
    await assertFrameAccessible(hosted, 'offers sorted by distance')
    await frame.getByRole('button', { name: 'Choose Kaveri Bank' }).click()
    await frame.getByText('The nearest branch is far: about 830 km.').waitFor()
    assert.equal(await frame.getByText(/hours? by road/).count(), 0)
  })

  test('the page warns of a distant nearest branch and does not preselect it', async () => {
    const distantOffer = { ...kaveriGold, branches: branches.slice(4) }
    const hosted = await open(goldViewAt('OFFERS', { offers: [distantOffer] }))
    const { frame } = hosted
    await frame.getByRole('button', { name: 'Choose Kaveri Bank' }).click()
    await frame.locator('.far', { hasText: 'The nearest branch is far: about 120 km.' }).waitFor()
    assert.equal(await frame.locator('input[name=branchID]:checked').count(), 0)
    await assertFrameAccessible(hosted, 'a branch that is far')
  })

  test('the visit is booked on the lender’s page, and the hosted page shows branch, contact and what to bring', async () => {
    const hosted = await open(visitAt('due'))
    const { page, frame } = hosted
    await frame.getByRole('heading', { name: 'Book your branch visit' }).waitFor()
    await frame.getByText('Step 3 of 4: Visit').waitFor()
    assert.equal(
      await frame.getByRole('link', { name: 'Call +91-9876500002' }).getAttribute('href'),
      'tel:+919876500002',
    )
    await assertFrameAccessible(hosted, 'before booking')
    const lender = page.context().waitForEvent('page')
    await frame.getByRole('button', { name: 'Book at Kaveri Bank' }).click()
    await (await lender).getByRole('heading', { name: 'The lender' }).waitFor()
    assert.equal(pages.platform.acts.at(-1)!.path, '/steps/kyc/open')
    await frame.getByText('Kaveri Bank has not confirmed a visit yet').waitFor()
    await assertFrameAccessible(hosted, 'opened')
    const map = await frame.getByRole('link', { name: 'Show on a map' }).getAttribute('href')
    assert.equal(new URL(map!).searchParams.get('query'), 'Thane 3 Station Road, Thane 400601')
    await show(hosted, visitAt('booked'))
    await frame.getByRole('heading', { name: 'Your visit is booked' }).waitFor()
    await frame.getByText('Your PAN card').waitFor()
    // Without a time in the lender's message (FIS12 §9.1 row 5), only the lender's page shows it.
    await frame.getByText('at the time you chose. You find them on Kaveri Bank’s page.').waitFor()
    await assertFrameAccessible(hosted, 'booked')
    await show(hosted, visitAt('timed'))
    await frame.getByText('Bring your gold to the branch at the time below.').waitFor()
    await frame.getByText('Tue, 1 Dec, 11:00').waitFor()
    const calendar = await frame.getByRole('link', { name: 'Add to calendar' }).getAttribute('href')
    assert.equal(calendar, 'https://lend.example/lab/visit/1?lang=en')
    await assertFrameAccessible(hosted, 'booked with a time')
    await show(hosted, visitAt('failed'))
    await frame.getByRole('alert').getByText('The branch is closed on the day you chose.').waitFor()
    await frame.getByRole('button', { name: 'Try again at Kaveri Bank' }).waitFor()
    await assertFrameAccessible(hosted, 'failed')
    await show(hosted, goldViewAt('DISBURSAL'))
    await frame.getByText('Kaveri Bank is sending ₹1,98,570 to your bank account.').waitFor()
    await frame.getByText('Your branch visit').waitFor()
    await show(
      hosted,
      goldViewAt('REJECTED', { endReason: { code: 'UNKNOWN_REASON', en: 'The branch could not take the gold.' } }),
    )
    await frame.getByText('The branch could not take the gold.').waitFor()
    await frame.getByText('If you left gold at the branch, you get it back there.').waitFor()
    await show(hosted, goldViewAt('REJECTED', { advice: ['GOLD'], endReason: wordsOf('GOLD_NOT_TAKEN_IN') }))
    await frame.getByText('Ask the branch what it could not accept.').waitFor()
    await frame.getByText(branches[2]!.name, { exact: true }).waitFor()
    await frame.getByRole('link', { name: 'Call +91-9876500002' }).waitFor()
    await assertFrameAccessible(hosted, 'the branch to ask')
  })

  test('after disbursal the page shows the gold’s branch, its contact, the return of the gold, and complaints', async () => {
    const grievances = { possible: true, items: [] }
    const hosted = await open(goldViewAt('DISBURSED', { grievances }))
    const { frame } = hosted
    await frame.getByRole('heading', { name: 'Your gold', exact: true }).waitFor()
    await frame.getByText('Kaveri Bank keeps your gold at the branch until you have repaid the loan.').waitFor()
    await frame.getByText(branches[2]!.name, { exact: true }).waitFor()
    await frame.getByRole('link', { name: 'Call +91-9876500002' }).waitFor()
    await frame.getByText('within seven working days').waitFor()
    await frame.getByRole('button', { name: 'Complain about this loan' }).waitFor()
    await assertFrameAccessible(hosted, 'a disbursed gold loan')
  })

  test('the screens of a gold loan are in Hindi', async () => {
    const hosted = await open(goldViewAt('PROFILE'), { language: 'hi' })
    const { frame } = hosted
    await frame.getByText('चरण 1/4: जानकारी').waitFor()
    await frame.getByRole('button', { name: 'आगे बढ़ें' }).click()
    await frame.getByLabel('सोने का वज़न, ग्राम में').waitFor()
    await show(hosted, goldViewAt('OFFERS'))
    await frame.getByText('7 शाखाएँ, सबसे पास की आपके इलाके में').first().waitFor()
    await frame.getByRole('button', { name: 'Kaveri Bank को चुनें' }).click()
    await frame.getByRole('group', { name: 'आप सोना किस शाखा में लाएँगे?' }).waitFor()
    await show(hosted, visitAt('timed'))
    await frame.getByRole('heading', { name: 'शाखा जाने का समय तय हो गया है' }).waitFor()
    await frame.getByRole('link', { name: 'कैलेंडर में जोड़ें' }).waitFor()
    await show(hosted, goldViewAt('DISBURSED'))
    await frame.getByText('देर से भुगतान के लिए Kaveri Bank शुल्क ले सकता है').waitFor()
    await frame.locator('header select').selectOption('English')
    await frame.getByText('Kaveri Bank may charge you for paying late').waitFor()
  })
})
