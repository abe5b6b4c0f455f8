// The frame of a lender's pages: name, logo, colours and grievance officer.
import { check } from '@lendloom/design/icons'
import { type Html, html, icon } from '@lendloom/http/markup'
import type { PageFrame } from '@lendloom/http/page-frame'
import type { Answer } from '@lendloom/http/server'
import { framed as framedPage, htmlAnswer, type SandboxPage } from '#sandbox/core/page-frame.ts'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import { type LenderPolicy, policies } from '#sandbox/lender/core/lender-policies.ts'
import type { LenderStep } from '#sandbox/lender/core/step.ts'

interface LenderPage extends Pick<SandboxPage, 'title' | 'body' | 'closesWindow' | 'tellsApp' | 'isWide'> {
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
    footer: html`<p>${policy.legalName}, ${policy.address}. Grievance officer: ${policy.officer.name}, <a href="tel:${policy.officer.phone}">${policy.officer.phone}</a>, <a href="mailto:${policy.officer.email}">${policy.officer.email}</a>.</p><p>This lender is fictional and lends no money: here a real lender shows its own page, in its own languages.</p>`,
  })

export interface Ending {
  title: string
  text?: string
}

interface EndPage extends Ending, Pick<LenderPage, 'policy'> {
  isDone: boolean
  back: string | null
  /** The address that the browser calls to tell the buyer app that the page is done; null for an ordinary page. */
  appHint?: string | null
}

export const endedPage = ({ title, text, policy, isDone, back, appHint = null }: EndPage): PageFrame =>
  framed({
    title,
    policy,
    closesWindow: true,
    tellsApp: appHint,
    body: html`<p class="notice ${isDone ? 'good' : 'bad'}" role="status">${isDone && html`${icon(check)} `}${text ?? `${policy.name} has recorded it.`}</p>
<p>${isDone ? 'You can close this window and continue in the app.' : 'You can close this window: the app shows what you can do now.'}</p>
${backLink(back)}`,
  })

const backLink = (back: string | null): Html | false =>
  back !== null && html`<p class="actions"><a class="button primary" href="${back}">Return to the application</a></p>`

interface StepEnd extends Omit<EndPage, 'appHint'> {
  conversation: Conversation
  step: Pick<LenderStep, 'endsWithPayout' | 'tellsApp'>
}

/** The page of a step that has ended. One that ends with the payout waits for it, and then tells the buyer app. */
export function stepEndAnswer({ conversation, step, ...page }: StepEnd, status = 200): Answer {
  const hasPayout = page.isDone && step.endsWithPayout === true
  if (hasPayout && conversation.disbursedAt === null) return payoutAwaited(page.policy, page.back)
  const tellsApp = hasPayout || (page.isDone && step.tellsApp === true)
  return htmlAnswer(endedPage({ ...page, appHint: tellsApp ? appHintUrl(conversation) : null }), status)
}

/** The page while the lender pays out. It reloads itself until the money has left. */
function payoutAwaited(policy: LenderPolicy, back: string | null): Answer {
  const page = framed({
    title: 'Your loan is being paid out',
    policy,
    body: html`<p class="notice good" role="status">${icon(check)} You have accepted the loan. ${policy.name} is paying it out now.</p>
<p>This takes a moment. You need not wait: the app shows when the money is on its way.</p>
${backLink(back)}`,
  })
  return htmlAnswer({ ...page, headers: { refresh: '1' } })
}

/** Where the buyer app learns from the borrower's browser that a page with a payout is done (FIS12 §26.2). */
const appHintUrl = ({
  bapUri,
  bapAddress,
  transactionId,
}: Pick<Conversation, 'bapUri' | 'bapAddress' | 'transactionId'>): string =>
  `${bapAddress ?? bapUri}/callback?transaction_id=${encodeURIComponent(transactionId)}`

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
