// Texts of a network message for people: a summary in one line without personal data, and its body, whole or with
// personal data masked.
import '@lendloom/wire/exchange/lead'
import '@lendloom/wire/hosted/profile'
import { jsonIn } from '@lendloom/foundation/json'
import { maskedDocument } from '@lendloom/foundation/mask-document'

// biome-ignore lint/suspicious/noExplicitAny: a message may have any shape; missing parts are left out
type Json = any

/** Summarizes the error, forms, state and price of a message. Empty if the message is unreadable. */
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

function issueGist({
  issue_type: type,
  sub_category: subCategory,
  issue_actions: actions,
  resolution,
  rating,
}: Json): string {
  const actionsTaken: Json = actions?.respondent_actions ?? actions?.complainant_actions
  const last = Array.isArray(actionsTaken) ? actionsTaken.at(-1) : undefined
  const action = last?.respondent_action ?? last?.complainant_action
  return [type, subCategory, action, resolution?.action_triggered, rating].filter(Boolean).join(' · ')
}

function intentGist({ category, provider }: Json): string {
  const { head, form_response: response } = provider?.items?.[0]?.xinput ?? {}
  return [category?.descriptor?.code, head?.descriptor?.code, response?.status].filter(Boolean).join(' ')
}

function providerGist(provider: Json): string {
  const { id, descriptor, items } = provider ?? {}
  const allItems: Json[] = Array.isArray(items) ? items : []
  const offers = allItems.filter((item) => item?.parent_item_id && item.price)
  const asksForConsent = allItems.some((item) => item?.xinput?.head?.descriptor?.code === 'CONSENT_APPROVAL')
  const requestsAndPrices = [
    asksForConsent && 'asks for a consent',
    ...offers.map(({ price }: Json) => `INR ${price.value}`),
  ]
  return [descriptor?.name ?? id, ...requestsAndPrices].filter(Boolean).join(' · ')
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

/** A PAN, also beside a dash, where `maskedDocument` takes it for a part of an id. */
const pan = /\b[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]\b/g

/** Returns the body as indented JSON with personal data masked. */
export function maskedBody(body: string): string {
  const json = parsed(body)
  return json === null ? '[not JSON]' : JSON.stringify(maskedDocument(json), null, 2).replace(pan, '[masked]')
}

/** Returns the body as indented JSON, with personal data; unchanged if it is no JSON. */
export const prettyBody = (body: string): string => {
  const json = parsed(body)
  return json === null ? body : JSON.stringify(json, null, 2)
}

const parsed = (text: string): Json => jsonIn(text)
