// GET /lab/privacy: which personal data is stored, its recipients and retention, and how to withdraw a consent.

import { Type } from '@lendloom/foundation/schema'
import { html } from '@lendloom/http/markup'
import { plainPage } from '@lendloom/http/plain-page'
import { anyone } from '@lendloom/http/server'
import { route } from '#platform/context.ts'
import { readerOf } from '#platform/lending/page-text/page-text.ts'

const topics = ['kept', 'protection', 'receivers', 'duration', 'withdrawal', 'rights'] as const

export const privacyPage = route({
  method: 'GET',
  path: '/lab/privacy',
  section: 'D1 §1',
  summary: 'Get the privacy policy of the hosted page',
  auth: anyone,
  query: Type.Object({ lang: Type.Optional(Type.String()) }),
  hidden: true,
  handle({ query, headers }, { config }) {
    const { language, t } = readerOf(headers, query.lang)
    const days = config.JOURNEY_IDLE_DAYS
    const sections = topics.map(
      (topic) => html`<h2>${t(`privacy.${topic}.heading`)}</h2><p>${t(`privacy.${topic}.text`, { days })}</p>`,
    )
    return plainPage({ language, title: t('privacy.title'), body: html`<p>${t('privacy.lead')}</p>${sections}` })
  },
})
