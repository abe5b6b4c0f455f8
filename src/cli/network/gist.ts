// A one-line summary of a network message without personal data, and a body with personal data masked.
import { jsonIn } from '#kit/runtime/record.ts'

// biome-ignore lint/suspicious/noExplicitAny: a message may have any shape; missing parts are left out
type Json = any

/** The error, pages, answers, state and price of a message. Empty if nothing is readable. */
export function gistOf(body: string): string {
  const { message, error } = parsed(body) ?? {}
  if (error) return `error ${error.code ?? ''}`.trim()
  const order = message?.order
  if (order) return orderGist(order)
  const providers = message?.catalog?.providers
  if (Array.isArray(providers)) return providers.map(providerGist).join(', ')
  if (message?.intent) return intentGist(message.intent)
  if (message?.issue) return issueGist(message.issue)
  if (message?.issue_id) return 'about the complaint'
  return message?.ref_id || message?.order_id ? `about ${message.order_id ? 'the order' : 'the transaction'}` : ''
}

/** A complaint's kind, last act, resolution and rating. */
function issueGist({ issue_type: type, sub_category: sub, issue_actions: all, resolution, rating }: Json): string {
  const list: Json = all?.respondent_actions ?? all?.complainant_actions
  const last = Array.isArray(list) ? list.at(-1) : undefined
  const action = last?.respondent_action ?? last?.complainant_action
  return [type, sub, action, resolution?.action_triggered, rating].filter(Boolean).join(' · ')
}

/** The product of a search; for a directed search, its form. */
function intentGist({ category, provider }: Json): string {
  const { head, form_response: response } = provider?.items?.[0]?.xinput ?? {}
  return [category?.descriptor?.code, head?.descriptor?.code, response?.status].filter(Boolean).join(' ')
}

/** The lender, and the offer or the form if the response is to one borrower. */
function providerGist(provider: Json): string {
  const { id, descriptor, items } = provider ?? {}
  const all: Json[] = Array.isArray(items) ? items : []
  const offers = all.filter((item) => item?.parent_item_id && item.price)
  const consent = all.some((item) => item?.xinput?.head?.descriptor?.code === 'CONSENT_APPROVAL')
  const more = [consent && 'asks for a consent', ...offers.map(({ price }: Json) => `INR ${price.value}`)]
  return [descriptor?.name ?? id, ...more].filter(Boolean).join(' · ')
}

function orderGist(order: Json): string {
  const item = order.items?.[0]
  const { head, form, form_response: response } = item?.xinput ?? {}
  const state = order.fulfillments?.[0]?.state?.descriptor?.code
  return [
    response && `${form?.id ?? 'form'} ${response.status}`,
    form?.url && `asks for ${head?.descriptor?.code ?? head?.headings?.[head?.index?.cur ?? 0] ?? form.id}`,
    state,
    item?.price && `INR ${item.price.value}`,
    order.id && `order ${order.id}`,
  ]
    .filter(Boolean)
    .join(' · ')
}

const personal = new Set([
  ...['phone', 'email', 'bank_account_number', 'virtual_payment_address'],
  // Spelt as in the partner exchange.
  ...['first_name', 'middle_name', 'last_name', 'date_of_birth', 'mobile', 'pan', 'gstin', 'line1', 'line2'],
  ...['holder_name', 'account_number', 'report_data'],
  // Spelt as in the form of a 2.3.0 search. The statement's address opens the statement.
  ...['fullName', 'mobileNumber', 'emailId', 'dob', 'addressL1', 'addressL2', 'aa_id', 'statementUpload'],
])

/** Codes of tags whose values are personal. */
const personalTags = new Set(['ACCOUNT_HOLDER_NAME', 'FOLIO_ID'])

/** A person's name, and a borrower's text in a complaint. */
const isPersonalIn = (key: string, name: string): boolean =>
  (key === 'person' && name === 'name') ||
  (key === 'description' && name === 'long_desc') ||
  (key === 'additional_desc' && name === 'url')

/** The body as indented JSON; names, phones, e-mails, accounts and PANs of people as `[masked]`. */
export function maskedBody(body: string): string {
  const json = parsed(body)
  return json === null ? '[not JSON]' : JSON.stringify(masked(json), null, 2)
}

export const prettyBody = (body: string): string => {
  const json = parsed(body)
  return json === null ? body : JSON.stringify(json, null, 2)
}

function masked(value: Json, key = ''): Json {
  if (Array.isArray(value)) return value.map((each) => masked(each, key))
  if (value !== null && typeof value === 'object') {
    const isPersonal = personalTags.has(value.descriptor?.code)
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        (isPersonal && name === 'value') || personal.has(name) || isPersonalIn(key, name)
          ? '[masked]'
          : masked(inner, name),
      ]),
    )
  }
  return typeof value === 'string' ? value.replace(/\b[A-Z]{5}\d{4}[A-Z]\b/g, '[masked]') : value
}

const parsed = (text: string): Json => jsonIn(text)
