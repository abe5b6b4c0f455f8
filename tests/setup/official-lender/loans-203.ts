// The strict lender's orders in version 2.0.3: terms, quote, instalments, settlement, pages (FIS12 §7, §21).
import { form, group, inr, monthAhead, provider, response, row } from './parts.ts'
import { type Loan, rupees } from './sums.ts'
import type { FormField, Talk } from './talk.ts'
import type { Json } from './wire.ts'

const required = (...names: string[]): FormField[] => names.map((name) => ({ name, required: true }))
const optional = (...names: string[]): FormField[] => names.map((name) => ({ name, required: false }))
const choice = (name: string, options: string, required = true): FormField => ({
  name,
  required,
  options: options.split(' '),
})

/** The forms that the buyer app fills (FIS12 §7.7). */
export const forms: Record<string, FormField[]> = {
  PERSONAL: [
    ...required('panName', 'dob', 'pan', 'contactNumber', 'income', 'companyName'),
    choice('gender', 'male female transgender'),
    choice('employmentType', 'salaried selfEmployed'),
    choice('endUse', 'consumerDurablePurchase education travel health other'),
    ...optional('personalemail', 'officialemail', 'udyamNumber', 'addressL1', 'addressL2', 'city', 'state', 'pincode'),
    ...optional('aa_id', 'bureauConsent'),
  ],
  CUSTOMER: [
    ...required('pan', 'panName', 'dob', 'contactNumber', 'pincode'),
    choice('gender', 'male female transgender'),
  ],
  GOLD: [
    ...required('pan', 'fullName', 'dob', 'contactNumber', 'pincode', 'jewellery'),
    choice('gender', 'male female transgender'),
    choice('purity', '24K 22K 21K 18k 14K 9K'),
    choice('userType', 'individual non-individual', false),
    choice('employmentType', 'salaried selfEmployed', false),
    ...optional(
      'constitution',
      'annualIncome',
      'email',
      'address',
      'city',
      'state',
      'bureauConsent',
      'aa_id',
      'endUse',
    ),
  ],
  AMOUNT: required('requestAmount', 'requestTerm'),
  BANK: [...required('accHolderName', 'accNo', 'ifscCode'), choice('acctype', 'current saving')],
}

const fees = (type: string): Json =>
  group('BUYER_FINDER_FEES', { BUYER_FINDER_FEES_TYPE: type, BUYER_FINDER_FEES_PERCENTAGE: '1' }, { display: false })
const settlement = (values: Record<string, string>): Json =>
  group(
    'SETTLEMENT_TERMS',
    {
      SETTLEMENT_WINDOW: 'PT60M',
      SETTLEMENT_BASIS: 'INVOICE_RECEIPT',
      MANDATORY_ARBITRATION: 'TRUE',
      COURT_JURISDICTION: 'Mumbai',
      STATIC_TERMS: 'https://official-finance.example/terms',
      ...values,
      OFFLINE_CONTRACT: 'true',
    },
    { display: false },
  )

/** Only the catalogue spells the fee type in capitals. */
export const catalogFees = [fees('PERCENT_ANNUALIZED'), settlement({})]
const orderFees = [fees('percent-annualized'), settlement({ SETTLEMENT_AMOUNT: '2000.00' })]

export const generalInfo = group(
  'GENERAL_INFO',
  {
    MIN_INTEREST_RATE: '11%',
    MAX_INTEREST_RATE: '24%',
    MIN_TENURE: '6 months',
    MAX_TENURE: '60 months',
    MIN_LOAN_AMOUNT: '25000',
    MAX_LOAN_AMOUNT: '1000000',
  },
  { name: 'General Information', display: true },
)

export const consentInfo = (handle: string): Json =>
  group('CONSENT_INFO', { CONSENT_HANDLER: handle }, { name: 'Consent Information', display: false })

function loanInfo({ months, instalment }: Loan, isGold: boolean): Json {
  const values = {
    INTEREST_RATE: '14%',
    TERM: `${months} months`,
    INTEREST_RATE_TYPE: 'FIXED',
    APPLICATION_FEE: '0 INR',
    FORECLOSURE_FEE: '2%',
    INTEREST_RATE_CONVERSION_CHARGE: '0 INR',
    DELAY_PENALTY_FEE: '2%',
    OTHER_PENALTY_FEE: '1%',
    ANNUAL_PERCENTAGE_RATE: '16.8%',
    REPAYMENT_FREQUENCY: 'MONTHLY',
    NUMBER_OF_INSTALLMENTS_OF_REPAYMENT: String(months),
    TNC_LINK: 'https://official-finance.example/tnc',
    COOL_OFF_PERIOD: 'P3D',
    INSTALLMENT_AMOUNT: rupees(instalment),
    KFS_LINK: 'https://official-finance.example/kfs',
    ...(isGold && { LTV_RATIO: '75%' }),
  }
  return group('LOAN_INFO', values, { name: 'Loan Information', ...(!isGold && { display: true }), described: true })
}

function quote(talk: Talk, loan: Loan): Json {
  return {
    id: talk.id('QUOTE'),
    price: inr(rupees(loan.total)),
    breakup: [
      row('PRINCIPAL', rupees(loan.principal)),
      row('INTEREST', rupees(loan.interest)),
      row('PROCESSING_FEE', rupees(loan.fees.processing)),
      row('OTHER_UPFRONT_CHARGES', rupees(loan.fees.other)),
      row('INSURANCE_CHARGES', '0.00'),
      row('NET_DISBURSED_AMOUNT', rupees(loan.net)),
      row('OTHER_CHARGES', '0.00'),
    ],
    ttl: 'P15D',
  }
}

/** The payment plan; `idOf` and `statusOf` return id and status of an instalment by index. */
export const instalments = (
  { loan }: Talk,
  idOf: (index: number) => string,
  statusOf: (index: number) => string = () => 'NOT-PAID',
): Json[] =>
  loan.rows.map(({ amount }, i) => ({
    id: idOf(i),
    type: 'POST_FULFILLMENT',
    status: statusOf(i),
    params: { amount: rupees(amount), currency: 'INR' },
    time: { label: 'INSTALLMENT', range: monthAhead(i + 1) },
  }))

export const onOrder = (talk: Talk, status: string, id = talk.id('on_order')): Json => ({
  id,
  type: 'ON_ORDER',
  status,
  collected_by: 'BPP',
  params: { amount: rupees(talk.loan.net), currency: 'INR' },
  tags: orderFees,
})

export const customer = (talk: Talk): Json => ({
  person: { name: talk.answer('PROFILE', 'panName') || talk.answer('PROFILE', 'fullName') },
  contact: { phone: `+91-${talk.answer('PROFILE', 'contactNumber')}` },
})

/** The pending step at this index of the headings: a form of the buyer app or a page of the lender. */
export const dueStep = (
  talk: Talk,
  name: string,
  {
    title,
    headings,
    at,
    mime,
  }: { title: string; headings: string[]; at: number; mime: 'text/html' | 'application/html' },
): Json => ({
  head: { descriptor: { name: title }, index: { min: 0, cur: at, max: headings.length - 1 }, headings },
  form: form(talk.id(name), mime, mime === 'text/html' ? talk.formUrl(name) : talk.pageUrl(name)),
  required: true,
})

export interface OrderParts {
  item: Json
  loan?: Loan
  provider?: Json
  more?: Json
}

/** An order: item with price, terms and pending step, quote, and further parts. */
export function order(
  talk: Talk,
  isGold: boolean,
  { item, loan = talk.loan, provider: extra, more }: OrderParts,
): Json {
  const { tags = [], ...rest } = item
  const info = loanInfo(loan, isGold)
  const stated = quote(talk, loan)
  if (talk.flow.deviates) {
    info.list.find(({ descriptor }: Json) => descriptor.code === 'COOL_OFF_PERIOD').value = 'PT30D'
    stated.ttl = 'PT15D'
    stated.breakup.push(row('OTHER_UPFRONT_CHARGES', rupees(loan.fees.other)))
  }
  return {
    order: {
      provider: provider(extra),
      items: [
        {
          descriptor: isGold ? { code: 'LOAN', name: 'Gold loan' } : { code: 'PERSONAL_LOAN', name: 'Personal loan' },
          price: inr(rupees(loan.total)),
          ...rest,
          tags: [info, ...tags],
        },
      ],
      quote: stated,
      ...more,
    },
  }
}

/** The consent that the lender requires before an offer (FIS12 §7.8). */
export const consentRequest = (talk: Talk, isGold: boolean, itemId: string, handle: string): Json => ({
  order: {
    provider: provider(),
    items: [
      {
        id: itemId,
        descriptor: isGold ? { code: 'LOAN', name: 'Gold loan' } : { code: 'PERSONAL_LOAN', name: 'Personal loan' },
        tags: [consentInfo(handle)],
        xinput: response(talk.id('PROFILE'), 'PENDING', talk.submission('PROFILE')),
      },
    ],
  },
})

/** Checks the item of a request that answers a form or page. */
export function answerFaults(talk: Talk, message: Json, name: string, itemId: string): (string | false)[] {
  const { id, xinput } = message.order.items[0]
  const { form: named, form_response: response } = xinput ?? {}
  const isSilentPage = talk.flow.silentPages !== undefined && talk.flow.forms?.[name] === undefined
  return [
    isSilentPage && !talk.pages.has(name) && `comes before the page ${name} is done`,
    id !== itemId && `names the item ${id}, not ${itemId}`,
    named?.id !== talk.id(name) && `answers the form ${named?.id}, not ${talk.id(name)}`,
    // The buyer cannot know the submission of a page that nobody reports.
    !isSilentPage &&
      response?.submission_id !== talk.submission(name) &&
      `repeats ${response?.submission_id}, not ${talk.submission(name)}`,
  ]
}
