// Loan documents are complete in each language, and every character has a glyph.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { languages } from '@lendloom/lending/language'
import { decomposed, missingGlyphs, textsOf } from '@lendloom/tests/setup/pdf-text'
import { partnerTerms } from '@lendloom/tests/setup/platform-case'
import { assertTranslated } from '@lendloom/tests/setup/translated'
import { exampleStatus } from '@lendloom/wire/exchange/example/answer'
import { loanPapers } from '@lendloom/wire/hosted/embed-servicing'
import { paperCatalogues, paperOf, paperTexts } from './loan-paper.ts'
import { renderAgreement } from './reactions/checks/render-agreement.ts'

test('D3 §4.4: every document text is translated into every language, in its own script', () => {
  for (const language of languages.filter((each) => each !== 'en'))
    assertTranslated(language, paperCatalogues[language], { english: paperCatalogues.en })
})

const longName = 'श्रीनिवासन '.repeat(40).slice(0, 400)
const countOf = (text: string, character: string): number => text.split(character).length - 1
const termsInCrores = { ...partnerTerms, principal: 10_00_00_000_00n, netDisbursed: 10_00_00_000_00n }

test('D3 §4.4: every document and agreement contains its whole text, without missing glyphs', async () => {
  const lender = 'Kaveri Bank'
  const at = new Date('2026-11-20T06:00:00Z')
  for (const language of languages) {
    const t = paperTexts[language]
    const papers = loanPapers.map(async (name) => ({
      name,
      bytes: await paperOf({ name }, { lender, borrower: longName, status: exampleStatus(), language }),
    }))
    const agreement = renderAgreement(
      { name: lender },
      {
        loanCase: { caseRef: 'C-1', loanId: 'L-1' },
        applicant: { name: longName, pan: 'ABCPE1234F' },
        terms: termsInCrores,
        language,
        offer: { acceptedAt: at, selectedAt: at },
      },
    )
    for (const { name, bytes } of [...(await Promise.all(papers)), { name: 'agreement', bytes: await agreement }]) {
      if (process.env.PICTURES) writeFileSync(join(process.env.PICTURES, `${name}-${language}.pdf`), bytes)
      const text = decomposed((await textsOf(bytes)).join(''))
      assert.equal(await missingGlyphs(bytes), 0, `${name} in ${language}`)
      assert.ok(text.includes('₹'), `${name} in ${language}`)
      assert.ok(countOf(text, 'न') >= countOf(longName, 'न'), `the whole name in ${name}, ${language}`)
      const factTitles = decomposed(
        (['borrower', 'loan', 'account', 'asOf'] as const).map((name) => t(`facts.${name}`)).join(''),
      )
      if (name !== 'agreement')
        for (const character of factTitles) assert.ok(text.includes(character), `${character} of ${name}, ${language}`)
      else assert.match(text, /₹10,00,00,000/)
    }
  }
})
