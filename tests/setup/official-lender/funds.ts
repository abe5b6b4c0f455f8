// Flows of loans against mutual funds: term loans by statement or registrar, credit lines by consent or on one lender page (FIS12 §10, §17).
import {
  account,
  broadcastOf,
  checkForm,
  consentCatalogue,
  formFaults,
  fulfilmentIdOf,
  loanOn,
  nameOf,
  offerCatalogue,
  order,
  type Product,
  pledgeFaults,
  storeAccount,
  terms,
} from './loans-230.ts'
import { agreement, cancellationTerms, form, monthAhead, orderDocuments, response } from './parts.ts'
import { rupees } from './sums.ts'
import { answerStep, type Flow, pushStep, type Step, type Talk } from './talk.ts'
import type { Json } from './wire.ts'

const online = ['KYC', 'LIEN_MARKING', 'EMANDATE', 'LOAN_AGREEMENT']

const firstSteps = ['PERSONAL_INFORMATION_LAMF']

const consentStep = (product: Product): Step =>
  answerStep(
    'search',
    async (talk) => {
      talk.facts.set('consent', await talk.consents.ask(talk.facts.get('aa_id')!, 'holdings'))
      const { url: _, ...formWithoutUrl } = form(talk.id('FORM'), 'none', '')
      const xinput = {
        head: {
          descriptor: { code: 'CONSENT_APPROVAL', name: 'Consent Approval' },
          headings: ['PERSONAL_INFORMATION_LAMF', 'CONSENT_APPROVAL'],
        },
        form: { ...formWithoutUrl, data: { consent_handler: talk.facts.get('consent')! } },
        required: true,
      }
      return consentCatalogue(product, xinput, firstSteps)
    },
    { check: checkForm(product) },
  )

const consentedOfferStep = (product: Product): Step =>
  answerStep(
    'search',
    async (talk) => {
      if (!(await talk.consents.isGiven(talk.facts.get('consent')!)))
        talk.faults.push('search: reports a consent that was not given')
      return offerCatalogue(talk, product, [...firstSteps, 'CONSENT_APPROVAL'])
    },
    { check: formFaults('CONSENT_APPROVAL') },
  )

const page = (talk: Talk, step: string, headings: string[]): Json => ({
  head: { descriptor: { name: nameOf(step), code: step }, headings },
  form: form(talk.id(step), 'application/html', talk.pageUrl(step)),
  required: true,
})

const orderFaults =
  (product: Product, step: string | null) =>
  (talk: Talk, { order: { items, fulfillments } }: Json): (string | false)[] => {
    const [{ id, parent_item_id, xinput }] = items
    const { head, form, form_response } = xinput ?? {}
    return [
      (id !== talk.id('CHILD') || parent_item_id !== product.item) &&
        `the item is ${id} of ${parent_item_id}, not ${talk.id('CHILD')} of ${product.item}`,
      fulfillments[0].id !== fulfilmentIdOf(product) && `the fulfilment is ${fulfillments[0].id}`,
      step === null
        ? xinput !== undefined && 'answers a page that was not shown'
        : head?.descriptor.code !== step && `the step is ${head?.descriptor.code}, not ${step}`,
      step !== null && form?.id !== talk.id(step) && `the form is ${form?.id}, not ${talk.id(step)}`,
      form_response?.submission_id !== undefined &&
        form_response.submission_id !== talk.submission(step ?? '') &&
        `the submission is ${form_response.submission_id}, not ${talk.submission(step ?? '')}`,
    ]
  }

/** From select to confirm: an init for the account and one after each page; no page follows the last (FIS12 §10.2). */
function agreementSteps(product: Product): Step[] {
  const pages = product.steps.filter((step) => step !== 'CONSENT_APPROVAL')
  const before = [...firstSteps, ...product.steps.filter((step) => step === 'CONSENT_APPROVAL')]
  const common = { withAccount: true, state: 'INITIATED' }
  const doneBefore = (i: number) => [...before, ...pages.slice(0, i)]
  return [
    answerStep('select', (talk) => order(talk, product, { done: before }), {
      check: (talk, message) => [...orderFaults(product, null)(talk, message), ...pledgeFaults(talk, message)],
    }),
    ...pages.flatMap((step, i): Step[] => [
      answerStep(
        'init',
        (talk, message) => {
          if (i === 0) storeAccount(talk, message)
          const more = { ...(i === 0 && { cancellation_terms: cancellationTerms }), tags: [terms] }
          return order(talk, product, { ...common, done: doneBefore(i), xinput: page(talk, step, pages), more })
        },
        { check: orderFaults(product, i === 0 ? null : pages[i - 1]!) },
      ),
      // This report does not make the step COMPLETED; the next on_init does.
      pushStep('on_status', step, (talk) => {
        const status = product.categories.includes('101120') ? 'APPROVED' : 'SUCCESS'
        const xinput = response(talk.id(step), status, talk.submission(step))
        const more = { cancellation_terms: cancellationTerms, tags: [terms] }
        return order(talk, product, { ...common, done: doneBefore(i), xinput, more })
      }),
    ]),
    answerStep(
      'init',
      (talk) => {
        const last = pages.at(-1)!
        const xinput = response(talk.id(last), 'SUCCESS', talk.submission(last))
        return order(talk, product, { ...common, done: doneBefore(pages.length), xinput, more: { tags: [terms] } })
      },
      { check: orderFaults(product, pages.at(-1)!) },
    ),
    answerStep('confirm', (talk) => placedOrder(talk, product, 'SANCTIONED'), { check: orderFaults(product, null) }),
  ]
}

function placedOrder(talk: Talk, product: Product, state: string, payments: Json[] = []): Json {
  const now = new Date().toISOString()
  if (!talk.facts.has('placed')) talk.facts.set('placed', now)
  const created_at = talk.facts.get('placed')!
  const { order: baseOrder } = order(talk, product, {
    done: [...firstSteps, ...product.steps],
    state,
    more: {
      cancellation_terms: cancellationTerms,
      tags: [terms],
      documents: product.isCreditLine ? [agreement] : orderDocuments,
    },
  })
  const isFresh = state === 'SANCTIONED'
  return {
    order: {
      id: talk.id('ORDER'),
      status: 'ACTIVE',
      ...baseOrder,
      payments: [account(talk), ...payments],
      created_at,
      updated_at: isFresh ? created_at : now,
    },
  }
}

const plan = (talk: Talk, status: string): Json[] =>
  loanOn(talk).rows.map(({ amount }, i) => ({
    id: talk.id(`installment_${i + 1}`),
    type: 'POST_FULFILLMENT',
    status,
    collected_by: 'BPP',
    params: { amount: rupees(amount), currency: 'INR' },
    time: { label: 'INSTALLMENT', range: monthAhead(i + 1) },
  }))

const disbursalStep = (product: Product): Step =>
  pushStep('on_update', null, (talk) => placedOrder(talk, product, 'DISBURSED', plan(talk, 'NOT-PAID')))

const statement = { statementUpload: 'file' }
const byStatement: Product = {
  item: 'ITEM_LAMF_MFC',
  name: 'LAMF with MFC',
  categories: ['101118', '101119', '101117'],
  isOffline: false,
  isCreditLine: false,
  steps: online,
  fields: statement,
}
const byRegistrar: Product = {
  item: 'ITEM_LAMF_RTA',
  name: 'LAMF with RTA',
  categories: ['101118', '101120', '101117'],
  isOffline: false,
  isCreditLine: false,
  steps: online,
  fields: { ...statement, rtaName: 'enum' },
}
const lineByConsent: Product = {
  item: 'ITEM_LINE_AA',
  name: 'LAMF with Working Capital Loan - AA',
  categories: ['101118', '104142', '104126'],
  isOffline: false,
  isCreditLine: true,
  steps: ['CONSENT_APPROVAL', ...online],
  isMonitored: true,
  fields: { ...statement, aa_id: 'string' },
}
const lineOffline: Product = {
  item: 'ITEM_LINE_MFC',
  name: 'LAMF - Single Redirection',
  categories: ['101118', '104127', '101119'],
  isOffline: true,
  isCreditLine: true,
  steps: ['JOURNEY_OFFLINE'],
  fields: statement,
}

const formOfferStep = (product: Product): Step =>
  answerStep('search', (talk) => offerCatalogue(talk, product, firstSteps), { check: checkForm(product) })

const flow = (id: string, product: Product, steps: Step[]): Flow => ({
  id,
  version: '2.3.0',
  product: 'LOAN',
  steps: [answerStep('search', broadcastOf(product)), ...steps],
})

export const fundLoans: Flow[] = [
  flow('mutual-funds-statement', byStatement, [
    formOfferStep(byStatement),
    ...agreementSteps(byStatement),
    disbursalStep(byStatement),
  ]),
  flow('mutual-funds-registrar', byRegistrar, [
    formOfferStep(byRegistrar),
    ...agreementSteps(byRegistrar),
    disbursalStep(byRegistrar),
  ]),
  flow('credit-line-consent', lineByConsent, [
    consentStep(lineByConsent),
    consentedOfferStep(lineByConsent),
    ...agreementSteps(lineByConsent),
  ]),
  flow('credit-line-offline', lineOffline, [formOfferStep(lineOffline), ...agreementSteps(lineOffline)]),
]
