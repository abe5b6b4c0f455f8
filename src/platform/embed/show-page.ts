// GET /lab/embed and the files it loads: the hosted page, framed only by the origins of its application (D1 §2.2).

import { isUuid } from '#kit/crypto/id.ts'
import { plainPage } from '#kit/http/front-page.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { Type } from '#kit/http/schema.ts'
import { answer } from '#kit/http/server.ts'
import { findApplication } from '#platform/access/tenant/store.ts'
import { route } from '#platform/context.ts'
import { readerOf } from '#platform/page-text/page-text.ts'
import { type Served, webAsset, webBuild } from '#platform/web-build.ts'
import { embedPage } from './page.ts'

const anybody = { scheme: null, check: () => null }
const anyText = Type.Optional(Type.String())
const text = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined
const shown = ({ headers, body }: Served) => answer(200, body, headers)

const pageAt = (path: string) =>
  route({
    method: 'GET',
    path,
    section: 'D1 §2.2',
    summary: 'The hosted borrower page; its token is in the fragment and never reaches a log',
    auth: anybody,
    // Whoever opens an address that is not whole sees a page: it is a borrower, and no program that could read a refusal.
    query: Type.Object({ tenant_id: anyText, application_id: anyText, lang: anyText }),
    hidden: true,
    async handle({ query: { tenant_id: tenantId, application_id: applicationId, lang }, headers }, { db }) {
      const { language, texts } = readerOf(headers, lang)
      const application =
        tenantId && applicationId && isUuid(tenantId) && isUuid(applicationId)
          ? await findApplication(db, tenantId, applicationId)
          : undefined
      if (!application) return plainPage({ language, status: 404, ...texts.nothingHere })
      return shown(
        embedPage(webBuild(), {
          language,
          origins: application.origins,
          acceptEncoding: text(headers['accept-encoding']),
        }),
      )
    },
  })

export const showPages = [pageAt('/lab/embed'), pageAt('/lab/embed/')]

const assetRoute = (path: string, summary: string) =>
  route({
    method: 'GET',
    path,
    section: 'D1 §2.2',
    summary,
    auth: anybody,
    hidden: true,
    handle({ path: requested, headers }) {
      const file = webAsset(webBuild(), requested, text(headers['accept-encoding']))
      if (!file) throw new Refusal('absent', 'there is no such file')
      return shown(file)
    },
  })

export const pageAssets = [
  assetRoute('/lab/assets/{file}', 'A file of the hosted page'),
  assetRoute('/sdk/{file}', 'The browser SDK'),
]
