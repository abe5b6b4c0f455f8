// The front page of the sandbox: journeys to try, fault rules, participants and recent traffic.

import { Type } from '@lendloom/foundation/schema'
import { type Html, html } from '@lendloom/http/markup'
import type { PageFrame } from '@lendloom/http/page-frame'
import { anyone, type Route } from '@lendloom/http/server'
import { contractOf, defaultProduct, type ProductId, productIds } from '@lendloom/lending/product/products'
import type { FaultRule } from '@lendloom/wire/sandbox/fault-products'
import { endings, journeysOf, productSlug, type SandboxJourney } from '@lendloom/wire/sandbox/journeys'
import type { Context } from '#sandbox/core/context.ts'
import { framed, htmlAnswer } from '#sandbox/core/page-frame.ts'
import type { ProductOverview } from '#sandbox/lender/core/product.ts'
import { products } from '#sandbox/lender/products/products.ts'
import { rules as bankRules } from './bank/fault-rules.ts'
import { rules as bureauRules } from './bureau/report.ts'
import { type CollectedCounts, countCollected } from './collector/store.ts'
import { policies, policyOf } from './lender/core/lender-policies.ts'
import { recentTraffic, type Traffic } from './lender/core/store.ts'
import { findParticipants, type ParticipantRow } from './registry/store.ts'
import { rules as verificationRules } from './verification/fault-rules.ts'

interface HomePageData extends JourneyFilter {
  url: string
  participants: ParticipantRow[]
  traffic: Traffic[]
  collected: CollectedCounts
}

const homePage = ({ url, participants, traffic, collected, ...filter }: HomePageData): PageFrame =>
  framed({
    title: 'Lendloom sandbox',
    heading: 'A small credit network',
    brand: 'Lendloom sandbox',
    tag: 'simulated network and providers',
    sheet: '/lenders/-/home.css',
    isWide: true,
    body: html`<p>Everything outside the platform lives here: a registry, a gateway and ${policies.length} lenders that speak the open credit network's protocol (FIS12 2.0.3, and 2.3.0 for loans against mutual funds), the providers, the bank, a mailbox and an inbox of SMS. All people and lenders are fictional and no money moves. Configuration replaces the sandbox with the real network.</p>
<p class="jump"><a href="#journeys">Journeys</a> <a href="#providers">Providers and bank</a> <a href="#network">Participants</a> <a href="#traffic">Traffic</a> <a href="/mailbox">Mailbox</a> <a href="/sms">SMS</a> <a href="/healthz">Health</a> <a href="/readyz">Readiness</a></p>
<h2 id="journeys">Choose an outcome</h2>
<p>Characters 6 to 9 of the applicant's PAN select the outcome. With any other PAN, the lenders apply their normal policies.</p>
${journeyList(filter)}
<h2 id="providers">Providers and bank</h2>
<p>The same characters choose what goes wrong for a borrower of the lending partner; at the bank, the last four digits of the account number do too. <a href="/bank/pay">Pay a lending partner</a> from the borrower’s own bank, or download <a href="/bank">the bank statements of the lenders</a>.</p>
${providers.map((each) => providerTable(each, filter))}
${Object.values(products).map(({ overview }) => lenderTable(overview))}<h2 id="network">Participants</h2>
<p>Registry: <code>${url}/registry</code>. Gateway: <code>${url}/gateway</code>. A buyer app joins with <code>POST /registry/subscribe</code>.</p>
${scrollableTable(
  'network',
  html`<thead><tr><th scope="col">Subscriber</th><th scope="col">Role</th><th scope="col">Address</th><th scope="col">Status</th></tr></thead><tbody>${participants.map(participantRow)}</tbody>`,
)}
<p>Collector: <code>${url}/observability/v1/api/push-txn-logs</code>. ${collectedText(collected)}</p>
<h2 id="traffic">Recent traffic</h2>
${traffic.length === 0 ? html`<p>No messages yet. <a href="/">Refresh</a></p>` : html`<p><a href="/">Refresh</a></p>${[...byTransaction(traffic)].map(transaction)}`}`,
  })

const collectedText = ({ accepted, refused, repeated }: CollectedCounts): string =>
  accepted + refused === 0
    ? 'It has no reports of messages yet.'
    : `It accepted ${accepted} reports of messages, ${repeated} of them more than once, and refused ${refused}.`

interface Provider {
  id: string
  title: string
  path: string
  rules: readonly Pick<FaultRule, 'digits' | 'what'>[]
}

/** Providers with fault rules; the lenders' rules are listed above. */
const providers: Provider[] = [
  { id: 'identity', title: 'Identity', path: '/verification/kyc', rules: providerRules('910') },
  { id: 'mandate', title: 'Mandate', path: '/verification/mandate', rules: providerRules('911') },
  { id: 'e-sign', title: 'E-sign', path: '/verification/esign', rules: providerRules('912') },
  { id: 'bureau', title: 'Credit bureau', path: '/bureau', rules: bureauRules },
  { id: 'statement', title: 'Statement analysis', path: '/verification/statement', rules: providerRules('914') },
  { id: 'callbacks', title: 'Callbacks of all providers', path: '/verification', rules: providerRules('915') },
  { id: 'bank', title: 'Bank', path: '/bank', rules: bankRules },
]

function providerRules(start: string): Provider['rules'] {
  return verificationRules.filter(({ digits }) => digits.startsWith(start))
}

function providerTable({ id, title, path, rules }: Provider, { words, demoUrl }: JourneyFilter): Html | false {
  const shownRules = rules.filter(({ digits, what }) => matches(`${title} ${digits} ${what}`, words))
  const row = ({ digits, what }: Provider['rules'][number]) =>
    html`<tr><th scope="row"><code>${digits}</code></th><td>${what}</td>${
      demoUrl !== null &&
      html`<td><a href="${demoLink(demoUrl, defaultProduct, digits)}" aria-label="Start a journey with ${digits}">Start</a></td>`
    }</tr>`
  return (
    shownRules.length > 0 &&
    html`<details${words !== '' && html` open`}><summary id="${id}"><b>${title}</b> <code>${path}</code> <small>${shownRules.length}</small></summary>${scrollableTable(
      id,
      html`<thead><tr><th scope="col">Digits</th><th scope="col">What happens</th>${demoUrl !== null && html`<th scope="col">Journey</th>`}</tr></thead><tbody>${shownRules.map(row)}</tbody>`,
    )}</details>`
  )
}

const scrollableTable = (labelledBy: string, table: Html): Html =>
  html`<div class="table" role="region" aria-labelledby="${labelledBy}" tabindex="0"><table>${table}</table></div>`

const lenderTable = ({ id, title, about, columns, rows }: ProductOverview): Html => html`<h2 id="${id}">${title}</h2>
${
  about &&
  html`<p>${about}</p>
`
}${scrollableTable(
  id,
  html`<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead><tbody>${rows()}</tbody>`,
)}
`

const participantRow = ({ subscriberId, type, subscriberUrl, status }: ParticipantRow): Html =>
  html`<tr><th scope="row"><code>${subscriberId}</code></th><td>${type}</td><td><code>${subscriberUrl}</code></td><td>${status}</td></tr>`

const byTransaction = (traffic: Traffic[]): Map<string, Traffic[]> =>
  Map.groupBy(traffic, ({ transactionId }) => transactionId)

function transaction([transactionId, messages]: [string, Traffic[]]): Html {
  const byLender = Map.groupBy(messages, ({ lender }) => lender)
  const statusByLender = [...byLender].map(([slug, [first]]) => `${nameOf(slug)}: ${first?.status}`)
  return html`<details><summary><code>${transactionId}</code> ${statusByLender.join(', ')}</summary>
<div class="table"><table><thead><tr><th scope="col">At</th><th scope="col">From</th><th scope="col">To</th><th scope="col">Message</th><th scope="col">Answer</th></tr></thead>
<tbody>${messages.map(messageRow)}</tbody></table></div></details>`
}

function messageRow({ direction, lender, action, errorCode, at, sentAt, answer }: Traffic): Html {
  const [from, to] = direction === 'in' ? ['buyer app', nameOf(lender)] : [nameOf(lender), 'buyer app']
  const outcome = direction === 'in' ? 'ACK' : sentAt === null ? (answer ?? 'not sent yet') : answer
  return html`<tr><td><time datetime="${at.toISOString()}">${at.toISOString().slice(11, 23)}</time></td><td>${from}</td><td>${to}</td><td><code>${action}</code>${errorCode && html` error ${errorCode}`}</td><td>${outcome}</td></tr>`
}

const nameOf = (slug: string): string => policyOf(slug)?.name ?? slug

export interface HomeContext extends Context {
  /** URL of the platform's demo app; null when the sandbox does not know one. */
  demoUrl: string | null
}

/** Any text is valid: an unknown product falls back to the default, unknown words match no journey. */
const query = Type.Object({ product: Type.Optional(Type.String()), q: Type.Optional(Type.String()) })

const productBySlug = (slug: string | undefined): ProductId =>
  productIds.find((id) => productSlug(id) === slug) ?? defaultProduct

export const home: Route<HomeContext, null, never, typeof query> = {
  method: 'GET',
  path: '/',
  section: 'operation',
  summary: 'Journeys, fault rules and recent traffic of this sandbox',
  auth: anyone,
  query,
  async handle({ query: { product, q = '' } }, { db, url, demoUrl }) {
    const [participants, traffic, collected] = await Promise.all([
      findParticipants(db, {}),
      recentTraffic(db, 12),
      countCollected(db),
    ])
    return htmlAnswer(
      homePage({ url, demoUrl, product: productBySlug(product), words: q.trim(), participants, traffic, collected }),
    )
  },
}

interface JourneyFilter {
  product: ProductId
  /** A journey must match every word; empty for all journeys. */
  words: string
  demoUrl: string | null
}

/** Whether the text contains every word, ignoring case. */
const matches = (text: string, words: string): boolean =>
  words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word))

/** The demo's URL that starts a journey with these digits. */
const demoLink = (demoUrl: string, product: ProductId, digits: string): string =>
  `${demoUrl}?${new URLSearchParams({ product: productSlug(product), scenario: digits })}`

/** The list of journeys, filtered by product and words and grouped by ending. */
function journeyList(filter: JourneyFilter): Html {
  const groups = endings
    .map((ending) => ({
      ...ending,
      journeys: journeysOf(filter.product, ending).filter(matchesFilter(ending.title, filter)),
    }))
    .filter(({ journeys }) => journeys.length > 0)
  return html`<nav class="products" aria-label="Product">${productIds.map((id) => productLink(id, filter))}</nav>
<form class="search" role="search" method="get" action="/"><input type="hidden" name="product" value="${productSlug(filter.product)}"><input type="search" name="q" value="${filter.words}" aria-label="Search journeys" placeholder="Search, for example KYC or 9007"><button class="secondary">Search</button></form>
${groups.length > 0 && html`<p class="jump">${groups.map(({ id, title, journeys }) => html`<a href="#${id}">${title} <small>${journeys.length}</small></a> `)}</p>`}
${groups.length === 0 && html`<p role="status">No journey matches these words. <a href="/?product=${productSlug(filter.product)}">Show all</a></p>`}
${groups.map(
  ({ id, title, about, journeys }) => html`<section aria-labelledby="${id}"><h3 id="${id}">${title}</h3>
<p class="hint">${about}</p>
<ul class="journeys">${journeys.map((each) => journeyItem(each, filter))}</ul></section>`,
)}
${filter.demoUrl === null && curlExample(filter.product)}`
}

const matchesFilter =
  (ending: string, { words }: JourneyFilter) =>
  ({ digits, title, what, outcome = '' }: SandboxJourney): boolean =>
    matches(`${ending} ${title} ${what} ${outcome} ${panOf(digits)}`, words)

function productLink(id: ProductId, { product, words }: JourneyFilter): Html {
  const address = new URLSearchParams({ product: productSlug(id), ...(words !== '' && { q: words }) })
  const name = contractOf(id).name.replace(/^./, (first) => first.toUpperCase())
  return html`<a href="/?${String(address)}"${id === product && html` aria-current="page"`}>${name}</a>`
}

const panOf = (digits: string): string => `ABCPE${digits}F`

const journeyItem = (
  { digits, title, what, outcome = '' }: SandboxJourney,
  { product, demoUrl }: JourneyFilter,
): Html =>
  html`<li><h4>${title}</h4><p>${what} ${outcome.replaceAll('`', '')}</p><p class="pan">PAN <code>${panOf(digits)}</code></p>${
    demoUrl !== null &&
    html`<a class="secondary" href="${demoLink(demoUrl, product, digits)}" aria-label="Start this journey: ${title}">Start this journey</a>`
  }</li>`

/** How to start a journey without the demo app. */
function curlExample(id: ProductId): Html {
  const { opensBySession, hybridName } = contractOf(id)
  const [path, body] = opensBySession
    ? [
        '/api/lab/sessions',
        {
          borrowerProviderID: 'borrower-1',
          journeyType: id,
          profile: { contactNumber: '9812345678', pan: panOf('9007') },
        },
      ]
    : [
        `/api/v1/hybrid/${hybridName}/borrowers/borrower-1/journey`,
        { personal: { contactNumber: '9812345678', pan: panOf('9007') } },
      ]
  const command = `curl -X POST "$PLATFORM${path}" \\
  -H "Authorization: Bearer $API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body)}'`
  return html`<section aria-labelledby="by-curl"><h3 id="by-curl">Start a journey</h3>
<p>Create a journey at the platform with the PAN, then open the returned URL in a browser:</p>
<pre class="table" tabindex="0" aria-label="Request">${command}</pre></section>`
}
