// The final offer on the hosted page: amounts, fees, penal charges, cooling-off, and the accept button.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EmbedOffer } from '@lendloom/wire/hosted/embed-offer'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { deadlineMs } from '#test/setup/deadline.ts'
import { lamfViewAt } from '#test/setup/embed-lamf-views.ts'
import { assertFrameAccessible, embedPages } from '#test/setup/embed-pages.ts'
import { viewAt } from '#test/setup/embed-views.ts'

const pages = embedPages()
const { open } = pages

/** A final offer with some terms replaced. */
function finalView(terms: Partial<EmbedOffer>, view: EmbedView = viewAt('FINAL_OFFER')): EmbedView {
  const selected = view.selected!
  return { ...view, selected: { ...selected, terms: { ...selected.terms, ...terms } } }
}

/** Opens the page in its own window, where it scrolls. */
async function openAlone(view: EmbedView, { width, height }: { width: number; height: number }) {
  const { page } = await open(view)
  await page.setViewportSize({ width, height })
  await page.goto(`${pages.platform.url}/lab/embed?lang=en#token=bt_test_single-use`)
  await page.locator('.accept').waitFor()
  return page
}

describe('D1 §1: before the borrower accepts', () => {
  test('the final offer shows amounts first, then each fee in rupees and their sum', async () => {
    const hosted = await open(finalView({ processingFees: '1180.00' }))
    const { frame } = hosted
    await frame.getByText('This offer is valid until 10 Jan.').waitFor()
    const figures = await frame.locator('.deal dd').allInnerTexts()
    const [instalment, total] = await Promise.all([1, 2].map((i) => frame.locator('.deal dd').nth(i).boundingBox()))
    assert.equal(total!.y, instalment!.y, 'the figures stand side by side')
    assert.deepEqual(
      figures.map((text) => text.replace(/\s+/g, ' ')),
      ['₹1,98,570 ₹2,00,000 minus ₹1,430 in fees', '₹9,368 × 24', '₹2,24,832'],
    )
    await frame.getByText('You asked for ₹2,50,000; Kaveri Bank offers ₹2,00,000. Take your time.').waitFor()
    await frame.getByText('The loan costs you ₹26,262: ₹24,832 interest and ₹1,430 fees.').waitFor()
    const fees = frame.locator('.final > div', {
      has: hosted.frame.getByRole('heading', { name: 'Fees', exact: true }),
    })
    assert.deepEqual(
      (await fees.locator('dl div').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')),
      ['Processing fee ₹1,180', 'Other fees at the start ₹250', 'Total fees ₹1,430'],
    )
    const facts = frame.locator('details', { hasText: 'All key facts' })
    if (!(await facts.getByText('11.5% a year').isVisible())) await facts.locator('summary').click()
    await frame.getByText('11.5% a year, on what you still owe').waitFor()
    const late = facts.locator('dl div', { hasText: 'Paying late' })
    await late.getByText('12% a year on the overdue instalment, and ₹350 when a debit bounces').waitFor()
    await frame.getByText('Other charges, such as for a debit that your bank returns').waitFor()
    await frame.getByText('about 2 minutes to read').waitFor()
    assert.equal(await frame.getByRole('link', { name: 'Key Facts Statement' }).count(), 1)
    await assertFrameAccessible(hosted, 'the final offer')
    await assertFrameAccessible(hosted, 'the headings of the final offer', ['heading-order'])
  })

  test('penal charges are explained in words, with an example if the rate has a period', async () => {
    const withPenalCharge = (text: string) => finalView({ penalCharges: [{ kind: 'DELAY', text }], validUntil: null })
    const { frame, pollAgain } = await open(withPenalCharge('18% a year'))
    await frame.getByText('18% a year on an overdue EMI').first().waitFor()
    await frame.getByText('If you pay an EMI of ₹9,368 30 days late, it costs about ₹139 more.').first().waitFor()
    assert.equal(await frame.getByText('This offer is valid until').count(), 0, 'the offer has no expiry')
    for (const [version, text, words] of [
      [2, '2%', '2% on an overdue EMI. The Key Facts Statement says for what period.'],
      [3, '500.00', '₹500 on an overdue EMI'],
      [4, '0%', 'No charge'],
      [5, '1% of what is unpaid, 4 times at most', '1% of what is unpaid, 4 times at most'],
    ] as const) {
      pages.platform.show({ ...withPenalCharge(text), version })
      await pollAgain()
      await frame.getByText(words, { exact: true }).first().waitFor()
      assert.equal(await frame.getByText('Paid 30 days late').count(), 0)
    }
    const hindi = await open(withPenalCharge('18% a year'), { language: 'hi' })
    await hindi.frame.getByText('ओवरड्यू EMI पर सालाना 18%').first().waitFor()
  })

  test('FIS12 §7.4: a foreclosure percentage without a base is shown as a share of what is owed, other texts unchanged', async () => {
    const withForeclosureCharge = (text: string) => finalView({ penalCharges: [{ kind: 'FORECLOSURE', text }] })
    const { frame, pollAgain } = await open(withForeclosureCharge('2%'))
    await frame.getByText('2% of what you still owe', { exact: true }).first().waitFor()
    for (const [version, text, words] of [
      [2, '1500.00', '₹1,500'],
      [3, '2% of the first loan', '2% of the first loan'],
    ] as const) {
      pages.platform.show({ ...withForeclosureCharge(text), version })
      await pollAgain()
      await frame.getByText(words, { exact: true }).first().waitFor()
    }
    const hindi = await open(withForeclosureCharge('2%'), { language: 'hi' })
    await hindi.frame.getByText('बची हुई राशि का 2%').first().waitFor()
  })

  test('the cooling-off period is shown in days and as a date', async () => {
    const { frame } = await open(finalView({}))
    const cooling = frame.getByText('5 days from the day the money arrives.')
    await cooling.waitFor()
    assert.match(await cooling.innerText(), /If it arrives today: until 1\sDec\s2026\.$/)
  })

  test('a charge is in the page’s language; one that only the lender states is in its words, and named so', async () => {
    const repeated =
      '1% of what is unpaid at the end of the third day after the due date (or the next day with debits), and again every 7 days, 4 times at most'
    const view = finalView({
      penalCharges: [
        { kind: 'DELAY', text: repeated },
        { kind: 'FORECLOSURE', text: '₹500 and taxes' },
      ],
    })
    const { frame } = await open(view, { language: 'hi' })
    await frame
      .getByText(/के बाद 3वें दिन के अंत में .* 1%, और फिर हर 7 दिन में, ज़्यादा से ज़्यादा 4 बार/)
      .first()
      .waitFor()
    await frame.getByText('ऋणदाता के शब्दों में शुल्क:').first().locator('q[lang="en"]').getByText('₹500 and taxes').waitFor()
    assert.equal(await frame.getByText('due date').count(), 0)
    const english = await open(view)
    await english.frame.getByText('₹500 and taxes', { exact: true }).first().waitFor()
    await english.frame
      .getByText('If you pay an EMI of ₹9,368 30 days late, it costs about ₹375 more. That is the most it can cost.')
      .waitFor()
  })

  test('D3 §2.3: a final offer that needed the account first is the step of the final offer', async () => {
    const view = viewAt('FINAL_OFFER')
    const bankMandate = { ...view.steps.bankMandate, status: 'SUCCESS' as const }
    const { frame } = await open({ ...view, steps: { ...view.steps, bankMandate } })
    await frame.getByText('Step 3 of 7: Final offer', { exact: true }).waitFor()
    assert.equal(await frame.locator('[aria-current="step"]').textContent(), 'Final offer')
  })

  test('a weekly loan and a credit line have their own terms', async () => {
    const weekly = { repaymentFrequency: 'WEEKLY', numberOfInstallments: 22, tenureMonths: 5 }
    const penal = [{ kind: 'DELAY', text: '1% a week' } as const]
    const hosted = await open(finalView({ ...weekly, installmentAmount: '1014.00', penalCharges: penal }))
    await hosted.frame.locator('.accept').getByText('₹1,014 a week').waitFor()
    await hosted.frame.getByText('1% a week on an overdue instalment').waitFor()
    const early = { kind: 'FORECLOSURE', text: '1%' } as const
    const line = await open(finalView({ creditLine: true, penalCharges: [...penal, early] }, lamfViewAt('FINAL_OFFER')))
    await line.frame.locator('.accept').getByText('Credit limit').waitFor()
    await line.frame.getByText('1% a week on an overdue amount').waitFor()
    await line.frame.getByRole('term').getByText('Closing the credit line early').first().waitFor()
    assert.equal(await line.frame.getByText('You receive').count(), 0, 'a credit line pays nothing out at first')
  })

  for (const [device, size] of [
    ['a phone', { width: 390, height: 844 }],
    ['a small phone', { width: 320, height: 568 }],
    ['a screen magnified to 200 %', { width: 640, height: 360 }],
    ['a phone magnified to 200 %', { width: 195, height: 422 }],
  ] as const)
    test(`the accept button stays visible on ${device}, covers no focused element, and needs consent`, {
      timeout: 2 * deadlineMs,
    }, async () => {
      const page = await openAlone(viewAt('FINAL_OFFER'), size)
      const accept = page.getByRole('button', { name: 'Accept this loan' })
      const inView = `(() => {
        const { top, bottom } = document.querySelector('.accept').getBoundingClientRect()
        return top >= 0 && bottom <= innerHeight + 1 && (bottom - top) / innerHeight < 1 / 3
      })()`
      assert.equal(await page.evaluate('scrollY'), 0)
      assert.ok(await page.evaluate(inView), 'visible without scrolling')
      // WCAG 2.2 §1.4.10 requires this from 320 pixels.
      if (size.width >= 320) assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)
      assert.equal(await page.getByRole('checkbox').isChecked(), false, 'the consent is not preselected')
      const stops: string[] = []
      // No focused element may be behind the bar.
      for (let i = 0; i < 40 && !stops.includes('Decline'); i++) {
        await page.keyboard.press('Tab')
        const at = await page.evaluate<{ name: string; free: boolean }>(`(() => {
          const at = document.activeElement
          const bar = document.querySelector('.accept')
          const name = at.innerText ?? at.id
          return { name, free: bar.contains(at) || at.getBoundingClientRect().top < bar.getBoundingClientRect().top
            || at.getBoundingClientRect().bottom > bar.getBoundingClientRect().bottom }
        })()`)
        assert.ok(at.free, `${at.name} is behind the bar`)
        stops.push(at.name)
      }
      assert.ok(stops.includes('Accept this loan') && stops.includes('Decline'), stops.join(', '))
      await accept.click()
      await page.getByRole('alert').getByText('Please check one thing').waitFor()
      await page.getByText('Confirm that you have read the Key Facts Statement').waitFor()
      assert.ok(await page.getByRole('checkbox').evaluate((box) => box.matches(':focus')))
    })
})
