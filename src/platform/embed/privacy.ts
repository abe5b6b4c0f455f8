// GET /lab/privacy: what is kept of a borrower, with whom it is shared, how long, and how to take a consent back.

import { plainPage } from '#kit/http/front-page.ts'
import { html } from '#kit/http/markup.ts'
import { Type } from '#kit/http/schema.ts'
import { route } from '#platform/context.ts'
import { readerOf } from '#platform/page-text/page-text.ts'

export const privacyPage = route({
  method: 'GET',
  path: '/lab/privacy',
  section: 'D1 §1',
  summary: 'The privacy policy of the hosted page',
  auth: { scheme: null, check: () => null },
  query: Type.Object({ lang: Type.Optional(Type.String()) }),
  hidden: true,
  handle({ query, headers }, { config }) {
    const { language, texts } = readerOf(headers, query.lang)
    const { title, lead, parts } = texts.privacy
    const shown = parts(config.JOURNEY_IDLE_DAYS).map(({ heading, text }) => html`<h2>${heading}</h2><p>${text}</p>`)
    return plainPage({ language, title, body: html`<p>${lead}</p>${shown}` })
  },
})
