// Goes through a lender's page as a browser would: reads its form, answers it, sends it, until there is none.
import { fillForm, readForm } from '#contract/network/forms.ts'
import { call } from '#kit/http-client.ts'
import { Refusal } from '#kit/refusal.ts'

const mostPages = 4

/** Approves or declines on a page of a sandbox lender. What comes of it is told by the network, as always. */
export async function answerPage(url: string, outcome: 'approve' | 'decline'): Promise<void> {
  let page = await read({ method: 'GET', url })
  for (let i = 0; i < mostPages && page !== null; i++) {
    const form = formOf(page, url)
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

async function read(request: Parameters<typeof call>[0]): Promise<string | null> {
  const { status, headers, body } = await call(request)
  if (status >= 400) throw new Error(`the lender's page answered ${status}`)
  if (status >= 300) return read({ method: 'GET', url: new URL(String(headers.location), request.url).href })
  return body.toString('utf8')
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
