// Completes a lender's page as a browser would: parses and submits each form until a page has no form.
import { fillForm, readForm } from '#contract/network/forms.ts'
import { call } from '#kit/http/client.ts'
import { Refusal } from '#kit/http/refusal.ts'

const maxPages = 4

/** Approves or declines on a sandbox lender's page; the result arrives over the network as usual. */
export async function answerPage(url: string, outcome: 'approve' | 'decline'): Promise<void> {
  let page = await read({ method: 'GET', url })
  for (let i = 0; i < maxPages; i++) {
    const form = formOf(page.text, page.url)
    if (!form) return
    const entries = fillForm(form, { outcome }).entries.filter(([name]) => name !== 'outcome')
    const body = new URLSearchParams([...entries, ['outcome', outcome]]).toString()
    page = await read({
      method: 'POST',
      url: form.action,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    })
  }
}

interface FetchedPage {
  url: string
  text: string
}

const maxReloads = 40
const reloadDelayMs = 250

/** Follows redirects, and reloads a page that has a `refresh` header. */
async function read(request: Parameters<typeof call>[0], reloads = 0): Promise<FetchedPage> {
  const { status, headers, body } = await call(request)
  if (status >= 400) throw new Error(`the lender's page answered ${status}`)
  const { location, refresh } = headers
  if (status >= 300) return read({ method: 'GET', url: new URL(String(location), request.url).href }, reloads)
  if (refresh !== undefined && reloads < maxReloads) {
    await new Promise((resolve) => setTimeout(resolve, reloadDelayMs))
    return read({ method: 'GET', url: request.url }, reloads + 1)
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
