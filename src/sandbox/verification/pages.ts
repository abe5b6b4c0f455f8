// GET and POST of the borrower's page at a provider: `outcome` is approve or decline, and in the sandbox also how else it may end.
import { type Html, html } from '#kit/http/markup.ts'
import { redirect, shownFile } from '#kit/http/page-frame.ts'
import { OneOf, Type } from '#kit/http/schema.ts'
import type { Answer } from '#kit/http/server.ts'
import { next } from '#kit/runtime/machine.ts'
import { isOneOf } from '#kit/runtime/record.ts'
import { framed, htmlAnswer } from '#sandbox/core/page.ts'
import { idOfToken } from '#sandbox/core/secret-link.ts'
import { move } from './move.ts'
import { pagePurpose, providers } from './providers.ts'
import { findVerification, lockVerification, uploadOf, writeVerification } from './store.ts'
import { fileIdOf, kinds, outcomes, type ProviderVerification, type VerificationKind } from './verification.ts'
import { openRoute } from './verification-route.ts'
import type { VerificationContext } from './verification-settings.ts'

const path = '/verification/{kind}/pages/{token}'
const params = Type.Object({ kind: OneOf(kinds), token: Type.String() })

const showPage = openRoute({
  method: 'GET',
  path,
  section: 'D3 §1.1',
  summary: 'The page that the borrower completes',
  params,
  query: Type.Object({ document: Type.Optional(Type.String()) }),
  async handle({ params: { kind, token }, query }, ctx) {
    const verificationId = idOfToken(ctx.seal, pagePurpose(kind), token)
    const of = verificationId && (await findVerification(ctx.db, ctx.seal, verificationId))
    if (!of) return closed(kind)
    return query.document === undefined ? shown(of, null) : document(ctx, of)
  },
})

const decide = openRoute({
  method: 'POST',
  path,
  section: 'D3 §1.1',
  summary: "Takes the borrower's decision",
  params,
  accepts: 'raw',
  async handle({ params: { kind, token }, raw, at }, ctx) {
    const verificationId = idOfToken(ctx.seal, pagePurpose(kind), token)
    if (!verificationId) return closed(kind)
    const outcome = new URLSearchParams(raw.toString('utf8')).get('outcome') ?? ''
    return ctx.db.tx(async (tx) => {
      const before = await lockVerification(tx, ctx.seal, verificationId)
      if (!before) return closed(kind)
      const provider = providers[before.kind]
      // A decision that was made stays: a second click gives what the first one did.
      if (before.state !== provider.initial) return ended(before)
      if (!isOneOf(outcomes, outcome)) return shown(before, 'Please choose one of the buttons.', 400)
      const decision = at >= before.pageExpiresAt ? lapsed : provider.borrower(before, outcome)
      if (decision !== 'again') return ended(await move(tx, ctx, before, { ...decision, at }))
      // The client is not notified yet: its view is unchanged.
      const after = { ...before, attempt: before.attempt + 1 }
      await writeVerification(tx, ctx.seal, after)
      return shown(after, provider.page(after).again)
    })
  },
})

const lapsed = { move: 'lapse', reasonCode: 'LINK_EXPIRED' } as const

function shown(of: ProviderVerification, fault: string | null, status = 200): Answer {
  const provider = providers[of.kind]
  if (of.state !== provider.initial) return ending(of)
  const page = provider.page(of)
  const more = [...(page.more ?? []), ['lapse', 'Let the link expire'] as const]
  const body = html`${fault && html`<p class="notice bad" role="alert">${fault}</p>`}
${page.body}
<form method="POST">
<div class="actions"><button class="primary" name="outcome" value="approve">${page.approve}</button><button class="secondary" name="outcome" value="decline">${page.decline}</button></div>
<div class="actions">${more.map(([outcome, label]) => html`<button class="secondary" name="outcome" value="${outcome}">${label}</button>`)}</div>
</form>
<p class="hint">In the sandbox you choose the outcome.</p>`
  return pageAnswer({ brand: provider.brand, title: page.title, body, status, back: of.request.return_url })
}

/** Returns the borrower without a result: the sending site asks our server. */
function ended(of: ProviderVerification): Answer {
  return of.request.return_url === null ? ending(of) : redirect(of.request.return_url)
}

function ending(of: ProviderVerification): Answer {
  const { brand, machine } = providers[of.kind]
  const isGood = of.reasonCode === null
  const waits = isGood && next(machine, of.state, 'finish') !== undefined
  const words = waits
    ? 'Thank you. We are checking it.'
    : isGood
      ? 'Thank you. This step is done.'
      : `This step ended: ${of.reasonCode}.`
  const back = of.request.return_url
  const body = html`<p>${words}</p>${back === null ? html`<p>You can close this window.</p>` : html`<p><a href="${back}">Go back</a></p>`}`
  return pageAnswer({ brand, title: isGood ? 'Received' : 'Not completed', body, back })
}

/** The document to sign, or signed, for its signer. */
async function document({ db, seal }: VerificationContext, of: ProviderVerification): Promise<Answer> {
  const fileId = fileIdOf(of.request)
  const upload = fileId === null ? undefined : await uploadOf(db, seal, fileId)
  if (!upload) return closed(of.kind)
  return shownFile('agreement.pdf', 'application/pdf', upload.bytes)
}

const closed = (kind: VerificationKind): Answer =>
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

const footer = html`<p>This provider is fictional: it verifies no one, debits no account and signs nothing.</p>`

/** The frame of the providers' pages, with a link back to the sending site. */
const pageAnswer = ({ brand, title, body, status = 200, back }: ProviderPage): Answer =>
  htmlAnswer(framed({ title: `${title} · ${brand}`, heading: title, brand, body, footer }), status, { back })
