// Parts of version 2.3.0 messages: category tree, checklists, pledges, account, and terms of term loans and credit lines (FIS12 §10, §17).
import { descriptor, form, group, inr, provider, providerId, providerTags, row } from './parts.ts'
import { entriesOf } from './shape.ts'
import { type Loan, loanOf, rupees } from './sums.ts'
import type { Talk } from './talk.ts'
import type { Json } from './wire.ts'

export interface Product {
  item: string
  name: string
  categories: string[]
  /** Whether everything after the offer happens on one page of the lender. */
  isOffline: boolean
  isCreditLine: boolean
  /** The steps of the checklist after the borrower's form. */
  steps: string[]
  /** Additional form fields. */
  fields: Record<string, string>
  isMonitored?: boolean
  /** Set for the shape with stops: the fulfilment in the catalogue, and with the offer. */
  stopsFulfilment?: (isOffered: boolean) => Json
}

/** The id of the fulfilment of a loan. */
export const fulfilmentIdOf = ({ stopsFulfilment, isOffline }: Product): string =>
  stopsFulfilment ? stopsFulfilment(false).id : isOffline ? 'F_OFFLINE' : 'F_ONLINE'

const categoryOf = (id: string, code: string, parent?: string): Json => ({
  id,
  ...(parent && { parent_category_id: parent }),
  descriptor: { code, name: code },
})
const tree = [
  categoryOf('101110', 'LOAN'),
  categoryOf('104111', 'SECURED_PERSONAL', '101110'),
  categoryOf('101118', 'LAMF', '104111'),
  categoryOf('104112', 'OFFERS', '101110'),
  categoryOf('101117', 'TERM_LOAN', '104112'),
  categoryOf('104125', 'CREDIT_LINE', '104112'),
  categoryOf('104126', 'DOCUMENT_BASED_DRAWDOWN', '104125'),
  categoryOf('104127', 'NON_DOCUMENT_BASED_DRAWDOWN', '104125'),
  categoryOf('104129', 'ADDITIONAL_DATA', '101110'),
  categoryOf('104132', 'MUTUAL_FUND', '104129'),
  categoryOf('101119', 'MFC', '104132'),
  categoryOf('101120', 'RTA', '104132'),
  categoryOf('104142', 'AA_LOAN', '104132'),
]

const fieldTypes = {
  userType: 'enum',
  pan: 'string',
  fullName: 'string',
  constitution: 'enum',
  gender: 'enum',
  employmentType: 'enum',
  dob: 'string',
  annualIncome: 'string',
  mobileNumber: 'string',
  emailId: 'string',
  addressL1: 'string',
  addressL2: 'string',
  pincode: 'string',
  city: 'string',
  state: 'string',
  endUse: 'enum',
  bureauConsent: 'boolean',
}
const dataOf = ({ fields }: Product): Json =>
  Object.fromEntries(Object.entries({ ...fieldTypes, ...fields }).map(([name, type]) => [name, { type }]))

const stepNames: Record<string, string> = {
  PERSONAL_INFORMATION_LAMF: 'Personal Information',
  CONSENT_APPROVAL: 'Consent Approval',
  KYC: 'Know Your Customer',
  LIEN_MARKING: 'Lien Marking',
  EMANDATE: 'Emandate',
  LOAN_AGREEMENT: 'Loan Agreement',
  JOURNEY_OFFLINE: 'Journey Offline',
  ACCOUNT_MONITORING: 'Account Monitoring',
}
export const nameOf = (step: string): string => stepNames[step]!

/** The fulfilment with a checklist of completed and pending steps. */
export const fulfilment = (
  { isOffline, steps, isMonitored }: Product,
  done: readonly string[],
  more: Json = {},
): Json => {
  const all = ['PERSONAL_INFORMATION_LAMF', ...steps, ...(isMonitored ? ['ACCOUNT_MONITORING'] : [])]
  const values = Object.fromEntries(all.map((step) => [step, done.includes(step) ? 'COMPLETED' : 'PENDING']))
  return {
    id: isOffline ? 'F_OFFLINE' : 'F_ONLINE',
    type: isOffline ? 'SEMI_ONLINE' : 'ONLINE',
    ...more,
    tags: [group('CHECKLISTS', values, { name: 'Checklist', display: false, names: stepNames })],
  }
}

export const terms = group(
  'BPP_TERMS',
  { STATIC_TERMS: 'https://official-finance.example/terms', OFFLINE_CONTRACT: 'true' },
  { name: 'BPP Terms of Engagement', display: false },
)

const schemes = [
  { rta: 'CAMS', amc: 'AMC-1', code: 'SHK-FLEX-G', folio: '4410077', units: 2500_000n, perUnit: 80_00n, ltv: '50 %' },
  { rta: 'KFIN', amc: 'AMC-2', code: 'NDH-DEBT-G', folio: '8820131', units: 2500_000n, perUnit: 40_00n, ltv: '80 %' },
]
const unitsText = (thousandths: bigint): string =>
  `${thousandths / 1000n}.${String(thousandths % 1000n).padStart(3, '0')}`
function thousandths(text: string): bigint {
  const [whole = '0', rest = ''] = text.split('.')
  return BigInt(whole + `${rest}000`.slice(0, 3))
}

/** A registrar's own loan covers only its own schemes. */
const schemesOf = (talk: Talk) => {
  const registrar = talk.facts.get('rtaName')?.toUpperCase()
  return registrar ? schemes.filter(({ rta }) => rta === registrar) : schemes
}

const schemeNames = {
  RTA: 'rta',
  AMC_CODE: 'amc code',
  SCHEME_CODE: 'scheme_code',
  FOLIO_ID: 'folio_id',
  UNITS_REQUIRED: 'units_required',
  LTV_PERCENT: 'ltv_percent',
}
/** The required pledges: all units, or those that the borrower has named. */
export const pledges = (talk: Talk, { stopsFulfilment }: Product): Json[] => {
  const named = JSON.parse(talk.facts.get('pledged') ?? '{}') as Record<string, string>
  const pledgedSchemes = talk.facts.has('pledged') ? schemesOf(talk).filter(({ code }) => named[code]) : schemesOf(talk)
  return pledgedSchemes.map(({ rta, amc, code, folio, units, ltv }) =>
    group(
      'PLEDGE_REQUIREMENTS',
      {
        RTA: rta,
        AMC_CODE: amc,
        SCHEME_CODE: code,
        FOLIO_ID: folio,
        UNITS_REQUIRED: named[code] ?? unitsText(units),
        ...(!stopsFulfilment && { LTV_PERCENT: ltv }),
      },
      { name: 'pledge requirements', names: schemeNames },
    ),
  )
}

/** Stores the pledges of a select and reports unknown schemes or too many units. */
export function pledgeFaults(talk: Talk, { order }: Json): (string | false)[] {
  const requestedPledges = order.items[0].tags.map((each: Json) => entriesOf([each], 'PLEDGE_REQUIREMENTS'))
  const named = Object.fromEntries(requestedPledges.map((each: Json) => [each.SCHEME_CODE, each.UNITS_PLEDGED]))
  talk.facts.set('pledged', JSON.stringify(named))
  return Object.entries(named).map(([code, units]) => {
    const scheme = schemesOf(talk).find((each) => each.code === code)
    return (!scheme || thousandths(String(units)) > scheme.units) && `pledges ${units} of ${code}`
  })
}

/** The loan on the pledged units. */
export function loanOn(talk: Talk): Loan {
  const named = JSON.parse(talk.facts.get('pledged') ?? 'null') as Record<string, string> | null
  const loanAmounts = schemesOf(talk).map(({ code, units, perUnit }) => {
    const pledgedUnits = named === null ? units : thousandths(named[code] ?? '0')
    return (pledgedUnits * perUnit) / 1000n
  })
  return loanOf(
    loanAmounts.reduce((all, each) => all + each, 0n),
    12,
  )
}

/** For a credit line only the fees are owed, because nothing is drawn. */
export const price = ({ isCreditLine }: Product, loan: Loan): Json =>
  inr(rupees(isCreditLine ? loan.fees.processing + loan.fees.other : loan.total))

export function loanInfo({ isCreditLine, stopsFulfilment }: Product, { months, instalment }: Loan): Json {
  const values = {
    ...(!stopsFulfilment && { MARGIN_CALL: '10 %' }),
    INTEREST_RATE: '14 %',
    TERM: `P${months}M`,
    INTEREST_RATE_TYPE: 'FIXED',
    APPLICATION_FEE: '0 INR',
    FORECLOSURE_FEE: '2 %',
    INTEREST_RATE_CONVERSION_CHARGE: '0 INR',
    DELAY_PENALTY_FEE: '2 %',
    OTHER_PENALTY_FEE: '1 %',
    RATE_ANNUALISED_PENAL_CHARGES: '2 %',
    ANNUAL_PERCENTAGE_RATE: '16.8 %',
    REPAYMENT_FREQUENCY: 'P1M',
    ...(!isCreditLine && { NUMBER_OF_INSTALLMENTS: String(months) }),
    TNC_LINK: 'https://official-finance.example/tnc',
    COOL_OFF_PERIOD: 'P3D',
    ...(!(stopsFulfilment && isCreditLine) && {
      INSTALLMENT_AMOUNT: `${isCreditLine ? '0' : rupees(instalment)} INR`,
    }),
    KFS_LINK: 'https://official-finance.example/kfs',
    ...(stopsFulfilment && { LTV_PERCENT: '60 %' }),
  }
  return group('LOAN_INFO', values, { name: 'Information', described: true })
}

/** Amounts by name, in the order of the specification. With stops a line states no interest. */
export const amounts = ({ isCreditLine, stopsFulfilment }: Product, loan: Loan): [string, bigint][] => [
  [isCreditLine ? 'OVERDRAFT_LIMIT' : 'PRINCIPAL_AMOUNT', loan.principal],
  ...(isCreditLine && stopsFulfilment
    ? []
    : ([['INTEREST_AMOUNT', isCreditLine ? 0n : loan.interest]] as [string, bigint][])),
  ...(isCreditLine ? ([['CURRENT_UTILIZATION', 0n]] as [string, bigint][]) : []),
  ['PROCESSING_FEE', loan.fees.processing],
  ['OTHER_UPFRONT_CHARGES', loan.fees.other],
  ['INSURANCE_CHARGES', 0n],
  ...(isCreditLine ? [] : ([['NET_DISBURSED_AMOUNT', loan.net]] as [string, bigint][])),
  ['OTHER_CHARGES', 0n],
]
const loanOffer = (product: Product, loan: Loan): Json =>
  group(
    'LOAN_OFFER',
    {
      ...Object.fromEntries(amounts(product, loan).map(([name, value]) => [name, `${rupees(value)} INR`])),
      OFFER_VALIDITY: 'P15D',
    },
    { name: 'Loan Offer', described: true },
  )
/** Official quotes end with a row that is not an amount. */
const quote = (talk: Talk, product: Product, loan: Loan): Json => ({
  id: talk.id('QUOTE'),
  price: price(product, loan),
  breakup: [
    ...amounts(product, loan).map(([title, value]) => row(title, rupees(value))),
    row('OFFER_VALIDITY', 'P15D'),
  ],
  ttl: 'P15D',
})

const placeholder = (id: string, type: string, label: string, collectedBy: string): Json => ({
  type,
  id,
  status: 'NOT-PAID',
  collected_by: collectedBy,
  time: { label },
})
const placeholders = [
  placeholder('PAY_INSTALMENT', 'POST_FULFILLMENT', 'INSTALLMENT', 'BPP'),
  placeholder('PAY_DISBURSAL', 'ON_FULFILLMENT', 'LOAN_DISBURSMENT', 'CONSUMER'),
]

/** The borrower's account, repeated in every message; it stays NOT-PAID even after the disbursal. */
export const account = (talk: Talk): Json => {
  const { params, details } = JSON.parse(talk.facts.get('account')!)
  return {
    ...placeholders[1],
    params,
    tags: [
      group('ACCOUNT_DETAILS', details, {
        name: 'Account Details',
        names: { ACCOUNT_TYPE: 'Account Type', ACCOUNT_HOLDER_NAME: 'Account Holder Name' },
      }),
    ],
  }
}
export function storeAccount(talk: Talk, { order }: Json): void {
  const [{ params, tags }] = order.payments
  talk.facts.set('account', JSON.stringify({ params, details: entriesOf(tags, 'ACCOUNT_DETAILS') }))
}

const customer = (talk: Talk): Json => ({
  person: { name: talk.facts.get('fullName') },
  contact: { phone: `+91-${talk.facts.get('mobileNumber')}`, email: talk.facts.get('emailId') },
})

const item = (talk: Talk, product: Product, more: Json = {}): Json => ({
  id: talk.id('CHILD'),
  parent_item_id: product.item,
  descriptor: { code: 'LOAN', name: product.name },
  category_ids: product.categories,
  fulfillment_ids: [fulfilmentIdOf(product)],
  price: price(product, loanOn(talk)),
  tags: [loanInfo(product, loanOn(talk)), ...pledges(talk, product)],
  ...more,
})

export interface OrderParts {
  done: string[]
  state?: string
  xinput?: Json
  withAccount?: boolean
  more?: Json
}

/** An order of this version, from on_select on. */
export const order = (
  talk: Talk,
  product: Product,
  { done, state, xinput, withAccount = false, more }: OrderParts,
): Json => ({
  order: {
    provider: provider(),
    items: [item(talk, product, xinput && { xinput })],
    fulfillments: [
      fulfilment(product, done, {
        ...(state && { customer: customer(talk), state: { descriptor: { code: state } } }),
      }),
    ],
    quote: quote(talk, product, loanOn(talk)),
    ...(withAccount && { payments: [account(talk)] }),
    ...more,
  },
})

/** A catalogue of one product. In the shape with stops it announces no payments. */
const catalogOf = (product: Product, items: Json[], done: string[], more: Json = {}): Json => ({
  catalog: {
    descriptor: { name: descriptor.name },
    providers: [
      {
        id: providerId,
        descriptor,
        ...more,
        items,
        fulfillments: [product.stopsFulfilment?.(items.length > 1) ?? fulfilment(product, done)],
        ...(!product.stopsFulfilment && { payments: placeholders }),
        tags: providerTags,
      },
    ],
    tags: [terms],
  },
})

const parentItem = (product: Product, more: Json = {}): Json => ({
  id: product.item,
  descriptor: { code: 'LOAN', name: product.name },
  category_ids: product.categories,
  fulfillment_ids: [fulfilmentIdOf(product)],
  matched: true,
  recommended: true,
  ...more,
})

export const broadcastOf = (product: Product) => (talk: Talk) => {
  const { url: _, ...formWithoutUrl } = form(talk.id('FORM'), 'none', '')
  const xinput = {
    head: {
      descriptor: { name: 'Personal Information', code: 'PERSONAL_INFORMATION_LAMF' },
      headings: ['PERSONAL_INFORMATION_LAMF'],
    },
    form: { ...formWithoutUrl, data: dataOf(product) },
    required: true,
  }
  return catalogOf(product, [parentItem(product, { xinput })], [], { categories: tree })
}

export const formFaults =
  (code: string) =>
  (talk: Talk, { intent }: Json) => {
    const { id, items } = intent.provider ?? {}
    const { head, form } = items?.[0]?.xinput ?? {}
    return [
      id !== providerId && `the provider is ${id}, not ${providerId}`,
      head?.descriptor.code !== code && `the step is ${head?.descriptor.code}, not ${code}`,
      form?.id !== talk.id('FORM') && `the form is ${form?.id}, not ${talk.id('FORM')}`,
    ]
  }

/** Stores the borrower's form data and reports missing fields. */
export const checkForm =
  (product: Product) =>
  (talk: Talk, message: Json): (string | false)[] => {
    const data = message.intent.provider?.items[0].xinput.form.data ?? {}
    for (const name of ['fullName', 'mobileNumber', 'emailId', 'aa_id', 'rtaName'])
      talk.facts.set(name, data[name]?.value ?? '')
    const file = product.fields.statementUpload && data.statementUpload
    return [
      ...formFaults('PERSONAL_INFORMATION_LAMF')(talk, message),
      ...Object.keys(product.fields).map((name) => !data[name] && `the form lacks ${name}`),
      Boolean(file) && !(file.format && file.validity && /^https?:/.test(file.value)) && 'the statement is not a file',
    ]
  }

/** The answer to one borrower: the listed item, and the offer under it. */
export const offerCatalogue = (talk: Talk, product: Product, done: string[] = []): Json => {
  const childItem = item(talk, product)
  const [info, ...rest] = childItem.tags
  const tags = [info, loanOffer(product, loanOn(talk)), ...rest]
  return catalogOf(product, [parentItem(product), { ...childItem, tags }], done)
}

/** The answer that asks the borrower for a consent, under which the lender reads the holdings. */
export const consentCatalogue = (product: Product, xinput: Json, done: string[]): Json =>
  catalogOf(product, [parentItem(product, { xinput })], done)
