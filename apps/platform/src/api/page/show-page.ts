// Routes of the hosted page and its files. Only its application's origins may frame the page (D1 §2.2).

import { cache, copyBytes } from '@lendloom/foundation/cache'
import { isOneOf } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'
import { Type, Uuid } from '@lendloom/foundation/schema'
import { isUuid } from '@lendloom/foundation/uuid'
import { plainPage } from '@lendloom/http/plain-page'
import { answer, anyone } from '@lendloom/http/server'
import { colorSchemes } from '@lendloom/wire/hosted/color-scheme'
import { type StaticAnswer, webAsset, webBuild } from '#platform/api/web-build.ts'
import { route } from '#platform/context.ts'
import { findLogo, findPage } from '#platform/integrators/access/theme/store.ts'
import { pictureHeaders } from '#platform/lenders/network/logo.ts'
import { readerOf } from '#platform/lending/page-text/page-text.ts'
import { embedPage } from './hosted-page.ts'
import { pageTheme } from './themed-page.ts'

const anyText = Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())]))
const lastOf = (value: string | string[] | undefined): string | undefined => [value].flat().at(-1)
const singleValue = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined
const staticAnswer = ({ headers, body }: StaticAnswer) => answer(200, body, headers)

const pageAt = (path: string) =>
  route({
    method: 'GET',
    path,
    section: 'D1 §2.2',
    summary: 'Get the hosted borrower page; its token stays out of logs, because it is in the URL fragment',
    auth: anyone,
    // Accepts any text, because a borrower with a malformed URL should see a page.
    query: Type.Object({ tenant_id: anyText, application_id: anyText, lang: anyText, scheme: anyText, form: anyText }),
    hidden: true,
    async handle({ query, headers }, { db }) {
      const tenantId = lastOf(query.tenant_id)
      const applicationId = lastOf(query.application_id)
      const lang = lastOf(query.lang)
      const scheme = lastOf(query.scheme)
      const form = lastOf(query.form)
      const { language, t } = readerOf(headers, lang)
      const key = tenantId && applicationId && isUuid(tenantId) && isUuid(applicationId) && { tenantId, applicationId }
      const application = key ? await findPage(db, key) : undefined
      if (!key || !application)
        return plainPage({ language, status: 404, title: t('nothingHere.title'), body: t('nothingHere.body') })
      return staticAnswer(
        embedPage(webBuild(), {
          language,
          origins: application.origins,
          name: application.name,
          theme: application.theme && pageTheme(key, application.theme),
          scheme: isOneOf(colorSchemes, scheme) ? scheme : null,
          isFormSent: form === 'sent',
          acceptEncoding: singleValue(headers['accept-encoding']),
        }),
      )
    },
  })

export const showPages = [pageAt('/lab/embed'), pageAt('/lab/embed/')]

const logos = cache<{ type: string; bytes: Buffer }>({
  name: 'application-logos',
  maxBytes: 8 << 20,
  lifetimeMs: 3_600_000,
  weigh: ({ bytes }) => bytes.length,
})

/** GET /lab/application-logo. The URL contains a digest of the file, so browsers may cache it forever. */
const applicationLogo = route({
  method: 'GET',
  path: '/lab/application-logo',
  section: 'D1 §2.2',
  summary: "Get an application's logo for the hosted page",
  auth: anyone,
  query: Type.Object({
    tenant_id: Uuid,
    application_id: Uuid,
    v: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  }),
  hidden: true,
  async handle({ query: { tenant_id: tenantId, application_id: applicationId, v } }, { db }) {
    const key = `${tenantId} ${applicationId} ${v}`
    let logo = logos.get(key)
    if (!logo) {
      const row = await findLogo(db, { tenantId, applicationId }, v)
      if (!row) throw new Refusal('absent', 'there is no such logo')
      logo = { type: row.logoType, bytes: copyBytes(row.logo) }
      logos.set(key, logo)
    }
    return answer(200, logo.bytes, pictureHeaders(logo.type, 'public, max-age=31536000, immutable'))
  },
})

const assetRoute = (path: string, summary: string) =>
  route({
    method: 'GET',
    path,
    section: 'D1 §2.2',
    summary,
    auth: anyone,
    hidden: true,
    handle({ path: requested, headers }) {
      const file = webAsset(webBuild(), requested, singleValue(headers['accept-encoding']))
      if (!file) throw new Refusal('absent', 'there is no such file')
      return staticAnswer(file)
    },
  })

export const pageAssets = [
  applicationLogo,
  assetRoute('/lab/assets/{file}', 'Get a file of the hosted page'),
  assetRoute('/sdk/{file}', 'Get the newest browser SDK'),
  assetRoute('/sdk/{version}/{file}', 'Get a version of the browser SDK'),
]
