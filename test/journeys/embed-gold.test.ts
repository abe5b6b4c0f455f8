// The hosted page of a gold loan as a borrower meets it: the gold, the branch, the visit.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EmbedView } from '#contract/hosted/embed.ts'
import { wordsOf } from '#contract/reason/reason.ts'
import { branches, goldViewAt, kaveriGold, meridianGold, visitAt } from '#test/setup/embed-gold-views.ts'
import type { Opened } from '#test/setup/embed-page.ts'
import { accessible, embedPages } from '#test/setup/embed-pages.ts'

const pages = embedPages()
const { open } = pages
async function show(one: Opened, view: EmbedView): Promise<void> {
  pages.platform.show(view)
  await one.askAgain()
}

const select = `POST /offers/${kaveriGold.id}/select`

describe('D1 §2.1: a gold loan on the hosted page', () => {
  test('the profile asks for the gold and for no income, and saves the draft part by part', async () => {
    const { personalemail, ...profile } = goldViewAt('PROFILE').profile
    let kept = goldViewAt('PROFILE', { profile, goldLoan: null, address: {}, endUse: null })
    const one = await open(kept)
    const { page, inside } = one
    pages.platform.on('PUT /profile', ({ body }) => {
      const { goldLoan, address, endUse = kept.endUse } = body as Partial<EmbedView>
      kept = {
        ...kept,
        goldLoan: { ...kept.goldLoan, ...goldLoan },
        address: { ...kept.address, ...address },
        endUse,
      }
      return kept
    })
    pages.platform.on('POST /profile/submit', () => goldViewAt('SEARCHING'))
    await inside.getByText('Step 1 of 4: Details').waitFor()
    await inside.getByText('Email (optional)').waitFor()
    await inside.getByRole('button', { name: 'Continue' }).click()
    await inside.getByRole('heading', { name: 'Your gold and your address' }).waitFor()
    assert.equal(await inside.getByText('How do you earn your income?').count(), 0)

    const weight = inside.getByLabel('Weight of your gold, in grams')
    assert.equal(await weight.getAttribute('inputmode'), 'decimal')
    await weight.fill('24,5')
    await inside.getByRole('button', { name: 'Continue' }).click()
    await inside.locator('.summary:focus', { hasText: 'Please check 3 things' }).waitFor()
    await accessible(one, 'the gold, with errors')
    await inside.getByRole('link', { name: 'Enter the weight in grams' }).click()
    await inside.locator('#field-jewelleryWeightGrams:focus').waitFor()
    await weight.fill('24.5')
    await inside.getByRole('link', { name: 'Choose the purity of your gold' }).click()
    await page.keyboard.press('ArrowDown')
    await inside.getByLabel('22K').and(inside.locator(':checked')).waitFor()
    await inside.getByLabel('PIN code').fill('400001')
    await inside.getByRole('button', { name: 'Continue' }).click()

    await inside.getByRole('heading', { name: 'Your loan and your consent' }).waitFor()
    assert.equal(await inside.getByLabel('Myself').isChecked(), true)
    assert.equal(await inside.getByLabel('Type of business or organisation').count(), 0)
    await inside.getByLabel('A business or organisation').check()
    await inside.getByLabel('Type of business or organisation').fill('Partnership')
    await inside.getByLabel('What is the loan for?').selectOption('marriage')
    for (const box of await inside.getByRole('checkbox').all()) await box.check()
    await accessible(one, 'who takes the loan')
    await inside.getByRole('button', { name: 'Agree and get offers' }).click()
    await inside.getByRole('heading', { name: 'Looking for offers' }).waitFor()
    const drafts = pages.platform.acts.filter(({ method }) => method === 'PUT').map(({ body }) => body)
    assert.deepEqual(drafts, [
      { goldLoan: { userType: 'individual' } },
      { goldLoan: { jewelleryWeightGrams: '24.5', purity: '22K' }, address: { pincode: '400001' } },
      { goldLoan: { userType: 'non-individual', constitution: 'Partnership' }, endUse: 'marriage' },
    ])
  })

  test('the gold is added up piece by piece, to the weight and the lowest purity of the form', async () => {
    const one = await open(goldViewAt('PROFILE', { goldLoan: null }))
    const { inside } = one
    await inside.getByText('Step 1 of 4: Details').waitFor()
    await inside.getByRole('button', { name: 'Continue' }).click()
    const weight = inside.getByLabel('Weight of your gold, in grams')
    await inside.getByText('Add your gold piece by piece').click()
    const line = (at: number) => inside.getByRole('group', { name: `Piece ${at}`, exact: true })
    await line(1).getByLabel('Weight in grams').fill('12,4')
    await line(1).getByText('Enter the weight in grams as a number').waitFor()
    await line(1).getByLabel('Weight in grams').fill('12.405')
    await line(1).getByLabel('Purity').selectOption('22K')
    assert.equal(await weight.inputValue(), '12.405')
    await inside.getByRole('button', { name: 'Add another piece' }).click()
    await inside.getByText('Enter the weight and purity of every piece.').waitFor()
    assert.equal(await weight.inputValue(), '', 'a sum that no longer holds is not sent on')
    await line(2).getByLabel('Type of piece').selectOption('Coin')
    await line(2).getByLabel('Purity').selectOption('18K')
    await line(2).getByLabel('How many').fill('4')
    await line(2).getByLabel('Total weight of all 4, in grams').fill('15')
    assert.equal(await weight.inputValue(), '27.405')
    await line(2).getByLabel('I have weighed one of them').check()
    await line(2).getByLabel('Weight of each, in grams').waitFor()
    await inside.getByText('5 pieces, lowest purity 18K').waitFor()
    await inside.getByText('A lender may take at most 50 g of gold coins').waitFor()
    assert.equal(await weight.inputValue(), '72.405')
    assert.equal(await inside.getByLabel('18K').isChecked(), true)
    await accessible(one, 'the pieces')
    await inside.getByRole('button', { name: 'Remove piece 2' }).click()
    await inside.getByText('One piece, 22K').waitFor()
    assert.equal(await weight.inputValue(), '12.405')
  })

  test('what the app filled in is there, and a refused weight leads back to its field', async () => {
    const { inside } = await open(goldViewAt('PROFILE', { workProfile: { income: 40000 } }))
    await inside.getByText('Step 1 of 4: Details').waitFor()
    await inside.getByRole('button', { name: 'Continue' }).click()
    await inside.getByText('Monthly take-home income (optional)').waitFor()
    await inside.getByLabel('Monthly take-home income').fill('lots')
    await inside.getByRole('button', { name: 'Continue' }).click()
    await inside.getByRole('link', { name: 'Enter your monthly income as a number', exact: true }).waitFor()
    await inside.getByLabel('Monthly take-home income').fill('40000')
    assert.equal(await inside.getByLabel('Weight of your gold, in grams').inputValue(), '24.5')
    assert.equal(await inside.getByLabel('22K').isChecked(), true)
    await inside.getByRole('button', { name: 'Continue' }).click()
    await inside.getByRole('heading', { name: 'Your loan and your consent' }).waitFor()
    pages.platform.refuse('POST /profile/submit', 400, 'VALIDATION_FAILED', {
      missingFields: ['goldLoan.jewelleryWeightGrams'],
    })
    for (const box of await inside.getByRole('checkbox').all()) await box.check()
    await inside.getByRole('button', { name: 'Agree and get offers' }).click()
    await inside.getByRole('region', { name: 'Please check one thing' }).waitFor()
    const weight = inside.getByLabel('Weight of your gold, in grams')
    assert.equal(await weight.getAttribute('aria-invalid'), 'true')
    assert.equal(
      pages.platform.acts.some(({ method }) => method === 'PUT'),
      false,
      'nothing was edited',
    )
  })

  test('who goes on before it has come is not asked for what the app filled in', async () => {
    const { page } = await open(goldViewAt('PROFILE'))
    const held = Promise.withResolvers<void>()
    await page.route('**/api/embed/session', (route) => held.promise.then(() => route.continue()))
    await page.goto(`${pages.platform.url}/lab/embed?lang=en#token=bt_test_single-use`)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'One moment…' }).waitFor()
    held.resolve()
    await page.getByRole('heading', { name: 'Your gold and your address' }).waitFor()
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
    const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    assert.equal(beyond, 0, 'text of twice the size stays on the page')
  })

  test('FIS12 §9.1: an offer says what it lends of the gold and where; the nearest branch is chosen until another is', async () => {
    const one = await open(goldViewAt('OFFERS'))
    const { inside } = one
    await inside.getByText('up to 74.07% of your gold’s value').waitFor()
    await inside.getByText('7 branches, the nearest in your area').waitFor()
    await inside.getByText('One branch, about 40 km away').waitFor()
    await accessible(one, 'offers')
    await inside.getByRole('button', { name: 'Choose Kaveri Bank' }).click()
    // D1 §2.1: the amount that the app gave.
    await inside.getByRole('heading', { name: '₹1,50,000 over 12 months from Kaveri Bank' }).waitFor()
    const group = inside.getByRole('group', { name: 'Which branch will you bring the gold to?' })
    const radios = group.getByRole('radio')
    await radios.first().waitFor()
    await inside.getByText('₹2,70,000', { exact: true }).waitFor()
    await inside.getByText('₹11,021 a gram, for the 24.5 g you entered').waitFor()
    await inside.getByText('Calculated from Kaveri Bank’s offer').waitFor()
    await group.getByText('about 1 hour by road').first().waitFor()
    assert.equal(await inside.getByText('The nearest branch is far').count(), 0)
    assert.equal(await radios.count(), 5)
    assert.equal(await radios.first().isChecked(), true)
    await group.getByRole('button', { name: 'Show all 7 branches' }).click()
    await inside.locator('#field-branchID-5:focus').waitFor()
    assert.equal(await radios.count(), branches.length)
    await accessible(one, 'the branches')
    pages.platform.refuse(select, 400, 'VALIDATION_FAILED', {
      fields: [{ path: 'branchID', message: 'must be one of the branches of this offer' }],
    })
    await inside.getByRole('button', { name: 'Get the final offer' }).click()
    await inside.getByRole('link', { name: 'Choose a branch' }).click()
    await inside.locator('#field-branchID:focus').waitFor()
    pages.platform.on(select, () => goldViewAt('FINALISING'))
    await group.getByRole('radio', { name: /^Thane about 30 km away/ }).check()
    await inside.getByRole('button', { name: 'Get the final offer' }).click()
    await inside.getByRole('heading', { name: 'is preparing your final offer' }).waitFor()
    assert.deepEqual(pages.platform.acts.at(-1)!.body, {
      amount: '150000',
      tenureMonths: 12,
      branchID: 'thane',
      language: 'en',
    })
    await show(one, goldViewAt('FINAL_OFFER'))
    await inside.getByText('3 Station Road, Thane').waitFor()
    await inside.getByText('74.07% of your gold’s value', { exact: true }).waitFor()
  })

  test('a nearest branch that is far is marked on its card; offers are sorted by the way, and a way of days has no hours', async () => {
    const far = { ...kaveriGold, branches: [{ ...branches[4]!, aboutKm: 830 }] }
    const one = await open(goldViewAt('OFFERS', { offers: [far, meridianGold] }))
    const { inside } = one
    const card = (name: string) => inside.locator('.offer', { hasText: name })
    await card('Kaveri Bank').getByText('Its nearest branch is about 830 km away').waitFor()
    assert.equal(await card('Meridian Finance').getByText('Its nearest branch is').count(), 0)
    const names = () => inside.locator('.offer h2').allInnerTexts()
    assert.deepEqual(await names(), ['Kaveri Bank', 'Meridian Finance'])
    await inside.getByLabel('Sort by').selectOption('Nearest branch')
    await card('Meridian Finance').locator('.badge', { hasText: 'Nearest branch' }).waitFor()
    assert.deepEqual(await names(), ['Meridian Finance', 'Kaveri Bank'])
    await accessible(one, 'sorted by the way')
    await inside.getByRole('button', { name: 'Choose Kaveri Bank' }).click()
    await inside.getByText('The nearest branch is far: about 830 km, more than a day by road.').waitFor()
    assert.equal(await inside.getByText(/hours? by road/).count(), 0)
  })

  test('where the nearest branch is far, that is said before the choice, and none is chosen', async () => {
    const far = { ...kaveriGold, branches: branches.slice(4) }
    const one = await open(goldViewAt('OFFERS', { offers: [far] }))
    const { inside } = one
    await inside.getByRole('button', { name: 'Choose Kaveri Bank' }).click()
    await inside.getByText('The nearest branch is far: about 120 km, about 4 hours by road.').waitFor()
    assert.equal(await inside.locator('input[name=branchID]:checked').count(), 0)
    // In the colours of what is worth knowing: nothing is wrong.
    await inside.locator('.notice.news', { hasText: 'The nearest branch is far' }).waitFor()
    await accessible(one, 'a branch that is far')
  })

  test('the visit is booked on the lender’s page; then the page says where to go, whom to ask for and what to bring', async () => {
    const one = await open(visitAt('due'))
    const { page, inside } = one
    await inside.getByRole('heading', { name: 'Book your branch visit' }).waitFor()
    await inside.getByText('Step 3 of 4: Visit').waitFor()
    assert.equal(
      await inside.getByRole('link', { name: 'Call +91-9876500002' }).getAttribute('href'),
      'tel:+919876500002',
    )
    await accessible(one, 'before booking')
    const lender = page.context().waitForEvent('page')
    await inside.getByRole('button', { name: 'Book at Kaveri Bank' }).click()
    await (await lender).getByRole('heading', { name: 'The lender' }).waitFor()
    assert.equal(pages.platform.acts.at(-1)!.path, '/steps/kyc/open')
    await inside.getByText('Kaveri Bank has not confirmed a visit yet').waitFor()
    await accessible(one, 'opened')
    await show(one, visitAt('booked'))
    await inside.getByRole('heading', { name: 'Your visit is booked' }).waitFor()
    await inside.getByText('Your PAN card').waitFor()
    // The network's messages tell no slot (FIS12 §9.1 row 5): the lender's page does.
    await inside.getByText('at the time you chose. You find them on Kaveri Bank’s page.').waitFor()
    await accessible(one, 'booked')
    await show(one, visitAt('failed'))
    await inside.getByRole('alert').getByText('The branch is closed on the day you chose.').waitFor()
    await inside.getByRole('button', { name: 'Try again at Kaveri Bank' }).waitFor()
    await accessible(one, 'failed')
    await show(one, goldViewAt('DISBURSAL'))
    await inside.getByText('Kaveri Bank is sending ₹1,98,570 to your bank account.').waitFor()
    await inside.getByText('Your branch visit').waitFor()
    await show(one, goldViewAt('REJECTED', { endReason: { outside: 'The branch could not take the gold.' } }))
    await inside.getByText('The branch could not take the gold.').waitFor()
    await inside.getByText('If you left gold at the branch, you get it back there.').waitFor()
    await show(one, goldViewAt('REJECTED', { advice: ['GOLD'], endReason: wordsOf('GOLD_NOT_TAKEN_IN') }))
    await inside.getByText('Ask the branch what it could not accept.').waitFor()
    await inside.getByText(branches[2]!.name, { exact: true }).waitFor()
    await inside.getByRole('link', { name: 'Call +91-9876500002' }).waitFor()
    await accessible(one, 'the branch to ask')
  })

  test('after the payout: where the gold is, whom to call there, how it comes back, and a complaint in one tap', async () => {
    const grievances = { possible: true, items: [] }
    const one = await open(goldViewAt('DISBURSED', { grievances }))
    const { inside } = one
    await inside.getByRole('heading', { name: 'Your gold', exact: true }).waitFor()
    await inside.getByText('Kaveri Bank keeps your gold at the branch until you have repaid the loan.').waitFor()
    await inside.getByText(branches[2]!.name, { exact: true }).waitFor()
    await inside.getByRole('link', { name: 'Call +91-9876500002' }).waitFor()
    await inside.getByText('within seven working days').waitFor()
    await inside.getByRole('button', { name: 'Complain about this loan' }).waitFor()
    await accessible(one, 'the loan on gold')
  })

  test('in Hindi it says the same', async () => {
    const one = await open(goldViewAt('PROFILE'), { language: 'hi' })
    const { inside } = one
    await inside.getByText('चरण 1/4: विवरण').waitFor()
    await inside.getByRole('button', { name: 'आगे बढ़ें' }).click()
    await inside.getByLabel('सोने का वज़न, ग्राम में').waitFor()
    await show(one, goldViewAt('OFFERS'))
    await inside.getByText('7 शाखाएँ, सबसे पास वाली आपके इलाके में').waitFor()
    await inside.getByRole('button', { name: 'Kaveri Bank को चुनें' }).click()
    await inside.getByRole('group', { name: 'आप सोना किस शाखा में ले जाएँगे?' }).waitFor()
    await show(one, visitAt('booked'))
    await inside.getByRole('heading', { name: 'शाखा जाने का समय तय हो गया है' }).waitFor()
    await show(one, goldViewAt('DISBURSED'))
    await inside.getByText('देर के लिए Kaveri Bank शुल्क ले सकता है').waitFor()
    await inside.locator('header select').selectOption('English')
    await inside.getByText('Kaveri Bank may charge you for paying late').waitFor()
  })
})
