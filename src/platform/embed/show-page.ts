// GET /lab/embed and the files it loads: the hosted page, framed only by the origins of its application (D1 §2.2).
import { answer } from '#kit/http-server.ts'
import { uuidPattern } from '#kit/id.ts'
import { Refusal } from '#kit/refusal.ts'
import { Closed, Type } from '#kit/schema.ts'
import { findApplication } from '#platform/access/store.ts'
import { type Served, webAsset, webBuild } from '#platform/web-build.ts'
import { route } from '#platform/world.ts'
import { embedPage, pageLanguage } from './page.ts'

const anybody = { scheme: null, check: () => null }
const maybeText = Type.Optional(Type.String({ maxLength: 300 }))
const Uuid = Type.String({ pattern: uuidPattern, 'x-says': 'must be a UUID' })

const text = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined
const shown = ({ headers, body }: Served) => answer(200, body, headers)

export const showPage = route({
  method: 'GET',
  path: '/lab/embed',
  section: 'D1 §2.2',
  summary: 'The hosted borrower page; its token is in the fragment and never reaches a log',
  auth: anybody,
  query: Closed({
    tenant_id: Uuid,
    application_id: Uuid,
    borrower_provider_id: maybeText,
    journey_type: maybeText,
    lang: maybeText,
  }),
  hidden: true,
  async handle({ query, headers }, { db }) {
    const application = await findApplication(db, query.tenant_id, query.application_id)
    if (!application) throw new Refusal('absent', 'there is no such application')
    return shown(
      embedPage(webBuild(), {
        language: pageLanguage(query.lang, text(headers['accept-language'])),
        origins: application.origins,
        acceptEncoding: text(headers['accept-encoding']),
      }),
    )
  },
})

const assetRoute = (path: string, summary: string) =>
  route({
    method: 'GET',
    path,
    section: 'D1 §2.2',
    summary,
    auth: anybody,
    hidden: true,
    handle({ path: asked, headers }) {
      const file = webAsset(webBuild(), asked, text(headers['accept-encoding']))
      if (!file) throw new Refusal('absent', 'there is no such file')
      return shown(file)
    },
  })

export const pageAssets = [
  assetRoute('/lab/assets/{file}', 'A file of the hosted page'),
  assetRoute('/sdk/{file}', 'The browser SDK'),
]
