// Discovery: catalogue, borrower's form, offers and consents equal the fixtures and are read back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import { type Json, stepNamed } from '@lendloom/tests/network-messages/lamf'
import {
  buyerTerms,
  items,
  lender,
  lineTerms,
  schemes,
  shop,
  terms,
} from '@lendloom/tests/network-messages/lamf-values'
import { type Answers, fillData } from './form-data.ts'
import { checklistAt, onSearch, onSearchConsent, onSearchOffers } from './on-search.ts'
import { readOnSearch, readSearch, search, searchWithConsent, searchWithProfile } from './search.ts'

const answers: Answers = {
  userType: 'individual',
  pan: 'BKJPJ4521K',
  fullName: 'Kavita Joshi',
  constitution: 'INDIVIDUAL',
  gender: 'female',
  employmentType: 'salaried',
  dob: '1988-02-17',
  annualIncome: '960000',
  mobileNumber: '9800000077',
  emailId: 'kavita@mail.example',
  addressL1: '5 Zanzarda Road',
  pincode: '362001',
  city: 'Junagadh',
  state: 'Gujarat',
  endUse: 'education',
  bureauConsent: 'true',
}
const statementUpload = { url: 'https://buyer.lendloom.example/files/mfc/51.json', format: '.json', validity: 'P2D' }
const aaAnswers = { ...answers, aa_id: '9800000077@sandbox-aa' }
const provider = { providerId: 'girnar', terms: buyerTerms }
const consent = stepNamed('aa_search_consent').message.intent.provider.items[0].xinput
const { submission_id: submissionId } = consent.form_response
const consentHandle =
  stepNamed('aa_on_search_consent').message.catalog.providers[0].items[0].xinput.form.data.consent_handler

const forms = { mfc: 'form-MFC', rta: 'form-RTA', aa: 'form-AA', offline: 'form-PAGE' }
const catalogue = Object.entries(items).map(([key, item]) => ({ ...item, formId: forms[key as keyof typeof forms] }))
const offer = { terms, schemes }
const lineOffer = { terms: lineTerms, schemes }

test('FIS12 §10.3: built discovery messages equal the fixtures', () => {
  const built: Record<string, unknown> = {
    search: search(buyerTerms),
    on_search: onSearch({ ...shop, items: catalogue }),
    search_profile: searchWithProfile({
      ...provider,
      itemId: 'lamf-mfc',
      formId: 'form-MFC',
      answers: { ...answers, statementUpload },
    }),
    on_search_offers: onSearchOffers({ ...shop, item: items.mfc, offers: [{ ...offer, id: 'offer-5' }] }),
    aa_search_profile: searchWithProfile({ ...provider, itemId: 'lamf-line', formId: 'form-AA', answers: aaAnswers }),
    aa_on_search_consent: onSearchConsent({ ...shop, item: items.aa, formId: 'form-CONSENT', consentHandle }),
    aa_search_consent: searchWithConsent({ ...provider, itemId: 'lamf-line', formId: 'form-CONSENT', submissionId }),
    aa_on_search_offers: onSearchOffers({ ...shop, item: items.aa, offers: [{ ...lineOffer, id: 'offer-6' }] }),
    offline_on_search_offers: onSearchOffers({
      ...shop,
      item: items.offline,
      offers: [{ ...lineOffer, id: 'offer-7' }],
    }),
  }
  for (const [step, message] of Object.entries(built))
    assert.deepEqual(JSON.parse(JSON.stringify(message)), stepNamed(step).message, step)
})

test('FIS12 §10.1: each item of a catalogue is read with its form', () => {
  const read = readOnSearch(stepNamed('on_search').message)
  assert.deepEqual(read.offers, [])
  assert.deepEqual(read.consents, [])
  for (const [i, expected] of catalogue.entries()) {
    const { warnings, lender: lenderRead, form, ranges, checklist, ...found } = read.items[i]!
    assert.deepEqual(warnings, [])
    assert.deepEqual(lenderRead, lender)
    assert.equal(found.itemName, expected.name)
    assert.equal(found.itemId, expected.id)
    assert.equal(found.portfolio, expected.portfolio)
    assert.equal(found.product, expected.product)
    assert.equal(found.offline, expected.offline)
    assert.equal(found.recommended, expected.recommended)
    assert.equal(found.fulfillmentId, expected.fulfillmentId)
    assert.equal(form?.id, expected.formId)
    assert.equal(found.disbursalPaymentId, 'disbursal-1')
    assert.deepEqual(checklist, checklistAt(expected, []))
    assert.ok(Object.values(ranges).every((each) => each === null))
  }
  const [mfc, rta, aa] = read.items.map(({ form }) => form!.fields)
  assert.deepEqual(mfc!.at(-1), { name: 'statementUpload', type: 'file', required: true })
  assert.deepEqual(rta!.at(-2), { name: 'rtaName', type: 'enum', required: true })
  assert.deepEqual(aa!.at(-1), { name: 'aa_id', type: 'string', required: false })
})

test('FIS12 §7.7: only requested fields are sent, and missing ones are reported', () => {
  const [mfc] = readOnSearch(stepNamed('on_search').message).items
  const { answers: selectedAnswers, missing } = fillData(mfc!.form!.fields, { ...aaAnswers, pan: '' })
  assert.deepEqual(missing, ['pan', 'statementUpload'])
  assert.ok(!('aa_id' in selectedAnswers) && !('pan' in selectedAnswers))
  assert.deepEqual(fillData(mfc!.form!.fields, { ...answers, statementUpload }).missing, [])
})

test('FIS12 §10.2: the lender reads the kind of search and the answers', () => {
  const read = (step: string) => readSearch(stepNamed(step).message)
  const at = { providerId: 'girnar', itemId: 'lamf-line' }
  assert.deepEqual(read('search'), { kind: 'broadcast', category: 'LOAN' })
  assert.deepEqual(read('aa_search_profile'), {
    kind: 'profile',
    ...at,
    formId: 'form-AA',
    answers: aaAnswers,
    terms: { staticTerms: 'https://buyer.lendloom.example/terms', offlineContract: true },
  })
  assert.deepEqual(read('aa_search_consent'), { kind: 'consent', ...at, formId: 'form-CONSENT', submissionId })
  assert.deepEqual((read('search_profile') as { answers: Answers }).answers, { ...answers, statementUpload })
  assert.throws(() => readSearch({ intent: {} }), Refusal)
  const withoutForm = { intent: { provider: { id: 'girnar', items: [{ id: 'lamf-mfc' }] } } }
  assert.throws(() => readSearch(withoutForm), Refusal)
})

test('FIS12 §10.2, §17.2: offers are read with terms and schemes, and a credit line with its limit', () => {
  const line = { limit: terms.principal, utilization: 0n }
  for (const [step, id, parent, product, expected] of [
    ['on_search_offers', 'offer-5', 'lamf-mfc', 'TERM_LOAN', { terms, line: null }],
    ['aa_on_search_offers', 'offer-6', 'lamf-line', 'CREDIT_LINE', { terms: lineTerms, line }],
    ['offline_on_search_offers', 'offer-7', 'lamf-page', 'CREDIT_LINE', { terms: lineTerms, line }],
  ] as const) {
    const { offers, items: parents, consents } = readOnSearch(stepNamed(step).message)
    const [found] = offers
    assert.equal(offers.length, 1, step)
    assert.deepEqual(consents, [], step)
    assert.equal(parents[0]?.form, null, step)
    assert.equal(found!.itemId, id)
    assert.equal(found!.parentItemId, parent)
    assert.equal(found!.product, product)
    assert.deepEqual(found!.line, expected.line)
    assert.deepEqual(found!.terms, { ...expected.terms, quoteId: id })
    assert.deepEqual(found!.schemes, schemes)
    assert.deepEqual(found!.warnings, [])
    assert.equal(found!.checklist.PERSONAL_INFORMATION_LAMF, 'COMPLETED')
  }
})

test('FIS12 §7.8: the handle of a consent request is read in every spelling', () => {
  const { message } = stepNamed('aa_on_search_consent')
  const { consents, items: none, offers } = readOnSearch(message)
  assert.deepEqual(none, [])
  assert.deepEqual(offers, [])
  assert.deepEqual(consents[0]!.warnings, [])
  assert.equal(consents[0]!.consentHandle, consentHandle)
  assert.equal(consents[0]!.formId, 'form-CONSENT')
  const { data } = message.catalog.providers[0].items[0].xinput.form
  data.consent_handler = { value: consentHandle }
  assert.equal(readOnSearch(message).consents[0]!.consentHandle, consentHandle)
  delete data.consent_handler
  assert.throws(() => readOnSearch(message), Refusal)
})

function searchAfter(step: string, change: (provider: Json) => unknown) {
  const { message } = stepNamed(step)
  change(message.catalog.providers[0])
  return readOnSearch(message)
}

test('FIS12 §10.1, §14: padded ids are accepted, other products skipped, and stated ranges read', () => {
  const padded = searchAfter('on_search', ({ items: [mfc] }) => (mfc.category_ids = [' 101118', '101117 ', '101119']))
  assert.equal(padded.items[0]?.portfolio, 'mfc')
  assert.equal(padded.items[0]?.product, 'TERM_LOAN')
  const otherProducts = searchAfter('on_search', ({ items: [mfc, rta] }) => {
    mfc.category_ids = ['101110', '101117']
    delete rta.category_ids
  })
  assert.deepEqual(
    otherProducts.items.map(({ itemId }) => itemId),
    ['lamf-line', 'lamf-page'],
  )
  const list = [
    { descriptor: { code: 'MAX_LOAN_AMOUNT' }, value: '20,00,000 INR' },
    { descriptor: { code: 'MAX_TENURE' }, value: 'P3Y' },
    { descriptor: { code: 'MIN_INTEREST_RATE' }, value: '9.5 %' },
  ]
  const ranged = searchAfter('on_search', ({ items: [mfc] }) => {
    mfc.tags = [{ descriptor: { code: 'GENERAL_INFO' }, list }]
  })
  const { maxAmount, maxTenureMonths, minInterestRate, minAmount } = ranged.items[0]!.ranges
  assert.equal(maxAmount, 200_000_000n)
  assert.equal(maxTenureMonths, 36)
  assert.equal(minInterestRate, '9.5%')
  assert.equal(minAmount, null)
})

test('FIS12 §17.1: a line is recognised by its leaf category, or by the leaf’s parent in the broadcast', () => {
  const withOwnCategory = searchAfter('on_search', ({ items: [, , aa], categories }) => {
    categories.push({ id: 'FLEXI ', parent_category_id: '104126', descriptor: { code: 'FLEXI', name: 'Flexi' } })
    aa.category_ids = ['101118', 'FLEXI', '104142']
  })
  const [, , line] = withOwnCategory.items
  assert.equal(line!.product, 'CREDIT_LINE')
  assert.equal(line!.portfolio, 'account-aggregator')
  assert.deepEqual(line!.ownCategories, { FLEXI: '104126' })
  const { message } = stepNamed('aa_on_search_offers')
  for (const item of message.catalog.providers[0].items) item.category_ids = ['101118', 'FLEXI', '104142']
  // A lender's later messages have no categories.
  assert.equal(readOnSearch(message, line!.ownCategories).items[0]!.product, 'CREDIT_LINE')
  assert.equal(readOnSearch(message).items[0]!.product, null)
  assert.equal(readOnSearch(message).offers[0]!.line!.limit, terms.principal, 'a limit without a principal is a line')
  const cyclicCategories = searchAfter('on_search', ({ items: [mfc], categories }) => {
    categories.push({ id: 'A', parent_category_id: 'B', descriptor: { code: 'A' } })
    categories.push({ id: 'B', parent_category_id: 'A', descriptor: { code: 'B' } })
    mfc.category_ids = ['101118', 'A']
  })
  assert.equal(cyclicCategories.items[0]!.product, null)
})

test('FIS12 §17.2: a margin call written as a second interest rate is recognised by name', () => {
  for (const order of [
    [0, 1],
    [1, 0],
  ] as const) {
    const read = searchAfter('offline_on_search_offers', ({ items: [, offer] }) => {
      const { list } = offer.tags.find(({ descriptor }: Json) => descriptor.code === 'LOAN_INFO')
      const twoRates = [
        { descriptor: { code: 'INTEREST_RATE', name: 'Margin Call' }, value: '15 %' },
        { descriptor: { code: 'INTEREST_RATE', name: 'Interest Rate' }, value: '10.8 %' },
      ]
      list.splice(0, 2, ...order.map((i) => twoRates[i]))
    })
    const { interestRate, marginCall } = read.offers[0]!.terms
    assert.equal(interestRate, '10.8%')
    assert.equal(marginCall, '15 %')
  }
})

test('FIS12 §7.1: unknown parts of an item add warnings', () => {
  const { items: read } = searchAfter('on_search', ({ items: [mfc], fulfillments: [online] }) => {
    mfc.category_ids = ['101118']
    mfc.fulfillment_ids = ['nowhere']
    online.tags[0].list[1].value = 'OPTIONAL'
  })
  assert.deepEqual(read[0]!.warnings, [
    'no category tells how the portfolio is read',
    'no category tells a term loan from a credit line',
    'the item has no fulfilment',
  ])
  assert.deepEqual(read[1]!.warnings, ['unknown checklist state OPTIONAL of KYC'])
  assert.equal(read[1]!.checklist.KYC, 'PENDING')
})

test('FIS12 §7.3, §7.4: an offer without amounts or units is rejected at its path', () => {
  const tag = (provider: Json, code: string) =>
    provider.items[1].tags.find(({ descriptor }: Json) => descriptor.code === code).list
  const at = 'message.catalog.providers.0.items.1.tags'
  const cases: [(provider: Json) => unknown, string][] = [
    [(provider) => (tag(provider, 'LOAN_INFO')[1].value = 'soon'), `${at}.LOAN_INFO.INTEREST_RATE`],
    [(provider) => tag(provider, 'LOAN_OFFER').shift(), `${at}.LOAN_OFFER.breakup`],
    [(provider) => provider.items[1].tags.splice(1, 1), `${at}.LOAN_OFFER`],
    [(provider) => (tag(provider, 'PLEDGE_REQUIREMENTS')[4].value = 'all'), `${at}.PLEDGE_REQUIREMENTS.UNITS_REQUIRED`],
    [(provider) => tag(provider, 'PLEDGE_REQUIREMENTS').splice(2, 1), `${at}.PLEDGE_REQUIREMENTS.SCHEME_CODE`],
  ]
  for (const [change, field] of cases)
    assert.throws(
      () => searchAfter('on_search_offers', change),
      (error) => error instanceof Refusal && error.kind === 'invalid' && error.details.field === field,
      field,
    )
})
