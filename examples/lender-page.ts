// What a person does in a browser on the pages of a sandbox lender or aggregator: open them, press the button that agrees, wait where asked to.
import { setTimeout as sleep } from 'node:timers/promises'

const mostPages = 6

/** Opens the page, follows where it leads, and approves with what each form already holds, until there is none. */
export async function answerLenderPage(url: string): Promise<void> {
  let page = await shown(await fetch(url))
  for (let i = 0; i < mostPages; i++) {
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
    page = await shown(await fetch(target, { method: 'POST', body: fields }))
  }
}

/** A page that says that it will be another one soon is looked at again, as a browser does. */
async function shown(answer: Response): Promise<{ url: string; html: string }> {
  const { url, headers } = answer
  const html = await answer.text()
  if (!headers.has('refresh')) return { url, html }
  await sleep(500)
  return shown(await fetch(url))
}
