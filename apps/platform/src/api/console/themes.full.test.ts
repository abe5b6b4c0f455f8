// Themes of an application in the console: validation, permissions, and the page that the borrower's browser receives.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { languages } from '@lendloom/lending/language'
import { consoleUser } from '@lendloom/tests/setup/console'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { listNewest } from '#platform/people/audit/store.ts'

const platform = await testPlatform()
const { url, ctx, tenant, secondTenant } = platform
const { tenantId, applicationId } = tenant
const developer = await consoleUser(platform, { role: 'developer', tenantId })
const path = `/developers/applications/${applicationId}/theme`
const page = `${url}/lab/embed?tenant_id=${tenantId}&application_id=${applicationId}`

const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><path d="M0 0h40v20z" fill="#0b6e4f"/></svg>'
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64')
const themeBody = { name: 'Saathi', accent: '#FFD500', corner: 'round', font: 'serif' }

function pngOf(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4)
    const checksum = Buffer.alloc(4)
    const body = Buffer.concat([Buffer.from(type), data])
    length.writeUInt32BE(data.length)
    checksum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, checksum])
  }
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  const rows = Buffer.alloc((width * 3 + 1) * height)
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), ...parts])
}

/** Returns the smallest compressed size of twenty pages, because random values in a page vary the size. */
async function measureCompressedPage(language = 'hi'): Promise<number> {
  const sizes: number[] = []
  for (let count = 0; count < 20; count++) {
    const response = await fetch(`${page}&lang=${language}`, { headers: { 'accept-encoding': 'br' } })
    sizes.push(Number(response.headers.get('content-length')))
    await response.arrayBuffer()
  }
  return Math.min(...sizes)
}
const defaultPageSize = await measureCompressedPage()

test('D1 §2.2: the first response has no form for a borrower who has sent it', async () => {
  for (const [suffix, hasForm] of [
    ['', true],
    ['&form=sent', false],
    ['&form=%3Cb%3E', true],
  ] as const) {
    const html = await (await fetch(`${page}&lang=hi${suffix}`)).text()
    assert.equal(html.includes('<nav'), hasForm)
    assert.equal(html.includes('name="pan"'), hasForm)
    assert.equal(/<main><p class="loading">[^<]+<\/p><\/main><footer>/.test(html), !hasForm)
    assert.equal(html.includes('"isFormSent":true'), !hasForm)
  }
})

test('an invalid theme is rejected with the name of the field, and changes nothing', async () => {
  const before = (await developer.ask('GET', path)).body
  const truncated = pngOf(3, 2).subarray(0, 50)
  for (const [field, invalidValue] of [
    ['name', ''],
    ['name', '   '],
    ['name', 'x'.repeat(31)],
    ['name', 'Saathi\u202eknaB'],
    ['accent', 'red'],
    ['accent', '#12345'],
    ['accent', '#1234567'],
    ['corner', 'sharp'],
    ['font', 'Comic Sans MS'],
    ['logo', ''],
    ['logo', base64('<!doctype html><h1>no picture</h1>')],
    ['logo', base64(truncated)],
    ['logo', base64(Buffer.alloc(100_001, 1))],
    ['logo', base64(svg.replace('<path', '<script>alert(1)</script><path'))],
    ['logo', base64(svg.replace('<path', '<path onload="alert(1)"'))],
    ['logo', base64(svg.replace('<path', '<image href="https://evil.example/x.png"/><path'))],
    ['logo', base64(svg.replace('fill="#0b6e4f"', 'fill="url(https://evil.example/x)"'))],
    ['logo', base64(svg.replace(' viewBox="0 0 40 20"', ''))],
  ]) {
    const { status, body } = await developer.ask('PUT', path, { ...themeBody, [String(field)]: invalidValue })
    assert.equal(status, 400, `${field} ${invalidValue?.slice(0, 40)}`)
    const { fields = [], field: firstField } = body.error.details
    assert.equal(fields[0]?.path ?? firstField, field, JSON.stringify(body))
  }
  assert.deepEqual((await developer.ask('GET', path)).body, before)
})

test('returns the derived colours of a theme that is not saved', async () => {
  const choices = { accent: '#fefefe', corner: 'square', font: 'mono' }
  const { status, body } = await developer.ask('POST', `${path}/effect`, choices)
  assert.equal(status, 200)
  assert.equal(body.light['--radius'], '0px')
  assert.equal(body.dark['--on-accent'], '#000000')
  assert.equal(body.contrasts.length, 6)
  assert.match(body.font, /monospace/)
  assert.notEqual(body.light['--rim'], 'transparent')
})

test('the preview is the page without scripts, and only the console may embed it', async () => {
  const response = await fetch(`${url}/api/console${path}/preview?tone=dark`, { headers: { cookie: developer.cookie } })
  const html = await response.text()
  const policy = response.headers.get('content-security-policy') ?? ''
  assert.equal(response.status, 200)
  assert.doesNotMatch(html, /<script|<noscript/)
  assert.match(html, /<body inert>/)
  assert.match(policy, /default-src 'none'.*frame-ancestors 'self'.*sandbox allow-same-origin/)
  assert.equal((await fetch(`${url}/api/console${path}/preview?tone=dark`)).status, 401)
})

describe('D1 §2.2: the look of one application, one story', () => {
  test('D1 §2.2: an application starts with the default look, under its own name from the first byte', async () => {
    const { body } = await developer.ask('GET', path)
    assert.equal(body.isOwn, false)
    assert.equal(body.corner, 'soft')
    assert.equal(body.font, 'system')
    assert.equal(body.logo, null)
    // The ports and ids of a run change the compressed size of one build by up to eighty bytes.
    for (const language of languages) {
      const size = await measureCompressedPage(language)
      assert.ok(size > 0 && size <= 16_600, `${language}: ${size}`)
    }
    await ctx.db`update application set name = ${'Kisan <Bazaar>'} where application_id = ${applicationId}`
    const html = await (await fetch(page)).text()
    assert.match(html, /<p class="brand"><b>Kisan &lt;Bazaar&gt; <\/b><span>powered by Lendloom<\/span><\/p>/)
    assert.match(html, /"brand":"Kisan \\u003cBazaar>"/)
  })

  test('D1 §2.2: the first response has the saved theme, and its content security policy allows the style', async () => {
    const saved = await developer.ask('PUT', path, { ...themeBody, name: ' Saathi <Money> ', logo: base64(svg) })
    assert.equal(saved.status, 200, JSON.stringify(saved.body))
    assert.equal(saved.body.isOwn, true)
    assert.equal(saved.body.name, 'Saathi <Money>')
    assert.equal(saved.body.accent, '#ffd500')
    assert.equal(saved.body.logo.width, 40)
    assert.equal(saved.body.logo.height, 20)
    const textContrast = saved.body.contrasts.find((each: { what: string }) => each.what === 'WORDS')
    assert.notEqual(textContrast.colour, '#ffd500')
    assert.ok(textContrast.contrast >= 4.5)

    const response = await fetch(`${page}&lang=en&lang=hi`)
    assert.equal(response.status, 200, 'a borrower sees the page also if the app repeats a parameter')
    const html = await response.text()
    assert.match(html, /<b>Saathi &lt;Money&gt; <\/b><span>Lendloom द्वारा संचालित<\/span>/)
    assert.match(html, /"brand":"Saathi \\u003cMoney>"/)
    const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? ''
    assert.match(style, /--accent-fill:#ffd500/)
    assert.match(style, /font-family:Charter/)
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(style))).toString('base64')
    assert.ok(response.headers.get('content-security-policy')?.includes(`style-src 'self' 'sha256-${digest}'`))
  })

  test('a theme with a logo adds at most 400 bytes to the first response', async () => {
    assert.ok(
      defaultPageSize > 0 && (await measureCompressedPage()) - defaultPageSize <= 400,
      `${await measureCompressedPage()} and ${defaultPageSize}`,
    )
  })

  test('serves the logo only at the URL with its digest, with headers that prevent scripts', async () => {
    const { logo } = (await developer.ask('GET', path)).body
    const response = await fetch(url + logo.url)
    assert.equal(await response.text(), svg)
    const header = (name: string) => response.headers.get(name)
    assert.deepEqual(['content-type', 'x-content-type-options', 'cross-origin-resource-policy'].map(header), [
      'image/svg+xml',
      'nosniff',
      'same-origin',
    ])
    assert.match(header('content-security-policy') ?? '', /default-src 'none';.*sandbox/)
    assert.match(header('cache-control') ?? '', /immutable/)
    const staleUrl = logo.url.replace(/v=../, 'v=00')
    assert.equal((await fetch(url + staleUrl)).status, 404)
    assert.equal((await fetch(url + logo.url.replace(tenantId, secondTenant.tenantId))).status, 404)
  })

  test('omitting the logo retains it, new bytes change its URL, and null removes it', async () => {
    const firstLogo = (await developer.ask('GET', path)).body.logo
    assert.deepEqual((await developer.ask('PUT', path, themeBody)).body.logo, firstLogo)
    const newLogo = (await developer.ask('PUT', path, { ...themeBody, logo: base64(pngOf(3, 2)) })).body.logo
    assert.notEqual(newLogo.url, firstLogo.url)
    assert.equal(newLogo.width, 3)
    assert.equal(newLogo.height, 2)
    assert.equal((await developer.ask('PUT', path, { ...themeBody, logo: null })).body.logo, null)
  })

  test('accepts an SVG logo that references its own elements', async () => {
    const parts = '<defs><linearGradient id="a"/></defs><use href="#a"/><path d="M0 0h1v1z" fill="url(#a)"/>'
    const svgWithReferences = svg.replace('<path', `${parts}<path`)
    assert.equal((await developer.ask('PUT', path, { ...themeBody, logo: base64(svgWithReferences) })).status, 200)
  })

  test('only the tenant’s developers and admins may change a theme; platform operators may read it', async () => {
    const viewer = await consoleUser(platform, { role: 'viewer', tenantId })
    const operator = await consoleUser(platform, { role: 'operator', tenantId: null })
    const outsider = await consoleUser(platform, { role: 'developer', tenantId: secondTenant.tenantId })
    const statusesOf = async (who: typeof viewer, tenantQuery = '') => ({
      get: (await who.ask('GET', path + tenantQuery)).status,
      put: (await who.ask('PUT', path + tenantQuery, themeBody)).status,
      delete: (await who.ask('DELETE', path + tenantQuery)).status,
    })
    assert.deepEqual(await statusesOf(viewer), { get: 403, put: 403, delete: 403 })
    assert.deepEqual(await statusesOf(operator, `?tenantId=${tenantId}`), { get: 200, put: 403, delete: 403 })
    assert.deepEqual(await statusesOf(outsider), { get: 404, put: 404, delete: 404 })
    assert.deepEqual(await statusesOf(outsider, `?tenantId=${tenantId}`), { get: 404, put: 404, delete: 404 })
    assert.equal((await developer.ask('GET', path)).body.isOwn, true)
  })

  test('a reset restores the default look, and every change is audited', async () => {
    assert.equal((await developer.ask('DELETE', path)).body.isOwn, false)
    assert.equal((await developer.ask('DELETE', path)).status, 200)
    const html = await (await fetch(page)).text()
    assert.match(html, /<b>Kisan &lt;Bazaar&gt; <\/b>/)
    const entries = (await listNewest(ctx.db, tenantId, null, 50)).filter(({ act }) => act.startsWith('THEME_'))
    assert.deepEqual(
      entries.map(({ act }) => act),
      ['THEME_RESET', ...Array(5).fill('THEME_CHANGED')],
    )
    const [, lastChange] = entries
    assert.equal(lastChange?.subject, applicationId)
    assert.equal(lastChange?.personId, developer.person.personId)
    assert.equal(JSON.parse(lastChange?.detail ?? '{}').accent, '#ffd500')
  })
})
