// The demo app's page: an app with credit offers, the journey in a phone, and its server beside it.

import { type ProductId, productIds } from '#contract/product/products.ts'
import { ordinaryDigits } from '#contract/sandbox/journeys.ts'
import { html } from '#kit/http/markup.ts'
import { pageAnswer } from '#kit/http/page-frame.ts'
import { Closed, OneOf, type Static, Type } from '#kit/http/schema.ts'
import type { Answer } from '#kit/http/server.ts'
import { required } from '#kit/runtime/record.ts'
import type { WebBuild } from '#platform/web-build.ts'

/** `POST /demo/session`: a new borrower whose PAN has these digits, or the existing one of `borrowerProviderID`. */
export const DemoSessionRequest = Closed({
  product: OneOf([...productIds]),
  /** Characters 6 to 9 of the PAN, which decide what the sandbox's lenders do. */
  digits: Type.String({ pattern: '^\\d{4}$' }),
  borrowerProviderID: Type.Optional(Type.String({ pattern: '^demo-\\d{4}-\\d{8}$' })),
})
export type DemoSessionRequest = Static<typeof DemoSessionRequest>

/** The address to embed, and the call by which the demo's server got it; `curl` is without the key and with what was sent. */
export const DemoSessionReply = Closed({
  embedUrl: Type.String(),
  call: Closed({
    method: Type.String(),
    path: Type.String(),
    status: Type.Integer(),
    curl: Type.String(),
    reply: Type.Unknown(),
  }),
})
export type DemoSessionReply = Static<typeof DemoSessionReply>

/** An entry of `GET /demo/events` (SSE, `event: update`): what reached the demo's own server. */
export interface DemoEvent {
  channel: 'webhook'
  receivedAt: string
  /** The headers of the delivery: `webhook-id`, `webhook-timestamp`, `webhook-signature`. */
  headers: Record<string, string>
  /** Whether the signature was checked and is right. */
  verified: boolean
  payload: unknown
}

/** The demo user who applies for a loan. */
export interface DemoUser {
  product: ProductId
  borrowerProviderID: string
  mobile: string
  pan: string
  panName: string
}

const names = [
  ...['Vikram Singh', 'Nitin Shah', 'Leela Menon', 'Omar Khan', 'Kiran Patil', 'Tara Bose', 'Arjun Nair'],
  ...['Meera Das', 'Ravi Iyer', 'Sana Ali', 'Dev Gupta', 'Pooja Jain', 'Imran Sheikh'],
]

/** The borrower of these digits has always the same name, and so the same PAN. */
const nameOf = (digits: string): string =>
  digits === ordinaryDigits ? 'Asha Rao' : required(names[Number(digits) % names.length], 'a name')

/** The borrower that a request is about. `random` is eight random digits; the same borrower keeps the same mobile number (D1 §2.3). */
export function demoUser({ product, digits, borrowerProviderID }: DemoSessionRequest, random: string): DemoUser {
  const id = borrowerProviderID ?? `demo-${digits}-${random}`
  const panName = nameOf(digits)
  const pan = `ABCP${panName.charAt(panName.lastIndexOf(' ') + 1)}${digits}F`
  return { product, borrowerProviderID: id, mobile: `98${id.slice(-8)}`, pan, panName }
}

/** The document of `/demo`. */
export const demoPage = ({ demo: { script, style } }: WebBuild): Answer =>
  pageAnswer({
    ...{ title: 'Lendloom demo', icon: '/favicon.ico', sheets: [style] },
    body: html`<div id="demo"></div>
<noscript>The demo app runs in the browser: it needs JavaScript.</noscript>
<script src="/sdk/lendloom.js"></script><script src="${script}"></script>`,
    policy: { 'script-src': `'self'`, 'img-src': `'self' data:`, 'connect-src': `'self'`, 'frame-src': `'self'` },
  })
