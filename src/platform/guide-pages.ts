// Serves the documentation site, which `npm run docs:site` builds, below /docs/guide.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { redirect } from '#kit/http/page-frame.ts'
import { plainPage } from '#kit/http/plain-page.ts'
import { type Answer, type Arrival, answer } from '#kit/http/server.ts'
import { siteAnswer } from '#kit/http/static-site.ts'
import { hiddenGet } from '#platform/api-files.ts'
import { route } from '#platform/context.ts'
import { missingGuidePage } from '#platform/guide-text-en.ts'

const address = '/docs/guide'
const builtSite = join(import.meta.dirname, '..', '..', 'dist', 'guide')

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
