// A strict lender's checks of buyer messages by action: closed shapes, required groups, listed codes (FIS12 §12).
import { groupFaults, type Shape, shapeFaults, tag } from './shape.ts'
import type { Json } from './wire.ts'

export type Version = '2.0.1' | '2.0.2' | '2.0.3' | '2.3.0'

const descriptorShape = { 'code?': 'text', 'name?': 'text' } as const
export const formAnswer = {
  form: { id: 'text' },
  form_response: { status: /^SUCCESS$/, submission_id: 'text' },
} as const
const olderFormAnswer = {
  ...formAnswer,
  form_response: { status: /^(SUCCESS|APPROVED)$/, submission_id: 'text' },
} as const
const settlement = {
  'id?': 'text',
  collected_by: /^BPP$/,
  type: /^ON_ORDER$/,
  status: /^NOT-PAID$/,
  params: {
    bank_code: /^[A-Z]{4}0[A-Z0-9]{6}$/,
    bank_account_number: /^\d{6,18}$/,
    virtual_payment_address: /^\S+@\S+$/,
  },
  tags: [tag],
} as const satisfies Shape
export const money = /^\d+(\.\d{1,2})?$/
const paymentRequest: Shape = {
  'type?': /^POST_FULFILLMENT$/,
  time: { label: /^(FORECLOSURE|PRE_PART_PAYMENT|MISSED_EMI_PAYMENT)$/ },
  'params?': { amount: money, 'currency?': /^INR$/ },
}
const statusShape: Shape = { 'order_id?': 'text', 'ref_id?': 'text' }
const updateShape: Shape = {
  update_target: /^(payments|fulfillment)$/,
  order: {
    id: 'text',
    'payments?': [paymentRequest],
    'fulfillments?': [{ state: { descriptor: { code: /^APPROVED$/ } } }],
  },
}

const complainantAction: Shape = {
  complainant_action: /^(OPEN|ESCALATE|CLOSE)$/,
  short_desc: 'text',
  updated_at: 'text',
  updated_by: {
    org: { name: /^\S+::ONDC:FIS12$/ },
    contact: { phone: 'text', 'email?': 'text' },
    person: { name: 'text' },
  },
}
/** A complaint is the same in every shape of the loan. */
const issueShape: Shape = {
  issue: {
    id: 'text',
    'category?': 'text',
    'sub_category?': 'text',
    'complainant_info?': { person: { name: 'text' }, contact: { phone: 'text', 'email?': 'text' } },
    'order_details?': {
      id: 'text',
      'state?': 'text',
      'items?': [{ id: 'text', 'quantity?': 'any' }],
      'fulfillments?': [{ id: 'text', 'state?': 'text' }],
      provider_id: 'text',
      'merchant_order_id?': 'text',
    },
    'description?': {
      short_desc: 'text',
      long_desc: 'text',
      'additional_desc?': { url: 'text', content_type: 'text' },
      'images?': ['text'],
    },
    'source?': { network_participant_id: 'text', type: /^(CONSUMER|SELLER|INTERFACING-NP)$/ },
    'expected_response_time?': { duration: /^P/ },
    'expected_resolution_time?': { duration: /^P/ },
    status: /^(OPEN|CLOSED)$/,
    'issue_type?': /^(ISSUE|GRIEVANCE|DISPUTE)$/,
    'rating?': /^THUMBS-(UP|DOWN)$/,
    issue_actions: { complainant_actions: [complainantAction] },
    created_at: 'text',
    updated_at: 'text',
  },
}

export const complaintShapes: Record<string, Shape> = {
  issue: issueShape,
  issue_status: { issue_id: 'text' },
}

export const categoryShape = { descriptor: { code: /^(PERSONAL_LOAN|GOLD_LOAN)$/, 'name?': 'text' } } as const
const searchShape = (more: { [key: string]: Shape }): Shape => ({
  intent: { category: categoryShape, payment: { collected_by: /^(BAP|BPP)$/, tags: [tag] }, ...more },
})
export const buyer203 = (item: Shape, more: { [key: string]: Shape }): Shape => ({
  order: { provider: { id: 'text' }, items: [item], ...more },
})
const shapes203: Record<string, Shape> = {
  // One search also serves the lenders with stops, which read the buyer's terms.
  search: searchShape({ 'tags?': [tag] }),
  select: buyer203({ id: 'text', 'location_ids?': ['text'], xinput: formAnswer }, {}),
  init: buyer203({ id: 'text', xinput: formAnswer }, { payments: [settlement] }),
  confirm: buyer203({ id: 'text', 'xinput?': formAnswer }, { payments: [settlement] }),
  status: statusShape,
  update: updateShape,
  ...complaintShapes,
}

const olderShapes: Record<string, Shape> = {
  ...shapes203,
  search: searchShape({}),
  select: buyer203({ id: 'text', 'location_ids?': ['text'], xinput: olderFormAnswer }, {}),
}

const field: Shape = { value: 'text', 'format?': 'text', 'validity?': /^P/ }
const account: Shape = {
  id: 'text',
  type: /^ON_FULFILLMENT$/,
  status: /^NOT-PAID$/,
  collected_by: /^CONSUMER$/,
  time: { label: /^LOAN_DISBURSMENT$/ },
  params: { bank_account_number: /^\d{6,18}$/, bank_code: /^[A-Z]{4}0[A-Z0-9]{6}$/ },
  tags: [tag],
}
const page230: Shape = {
  head: { descriptor: descriptorShape },
  form: { id: 'text' },
  form_response: { status: /^SUCCESS$/, 'submission_id?': 'text' },
}
export const buyer230 = (item: { [key: string]: Shape }, more: { [key: string]: Shape }): Shape => ({
  order: {
    provider: { id: 'text' },
    items: [{ id: 'text', parent_item_id: 'text', tags: [tag], ...item }],
    fulfillments: [{ id: 'text' }],
    ...more,
  },
})
export const shapes230: Record<string, Shape> = {
  search: {
    intent: {
      'category?': { descriptor: { code: /^LOAN$/, 'name?': 'text' } },
      'provider?': {
        id: 'text',
        items: [
          {
            id: 'text',
            xinput: {
              head: { descriptor: descriptorShape },
              form: { id: 'text', 'data?': { '*': field } },
              'form_response?': { 'status?': /^SUCCESS$/, submission_id: 'text' },
            },
          },
        ],
      },
      payment: { collected_by: /^(BAP|BPP)$/ },
      tags: [tag],
    },
  },
  select: buyer230({}, {}),
  init: buyer230({ 'xinput?': page230 }, { payments: [account], tags: [tag] }),
  confirm: buyer230({}, { payments: [account], tags: [tag] }),
  status: statusShape,
  update: updateShape,
}

const hostName = /^(?!www\.)[a-z0-9-]+(\.[a-z0-9-]+)+$/i
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const addressIn = (version: Version) => (version === '2.3.0' ? /^https?:\/\/[^\s:/]+(\/\S*)?$/ : /^https?:\/\/\S+$/)

/** Checks the context of a request; only a broadcast omits the lender (FIS12 §4). */
export function contextFaults(
  context: Json,
  { version, domain, action, isBroadcast }: { version: Version; domain: string; action: string; isBroadcast: boolean },
): string[] {
  return shapeFaults(
    {
      domain: new RegExp(`^${domain}$`),
      location: { country: { code: /^IND$/ }, city: { code: version === '2.3.0' ? /^(\*|std:\d{2,4})$/ : /^\*$/ } },
      version: new RegExp(`^${version.replaceAll('.', '\\.')}$`),
      action: new RegExp(`^${action}$`),
      bap_id: hostName,
      bap_uri: addressIn(version),
      ...(!isBroadcast && { bpp_id: hostName, bpp_uri: addressIn(version) }),
      transaction_id: uuid,
      message_id: uuid,
      timestamp: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
      ttl: /^P(T?\d+[DHMS])+$/,
    },
    context,
    'context',
  )
}

const fees = { BUYER_FINDER_FEES: ['BUYER_FINDER_FEES_TYPE', 'BUYER_FINDER_FEES_PERCENTAGE'] }
const searchGroups = { ...fees, SETTLEMENT_TERMS: ['DELAY_INTEREST', 'STATIC_TERMS', 'OFFLINE_CONTRACT'] }
const initGroups = {
  ...fees,
  SETTLEMENT_TERMS: ['SETTLEMENT_AMOUNT', 'SETTLEMENT_TYPE', 'DELAY_INTEREST', 'STATIC_TERMS', 'OFFLINE_CONTRACT'],
}
export const terms = ['STATIC_TERMS', 'OFFLINE_CONTRACT']

export const searchFaults203 = ({ payment, tags }: Json): string[] => [
  ...groupFaults(payment.tags, searchGroups, 'intent.payment.tags'),
  ...(tags ? groupFaults(tags, { BAP_TERMS: terms }, 'intent.tags') : []),
]

function groups203(action: string, { intent, order }: Json): string[] {
  if (action === 'search') return searchFaults203(intent)
  if (action !== 'init' && action !== 'confirm') return []
  return groupFaults(order.payments[0].tags, initGroups, 'order.payments[0].tags')
}

/** Required fields of the borrower's form, from the network's rule file. */
const profile230 =
  'userType pan fullName constitution gender employmentType dob annualIncome mobileNumber emailId bureauConsent'

export function groups230(action: string, { intent, order }: Json): string[] {
  if (action === 'search') {
    const { head, form, form_response } = intent.provider?.items[0].xinput ?? {}
    const isForm = head?.descriptor.code === 'PERSONAL_INFORMATION_LAMF'
    return [
      ...groupFaults(intent.tags, { BAP_TERMS: terms }, 'intent.tags'),
      ...(intent.provider || intent.category ? [] : ['intent names neither a category nor a lender']),
      ...(isForm
        ? profile230
            .split(' ')
            .filter((name) => !form.data?.[name])
            .map((name) => `the form lacks ${name}`)
        : []),
      ...(head?.descriptor.code === 'CONSENT_APPROVAL' && !form_response ? ['the approval has no submission_id'] : []),
    ]
  }
  if (action !== 'select' && action !== 'init' && action !== 'confirm') return []
  const pledgeFaults = order.items.flatMap(({ tags }: Json) =>
    tags.flatMap((each: Json) =>
      groupFaults([each], { PLEDGE_REQUIREMENTS: ['SCHEME_CODE', 'UNITS_PLEDGED'] }, 'order.items[0].tags'),
    ),
  )
  if (action === 'select') return pledgeFaults
  const details = groupFaults(
    order.payments[0].tags,
    { ACCOUNT_DETAILS: ['ACCOUNT_TYPE', 'ACCOUNT_HOLDER_NAME'] },
    'order.payments[0].tags',
  )
  const termGroups: Record<string, string[]> =
    action === 'confirm' ? { BAP_TERMS: terms, BPP_TERMS: terms } : { BAP_TERMS: terms }
  return [...pledgeFaults, ...details, ...groupFaults(order.tags, termGroups, 'order.tags')]
}

/** Checks the `message` of a request. */
export function messageFaults(version: Version, action: string, message: Json): string[] {
  const shape = { '2.0.1': olderShapes, '2.0.2': olderShapes, '2.0.3': shapes203, '2.3.0': shapes230 }[version][action]
  if (!shape) return [`${action} is not supported in ${version}`]
  const found = shapeFaults(shape, message, 'message')
  if (found.length > 0) return found
  const { order_id: orderId, ref_id: refId, update_target: target, order } = message
  return [
    ...(version === '2.3.0' ? groups230 : groups203)(action, message),
    ...(action === 'status' && (orderId === undefined) === (refId === undefined)
      ? ['status must name either order_id or ref_id']
      : []),
    ...(action === 'update' && target === 'payments' && order.payments?.length !== 1
      ? ['update must request exactly one payment']
      : []),
    ...(action === 'update' && target === 'fulfillment' && !order.fulfillments ? ['update has no state'] : []),
    ...(order?.payments?.[0]?.time?.label === 'PRE_PART_PAYMENT' && !order.payments[0].params
      ? ['the part payment has no amount']
      : []),
  ]
}

const words = (text: string) => text.split(' ')
export const after203: Record<string, string[]> = {
  start: words('search'),
  search: words('on_search'),
  on_search: words('select'),
  select: words('on_select select'),
  on_select: words('init select on_status'),
  init: words('on_init'),
  on_init: words('confirm init on_status'),
  confirm: words('on_confirm'),
  on_confirm: words('update on_update on_status status issue'),
  update: words('on_update'),
  on_update: words('update on_update status'),
  status: words('on_status'),
  on_status: words('status init update confirm'),
  issue: words('on_issue issue_status'),
  on_issue: words('on_issue_status issue_status issue'),
  issue_status: words('on_issue_status'),
  on_issue_status: words('issue issue_status on_issue_status'),
}
export const after230: Record<string, string[]> = {
  ...after203,
  on_search: words('select search'),
  on_select: words('init select on_status'),
  confirm: words('on_confirm status'),
  on_confirm: words('update on_update on_status status cancel'),
  on_status: words('select init status cancel on_update track on_status update confirm'),
  on_update: words('status update on_status track on_update cancel'),
}

/** Whether an action may follow another in one conversation (FIS12 §4.1). */
export const mayFollow = (version: Version, last: string, action: string): boolean =>
  (version === '2.3.0' ? after230 : after203)[last]?.includes(action) ?? false
