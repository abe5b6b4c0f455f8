// Speeds up imports: compiled code is cached for all processes, and files are found without searching. Plain JavaScript,
// so that `node --import` runs it before a program: Node then needs no compiler of TypeScript, which occupies 18 MiB.
import { existsSync } from 'node:fs'
import { enableCompileCache, registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..', '..', '..')

/** The URL of a workspace's sources, by its name; null for a package that is no workspace. */
const sources = new Map()

function sourcesOf(workspace) {
  if (!sources.has(workspace)) {
    const folder = ['packages', 'apps'].find((each) => existsSync(join(root, each, workspace, 'src')))
    sources.set(workspace, folder ? `${pathToFileURL(join(root, folder, workspace, 'src')).href}/` : null)
  }
  return sources.get(workspace)
}

/** A file of the importer's own workspace, such as `#platform/main.ts`. */
const ownFile = /^#([\w-]+)\/(.+)$/
/** A door of another workspace, such as `@lendloom/wire/exchange/lead`; the architecture's test compares it with `exports`. */
const door = /^@lendloom\/([\w-]+)\/(?!src\/)(.+)$/

/** The URL of a module of ours, or of one that is imported by a relative path; undefined for what Node must resolve. */
function ownModuleUrl(specifier, importer) {
  if (importer?.startsWith('file:') && /^\.\.?\//.test(specifier)) return new URL(specifier, importer).href
  const [, workspace, file] = ownFile.exec(specifier) ?? []
  if (workspace && sourcesOf(workspace)) return sourcesOf(workspace) + file
  const [, other, inside] = door.exec(specifier) ?? []
  if (!other || !sourcesOf(other)) return undefined
  return sourcesOf(other) + (/\.\w+$/.test(inside) ? inside : `${inside}.ts`)
}

// By default Node caches no compiled code and searches every parent folder of a module for package.json, which takes a
// third of the start time. If the directory is read-only, modules are compiled on each start. NODE_COMPILE_CACHE wins.
enableCompileCache(join(root, 'node_modules', '.cache', 'lendloom', 'compiled'))
registerHooks({
  resolve(specifier, context, resolveNext) {
    const url = ownModuleUrl(specifier, context.parentURL)
    if (url?.endsWith('.ts')) return { url, format: 'module-typescript', shortCircuit: true }
    if (url?.endsWith('.mjs')) return { url, format: 'module', shortCircuit: true }
    return resolveNext(specifier, context)
  },
})
