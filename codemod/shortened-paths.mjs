// Replaces shortened paths of the old layout, such as `kit/http/client.ts`, by whole ones.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { target } from './map.mjs'
const old = execFileSync('git', ['ls-tree', '-r', '--name-only', 'HEAD~1'], { maxBuffer: 1 << 28 }).toString().trim().split('\n')
const known = new Set(old)
const folders = new Set()
for (const f of old) for (let d = dirname(f); d !== '.'; d = dirname(d)) folders.add(d)
const files = execFileSync('git', ['ls-files'], { maxBuffer: 1 << 28 }).toString().trim().split('\n')
for (const file of files) {
  if (!/\.(md|ts|tsx|mjs|sql|css|yml|yaml)$/.test(file) || /docs\/reference\/openapi|CHANGELOG|packages\/server-/.test(file)) continue
  const before = readFileSync(file, 'utf8')
  const after = before.replace(/(?<![\w/.@#-])((?:kit|contract|platform|partner|sandbox|cli|web)\/[a-z][\w./-]*[\w])(\/?)(?![\w])/g, (whole, path, slash) => {
    const from = `src/${path}`
    if (known.has(from)) return target(from)
    if (folders.has(from)) { const t = target(`${from}/§`); return t.endsWith('/§') ? t.slice(0, -2) + slash : whole }
    return whole
  })
  if (after !== before) {
    writeFileSync(file, after)
    const a = before.split('\n'), b = after.split('\n')
    a.forEach((line, i) => { if (line !== b[i]) console.log(`${file}: ${b[i].trim().slice(0, 130)}`) })
  }
}
