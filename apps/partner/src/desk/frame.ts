// The frame of the desk's pages: navigation, search box, title and notices. Pages have no scripts and no external
// content, which the content security policy forbids.

import { readFileSync } from 'node:fs'
import { arrowLeft } from '@lendloom/design/icons'
import { inTone, office, styleOf } from '@lendloom/design/style'
import { type Html, html, icon } from '@lendloom/http/markup'
import { pageAnswer as answerOf, type PageFrame } from '@lendloom/http/page-frame'
import { type Answer, answer } from '@lendloom/http/server'
import { zoneNotice } from '@lendloom/lending/time-text'
import type { Context } from '#partner/context.ts'
import type { DeskTheme, Staff } from '#partner/people/person.ts'
import { searchTexts } from './search/text-en.ts'
import { can } from './staff/staff-acts.ts'

const css = styleOf(office + readFileSync(new URL('./desk.css', import.meta.url), 'utf8'))

/** The style sheet for each theme; `system` follows the setting of the device. */
export const styleSheets = { system: css, light: inTone(css, 'light'), dark: inTone(css, 'dark') }

/** Answers with a page. Allows the images, videos and PDF files of the desk itself, and forms to the desk. */
export const pageAnswer = (page: PageFrame, status = 200): Answer =>
  answerOf({
    ...page,
    status,
    policy: {
      'img-src': `'self' data:`,
      'media-src': `'self'`,
      'frame-src': `'self'`,
      'form-action': `'self'`,
    },
    headers: { 'referrer-policy': 'same-origin' },
  })

/** Redirects to a page after a form was posted, so that reloading the page does not post it again. */
export const goTo = (path: string, headers: Answer['headers'] = {}): Answer =>
  answer(303, null, { location: path, 'cache-control': 'no-store', ...headers })

/** The areas of the navigation: path, name, and the act that a person must be allowed; null for everyone. */
const areas = [
  ['/desk', 'Overview', null],
  ['/desk/portfolio', 'Portfolio', null],
  ['/desk/cases', 'Cases', null],
  ['/desk/money', 'Payments', null],
  ['/desk/collections', 'Collections', null],
  ['/desk/refunds', 'Refunds', null],
  ['/desk/books', 'Books', null],
  ['/desk/reports', 'Reports', null],
  ['/desk/approvals', 'Approvals', null],
  ['/desk/policy', 'Policy', null],
  ['/desk/exchange', 'Platform events', null],
  ['/desk/acts', 'Audit log', 'LOG_READ'],
  ['/desk/people', 'People', 'ROLES_CHANGED'],
] as const

/** The name of each area by its path. */
export const areaNames = new Map<string, string>(areas.map(([path, name]) => [path, name]))

type DeskArea = (typeof areas)[number][0] | '/desk/me'

const areasOf = (staff: Staff) => areas.filter(([, , act]) => act === null || can(staff, act))

/** The signed-in user, with the theme that the user has chosen. */
type Viewer = Staff & { theme?: DeskTheme | null }

export interface Frame {
  title: string
  staff: Viewer | null
  lender: string
  isSandbox?: boolean
  /** The area that the navigation marks as current. */
  area?: DeskArea
  /** What can be done, beside the title. */
  beside?: Html | false
  /** A link to the page above, if that is not the page of the area; false without a link. */
  back?: Html | false
  /** Why the last act was refused. */
  problem?: Html | string | null
  /** What the act did that led to this page. */
  done?: string | Html | undefined
  body: Html
}

/** A field for a search, with the button that Enter presses. */
function searchInput(attributes: Html | null = null): Html {
  return html`<input type="search" name="q"${attributes} aria-label="${searchTexts.label}" placeholder="${searchTexts.placeholder}" maxlength="200" required><button class="unseen">${searchTexts.title}</button>`
}

/** The search box of every page. It sends the search text in the request body, because the text may be a PAN. */
const searchBox = html`<form class="find" role="search" method="post" action="/desk/search">${searchInput(html` accesskey="/"`)}</form>`

/** The search in the filters of a list. */
export const searchField = html`<form method="post" action="/desk/search">${searchInput()}</form>`

/** The form of the search page, with the text of the last search. */
export const searchForm = (q = ''): Html =>
  html`<form class="search" method="post" action="/desk/search"><label><span>${searchTexts.label}</span><input type="search" name="q" value="${q}" maxlength="200" required></label><button class="primary">${searchTexts.title}</button></form>`

function backLink(title: string, area: Frame['area']): Html | false {
  const name = area && areaNames.get(area)
  return name !== undefined && name !== title && html`<a class="back" href="${area}">${icon(arrowLeft)}${name}</a>`
}

const currentPageAttribute = (isCurrent: boolean): Html | false => isCurrent && html` aria-current="page"`

/** Puts the content of a page into the frame. Without a signed-in user there is no navigation. */
export const renderFrame = ({
  title,
  staff,
  lender,
  isSandbox,
  area,
  beside,
  back,
  problem,
  done,
  body,
}: Frame): PageFrame => ({
  title: `${title} · ${lender}`,
  sheets: [`/desk/desk.css${staff?.theme ? `?theme=${staff.theme}` : ''}`],
  body: html`<a class="skip" href="#main">Skip to the content</a>
<header class="top"><strong class="brand"><span aria-hidden="true">${[...lender][0]}</span><b>${lender}</b></strong>${isSandbox && html`<span class="badge warn">Sandbox</span>`}${
    staff &&
    html`<nav aria-label="Desk">${areasOf(staff).map(([path, name]) => html`<a href="${path}"${currentPageAttribute(path === area)}>${name}</a>`)}</nav>
${searchBox}<form class="out" method="post" action="/desk/sign-out"><a href="/desk/me"${currentPageAttribute(area === '/desk/me')}><span class="initial" aria-hidden="true">${[...staff.name][0]}</span><span class="name">${staff.name}</span></a><button class="secondary small">Sign out</button></form>`
  }</header>
<main id="main">
${problem && html`<p class="notice bad" role="alert">${problem}</p>`}${done && html`<p class="notice good" role="status">${done}</p>`}
${back === undefined ? backLink(title, area) : back && html`<span class="back">${icon(arrowLeft)}${back}</span>`}${beside ? html`<div class="head"><h1>${title}</h1>${beside}</div>` : html`<h1>${title}</h1>`}
${body}
${staff && html`<p class="zone">${zoneNotice}</p>`}</main>`,
})

/** The parts of the frame that are the same on all pages of a user. */
export const viewerFrame = ({ config }: Pick<Context, 'config'>, staff: Viewer | null) => ({
  staff,
  lender: config.PARTNER_LENDER_NAME,
  isSandbox: config.SANDBOX,
})

/** Answers with a page for a signed-in user. */
export const deskPage = (
  ctx: Context,
  staff: Viewer,
  page: Pick<Frame, 'title' | 'area' | 'beside' | 'back' | 'problem' | 'done' | 'body'>,
  status = 200,
): Answer => pageAnswer(renderFrame({ ...page, ...viewerFrame(ctx, staff) }), status)

/** A form that only has a button. */
export const button = (action: string, label: string): Html =>
  html`<form method="post" action="${action}"><button class="secondary">${label}</button></form>`

export const caseLink = (caseRef: string, text: string): Html =>
  html`<a href="/desk/cases/${encodeURIComponent(caseRef)}">${text}</a>`
