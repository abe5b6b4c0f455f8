// The frame of a lender's pages: its name, its colours, and who answers for it.
import { html } from '#kit/http/markup.ts'
import type { PageFrame } from '#kit/http/page-frame.ts'
import { framed as framedPage, type Page } from '#sandbox/core/page.ts'
import type { Policy } from '#sandbox/lender/core/policy.ts'

interface LenderPage extends Pick<Page, 'title' | 'body' | 'closes' | 'wide'> {
  policy: Policy
}

export const framed = ({ title, policy, ...page }: LenderPage): PageFrame =>
  framedPage({
    ...page,
    title: `${title} · ${policy.name}`,
    heading: title,
    brand: policy.name,
    logo: `/lenders/${policy.slug}/logo.svg`,
    sheet: `/lenders/${policy.slug}/colours.css`,
    footer: html`<p>${policy.legalName}, ${policy.address}. Grievance officer: ${policy.officer.name}, ${policy.officer.phone}, <a href="mailto:${policy.officer.email}">${policy.officer.email}</a>.</p><p>This lender is fictional. Nothing here lends money.</p>`,
  })

interface Ended extends Pick<LenderPage, 'title' | 'policy'> {
  text: string | undefined
  isDone: boolean
  back: string | null
}

/** Where there is nothing left to do: how it ended, and a way back. */
export const endedPage = ({ title, policy, text, isDone, back }: Ended): PageFrame =>
  framed({
    ...{ title, policy, closes: true },
    body: html`<p class="notice${isDone ? '' : ' bad'}" role="status">${text}</p>
<p>You can close this window.</p>
${back !== null && html`<p><a href="${back}">Return to the application</a></p>`}`,
  })
