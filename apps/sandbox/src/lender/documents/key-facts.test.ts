// The key facts statement has the rows of the regulator's format and agrees with the loan.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PDFDocument } from '@cantoo/pdf-lib'
import { readHtml } from '@lendloom/http/html'
import { inr } from '@lendloom/lending/money'
import { openContext, sharedBrowser } from '@lendloom/tests/setup/browser'
import { assets, htmlAnswer, masked } from '#sandbox/core/page-frame.ts'
import { policyOf } from '#sandbox/lender/core/lender-policies.ts'
import { loanOf } from '#sandbox/lender/core/lending-decision.ts'
import { unitSecurity } from '#sandbox/lender/mutual-fund-loan/mutual-fund-loan.ts'
import { noSecurity } from '#sandbox/lender/personal-loan/personal-loan.ts'
import { keyFacts } from './key-facts.ts'
import { keyFactsPage, keyFactsPdf } from './loan-papers.ts'

const policy = policyOf('meridian')!
const loan = loanOf(policy, { principal: 200_000_00n, months: 12, annualBps: 1400n })
const facts = keyFacts({
  policy,
  loan,
  proposalNumber: 'MERIDIAN-1',
  startsOn: '2026-11-20',
  validity: 'It binds the lender until 5 December 2026.',
  security: noSecurity,
})

test('KFS parts 1 and 2 have the ten and seven rows of the regulator’s format', () => {
  assert.deepEqual(
    facts.terms.map(({ number, label }) => `${number} ${label}`),
    [
      '1 Loan proposal number and type of loan',
      '2 Sanctioned loan amount',
      '3 Disbursal schedule',
      '4 Loan term',
      '5 Instalments',
      '6 Interest rate and type',
      '7 Floating rate details',
      '8 Fees and charges',
      '9 Annual percentage rate (APR)',
      '10 Contingent charges',
    ],
  )
  assert.equal(facts.assurances.length, 7)
  assert.match(facts.assurances[2]!.value, /Asha Kulkarni.*022-40001234.*gro@meridian\.example/)
  assert.match(facts.assurances[5]!.value, /^3 days/)
})

test('KFS computation sheet and schedule agree with the loan', () => {
  const amountOf = (label: string) => facts.computation.find((fact) => fact.label === label)!.value
  assert.equal(amountOf('Net disbursed amount'), inr(loan.netDisbursed))
  assert.equal(amountOf('Total interest'), inr(loan.interest))
  assert.equal(facts.schedule.length, 12)
  assert.deepEqual(facts.schedule[0], {
    number: '1',
    dueOn: '20 Dec 2026',
    opening: '₹2,00,000',
    principal: '₹15,624',
    interest: '₹2,333',
    amount: '₹17,957',
  })
})

test('the page has every fact with a row header, and the PDF can be read', async () => {
  const page = readHtml(keyFactsPage(policy, facts, '/pdf').body.text)
  const text = page.text()
  for (const { label, value } of [...facts.terms, ...facts.assurances, ...facts.computation])
    assert.ok(text.includes(label) && text.includes(value), label)
  for (const row of page.all('tbody')[0]!.all('tr')) assert.equal(row.all('th')[0]!.attributes.scope, 'row')
  const pdf = await PDFDocument.load(await keyFactsPdf(policy, facts, new Date()))
  assert.ok(pdf.getPageCount() >= 2)
})

test('KFS marks the schedule of a credit line as an illustration in English and Hindi, but not that of a loan', async () => {
  const lender = policyOf('narmada')!
  const scheme = {
    registrar: 'CAMS',
    amcCode: 'SHAKTI',
    schemeCode: 'SHK-FLEX-G',
    folio: '4410077',
    kind: 'equity',
  } as const
  const unknownFields = { amcName: null, schemeName: null, isin: null, lockedUntil: null, navOn: null }
  const holding = { ...scheme, ...unknownFields, units: '6000', lienUnits: '0', lockedUnits: '0', nav: '85.025' }
  const line = keyFacts({
    policy: lender,
    loan,
    proposalNumber: 'NARMADA-2',
    startsOn: '2026-11-20',
    validity: '',
    security: unitSecurity(lender, [{ holding, units: '6000' }]),
    isLine: true,
  })
  const page = readHtml(keyFactsPage(lender, line, '/pdf').body.text).text()
  assert.match(page, /Repayment schedule: an illustration, if the whole limit is drawn at the start/)
  assert.match(page, /what you would repay if the whole limit were drawn on the first day/)
  assert.match(page, /यह अनुसूची केवल उदाहरण है/)
  assert.match(page, /Computation of the APR, if the whole limit is drawn at the start/)
  assert.match(page, /Illustration, if the whole limit is drawn at the start: 12 monthly instalments/)
  assert.ok((await PDFDocument.load(await keyFactsPdf(lender, line, new Date()))).getPageCount() >= 2)
  assert.doesNotMatch(readHtml(keyFactsPage(policy, facts, '/pdf').body.text).text(), /illustration|उदाहरण/i)
})

test('amounts use Indian digit grouping, and account numbers are masked', () => {
  assert.equal(inr(12_34_567_00n), '₹12,34,567')
  assert.equal(inr(1_234_50n), '₹1,234.50')
  assert.equal(inr(0n), '₹0')
  assert.equal(masked('123456789012'), '••••••••9012')
})

test('KFS: on a phone no part of the page scrolls sideways, and the schedule has one size of text', async () => {
  const large = loanOf(policy, { principal: 40_00_000_00n, months: 12, annualBps: 1400n })
  const statement = keyFacts({
    policy,
    loan: large,
    proposalNumber: 'MERIDIAN-01a22d13-f1e7-72d7-ac88-bab1d6384ddd',
    startsOn: '2026-11-20',
    validity: 'It binds the lender until 5 December 2026.',
    security: noSecurity,
  })
  const text = String(htmlAnswer(keyFactsPage(policy, statement, '/pdf')).body)
  const browserPage = await (
    await openContext(await sharedBrowser(), { viewport: { width: 390, height: 844 } })
  ).newPage()
  await browserPage.setContent(`<!doctype html>${text}<style>${assets['page.css'].text}</style>`)
  const tooWide = await browserPage.evaluate(
    `[...document.querySelectorAll('html, .table')].filter((each) => each.scrollWidth > each.clientWidth).length`,
  )
  const sizes = await browserPage.evaluate(
    `[...new Set([...document.querySelectorAll('.schedule :is(th, td)')].map((cell) => getComputedStyle(cell).fontSize))]`,
  )
  await browserPage.context().close()
  assert.equal(tooWide, 0)
  assert.deepEqual(sizes, ['14px'])
  assert.equal(text.split(statement.proposalNumber).length, 2, 'the long number stands in its row alone')
})
