// The demo app's page, and the request and response of its API.

import { required } from '@lendloom/foundation/required'
import { Closed, OneOf, type Static, Type } from '@lendloom/foundation/schema'
import { html } from '@lendloom/http/markup'
import { pageAnswer } from '@lendloom/http/page-frame'
import type { Answer } from '@lendloom/http/server'
import { type ProductId, productIds } from '@lendloom/lending/product/products'
import { ordinaryDigits } from '@lendloom/wire/sandbox/journeys'
import type { WebBuild } from '#platform/api/web-build.ts'

/** Body of `POST /demo/session`: starts as a new borrower, or continues as the borrower of `borrowerProviderID`. */
export const DemoSessionRequest = Closed({
  product: OneOf([...productIds]),
  /** Characters 6 to 9 of the PAN, which select the behaviour of the sandbox lenders. */
  digits: Type.String({ pattern: '^\\d{4}$' }),
  borrowerProviderID: Type.Optional(Type.String({ pattern: '^demo-\\d{4}-\\d{8}$' })),
})
export type DemoSessionRequest = Static<typeof DemoSessionRequest>

/** The URL to embed, and the API call that returned it. `curl` contains the body but no API key. */
export const DemoSessionReply = Closed({
  embedUrl: Type.String(),
  /** The platform's time of the call, which in the sandbox can be another than the browser's. */
  calledAt: Type.String(),
  call: Closed({
    method: Type.String(),
    path: Type.String(),
    status: Type.Integer(),
    curl: Type.String(),
    reply: Type.Unknown(),
  }),
})
export type DemoSessionReply = Static<typeof DemoSessionReply>

/** An update that the demo's server received; streamed by `GET /demo/events`. */
export interface DemoEvent {
  channel: 'webhook'
  receivedAt: string
  /** Only `webhook-id`, `webhook-timestamp` and `webhook-signature`. */
  headers: Record<string, string>
  verified: boolean
  payload: unknown
}

export interface DemoUser {
  product: ProductId
  borrowerProviderID: string
  mobile: string
  pan: string
  panName: string
}

const names = [
  'Vikram Singh',
  'Nitin Shah',
  'Leela Menon',
  'Omar Khan',
  'Kiran Patil',
  'Tara Bose',
  'Arjun Nair',
  'Meera Das',
  'Ravi Iyer',
  'Sana Ali',
  'Dev Gupta',
  'Pooja Jain',
  'Imran Sheikh',
]

/** The digits determine the name. The PAN contains the digits and the initial of the surname. */
const nameOf = (digits: string): string =>
  digits === ordinaryDigits ? 'Asha Rao' : required(names[Number(digits) % names.length], 'a name')

/** Returns the borrower of a request. The mobile number depends only on the id (D1 §2.3). */
export function demoUser({ product, digits, borrowerProviderID }: DemoSessionRequest, eightDigits: string): DemoUser {
  const id = borrowerProviderID ?? `demo-${digits}-${eightDigits}`
  const panName = nameOf(digits)
  const pan = `ABCP${panName.charAt(panName.lastIndexOf(' ') + 1)}${digits}F`
  return { product, borrowerProviderID: id, mobile: `98${id.slice(-8)}`, pan, panName }
}

export const demoPage = ({ demo: { script, style } }: WebBuild): Answer =>
  pageAnswer({
    title: 'Lendloom demo',
    sheets: [style],
    body: html`<div id="demo"></div>
<noscript>The demo app runs in the browser: it needs JavaScript.</noscript>
<script src="/sdk/lendloom.js"></script><script src="${script}"></script>`,
    policy: { 'script-src': `'self'`, 'img-src': `'self' data:`, 'connect-src': `'self'`, 'frame-src': `'self'` },
  })
