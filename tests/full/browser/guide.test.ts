// Builds the documentation site and serves it as the platform does: links, texts for programs, search, tabs, appearance.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { systemClock } from '@lendloom/foundation/clock'
import { quietLog } from '@lendloom/foundation/log'
import { iconRoute } from '@lendloom/http/front-page'
import { serve } from '@lendloom/http/server'
import { guideRoutes } from '@lendloom/platform/src/api/reference/guide-pages.ts'
import type { Context } from '@lendloom/platform/src/context.ts'
import { refused } from '@lendloom/wire/headless/envelope'
import { temporaryFolder } from '#test/full/packages/consumer.ts'
import { sharedBrowser } from '#test/setup/browser.ts'
import { assertUsable, openPage } from '#test/setup/page.ts'
import { deadLinks } from '../../../tools/docs/site/site-links.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const site = temporaryFolder('lendloom-guide-')
const builder = join(root, 'node_modules', 'vitepress', 'bin', 'vitepress.js')
// The build fails for a dead link, and for a page that the compiler of the site does not understand.
await promisify(execFile)(process.execPath, [builder, 'build', 'docs'], {
  cwd: root,
  env: { ...process.env, SITE_DIR: site },
})
const started = await Promise.all([site, join(site, 'missing')].map(serveSite))
const [url = '', emptyUrl = ''] = started.map((server) => `${server.url}/docs/guide`)
after(() => Promise.all(started.map((server) => server.stop())))

function serveSite(directory: string) {
  const routes = [...guideRoutes(directory), iconRoute<Context>()]
  return serve({
    ctx: {} as Context,
    apis: [{ prefix: '/', routes, refuse: refused }],
    clock: systemClock,
    log: quietLog,
    host: '127.0.0.1',
    port: 0,
  })
}

test('docs/README.md: each document is a page of the site, and a text for programs', () => {
  const documents = globSync('docs/**/*.md', { cwd: root })
  assert.ok(documents.length > 100, `${documents.length}`)
  assert.ok(globSync('**/*.html', { cwd: site }).length > documents.length)
  const index = readFileSync(join(site, 'llms.txt'), 'utf8')
  assert.match(index, /^# Lendloom\n\n> Lendloom connects .*\n/)
  const linked = [...index.matchAll(/\]\(\/docs\/guide\/([^)#]+)/g)].map(([, path = '']) => path)
  assert.ok(linked.length > 60, `${linked.length}`)
  for (const path of linked) assert.match(readFileSync(join(site, path), 'utf8'), /^(---|# )/, path)
  const everything = readFileSync(join(site, 'llms-full.txt'), 'utf8')
  for (const title of ['Quickstart for Python', 'Receive webhooks', 'Threat model'])
    assert.ok(everything.includes(`\n# ${title}\n`), title)
})

test('docs/README.md: a link to a missing page, file or heading is found', () => {
  const page = '<h2 id="here">x</h2><a href="#here"></a><a class="a" href="/docs/guide/page#here"></a>'
  const dead = ['#there', '/docs/guide/page#there', '/docs/guide/none', '/docs/guide/none.json']
  const folder = temporaryFolder('lendloom-links-')
  const write = (text: string) => writeFileSync(join(folder, 'page.html'), text)
  write(page)
  assert.deepEqual(deadLinks(folder, '/docs/guide/'), [])
  write(page + dead.map((href) => `<a href="${href}"></a>`).join(''))
  assert.deepEqual(
    deadLinks(folder, '/docs/guide/'),
    dead.map((href) => `page.html: ${href}`),
  )
})

test('docs/how-to/run-in-production.md: the platform serves the site with a policy, validators and compression', async () => {
  const page = await fetch(`${url}/tutorials/quickstart-node`, { headers: { 'accept-encoding': 'br' } })
  assert.equal(page.status, 200)
  assert.equal(page.headers.get('content-encoding'), 'br')
  assert.equal(page.headers.get('cache-control'), 'no-cache')
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(
    policy,
    /default-src 'none'.*script-src 'self' 'sha256-.*style-src 'self'; style-src-attr 'unsafe-inline'/,
  )
  const text = await page.text()
  assert.match(text, /^<!DOCTYPE html>/)
  const again = await fetch(page.url, { headers: { 'if-none-match': page.headers.get('etag') ?? '' } })
  assert.equal(again.status, 304)

  const [, script = ''] = /src="\/docs\/guide(\/assets\/app\.[^"]+)"/.exec(text) ?? []
  const asset = await fetch(url + script)
  assert.equal(asset.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal(asset.headers.get('content-type'), 'text/javascript; charset=utf-8')
  for (const [path, type] of [
    ['/llms.txt', 'text/plain'],
    ['/tutorials/quickstart-node.md', 'text/markdown'],
    ['/reference/openapi/platform.json', 'application/json'],
    ['/decisions/', 'text/html'],
    ['', 'text/html'],
    ['/', 'text/html'],
  ])
    assert.ok((await fetch(url + path)).headers.get('content-type')?.startsWith(`${type};`), path)
})

test('docs/how-to/run-in-production.md: paths outside the site, hidden files and folders are not found', async () => {
  const hostile = [
    '/none',
    '/.env',
    '/..%2f..%2fpackage.json',
    '/%2e%2e/package.json',
    '/assets',
    '/a%00',
    '/a%5cb',
    '/x.html.br',
  ]
  for (const path of hostile) {
    const answer = await fetch(url + path)
    assert.ok([400, 404].includes(answer.status), path)
    assert.doesNotMatch(await answer.text(), /"dependencies"/, path)
  }
  const missing = await fetch(`${url}/none`)
  assert.equal(missing.headers.get('cache-control'), 'no-store')
  assert.match(await missing.text(), /^<!DOCTYPE html>/)
  const notBuilt = await fetch(`${emptyUrl}/tutorials/quickstart-node`)
  assert.equal(notBuilt.status, 404)
  assert.match(await notBuilt.text(), /<code>npm run docs:site<\/code>/)
})

for (const { width, colorScheme } of [
  { width: 1280, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const)
  test(`docs/README.md: search, tabs and appearance work without other servers, at ${width} pixels`, async () => {
    const { context, page, problems } = await openPage(await sharedBrowser(), {
      viewport: { width, height: 900 },
      colorScheme,
    })
    const foreign: string[] = []
    page.on('request', (request) => request.url().startsWith(new URL(url).origin) || foreign.push(request.url()))
    await page.goto(`${url}/`)
    await page.getByRole('heading', { name: 'Offer loans in your app' }).waitFor()
    await assertUsable(page, 'the start page')
    await page.getByText('Python', { exact: true }).click()
    await page.getByText('client.create_session').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox').fill('forged webhook')
    await page.getByRole('link', { name: 'Refuse a forged webhook' }).first().click()
    await page.getByRole('heading', { name: 'Refuse a forged webhook' }).waitFor()
    await assertUsable(page, 'a quickstart')
    assert.ok((await page.getByTitle('Copy Code').count()) > 5)
    assert.equal(await page.evaluate(`document.documentElement.classList.contains('dark')`), colorScheme === 'dark')
    assert.deepEqual(problems, [])
    assert.deepEqual(foreign, [])
    await context.close()
  })
