import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
const root = process.cwd()
const groups = {}
const single = {'api/receiver/claim-page.ts': 'api/borrower-pages/claim-page.ts', 'api/receiver/form.ts': 'api/borrower-pages/form.ts', 'api/receiver/form.test.ts': 'api/borrower-pages/form.test.ts', 'api/receiver/indicative-pages.ts': 'api/borrower-pages/indicative-pages.ts', 'api/receiver/page.ts': 'api/borrower-pages/page.ts', 'api/receiver/paper-page.ts': 'api/borrower-pages/paper-page.ts', 'api/receiver/paper-page.test.ts': 'api/borrower-pages/paper-page.test.ts', 'api/receiver/statement-page.ts': 'api/borrower-pages/statement-page.ts', 'api/receiver/verify-page.ts': 'api/borrower-pages/verify-page.ts', 'api/receiver/routes.ts': 'api/borrower-pages/routes.ts', 'api/receiver/webhook.ts': 'api/partner/webhook.ts', 'api/receiver/webhook.test.ts': 'api/partner/webhook.test.ts', 'api/receiver/provider-callback.ts': 'api/providers/check-callback.ts', 'api/receiver/statement-callback.ts': 'api/providers/statement-callback.ts', 'lenders/network/archive': 'lenders/network/messages'}
const folders = new Map(Object.entries(single))
for (const [area, names] of Object.entries(groups)) for (const name of names) folders.set(name, `${area}/${name}`)
const base = 'apps/platform/src/'
const keys = [...folders.keys()].sort((a, b) => b.length - a.length)
export const target = (file) => {
  if (!file.startsWith(base)) return file
  const inside = file.slice(base.length)
  const key = keys.find((each) => inside === each || inside.startsWith(`${each}/`))
  return key ? base + folders.get(key) + inside.slice(key.length) : file
}
const files = execFileSync('git', ['ls-files'], { maxBuffer: 1 << 28 }).toString().trim().split('\n')
const known = new Set(files)
const dirs = new Set()
for (const f of files) for (let d = dirname(f); d !== '.'; d = dirname(d)) dirs.add(d)
const code = /\.(ts|tsx|mjs|js)$/
const rel = (from, to) => { const p = relative(dirname(from), to); return p.startsWith('.') ? p : `./${p}` }
const texts = new Map()
for (const file of files) {
  if (/\.(png|woff2|gz|br|pdf|jpg|ico|zip|webp|xlsx|sql)$/.test(file) || file === 'package-lock.json' || file.startsWith('docs/reference/openapi')) continue
  let before
  try { before = readFileSync(file, 'utf8') } catch { continue }
  let text = before
  if (code.test(file)) {
    text = text.replace(/(['"`])(#platform\/|@lendloom\/platform\/src\/)([\w./-]+)\1/g, (w, q, head, path) => `${q}${head}${target(base + path).slice(base.length)}${q}`)
    text = text.replace(/((?:\bfrom|\bimport|\bimport\()\s*\(?\s*|new URL\(\s*|readFileSync\(new URL\(\s*)(['"])(\.\.?\/[^'"\n]*)\2/g, (w, head, q, path) => {
      const old = normalize(join(dirname(file), path)).replace(/\/$/, '')
      if (!known.has(old) && !dirs.has(old)) return w
      const [a, b] = [target(file), target(old)]
      if (a === file && b === old) return w
      const sameWorkspace = a.startsWith(base) && b.startsWith(base)
      const next = rel(a, b)
      if (sameWorkspace && next.startsWith('../') && !head.includes('URL')) return `${head}${q}#platform/${b.slice(base.length)}${q}`
      return `${head}${q}${next}${path.endsWith('/') ? '/' : ''}${q}`
    })
  }
  text = text.replace(/(?<![\w@/.#-])((?:\.\.\/)*)(apps\/platform\/src\/[\w./-]*[\w])(\/?)/g, (w, ups, path, slash) => {
    if (ups && !/\.md$/.test(file)) return w
    const old = path
    if (!known.has(old) && !dirs.has(old)) return w
    return ups + target(old) + slash
  })
  if (text !== before) texts.set(file, text)
}
for (const [f, t] of texts) writeFileSync(f, t)
for (const f of files) { const t = target(f); if (t !== f) { mkdirSync(dirname(t), { recursive: true }); renameSync(f, t) } }
execFileSync('find', ['apps/platform/src', '-type', 'd', '-empty', '-delete'])
execFileSync('git', ['add', '-A'])
