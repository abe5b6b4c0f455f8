// Approves the forms of a sandbox lender or aggregator, as a person would in a browser.
import { setTimeout as sleep } from 'node:timers/promises'

const maxPages = 6

/** Submits each form with its preset values and the outcome `approve`, until a page has no form. */
export async function answerLenderPage(url: string): Promise<void> {
  let page = await loadPage(await fetch(url))
  for (let i = 0; i < maxPages; i++) {
    const form = /<form\b[^>]*\bmethod="?post"?[^>]*>([\s\S]*?)<\/form>/i.exec(page.html)
    if (!form) return
    const action = /\baction="([^"]*)"/i.exec(form[0])?.[1] ?? page.url
    const fields = new URLSearchParams()
    for (const [input] of form[1]!.matchAll(/<input\b[^>]*>/gi)) {
      const name = /\bname="([^"]*)"/i.exec(input)?.[1]
      if (name) fields.set(name, /\bvalue="([^"]*)"/i.exec(input)?.[1] ?? '')
    }
    for (const [select, name] of form[1]!.matchAll(/<select\b[^>]*\bname="([^"]*)"[\s\S]*?<\/select>/gi))
      fields.set(name!, /<option\b[^>]*\bvalue="([^"]+)"/i.exec(select)?.[1] ?? '')
    fields.set('outcome', 'approve')
    const target = new URL(action.replaceAll('&amp;', '&'), page.url)
    page = await loadPage(await fetch(target, { method: 'POST', body: fields }))
  }
}

/** Returns the page. Reloads the page while the answer has a Refresh header, as a browser does. */
async function loadPage(response: Response): Promise<{ url: string; html: string }> {
  const { url, headers } = response
  const html = await response.text()
  if (!headers.has('refresh')) return { url, html }
  await sleep(500)
  return loadPage(await fetch(url))
}
