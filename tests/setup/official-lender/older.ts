// The flows of 2.0.1 and 2.0.2: those of 2.0.3 with the messages as these versions publish them (FIS12 §24).
import { goldLoans, goldServicingByConsent } from './gold.ts'
import { personalLoans, personalServicingByConsent } from './personal.ts'
import type { AnswerStep, Flow, Step, Talk } from './talk.ts'
import type { Json } from './wire.ts'

type OlderVersion = '2.0.1' | '2.0.2'

const texts: Record<string, string> = {
  PERSONAL_INFORMATION: 'Personal Information',
  SET_LOAN_AMOUNT: 'Set Loan Amount',
  KYC: 'Know your Customer',
  ACCOUNT_INFORMATION: 'Account Information',
  EMANDATE: 'Emandate',
  LOAN_AGREEMENT: 'Loan Agreement',
}

/** In 2.0.1 all pages of a stage have one title, and the index tells them apart. */
function olderHead(version: OlderVersion, head: Json): Json {
  if (version === '2.0.2') return head
  const isBorrowerStage = !head.headings.includes('ACCOUNT_INFORMATION')
  const name = isBorrowerStage ? 'Customer Information' : 'Account Information'
  return { ...head, descriptor: { name }, headings: head.headings.map((code: string) => texts[code] ?? code) }
}

function olderInput(version: OlderVersion, { head, form, ...input }: Json): Json {
  return { ...(head && { head: olderHead(version, head) }), ...(form && { form }), ...input }
}

const officerCodes = ['GRO_DESIGNATION', 'GRO_ADDRESS']

const withoutCodes = (tags: Json[], codes: string[]): Json[] =>
  tags.map((tag) => ({ ...tag, list: tag.list.filter(({ descriptor }: Json) => !codes.includes(descriptor.code)) }))

function olderCatalogue(version: OlderVersion, { catalog }: Json): Json {
  const [provider] = catalog.providers
  const categories = provider.categories.filter(({ descriptor }: Json) => descriptor.code === 'PERSONAL_LOAN')
  const single = { categories: categories.map(({ id, descriptor }: Json) => ({ id, descriptor })) }
  const items = provider.items.map((item: Json) => ({
    ...item,
    ...(version === '2.0.1' && {
      descriptor: { code: 'PERSONAL_LOAN', name: 'Personal Loan' },
      category_ids: categories.map(({ id }: Json) => id),
    }),
    xinput: olderInput(version, item.xinput),
  }))
  const tags = withoutCodes(provider.tags, officerCodes)
  return { catalog: { ...catalog, providers: [{ ...provider, ...(version === '2.0.1' && single), items, tags }] } }
}

/** All instalments have one id, and a requested payment that of ON_ORDER. */
function olderPayments(talk: Talk, payments: Json[]): Json[] {
  const onOrder = payments.find(({ type }) => type === 'ON_ORDER')
  const sharedId = `INSTALLMENT_ID_${talk.flow.product}`
  return payments.map((payment) => {
    if (payment === onOrder) return payment
    return { ...payment, id: payment.time?.label === 'INSTALLMENT' ? sharedId : onOrder?.id }
  })
}

function olderOrder(talk: Talk, version: OlderVersion, action: string, order: Json): Json {
  const { created_at: _created, updated_at: _updated, provider, ...older } = order
  const [item] = order.items
  const isPlacedGold = talk.flow.product === 'GOLD_LOAN' && order.id !== undefined
  const { location_ids, ...placeless } = item
  const isPage = item.xinput?.head && version === '2.0.1' && action === 'on_select' && item.xinput.head.index.cur === 1
  const tags = isPage ? withoutCodes(item.tags, ['COOL_OFF_PERIOD']) : item.tags
  for (const { descriptor, list } of tags)
    if (descriptor.code === 'LOAN_INFO')
      for (const entry of list) if (entry.descriptor.code === 'COOL_OFF_PERIOD') entry.value = 'PT30D'
  return {
    ...older,
    provider: isPlacedGold ? { ...provider, locations: undefined } : provider,
    items: [
      {
        ...(isPlacedGold ? placeless : item),
        tags,
        ...(item.xinput && { xinput: olderInput(version, item.xinput) }),
      },
    ],
    ...(older.quote && { quote: { ...older.quote, ttl: 'PT15D' } }),
    ...(older.payments && { payments: olderPayments(talk, older.payments) }),
    ...(isPlacedGold && { fulfillments: older.fulfillments.map((each: Json) => ({ ...each, type: 'GOLD' })) }),
  }
}

function olderMessage(talk: Talk, version: OlderVersion, action: string, content: Json): Json {
  if (content?.catalog) return olderCatalogue(version, content)
  return content?.order ? { order: olderOrder(talk, version, action, content.order) } : content
}

/** After the borrower's consent for an offer, the buyer app reports APPROVED instead of SUCCESS. */
const checkConsentAnswer = (talk: Talk, { order }: Json): string | false => {
  const status = order.items[0].xinput.form_response.status
  const isAnswer = talk.facts.has('consent') && !talk.forms.has('AMOUNT')
  const expected = isAnswer ? 'APPROVED' : 'SUCCESS'
  return status !== expected && `reports ${status}, not ${expected}`
}

function olderStep(version: OlderVersion, step: Step): Step {
  if (!('on' in step))
    return {
      ...step,
      contentOf: async (talk: Talk) => olderMessage(talk, version, step.push, await step.contentOf(talk)),
    }
  const check: AnswerStep['check'] = (talk, message) => [
    ...(step.check?.(talk, message) ?? []),
    step.on === 'select' && checkConsentAnswer(talk, message),
  ]
  return {
    ...step,
    check,
    contentOf: async (talk, message) =>
      olderMessage(talk, version, `on_${step.on}`, await step.contentOf(talk, message)),
  }
}

/** In the published flows of 2.0.1, no message tells that the borrower has completed a page. */
const isPageReport = (step: Step): boolean => 'push' in step && step.push === 'on_status' && step.after !== null

const olderFlow = (version: OlderVersion, flow: Flow): Flow => ({
  ...flow,
  id: `${flow.id}-${version}`,
  version,
  ...(version === '2.0.1' && { silentPages: flow.id.includes('consent') ? 'call' : 'silent' }),
  steps: flow.steps
    .filter((step) => version !== '2.0.1' || !isPageReport(step))
    .map((step) => olderStep(version, step)),
})

const published = ['consent-monitoring', 'consent', 'bureau', 'foreclosure', 'part-payment', 'missed-instalment']
const published202 = [...published, 'several-offers', 'offline', 'offline-online']

const named = (flows: Flow[], product: string, names: string[]): Flow[] =>
  flows.filter(({ id }) => names.includes(id.replace(`${product}-`, '')))

export const olderLoans: Flow[] = [
  ...[...named(personalLoans, 'personal-loan', published), ...personalServicingByConsent].map((flow) =>
    olderFlow('2.0.1', flow),
  ),
  ...named(personalLoans, 'personal-loan', published202).map((flow) => olderFlow('2.0.2', flow)),
  ...[...named(goldLoans, 'gold-loan', published), ...goldServicingByConsent].map((flow) => olderFlow('2.0.2', flow)),
]
