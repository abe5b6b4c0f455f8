// The front page of a program, at `/`: describes the program and links to its pages. Also the icon of all pages.

import { readFileSync } from 'node:fs'
import { inHex } from '@lendloom/design/colour'
import { styleOf, tokenOf } from '@lendloom/design/style'
import { html } from './markup.ts'
import { plainPage } from './plain-page.ts'
import { anyone } from './route.ts'
import { type Answer, answer, type Route } from './server.ts'

const common = { method: 'GET', section: 'operation', auth: anyone, hidden: true } as const

const frontStyle = styleOf(readFileSync(new URL('./front.css', import.meta.url), 'utf8'), 'large')

const tileColour = inHex(tokenOf('--accent-fill').light)
const threadColour = inHex(tokenOf('--on-accent').light)

/** Two crossing threads on a tile, visible on light and on dark browser tabs. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${tileColour}"/><g fill="none" stroke="${threadColour}" stroke-linecap="round"><path d="M10 7v13a4 4 0 0 0 4 4h9" stroke-width="4"/><path d="M7 15h6m4 0h8" stroke-width="3" opacity=".65"/></g></svg>`

/** Serves the icon where browsers look for it. */
export const iconRoute = <Context>(): Route<Context, null> => ({
  ...common,
  path: '/favicon.ico',
  summary: 'The icon of the pages',
  handle: () => answer(200, icon, { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' }),
})

export interface Link {
  href: string
  text: string
  /** A description of the linked page, in one line. */
  about: string
}

/** The content of the front page. The page is public, so it must link only to public pages. */
export interface FrontPage {
  title: string
  about: string
  /** Links, grouped by reader. Groups without links are not shown. */
  groups: { title: string; links: Link[] }[]
}

/** Links for operators, which every program has. */
export const operationLinks: Link[] = [
  { href: '/healthz', text: 'Health', about: 'Whether this process is alive' },
  { href: '/readyz', text: 'Readiness', about: 'Whether this process can serve requests, and what it waits for' },
]

const mark = html`<img class="mark" src="/favicon.ico" alt="" width="48" height="48">`

function frontPage({ title, about, groups }: FrontPage): Answer {
  const parts = groups
    .filter(({ links }) => links.length > 0)
    .map(({ title, links }) => {
      const items = links.map(
        ({ href, text, about }) => html`<li><a href="${href}"><b>${text}</b><small>${about}</small></a></li>`,
      )
      return html`<section><h2>${title}</h2><ul>${items}</ul></section>`
    })
  return plainPage({ title, mark, style: frontStyle, body: html`<p class="lead">${about}</p>${parts}` })
}

/** The routes of the front page and the icon. */
export const frontRoutes = <Context>(pageOf: (ctx: Context) => FrontPage): Route<Context, null>[] => [
  { ...common, path: '/', summary: 'What runs here', handle: (_, ctx) => frontPage(pageOf(ctx)) },
  iconRoute<Context>(),
]
