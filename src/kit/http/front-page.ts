// What a browser finds at the bare address of a program: a page that says what runs there, and an icon.

import { inHex } from '#kit/design/colour.ts'
import { tokenOf } from '#kit/design/style.ts'
import { type Html, html, styleSource } from './markup.ts'
import { plainStyle } from './plain-page.ts'
import { type Answer, type Auth, answer, type Route } from './server.ts'

const anybody: Auth<unknown, null> = { scheme: null, check: () => null }
const common = { method: 'GET', section: 'operation', auth: anybody, hidden: true } as const

const policy = `default-src 'none'; ${styleSource(plainStyle)}; img-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`

export interface PlainPage {
  /** English unless told. */
  language?: string
  title: string
  /** Below the title; sentences or pieces of HTML. */
  body: string | Html
  status?: number
}

/** A page of a few sentences that loads nothing but its icon. */
export function plainPage({ language = 'en', title, body, status = 200 }: PlainPage): Answer {
  const page = html`<html lang="${language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title>
<link rel="icon" href="/favicon.ico"><style>`
  const rest = html`</style></head><body><main><h1>${title}</h1>${typeof body === 'string' ? html`<p>${body}</p>` : body}</main></body></html>`
  return answer(status, `<!doctype html>${page.text}${plainStyle}${rest.text}\n`, {
    'content-type': 'text/html; charset=utf-8',
    'content-language': language,
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    vary: 'accept-language',
  })
}

const [tile, thread] = ['--accent-fill', '--on-accent'].map((name) => inHex(tokenOf(name).light))

/** Two threads that cross; on a tile of its own it is seen on light and dark bars alike. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${tile}"/><g fill="none" stroke="${thread}" stroke-linecap="round"><path d="M10 7v13a4 4 0 0 0 4 4h9" stroke-width="4"/><path d="M7 15h6m4 0h8" stroke-width="3" opacity=".65"/></g></svg>`

/** `/favicon.ico`. */
export const iconRoute = <Context>(): Route<Context, null> => ({
  ...common,
  path: '/favicon.ico',
  summary: 'The icon of the pages',
  handle: () => answer(200, icon, { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' }),
})

export interface Link {
  href: string
  text: string
  about: string
}

/** `/`, with where to go from there, and `/favicon.ico`. */
export const frontRoutes = <Context>(
  title: string,
  about: string,
  linksOf: (ctx: Context) => Link[],
): Route<Context, null>[] => [
  {
    ...common,
    path: '/',
    summary: 'What runs here',
    handle(_, ctx) {
      const links = linksOf(ctx).map(
        ({ href, text, about }) => html`<li><a href="${href}">${text}</a><small>${about}</small></li>`,
      )
      return plainPage({ title, body: html`<p>${about}</p><ul>${links}</ul>` })
    },
  },
  iconRoute<Context>(),
]
