// What a person does in a browser on a sandbox lender's page: open it, press the button that agrees.

/** Opens the page, follows where it leads, and approves with what its form already holds. */
export async function answerLenderPage(url: string): Promise<void> {
  const page = await fetch(url)
  const html = await page.text()
  const form = /<form\b[^>]*\bmethod="?post"?[^>]*>([\s\S]*?)<\/form>/i.exec(html)
  if (!form) return
  const action = /\baction="([^"]*)"/i.exec(form[0])?.[1] ?? page.url
  const fields = new URLSearchParams()
  for (const [input] of form[1]!.matchAll(/<input\b[^>]*>/gi)) {
    const name = /\bname="([^"]*)"/i.exec(input)?.[1]
    if (name) fields.set(name, /\bvalue="([^"]*)"/i.exec(input)?.[1] ?? '')
  }
  fields.set('outcome', 'approve')
  await fetch(new URL(action.replaceAll('&amp;', '&'), page.url), { method: 'POST', body: fields })
}
