// The frame of a lender's pages: name, logo, colours and grievance officer.
import { html } from '#kit/http/markup.ts'
import type { PageFrame } from '#kit/http/page-frame.ts'
import type { Answer } from '#kit/http/server.ts'
import { framed as framedPage, htmlAnswer, type SandboxPage } from '#sandbox/core/page.ts'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import { type LenderPolicy, policies } from '#sandbox/lender/core/policy.ts'

interface LenderPage extends Pick<SandboxPage, 'title' | 'body' | 'closesWindow' | 'isWide'> {
  policy: LenderPolicy
}

export const framed = ({ title, policy, ...page }: LenderPage): PageFrame =>
  framedPage({
    ...page,
    title: `${title} · ${policy.name}`,
    heading: title,
    brand: policy.name,
    logo: `/lenders/${policy.slug}/logo.svg`,
    sheet: `/lenders/${policy.slug}/colours.css`,
    footer: html`<p>${policy.legalName}, ${policy.address}. Grievance officer: ${policy.officer.name}, ${policy.officer.phone}, <a href="mailto:${policy.officer.email}">${policy.officer.email}</a>.</p><p>This lender is fictional and lends no money.</p>`,
  })

interface EndPage extends Pick<LenderPage, 'title' | 'policy'> {
  text: string | undefined
  isDone: boolean
  back: string | null
}

export const endedPage = ({ title, policy, text, isDone, back }: EndPage): PageFrame =>
  framed({
    ...{ title, policy, closesWindow: true },
    body: html`<p class="notice${isDone ? '' : ' bad'}" role="status">${text}</p>
<p>You can close this window.</p>
${back !== null && html`<p><a href="${back}">Return to the application</a></p>`}`,
  })

/** The page of a link that is unknown, not yet open, or closed. */
export function closedPage(policy: LenderPolicy = policies[0], status = 404): Answer {
  const body = html`<p>This link is unknown or has expired. Please go back to where you came from and open it again.</p>`
  return htmlAnswer(framed({ title: 'Nothing to do here', policy, body }), status)
}

/** The return URL, if it is on the host of the conversation's buyer app; null otherwise. */
export function safeReturn(
  requested: string | undefined,
  { bapUri, bapAddress }: Pick<Conversation, 'bapUri' | 'bapAddress'>,
): string | null {
  const url = requested === undefined ? null : URL.parse(requested)
  return url && /^https?:$/.test(url.protocol) && url.hostname === new URL(bapAddress ?? bapUri).hostname
    ? url.href
    : null
}
