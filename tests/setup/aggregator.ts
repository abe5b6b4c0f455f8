// Acts as the borrower's browser at the account aggregator: opens the link, submits the forms, follows the redirect.
import { readForm } from '@lendloom/wire/network/html-form'

export type AggregatorOutcome = 'approve' | 'decline' | 'later' | 'lapse' | 'leave'

/** Decides at the aggregator and returns its redirect target without opening it. */
export async function decideAtAggregator(url: string, outcome: AggregatorOutcome): Promise<string> {
  const login = await pageAt(await fetch(url, { redirect: 'manual' }))
  if (typeof login === 'string') return login
  const page = await press(login, outcome === 'leave' ? 'leave' : 'approve')
  return typeof page === 'string' ? page : ((await press(page, outcome)) as string)
}

/** Decides at the aggregator and opens its redirect target. */
export async function visitAggregator(url: string, outcome: AggregatorOutcome): Promise<Response> {
  return fetch(await decideAtAggregator(url, outcome))
}

interface Page {
  text: string
  url: string
}

async function pageAt(response: Response): Promise<Page | string> {
  if (response.status === 303) return response.headers.get('location')!
  const text = await response.text()
  if (!response.ok) throw new Error(`the aggregator answered ${response.status}: ${text}`)
  return { text, url: response.url }
}

async function press({ text, url }: Page, outcome: string): Promise<Page | string> {
  const form = readForm(text, url)
  const entries = form.fields.flatMap(({ name, value }) =>
    value === null || name === 'outcome' ? [] : [[name, value]],
  )
  const body = new URLSearchParams([...entries, ['outcome', outcome]] as [string, string][])
  return pageAt(await fetch(form.action, { method: 'POST', body, redirect: 'manual' }))
}
