// Moves every file of a clone to its workspace and rewrites imports and paths: node codemod/move.mjs .
import { execFileSync, execSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { target, workspaceOf } from './map.mjs'

const root = process.argv[2]
const git = (...args) => execFileSync('git', args, { cwd: root, maxBuffer: 1 << 28 }).toString()
const files = git('ls-files').trim().split('\n')
const known = new Set(files)
const folders = new Set()
for (const file of files) for (let d = dirname(file); d !== '.'; d = dirname(d)) folders.add(d)
const moved = new Map(files.map((file) => [file, target(file)]))
/** Where a folder goes: the common new folder of its files, if its rule keeps their paths below it. */
const folderTarget = (folder) => {
  const probe = target(`${folder}/§`)
  return probe.endsWith('/§') ? probe.slice(0, -2) : undefined
}
const alias = { kit: 'src/kit', contract: 'src/contract', platform: 'src/platform', partner: 'src/partner', sandbox: 'src/sandbox', cli: 'src/cli', conformance: 'packages/conformance', test: 'test' }
const ownAlias = { tests: 'test' }
const nameOf = (workspace) => workspace.replace(/^(apps|packages)\//, '')
const sourceOf = (workspace) => (existsSrc.has(workspace) ? `${workspace}/src/` : `${workspace}/`)
const existsSrc = new Set([...moved.values()].filter((f) => /^(apps|packages)\/[^/]+\/src\//.test(f)).map(workspaceOf))
const isTest = (file) => /\.test\.tsx?$/.test(file) || /^(tests|proofs|bench|tools\/docs|tools\/packages|examples|deploy)\//.test(file)
export const doors = new Map()
const used = new Map()
const problems = []

const resolveOld = (specifier, from) => {
  if (specifier.startsWith('#')) {
    const [head, ...rest] = specifier.slice(1).split('/')
    return alias[head] && `${alias[head]}/${rest.join('/')}`
  }
  if (specifier.startsWith('.')) return normalize(join(dirname(from), specifier))
  return undefined
}
const relativeTo = (from, to) => {
  const path = relative(dirname(from), to)
  return path.startsWith('.') ? path : `./${path}`
}
function newSpecifier(specifier, from) {
  const old = resolveOld(specifier, from)
  if (old === undefined) return specifier
  if (!known.has(old)) { if (specifier.startsWith('#')) problems.push(`${from}: ${specifier} is unknown`); return specifier }
  const to = moved.get(old)
  const newFrom = moved.get(from)
  const a = workspaceOf(newFrom)
  const b = workspaceOf(to)
  if (a === b) {
    if (specifier.startsWith('.') || dirname(newFrom) === dirname(to)) return relativeTo(newFrom, to)
    if (!/^(apps|packages|tests)\b/.test(a) || /^packages\/(server-node|server-python|browser-sdk|command-line)$/.test(a)) return specifier.startsWith('#') ? relativeTo(newFrom, to) : relativeTo(newFrom, to)
    return `#${ownAlias[a] ?? nameOf(a)}/${to.slice(sourceOf(a).length)}`
  }
  if (!/^(apps|packages|tests)\b/.test(b)) return relativeTo(newFrom, to)
  if (/^packages\/(server-node|server-python|browser-sdk|command-line|android|ios)$/.test(b)) return relativeTo(newFrom, to)
  if (!existsSrc.has(b) && b !== 'tests' && b !== 'packages/conformance') return relativeTo(newFrom, to)
  const inside = to.slice(sourceOf(b).length)
  const shown = inside.replace(/\.tsx?$/, '')
  if (!isTest(newFrom)) {
    if (!doors.has(b)) doors.set(b, new Map())
    doors.get(b).set(shown, inside)
  }
  ;(used.get(b) ?? used.set(b, []).get(b)).push({ from, inside, shown })
  return `\u0001${b}\u0001${inside}\u0001`
}
const isOpen = (workspace) => workspace === 'tests' || workspace === 'packages/wire' || workspace === 'packages/conformance'

const codePattern = /\.(ts|tsx|mjs|js|cjs)$/
const specifiers = /((?:\bfrom|\bimport|\bimport\(|\bresolve\(|\bmodule\()\s*\(?\s*)(['"])([#.][^'"\n]*)\2/g
const urls = /(new URL\(\s*)(['"`])(\.\.?\/[^'"`$\n]*)\2(,\s*import\.meta\.url)/g
const texts = new Map()
for (const file of files) {
  if (!codePattern.test(file)) continue
  const before = readFileSync(join(root, file), 'utf8')
  let text = before.replace(specifiers, (whole, head, quote, specifier) => `${head}${quote}${newSpecifier(specifier, file)}${quote}`)
  text = text.replace(urls, (whole, head, quote, path, tail) => {
    const old = normalize(join(dirname(file), path))
    const to = moved.get(old) ?? (folders.has(old.replace(/\/$/, '')) ? folderTarget(old.replace(/\/$/, '')) + (path.endsWith('/') ? '/' : '') : undefined)
    return to === undefined ? whole : `${head}${quote}${relativeTo(moved.get(file), to)}${quote}${tail}`
  })
  texts.set(file, text)
}
const specifierFor = (b, inside, from) => {
  const shown = inside.replace(/\.tsx?$/, '')
  if (isOpen(b) || doors.get(b)?.has(shown)) return `@lendloom/${nameOf(b)}/${shown}`
  return `@lendloom/${nameOf(b)}/src/${inside}`
}
for (const [file, text] of texts) texts.set(file, text.replace(/\u0001([^\u0001\n]+)\u0001([^\u0001\n]+)\u0001/g, (_, b, inside) => specifierFor(b, inside, file)))

// Paths in prose, configuration and titles.
const prose = /(?<![\w@/.#-])((?:\.\.?\/)*)((?:src|test|prove|packages)\/[\w.@/-]*[\w/])/g
const unresolved = new Map()
for (const file of files) {
  if (!statSync(join(root, file)).isFile()) continue
  if (/\.(png|woff2|gz|pdf|jpg|ico|zip|webp|xlsx)$/.test(file) || /^(package-lock\.json|docs\/reference\/openapi)/.test(file) || /CHANGELOG|\/fixtures\//.test(file)) continue
  const before = texts.get(file) ?? readFileSync(join(root, file), 'utf8')
  if (before.includes('\0')) continue
  const after = before.replace(prose, (whole, ups, path) => {
    const bare = path.replace(/\/$/, '')
    const slash = path.endsWith('/') ? '/' : ''
    const old = ups.includes('..') ? normalize(join(dirname(file), ups + bare)) : bare
    const to = known.has(old) ? moved.get(old) : folders.has(old) ? folderTarget(old) : undefined
    if (to === undefined) { if (!known.has(old)) unresolved.set(`${file}: ${whole}`, true); return whole }
    if (!ups.includes('..')) return (ups || '') + to + slash
    if (codePattern.test(file)) return whole
    return relativeTo(moved.get(file), to) + slash
  })
  // Links of a moved Markdown file to files that stay.
  let linked = after
  if (/\.md$/.test(file) && moved.get(file) !== file)
    linked = after.replace(/(\]\()((?:\.\.?\/)[^)#\s]+)/g, (whole, head, path) => {
      const old = normalize(join(dirname(file), path)).replace(/\/$/, '')
      const to = moved.get(old) ?? (folders.has(old) ? (folderTarget(old) ?? old) : undefined)
      return to === undefined ? whole : `${head}${relativeTo(moved.get(file), to)}`
    })
  if (linked !== before || texts.has(file)) texts.set(file, linked)
}
for (const [file, text] of texts) writeFileSync(join(root, file), text)
const mkdirs = new Set([...moved.values()].map((to) => dirname(to)))
for (const d of mkdirs) mkdirSync(join(root, d), { recursive: true })
for (const [from, to] of moved) if (from !== to) renameSync(join(root, from), join(root, to))
git('add', '-A')
writeFileSync('codemod/doors.json', JSON.stringify(Object.fromEntries([...doors].map(([b, m]) => [b, Object.fromEntries([...m].sort())])), null, 1))
console.log(problems.join('\n'))
console.log([...unresolved.keys()].join('\n'))
