// The part of the front page that one comes for: every journey that can be played, found by product, ending and words.
import { contractOf, type ProductId, productIds } from '#contract/product/products.ts'
import { endings, journeysOf, productSlug, type SandboxJourney } from '#contract/sandbox/journeys.ts'
import { type Html, html } from '#kit/http/markup.ts'

export interface Sought {
  product: ProductId
  /** Every one of them must be found; empty for all journeys. */
  words: string
  demoUrl: string | null
}

/** Whether every word is in the text, whatever its case. */
export const matches = (text: string, words: string): boolean =>
  words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word))

/** Where the demo begins a journey with these digits. */
export const demoLink = (demoUrl: string, product: ProductId, digits: string): string =>
  `${demoUrl}?${new URLSearchParams({ product: productSlug(product), scenario: digits })}`

export function journeyList(sought: Sought): Html {
  const groups = endings
    .map((ending) => ({ ...ending, journeys: journeysOf(sought.product, ending).filter(found(ending.title, sought)) }))
    .filter(({ journeys }) => journeys.length > 0)
  return html`<nav class="products" aria-label="Product">${productIds.map((id) => productLink(id, sought))}</nav>
<form class="search" role="search" method="get" action="/"><input type="hidden" name="product" value="${productSlug(sought.product)}"><input type="search" name="q" value="${sought.words}" aria-label="Search journeys" placeholder="Search, for example KYC or 9007"><button class="secondary">Search</button></form>
${groups.length > 0 && html`<p class="jump">${groups.map(({ id, title, journeys }) => html`<a href="#${id}">${title} <small>${journeys.length}</small></a> `)}</p>`}
${groups.length === 0 && html`<p role="status">No journey has these words. <a href="/?product=${productSlug(sought.product)}">Show all</a></p>`}
${groups.map(
  ({ id, title, about, journeys }) => html`<section aria-labelledby="${id}"><h3 id="${id}">${title}</h3>
<p class="hint">${about}</p>
<ul class="journeys">${journeys.map((each) => journeyItem(each, sought))}</ul></section>`,
)}
${sought.demoUrl === null && byCurl(sought.product)}`
}

const found =
  (ending: string, { words }: Sought) =>
  ({ digits, title, what, outcome = '' }: SandboxJourney): boolean =>
    matches(`${ending} ${title} ${what} ${outcome} ${panOf(digits)}`, words)

function productLink(id: ProductId, { product, words }: Sought): Html {
  const address = new URLSearchParams({ product: productSlug(id), ...(words !== '' && { q: words }) })
  const name = contractOf(id).name.replace(/^./, (first) => first.toUpperCase())
  return html`<a href="/?${String(address)}"${id === product && html` aria-current="page"`}>${name}</a>`
}

const panOf = (digits: string): string => `ABCPE${digits}F`

const journeyItem = ({ digits, title, what, outcome = '' }: SandboxJourney, { product, demoUrl }: Sought): Html =>
  html`<li><h4>${title}</h4><p>${what} ${outcome.replaceAll('`', '')}</p><p class="pan">PAN <code>${panOf(digits)}</code></p>${
    demoUrl !== null &&
    html`<a class="secondary" href="${demoLink(demoUrl, product, digits)}" aria-label="Start a journey with this: ${title}">Start a journey with this</a>`
  }</li>`

/** How to begin where no demo is known. */
function byCurl(id: ProductId): Html {
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
  return html`<section aria-labelledby="by-curl"><h3 id="by-curl">Start one of them</h3>
<p>Open a journey at the platform with the PAN, and the address that it answers with in a browser:</p>
<pre class="table" tabindex="0" aria-label="The call">${command}</pre></section>`
}
