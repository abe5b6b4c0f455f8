// The papers of a loan in every language, and what those of a closed loan say about money paid or refunded in excess.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { dayText, plusDays, startOf } from '@lendloom/lending/calendar'
import { languages, localeOf } from '@lendloom/lending/language'
import { disbursedOn, openSettled, proposedTerms, testAccounts } from '@lendloom/tests/setup/account'
import { decomposed, missingGlyphs, textsOf } from '@lendloom/tests/setup/pdf-text'
import { assertTranslated } from '@lendloom/tests/setup/translated'
import { readEntries } from '#partner/books/ledger/store.ts'
import { finalTerms } from '#partner/origination/terms/terms.ts'
import { payoffOf } from '#partner/servicing/loan/account-view.ts'
import { postPaidRefund, reserveRefund } from '#partner/servicing/loan/refund.ts'
import { returnPayout } from '#partner/servicing/loan/return-payout.ts'
import { availablePapers, paperNames, paperPdf } from './paper.ts'
import { paperCatalogues, paperTexts } from './text.ts'

const accounts = await testAccounts()
const { db, ctx, act, open, receive, reverse, view, setClock } = accounts
const today = plusDays(disbursedOn, 10)
const at = startOf(today)

async function paperCaseOf(caseRef: string) {
  const account = await view(caseRef)
  const entries = await readEntries(db, caseRef)
  return { borrower: 'ASHA KUMAR', loanId: account.loanId, offer: undefined, account, entries }
}

async function textOf(caseRef: string, name: 'no-dues' | 'closure' | 'interest'): Promise<string> {
  const pdf = await paperPdf(ctx.config, {
    name,
    language: 'en',
    paperCase: await paperCaseOf(caseRef),
    year: 2026,
    at,
  })
  return (await textsOf(pdf)).join(' ')
}

test('D3 §2.5: the papers of a closed loan name what the lender still refunds, and certify no claim that it has', async () => {
  setClock(at)
  const caseRef = await open()
  const { total } = (await payoffOf(db, caseRef, today, at))!
  await receive(caseRef, total, today, 'payoff')
  assert.doesNotMatch(await textOf(caseRef, 'no-dues'), /excess/)
  await receive(caseRef, 1_000_00n, today, 'beyond')
  const refund = { caseRef, refundId: 'one', on: today }
  await act(caseRef, (tx) => reserveRefund(tx, refund, 400_00n, { at }))
  for (const name of ['no-dues', 'closure'] as const)
    assert.match(await textOf(caseRef, name), /₹1,000\.00 that you paid in excess is refunded/, name)
  await act(caseRef, (tx) => postPaidRefund(tx, refund, 400_00n, at))
  for (const name of ['no-dues', 'closure'] as const)
    assert.match(await textOf(caseRef, name), /₹600\.00 that you paid in excess is refunded/, name)
  await reverse(caseRef, 'beyond', today)
  const papers = availablePapers(await paperCaseOf(caseRef))
  assert.deepEqual(papers, ['schedule', 'statement', 'interest'], 'the borrower owes 400 rupees')
})

test('D3 §3: the no-dues certificate of a settled loan says for what it was settled', async () => {
  const caseRef = await openSettled(accounts, plusDays(disbursedOn, 17))
  assert.match(await textOf(caseRef, 'no-dues'), /Status: settled\..*₹50,000\.00, which is less than the amount owed/)
})

test('D3 §3: the interest certificate of a loan whose payout came back says so, and certifies no payment', async () => {
  const caseRef = await open()
  await receive(caseRef, 4_000_00n, today)
  assert.doesNotMatch(await textOf(caseRef, 'interest'), /cancelled/)
  await act(caseRef, (tx) => returnPayout(tx, { caseRef, on: today }, at))
  const text = await textOf(caseRef, 'interest')
  assert.match(text, /The bank sent the loan amount back to us, so this loan is cancelled/)
  assert.match(text, /Principal repaid\D+0\.00/)
})

test('D3 §2.5: the papers of a loan are fully translated into every language', () => {
  for (const language of languages.filter((each) => each !== 'en'))
    assertTranslated(language, paperCatalogues[language], { english: paperCatalogues.en })
})

test('D3 §2.5: each paper has its title, amounts and days in every language', async () => {
  const caseRef = await openSettled(accounts, plusDays(disbursedOn, 17))
  const { account, ...closed } = await paperCaseOf(caseRef)
  const open = { ...account, loanStatus: 'ACTIVE' as const }
  const offer = { terms: finalTerms(proposedTerms), decision: 'ACCEPT' as const, decidedAt: at }
  const config = {
    ...ctx.config,
    PARTNER_LENDER_NAME: 'ASHA',
    PARTNER_LENDER_ADDRESS: 'ASHA',
    PARTNER_GRIEVANCE_OFFICER: 'ASHA',
    PARTNER_REPAYMENT_ACCOUNT: 'ASHA',
  }
  for (const language of languages)
    for (const name of paperNames) {
      const place = `${name} in ${language}`
      const isOpen = name === 'statement' || name === 'schedule'
      const paperCase = { ...closed, offer, account: isOpen ? open : account }
      const pdf = await paperPdf(config, { name, language, paperCase, year: 2026, at })
      if (process.env.PICTURES) writeFileSync(join(process.env.PICTURES, `${name}-${language}.pdf`), pdf)
      const text = decomposed((await textsOf(pdf)).join(' '))
      assert.equal(await missingGlyphs(pdf), 0, place)
      assert.match(text, /₹?\d?\d,\d{3}/, place)
      assert.match(text, /ASHA KUMAR/, place)
      for (const words of [paperTexts[language](`titles.${name}`), dayText(today, localeOf(language))])
        for (const character of decomposed(words).replaceAll('\u200c', ''))
          assert.ok(text.includes(character), `${character} of ${words}, ${place}`)
      if (language !== 'en')
        assert.doesNotMatch(text.replace(/ASHA|KUMAR/g, ''), /\p{Script=Latin}{4}/u, `an English word in ${place}`)
    }
})
