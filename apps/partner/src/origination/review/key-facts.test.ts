// The key facts statement in each language: all texts are translated, and the PDF has no missing glyphs.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { messagesOf } from '@lendloom/foundation/message-format'
import { type Language, languages } from '@lendloom/lending/language'
import { openContext, sharedBrowser } from '@lendloom/tests/setup/browser'
import { decomposed, missingGlyphs, textsOf } from '@lendloom/tests/setup/pdf-text'
import { assertTranslated, textsIn } from '@lendloom/tests/setup/translated'
import { finalTerms } from '#partner/origination/terms/terms.ts'
import { keyFacts } from './key-facts.ts'
import type { Offer } from './offer.ts'
import { keyFactsPage, keyFactsPdf, termsPage } from './offer-pages.ts'
import { offerCatalogues } from './offer-text.ts'

const createdAt = new Date('2026-11-20T10:00:00Z')
const offer: Offer = {
  caseRef: 'CASE-1',
  offerId: 'offer-1',
  version: 1,
  createdAt,
  validUntil: new Date('2026-11-25T10:00:00Z'),
  decision: 'PENDING',
  sourceEventId: null,
  decidedAt: null,
  recordedAt: null,
  terms: finalTerms({
    annualRatePercent: '24.00',
    feePercent: '2.00',
    taxPercent: '18.00',
    otherChargesPaise: 0n,
    coolOffDays: 3,
    penalty: { bps: 100, graceDays: 2, everyDays: 7, most: 4 },
    amountPaise: 10_00_00_000_00n,
    tenureWeeks: 22,
  }),
}
const lender = {
  PARTNER_LENDER_NAME: 'Kaveri Finance Limited',
  PARTNER_LENDER_ADDRESS: '12, MG Road, Bengaluru 560001',
  PARTNER_GRIEVANCE_OFFICER: 'श्री लक्ष्मी, 080-40001234',
}

const textsOfCatalogue = (language: Language) => textsIn(messagesOf(offerCatalogues[language]))
const factWith = (text: string, stated: Offer): string =>
  keyFacts(stated, lender, 'en').terms.find(({ value }) => value.includes(text))?.value ?? ''

test('D3 §2.4: key facts and terms are fully translated into every language', () => {
  for (const language of languages.filter((each) => each !== 'en'))
    assertTranslated(language, textsOfCatalogue(language), { english: textsOfCatalogue('en') })
})

test('Key facts: the long number of a proposal stands in its own place, in no sentence', () => {
  const stated = { ...offer, offerId: '66ee2cfd-de3f-45b9-94c0-cb37f440b9b3' }
  for (const language of languages) {
    const facts = keyFacts(stated, lender, language)
    assert.ok(!facts.proposal.includes(stated.offerId), language)
    assert.equal(facts.terms[0]?.reference, stated.offerId, language)
    const { body } = termsPage(facts, '/key-facts')
    assert.match(`${body}`, new RegExp(`class="quiet reference">[^<]+<br>${stated.offerId}</p>`), language)
  }
})

test('Key facts, part 2, items 1 and 6 (ii): say who may collect, and that no lending service provider does', () => {
  for (const language of languages) {
    const texts = textsOfCatalogue(language)
    const { assurances } = keyFacts(offer, lender, language)
    for (const row of ['recovery', 'collectingProvider']) {
      const label = texts[`keyFacts.assurances.${row}`]
      const value = texts[`keyFacts.assurances.${row}Of`]
      assert.ok(
        assurances.some((each) => each.label === label && each.value === value),
        `${row} in ${language}`,
      )
    }
  }
  const rows = Object.fromEntries(keyFacts(offer, lender, 'en').assurances.map(({ label, value }) => [label, value]))
  assert.match(rows['Recovery agents'] ?? '', /^None at sanction\./)
  assert.match(rows['Lending service provider acting as recovery agent'] ?? '', /^None: the app .* does not collect\./)
})

test('Key facts, penal charges: an instalment due on a day without debits is debited on the next one, without a charge', () => {
  assert.match(
    factWith('22 weekly instalments', offer),
    /due on a day without debits is debited on the next day with debits, and the days until then are free of charge$/,
  )
})

test('Key facts, penal charges: say until when a payment avoids them, which is a day more than the days of grace', () => {
  const afterGrace = (graceDays: number): string => {
    const penalty = { ...offer.terms.penalty, graceDays }
    return factWith('No penal charge', { ...offer, terms: { ...offer.terms, penalty } })
  }
  assert.match(
    afterGrace(2),
    /within 3 days after its due date \(or the next day with debits\); otherwise 1% of what is then unpaid, and again every 7 days, at most 4 times/,
  )
  assert.match(afterGrace(0), /within 1 day after/)
  for (const language of languages) {
    const { terms } = keyFacts(offer, lender, language)
    const numbers = terms.at(-1)?.value.match(/\d+/g)
    assert.deepEqual(numbers, ['3', '1', '7', '4'], language)
  }
})

test('D3 §2.4: the PDF contains all labels as text in every language, without missing glyphs', async () => {
  for (const language of languages) {
    const facts = keyFacts(offer, lender, language)
    const page = `${keyFactsPage(facts, '/pdf').body}${termsPage(facts, '/key-facts').body}`
    assert.match(page, new RegExp(`lang="${language}"`))
    const bytes = await keyFactsPdf(facts, createdAt)
    if (process.env.PICTURES) writeFileSync(join(process.env.PICTURES, `key-facts-${language}.pdf`), bytes)
    const pages = await textsOf(bytes)
    const text = decomposed(pages.join(''))
    assert.equal(await missingGlyphs(bytes), 0, language)
    assert.ok(text.includes('₹10,00,00,000') && text.includes('22'), language)
    assert.equal(text.match(/\/ \d/g)?.length, pages.length, 'each page has its number')
    for (const { label } of [...facts.terms, ...facts.assurances, ...facts.computation])
      for (const character of decomposed(label))
        assert.ok(text.includes(character), `${character} of ${label}, ${language}`)
  }
})

test('KFS: on a phone no part of the page scrolls sideways, in the longest language too', async () => {
  const page = await (await openContext(await sharedBrowser(), { viewport: { width: 390, height: 844 } })).newPage()
  for (const language of ['en', 'ta'] as const) {
    await page.setContent(`<!doctype html>${keyFactsPage(keyFacts(offer, lender, language), '/pdf').body}`)
    const tooWide = await page.evaluate(
      `[...document.querySelectorAll('html, .table')].filter((each) => each.scrollWidth > each.clientWidth).length`,
    )
    assert.equal(tooWide, 0, language)
  }
  await page.context().close()
})
