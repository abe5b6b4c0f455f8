// Completes a lender's page as a browser would: parses and submits its forms until there are none.
import { fillForm, readForm } from '#contract/network/forms.ts'
import { call } from '#kit/http/client.ts'
import { Refusal } from '#kit/http/refusal.ts'

const mostPages = 4

/** Approves or declines on a page of a sandbox lender. The network reports the result, as always. */
export async function answerPage(url: string, outcome: 'approve' | 'decline'): Promise<void> {
  let page = await read({ method: 'GET', url })
  for (let i = 0; i < mostPages; i++) {
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

const mostPolls = 40
const betweenPollsMs = 250

/** Follows redirects, and reloads a page that says it is still working. */
async function read(request: Parameters<typeof call>[0], looks = 0): Promise<FetchedPage> {
  const { status, headers, body } = await call(request)
  if (status >= 400) throw new Error(`the lender's page answered ${status}`)
  const { location, refresh } = headers
  if (status >= 300) return read({ method: 'GET', url: new URL(String(location), request.url).href }, looks)
  if (refresh !== undefined && looks < mostPolls) {
    await new Promise((resolve) => setTimeout(resolve, betweenPollsMs))
    return read({ method: 'GET', url: request.url }, looks + 1)
  }
  return { url: request.url, text: body.toString('utf8') }
}

/** A page without a form is the last one. */
function formOf(page: string, url: string): ReturnType<typeof readForm> | null {
  try {
    return readForm(page, url)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
