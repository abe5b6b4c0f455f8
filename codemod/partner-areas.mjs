import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
const root = process.cwd()
const groups = {
  books: ['ledger', 'tax'],
  origination: ['case', 'document', 'review'],
  servicing: ['loan', 'collection'],
  records: ['report', 'paper', 'archive', 'retention'],
}
const single = { receiver: 'api', 'loan/terms.ts': 'origination/terms/terms.ts', 'loan/terms.test.ts': 'origination/terms/terms.test.ts', 'loan/penalty.ts': 'origination/terms/penalty.ts', 'loan/rounding.ts': 'origination/terms/rounding.ts' }
const folders = new Map(Object.entries(single))
for (const [area, names] of Object.entries(groups)) for (const name of names) folders.set(name, `${area}/${name}`)
const base = 'apps/partner/src/'
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
    text = text.replace(/(['"`])(#partner\/|@lendloom\/partner\/src\/)([\w./-]+)\1/g, (w, q, head, path) => `${q}${head}${target(base + path).slice(base.length)}${q}`)
    text = text.replace(/((?:\bfrom|\bimport|\bimport\()\s*\(?\s*|new URL\(\s*|readFileSync\(new URL\(\s*)(['"])(\.\.?\/[^'"\n]*)\2/g, (w, head, q, path) => {
      const old = normalize(join(dirname(file), path)).replace(/\/$/, '')
      if (!known.has(old) && !dirs.has(old)) return w
      const [a, b] = [target(file), target(old)]
      if (a === file && b === old) return w
      const sameWorkspace = a.startsWith(base) && b.startsWith(base)
      const next = rel(a, b)
      if (sameWorkspace && next.startsWith('../') && !head.includes('URL')) return `${head}${q}#partner/${b.slice(base.length)}${q}`
      return `${head}${q}${next}${path.endsWith('/') ? '/' : ''}${q}`
    })
  }
  text = text.replace(/(?<![\w@/.#-])((?:\.\.\/)*)(apps\/partner\/src\/[\w./-]*[\w])(\/?)/g, (w, ups, path, slash) => {
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
