// GET and POST of the borrower's page at a provider: `outcome` is approve, decline, or another ending in the sandbox.

import { next } from '@lendloom/foundation/machine'
import { isOneOf } from '@lendloom/foundation/record'
import { OneOf, Type } from '@lendloom/foundation/schema'
import { type Html, html } from '@lendloom/http/markup'
import { inlineFile, redirect } from '@lendloom/http/page-frame'
import type { Answer } from '@lendloom/http/server'
import { framed, htmlAnswer } from '#sandbox/core/page-frame.ts'
import { idOfToken } from '#sandbox/core/secret-link.ts'
import { move } from './move-verification.ts'
import {
  checkOutcomes,
  fileIdOf,
  type ProviderVerification,
  type VerificationKind,
  verificationKinds,
} from './provider.ts'
import { pagePurpose, providers } from './providers.ts'
import { findVerification, lockVerification, uploadOf, writeVerification } from './store.ts'
import { openRoute } from './verification-route.ts'
import type { VerificationContext } from './verification-settings.ts'

const path = '/verification/{kind}/pages/{token}'
const params = Type.Object({ kind: OneOf(verificationKinds), token: Type.String() })

const showPage = openRoute({
  method: 'GET',
  path,
  section: 'D3 §1.1',
  summary: 'The page that the borrower completes',
  params,
  query: Type.Object({ document: Type.Optional(Type.String()) }),
  async handle({ params: { kind, token }, query }, ctx) {
    const verificationId = idOfToken(ctx.seal, pagePurpose(kind), token)
    const verification = verificationId && (await findVerification(ctx.db, ctx.seal, verificationId))
    if (!verification) return closedAnswer(kind)
    return query.document === undefined ? decisionPage(verification, null) : document(ctx, verification)
  },
})

const decide = openRoute({
  method: 'POST',
  path,
  section: 'D3 §1.1',
  summary: "Records the borrower's decision",
  params,
  accepts: 'raw',
  async handle({ params: { kind, token }, raw, at }, ctx) {
    const verificationId = idOfToken(ctx.seal, pagePurpose(kind), token)
    if (!verificationId) return closedAnswer(kind)
    const outcome = new URLSearchParams(raw.toString('utf8')).get('outcome') ?? ''
    return ctx.db.tx(async (tx) => {
      const before = await lockVerification(tx, ctx.seal, verificationId)
      if (!before) return closedAnswer(kind)
      const provider = providers[before.kind]
      // The first decision is final: a second click gets the same answer.
      if (before.state !== provider.initialState) return returnBorrower(before)
      if (!isOneOf(checkOutcomes, outcome)) return decisionPage(before, 'Please choose one of the buttons.', 400)
      const decision = at >= before.pageExpiresAt ? linkExpired : provider.borrowerDecision(before, outcome)
      if (decision !== 'again') return returnBorrower(await move(tx, ctx, before, { ...decision, at }))
      // No callback: a failed attempt does not change the client's view.
      const after = { ...before, attempt: before.attempt + 1 }
      await writeVerification(tx, ctx.seal, after)
      return decisionPage(after, provider.page(after).again)
    })
  },
})

const linkExpired = { move: 'lapse', reasonCode: 'LINK_EXPIRED' } as const

function decisionPage(verification: ProviderVerification, fault: string | null, status = 200): Answer {
  const provider = providers[verification.kind]
  if (verification.state !== provider.initialState) return endPage(verification)
  const page = provider.page(verification)
  const furtherEndings = [...(page.furtherEndings ?? []), ['lapse', 'Let the link expire'] as const]
  const body = html`${fault && html`<p class="notice bad" role="alert">${fault}</p>`}
${page.body}
<form method="POST">
<div class="actions"><button class="primary" name="outcome" value="approve">${page.approve}</button><button class="secondary" name="outcome" value="decline">${page.decline}</button></div>
<div class="actions">${furtherEndings.map(([outcome, label]) => html`<button class="secondary" name="outcome" value="${outcome}">${label}</button>`)}</div>
</form>
<p class="hint">In the sandbox you choose the outcome.</p>`
  return pageAnswer({ brand: provider.brand, title: page.title, body, status, back: verification.request.return_url })
}

/** Redirects the borrower without the result, which the client reads from the API. */
function returnBorrower(verification: ProviderVerification): Answer {
  return verification.request.return_url === null ? endPage(verification) : redirect(verification.request.return_url)
}

/** The page after the decision. */
function endPage(verification: ProviderVerification): Answer {
  const { brand, machine } = providers[verification.kind]
  const isSuccess = verification.reasonCode === null
  const isPending = isSuccess && next(machine, verification.state, 'finish') !== undefined
  const message = isPending
    ? 'Thank you. Your details are being checked.'
    : isSuccess
      ? 'Thank you. This step is complete.'
      : `This step was not completed: ${verification.reasonCode}.`
  const back = verification.request.return_url
  const body = html`<p>${message}</p>${back === null ? html`<p>You may close this window.</p>` : html`<p><a href="${back}">Go back</a></p>`}`
  return pageAnswer({ brand, title: isSuccess ? 'Received' : 'Not completed', body, back })
}

/** The PDF that the borrower is about to sign. */
async function document({ db, seal }: VerificationContext, verification: ProviderVerification): Promise<Answer> {
  const fileId = fileIdOf(verification.request)
  const upload = fileId === null ? undefined : await uploadOf(db, seal, fileId)
  if (!upload) return closedAnswer(verification.kind)
  return inlineFile('agreement.pdf', 'application/pdf', upload.bytes)
}

const closedAnswer = (kind: VerificationKind): Answer =>
  pageAnswer({
    brand: providers[kind].brand,
    title: 'Nothing to do here',
    body: html`<p>This link is not valid. Please go back to where you came from.</p>`,
    status: 404,
    back: null,
  })

export const pageRoutes = [showPage, decide]

interface ProviderPage {
  brand: string
  title: string
  body: Html
  status?: number
  back: string | null
}

const footer = html`<p>This provider is fictional. No identity is verified, no account is debited and nothing is signed here.</p>`

/** Frames a page of a provider; `back` is the site to which its forms may redirect. */
const pageAnswer = ({ brand, title, body, status = 200, back }: ProviderPage): Answer =>
  htmlAnswer(framed({ title: `${title} · ${brand}`, heading: title, brand, body, footer }), status, { back })
