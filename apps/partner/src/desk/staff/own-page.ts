// A user's own page: password, second factor, linked accounts and sessions.

import { secondsAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import { Type, Uuid } from '@lendloom/foundation/schema'
import { formFrom } from '@lendloom/http/body'
import { type Html, html } from '@lendloom/http/markup'
import { unlinkOpenId } from '@lendloom/identity/open-id'
import { listLinks as listOpenIdLinks, type OpenIdLinkRow } from '@lendloom/identity/open-id/store'
import { changePassword, revokeSession } from '@lendloom/identity/own-account'
import { keyOf } from '@lendloom/identity/person'
import { confirmSecondFactor, dropSecondFactor, offerSecondFactor } from '@lendloom/identity/second-factor'
import { openSessionsOf } from '@lendloom/identity/session'
import type { Context } from '#partner/context.ts'
import { deskRoute } from '#partner/desk/desk-route.ts'
import { deskPage, goTo } from '#partner/desk/frame.ts'
import { formatAgo, formatExactTime, instantText, labelOf, toneBadge, toSentence } from '#partner/desk/parts/format.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import { statusOf } from '#partner/desk/refusal-page.ts'
import { type LinkLine, listLinks } from '#partner/people/password-link-store.ts'
import { findStaffById } from '#partner/people/store.ts'
import { chooseTheme, themeCard } from './choose-theme.ts'
import { anyStaff, may, proofSeconds, type SignedIn } from './desk-auth.ts'
import { ownTexts as texts } from './own-text-en.ts'
import { linkText, linkTexts } from './password-link/text-en.ts'

const path = '/desk/me'
const factorPath = `${path}/second-factor`
const sessionsPath = `${path}/sessions`
const linksPath = `${path}/linked-accounts`
const common = { section: 'operation', auth: anyStaff, hidden: true, viewAct: null } as const
const postCommon = { ...common, auth: may('PASSWORD_CHANGED'), method: 'POST', accepts: 'raw' } as const

interface OwnPageState {
  problem?: string
  isPasswordChanged?: boolean
  /** A new secret, which becomes active when its first code is entered. */
  secret?: { secret: string; uri: string }
  /** Whether the code was wrong. The page does not repeat the secret, because a session alone must not reveal it. */
  isWrongCode?: boolean
  /** New recovery codes, which are shown only once. */
  recoveryCodes?: string[]
}

const field = (name: string, label: string, autocomplete: string, hint = '') =>
  html`<label><span>${label}</span><input type="password" name="${name}" autocomplete="${autocomplete}" required>${hint && html`<small class="limits">${hint}</small>`}</label>`
const codeField = html`<label><span>${texts.code}</span><input name="code" autocomplete="one-time-code" maxlength="20" required></label>`

async function ownPage(ctx: Context, who: SignedIn, state: OwnPageState, status = 200) {
  const { problem, isPasswordChanged } = state
  const [[link], row, sessions, openIdLinks] = await Promise.all([
    listLinks(ctx.db, who.staffId),
    findStaffById(ctx.db, who.staffId),
    openSessionsOf(ctx, keyOf(who), who.sessionId),
    listOpenIdLinks(ctx.db, keyOf(who)),
  ])
  const body = html`${isPasswordChanged && html`<p class="notice good" role="status">${texts.changed}</p>`}
<p class="quiet">${[who.name, who.email, ...who.roles.map(labelOf)].join(' · ')}</p>
<div class="columns"><form class="card" method="post" action="${path}/password">
<h2>${texts.password}</h2>
${link && html`<p>${linkText(link)}.</p>`}
${who.knownTo.length > 0 && html`<p><strong>${linkTexts.passwordKnown}</strong></p>`}
${field('password', texts.currentPassword, 'current-password')}
${field('fresh', texts.newPassword, 'new-password', texts.atLeast)}
${field('again', 'Re-enter new password', 'new-password')}
<button class="primary">${texts.change}</button>
</form>
<div>${factorPart(state, {
    mayApproveFrom: row?.totpSealed ? row.decidesAt : null,
    isProven: who.isProven,
    isNeeded: ctx.config.PARTNER_DESK_SECOND_FACTOR === 'required',
  })}${themeCard(who.theme)}</div></div>
${openIdLinks.length > 0 && linksPart(openIdLinks, ctx.clock())}
${sessionsPart(sessions, ctx.realClock())}
<form class="phone" method="post" action="/desk/sign-out"><button class="secondary">Sign out</button></form>`
  return deskPage(ctx, who, { title: texts.account, area: path, problem: problem ?? null, body }, status)
}

const linksPart = (links: OpenIdLinkRow[], now: Date): Html =>
  html`<section><h2>${texts.links}</h2><p>${texts.linksHint}</p>${tableOf(
    texts.links,
    ['Provider', 'Last used', 'Since', { number: '' }],
    links.map(({ linkId, issuer, usedAt, createdAt }) => [
      issuer,
      formatAgo(usedAt, now),
      formatExactTime(createdAt),
      html`<form method="post" action="${linksPath}/${linkId}/unlink"><button class="secondary">${texts.unlink}</button></form>`,
    ]),
    { empty: '', csv: false },
  )}</section>`

const sessionsPart = (sessions: Awaited<ReturnType<typeof openSessionsOf>>, now: Date): Html =>
  html`<section><h2>${texts.sessions}</h2>${tableOf(
    texts.sessions,
    ['Browser', { name: 'Network', phone: 'plain' }, 'Last used', 'Since', { number: '' }],
    sessions.map(({ sessionId, browser, network, usedAt, signedInAt, isCurrent }) => [
      html`${browser}${isCurrent && html` ${toneBadge('info', texts.thisSession)}`}`,
      network,
      formatAgo(usedAt, now),
      formatExactTime(signedInAt),
      !isCurrent &&
        html`<form method="post" action="${sessionsPath}/${sessionId}/end"><button class="secondary">${texts.end}</button></form>`,
    ]),
    { empty: '', csv: false },
  )}</section>`

export const factorBadge = (isOn: boolean): Html => toneBadge(isOn ? 'good' : 'warn', isOn ? 'On' : 'Off')

const secretPart = ({ secret, uri }: NonNullable<OwnPageState['secret']>): Html =>
  html`<p>${texts.scan}</p><p><code>${secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code></p>
<p><a href="${uri}">${texts.open}</a></p>`

/** Renders the form to set up, confirm or switch off the second factor, or the new recovery codes. */
function factorPart(
  { secret, isWrongCode, recoveryCodes }: OwnPageState,
  { mayApproveFrom, isProven, isNeeded }: { mayApproveFrom: Date | null; isProven: boolean; isNeeded: boolean },
): Html {
  if (recoveryCodes)
    return html`<section class="card"><h2>${texts.recovery}</h2><p>${texts.keep}</p>
<ul class="codes">${recoveryCodes.map((each) => html`<li><code>${each}</code></li>`)}</ul></section>`
  if (secret || isWrongCode)
    return html`<form class="card" method="post" action="${factorPath}/confirm"><h2>${texts.title}</h2>
${secret ? secretPart(secret) : html`<p>${texts.wrongCode} <a href="${path}">${texts.startAgain}</a></p>`}
${codeField}<button class="primary">${texts.confirm}</button></form>`
  if (mayApproveFrom)
    return html`<form class="card" method="post" action="${factorPath}/off"><h2>${texts.title} ${factorBadge(true)}</h2>
<p>${texts.on}${!isProven && html` ${texts.approveFrom(instantText(mayApproveFrom))}`}</p>${codeField}<button class="secondary">${texts.off}</button></form>`
  return html`<form class="card" method="post" action="${factorPath}"><h2>${texts.title} ${factorBadge(false)}</h2>
<p>${isNeeded ? texts.none : texts.noneNeeded}</p>${field('password', texts.currentPassword, 'current-password')}<button class="primary">${texts.begin}</button></form>`
}

/** Returns the message of this page for the refused field; without one, the message of the refusal. */
const problemOf = ({ message, details: { field: name } }: Refusal): string =>
  (typeof name === 'string' && texts.problems.get(name)) || toSentence(message)

const refusedPage = ({ who }: { who: SignedIn }, refusal: Refusal, ctx: Context) =>
  ownPage(ctx, who, { problem: problemOf(refusal) }, statusOf(refusal))

const show = deskRoute({
  ...common,
  method: 'GET',
  path,
  summary: 'The page of your password and second factor',
  handle: ({ who }, ctx) => ownPage(ctx, who, {}),
})

const change = deskRoute({
  ...postCommon,
  path: `${path}/password`,
  summary: 'Change your password',
  async handle({ who, raw, ip: address, at }, ctx) {
    const form = formFrom(raw)
    const newPassword = form.get('fresh') ?? ''
    const repeatedPassword = form.get('again') ?? ''
    if (newPassword !== repeatedPassword) throw new Refusal('invalid', linkTexts.passwordsDiffer, { field: 'again' })
    await changePassword(ctx, who, { current: form.get('password') ?? '', next: newPassword, address }, at)
    return goTo(`${path}/done`)
  },
  onRefusal: refusedPage,
})

const showChanged = deskRoute({
  ...common,
  method: 'GET',
  path: `${path}/done`,
  summary: 'Confirms the changed password',
  handle: ({ who }, ctx) => ownPage(ctx, who, { isPasswordChanged: true }),
})

const offer = deskRoute({
  ...postCommon,
  path: factorPath,
  summary: 'Create a secret for one-time codes, inactive until its first code',
  async handle({ who, raw, ip: address, at }, ctx) {
    const password = formFrom(raw).get('password') ?? ''
    const secret = await offerSecondFactor(ctx, who, { password, address }, at)
    return ownPage(ctx, who, { secret })
  },
  onRefusal: refusedPage,
})

/**
 * Whether a user may approve with a new second factor at once, instead of after a day. This requires that only the user
 * can have set it up: the session is proven, or the user recently chose the password through a mailed link.
 */
const isIdentityProven = ({ isProven, knownTo }: SignedIn, link: LinkLine | undefined, at: Date): boolean =>
  isProven || (knownTo.length === 0 && Boolean(link?.usedAt && secondsAfter(link.usedAt, proofSeconds) > at))

const confirm = deskRoute({
  ...postCommon,
  path: `${factorPath}/confirm`,
  summary: 'Activate the secret, and show the recovery codes once',
  async handle({ who, raw, ip: address, headers, at }, ctx) {
    const [link] = await listLinks(ctx.db, who.staffId)
    const confirmation = {
      code: formFrom(raw).get('code') ?? '',
      address,
      headers,
      isIdentityProven: isIdentityProven(who, link, at),
    }
    const recoveryCodes = await confirmSecondFactor(ctx, who, confirmation, at)
    return ownPage(ctx, who, { recoveryCodes })
  },
  onRefusal: ({ who }, refusal, ctx) =>
    ownPage(ctx, who, { problem: problemOf(refusal), isWrongCode: refusal.kind === 'invalid' }, statusOf(refusal)),
})

const switchOff = deskRoute({
  ...postCommon,
  path: `${factorPath}/off`,
  summary: 'Switch the second factor off',
  async handle({ who, raw, ip: address, at }, ctx) {
    await dropSecondFactor(ctx, who, { code: formFrom(raw).get('code') ?? '', address }, at)
    return goTo(path)
  },
  onRefusal: refusedPage,
})

const endSession = deskRoute({
  ...postCommon,
  auth: may('SESSION_REVOKED'),
  path: `${sessionsPath}/{sessionId}/end`,
  params: Type.Object({ sessionId: Uuid }),
  summary: 'End one of your sessions',
  async handle({ who, params, at }, ctx) {
    await revokeSession(ctx, who, params.sessionId, at)
    return goTo(path)
  },
})

const unlink = deskRoute({
  ...postCommon,
  auth: may('OPENID_UNLINKED'),
  path: `${linksPath}/{linkId}/unlink`,
  params: Type.Object({ linkId: Uuid }),
  summary: 'Unlink your account of the OpenID provider, and end your other sessions',
  async handle({ who, params, ip: address, at }, ctx) {
    await unlinkOpenId(ctx, who, { ...params, address }, at)
    return goTo(path)
  },
})

export const ownRoutes = [show, change, showChanged, offer, confirm, switchOff, unlink, endSession, chooseTheme]
