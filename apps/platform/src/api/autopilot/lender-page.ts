// Completes a lender's page like a browser: parses and submits the form of each page until a page has no form.

import { Refusal } from '@lendloom/foundation/refusal'
import { call } from '@lendloom/http/client'
import { readHtml } from '@lendloom/http/html'
import { fillForm, readForm } from '@lendloom/wire/network/html-form'

/** Bounds the pages that lead to one another without end. */
const maxPages = 4

/** Approves or declines on a sandbox lender's page. The lender then sends the result over the network. */
export async function completeLenderPage(url: string, outcome: 'approve' | 'decline'): Promise<void> {
  let page = await fetchPage({ method: 'GET', url })
  for (let i = 0; i < maxPages; i++) {
    const form = formOf(page.text, page.url)
    if (!form) return runScript(page.text)
    const entries = fillForm(form, { outcome }).entries.filter(([name]) => name !== 'outcome')
    const body = new URLSearchParams([...entries, ['outcome', outcome]]).toString()
    page = await fetchPage({
      method: 'POST',
      url: form.action,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    })
  }
}

/** Tells our app that the page is done, as the script of a lender's last page does (FIS12 §26.2). */
async function runScript(page: string): Promise<void> {
  const url = readHtml(page).all('script')[0]?.attributes['data-address']
  if (url !== undefined) await call({ method: 'GET', url })
}

interface FetchedPage {
  url: string
  text: string
}

/** Together with the delay, a page may refresh itself for ten seconds. */
const maxReloads = 40
const reloadDelayMs = 250

/** Follows redirects, and reloads a page that has a `refresh` header. */
async function fetchPage(request: Parameters<typeof call>[0], reloads = 0): Promise<FetchedPage> {
  const { status, headers, body } = await call(request)
  if (status >= 400) throw new Error(`the lender's page answered ${status}`)
  const { location, refresh } = headers
  if (status >= 300) return fetchPage({ method: 'GET', url: new URL(String(location), request.url).href }, reloads)
  if (refresh !== undefined && reloads < maxReloads) {
    await new Promise((resolve) => setTimeout(resolve, reloadDelayMs))
    return fetchPage({ method: 'GET', url: request.url }, reloads + 1)
  }
  return { url: request.url, text: body.toString('utf8') }
}

/** Returns the form of a page; null for the last page, which has no form. */
function formOf(page: string, url: string): ReturnType<typeof readForm> | null {
  try {
    return readForm(page, url)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
