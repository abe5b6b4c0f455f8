// Serves the documentation site, which `npm run docs:site` builds, below /docs/guide.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { redirect } from '@lendloom/http/page-frame'
import { plainPage } from '@lendloom/http/plain-page'
import { type Answer, type Arrival, answer } from '@lendloom/http/server'
import { siteAnswer } from '@lendloom/http/static-site'
import { route } from '#platform/context.ts'
import { missingGuidePage } from './guide-text-en.ts'
import { hiddenGet } from './openapi-files.ts'

const address = '/docs/guide'
const builtSite = join(import.meta.dirname, '..', '..', '..', '..', '..', 'dist', 'guide')

export const guideRoutes = (site = builtSite) =>
  ['', '/', '/{part}', '/{part}/{page}', '/{part}/{folder}/{page}'].map((path) =>
    route({
      ...hiddenGet,
      path: address + path,
      summary: 'Get a page of the documentation',
      handle: ({ path: requested, headers }) => guideAnswer(site, requested, headers),
    }),
  )

/** `requested` is the path of the request. Without a built site, the answer names the command that builds it. */
async function guideAnswer(site: string, requested: string, headers: Arrival['headers']): Promise<Answer> {
  // The script of the site finds its pages only below its address with a slash.
  if (requested === address) return redirect(`${address}/`, 302)
  const found = await siteAnswer(site, requested.slice(address.length), headers)
  if (found) return found
  if (!existsSync(join(site, 'index.html'))) return plainPage({ ...missingGuidePage, status: 404 })
  const missing = await siteAnswer(site, '/404', {})
  return answer(404, missing?.body, { ...missing?.headers, 'cache-control': 'no-store' })
}
