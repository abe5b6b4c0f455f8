// The borrower's visits to a page of a lender with stops: the page's address, and the way back to the buyer app.
import type { Talk } from './talk.ts'

/** Checks that the borrower was sent to the whole address of a page. */
export function addressFaults(talk: Talk, name: string, query: URLSearchParams): string[] {
  const expected = talk.visitQuery
  const isWhole = [...expected].every(([key, value]) => query.get(key) === value)
  return isWhole ? [] : [`the page ${name} was opened with ${query}, not with ${expected}`]
}

/**
 * Calls the buyer app as the borrower's browser does at the end of a page. The page has another origin, and a browser
 * hides an answer without the header: the page would show an error and keep the borrower. The address is that of the
 * registry, because in 2.3.0 the one in the messages has no port.
 */
export async function returnFaults({ transactionId, url }: Talk, name: string, buyerUrl: string): Promise<string[]> {
  const address = `${buyerUrl.replace(/\/$/, '')}/callback?${new URLSearchParams({ transaction_id: transactionId })}`
  const what = `the page ${name} called ${address}`
  try {
    const answer = await fetch(address, { headers: { origin: url } })
    const allowed = answer.headers.get('access-control-allow-origin')
    return [
      ...(answer.ok ? [] : [`${what}, which was answered ${answer.status}`]),
      ...(allowed === '*' || allowed === url ? [] : [`${what}, whose answer is for the origin ${allowed}, not ${url}`]),
    ]
  } catch (error) {
    return [`${what}, which failed: ${error}`]
  }
}
