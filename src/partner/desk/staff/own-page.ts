// The own page of a person of the desk: password and second factor.
import { formFrom } from '#kit/http/body.ts'
import { type Html, html } from '#kit/http/markup.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import { changePassword } from '#kit/staff/own-account.ts'
import { confirmSecondFactor, dropSecondFactor, offerSecondFactor } from '#kit/staff/second-factor.ts'
import type { Context } from '#partner/context.ts'
import { deskRoute, statusOf } from '#partner/desk/desk-route.ts'
import { deskPage, goTo } from '#partner/desk/frame.ts'
import { instantText, sentence } from '#partner/desk/parts/format.ts'
import { findStaffById } from '#partner/desk/store.ts'
import { ownTexts as texts } from './own-text-en.ts'
import { type LinkLine, listLinks } from './password-link/store.ts'
import { linkText, linkTexts } from './password-link/text-en.ts'
import { atDesk, freshSeconds, may, type SignedIn } from './staff.ts'

const path = '/desk/me'
const factorPath = `${path}/second-factor`
const common = { section: 'operation', auth: atDesk, hidden: true, shows: null } as const
const posted = { ...common, auth: may('PASSWORD_CHANGED'), method: 'POST', accepts: 'raw' } as const

interface OwnPageState {
  problem?: string
  isDone?: boolean
  /** Offered, but inactive before its first code. */
  secret?: { secret: string; uri: string }
  /** A code was wrong; the secret is not shown again, as a session alone must not read it. */
  isWrongCode?: boolean
  /** Shown once. */
  recoveryCodes?: string[]
}

const field = (name: string, label: string, complete: string) =>
  html`<label><span>${label}</span><input type="password" name="${name}" autocomplete="${complete}" required></label>`
const codeField = html`<label><span>${texts.code}</span><input name="code" autocomplete="one-time-code" maxlength="20" required></label>`

async function ownPage(ctx: Context, who: SignedIn, shown: OwnPageState, status = 200) {
  const { problem, isDone } = shown
  const [[link], row] = await Promise.all([listLinks(ctx.db, who.staffId), findStaffById(ctx.db, who.staffId)])
  const body = html`${isDone && html`<p class="notice good" role="status">${texts.changed}</p>`}
${factorPart(shown, row?.totpSealed ? row.decidesAt : null, who.isProven)}
<form class="card sign-in" method="post" action="${path}/password">
<h2>Change your password</h2>
<p>You sign in as ${who.email}.${link && html` ${linkText(link)}.`}</p>
${who.knownTo.length > 0 && html`<p><strong>${linkTexts.known}</strong></p>`}
${field('password', 'Current password', 'current-password')}
${field('fresh', 'New password (at least 12 characters)', 'new-password')}
${field('again', 'Re-enter new password', 'new-password')}
<button class="primary">Change</button>
</form>`
  return deskPage(ctx, who, { title: who.name, here: path, problem: problem ?? null, body }, status)
}

const secretOf = ({ secret, uri }: NonNullable<OwnPageState['secret']>): Html =>
  html`<p>${texts.scan}</p><p><code>${secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code></p>
<p><a href="${uri}">${texts.open}</a></p>`

/** Set up, confirm, or switch off. */
function factorPart(
  { secret, isWrongCode, recoveryCodes }: OwnPageState,
  decidesAt: Date | null,
  isProven: boolean,
): Html {
  if (recoveryCodes)
    return html`<section class="card sign-in"><h2>${texts.recovery}</h2><p>${texts.keep}</p>
<ul class="codes">${recoveryCodes.map((each) => html`<li><code>${each}</code></li>`)}</ul></section>`
  if (secret || isWrongCode)
    return html`<form class="card sign-in" method="post" action="${factorPath}/confirm"><h2>${texts.title}</h2>
${secret ? secretOf(secret) : html`<p>${texts.wrongCode} <a href="${path}">${texts.startAgain}</a></p>`}
${codeField}<button class="primary">${texts.confirm}</button></form>`
  if (decidesAt)
    return html`<form class="card sign-in" method="post" action="${factorPath}/off"><h2>${texts.title}</h2>
<p>${texts.on}${!isProven && html` ${texts.again(instantText(decidesAt))}`}</p>${codeField}<button class="secondary">${texts.off}</button></form>`
  return html`<form class="card sign-in" method="post" action="${factorPath}"><h2>${texts.title}</h2>
<p>${texts.none}</p>${field('password', texts.password, 'current-password')}<button class="primary">${texts.begin}</button></form>`
}

/** The problem at a field in words of this page. */
const problemOf = ({ message, details: { field: name } }: Refusal): string =>
  (typeof name === 'string' && texts.problems.get(name)) || sentence(message)

const again = ({ who }: { who: SignedIn }, refusal: Refusal, ctx: Context) =>
  ownPage(ctx, who, { problem: problemOf(refusal) }, statusOf(refusal))

const show = deskRoute({
  ...common,
  method: 'GET',
  path,
  summary: 'The own password and second factor',
  handle: ({ who }, ctx) => ownPage(ctx, who, {}),
})

const change = deskRoute({
  ...posted,
  path: `${path}/password`,
  summary: 'Change the own password',
  async handle({ who, raw, ip: address, at }, ctx) {
    const form = formFrom(raw)
    const [next, repeated] = [form.get('fresh') ?? '', form.get('again') ?? '']
    if (next !== repeated) throw new Refusal('invalid', linkTexts.twice, { field: 'again' })
    await changePassword(ctx, who, { current: form.get('password') ?? '', next, address }, at)
    return goTo(`${path}/done`)
  },
  again,
})

const done = deskRoute({
  ...common,
  method: 'GET',
  path: `${path}/done`,
  summary: 'The own password was changed',
  handle: ({ who }, ctx) => ownPage(ctx, who, { isDone: true }),
})

const offer = deskRoute({
  ...posted,
  path: factorPath,
  summary: 'A new secret for one-time codes, in force once one of them is given',
  async handle({ who, raw, ip: address, at }, ctx) {
    const password = formFrom(raw).get('password') ?? ''
    const secret = await offerSecondFactor(ctx, who, { password, address }, at)
    return ownPage(ctx, who, { secret })
  },
  again,
})

/** By a fresh sign-in by the OpenID provider, or as the person alone chose the password just now, by a mailed link. */
const isVouchedFor = ({ isProven, knownTo }: SignedIn, link: LinkLine | undefined, at: Date): boolean =>
  isProven || (knownTo.length === 0 && Boolean(link?.usedAt && secondsAfter(link.usedAt, freshSeconds) > at))

const confirm = deskRoute({
  ...posted,
  path: `${factorPath}/confirm`,
  summary: 'Put the new secret in force; gives the recovery codes, this once',
  async handle({ who, raw, ip: address, headers, at }, ctx) {
    const [link] = await listLinks(ctx.db, who.staffId)
    const given = { code: formFrom(raw).get('code') ?? '', address, headers, isVouchedFor: isVouchedFor(who, link, at) }
    const recoveryCodes = await confirmSecondFactor(ctx, who, given, at)
    return ownPage(ctx, who, { recoveryCodes })
  },
  again: ({ who }, refusal, ctx) =>
    ownPage(ctx, who, { problem: problemOf(refusal), isWrongCode: refusal.kind === 'invalid' }, statusOf(refusal)),
})

const drop = deskRoute({
  ...posted,
  path: `${factorPath}/off`,
  summary: 'Switch the second factor off',
  async handle({ who, raw, ip: address, at }, ctx) {
    await dropSecondFactor(ctx, who, { code: formFrom(raw).get('code') ?? '', address }, at)
    return goTo(path)
  },
  again,
})

export const ownRoutes = [show, change, done, offer, confirm, drop]
