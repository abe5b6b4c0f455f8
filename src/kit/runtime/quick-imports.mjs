// Speeds up imports: compiled code is cached for all processes, and files are found without searching. Plain JavaScript,
// so that `node --import` runs it before a program: Node then needs no compiler of TypeScript, which occupies 18 MiB.
import { enableCompileCache, registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..', '..', '..')
const sources = `${pathToFileURL(join(root, 'src')).href}/`

/** The `imports` of package.json, except `#test/…`, which no program needs. */
const ownPrefix = /^#(?:kit|contract|platform|partner|sandbox|cli)\//

/**
 * The URL of a module that we import by `#…`, or that any module imports by a relative path; undefined for imports that
 * Node must resolve.
 */
function ownModuleUrl(specifier, importer) {
  if (ownPrefix.test(specifier)) return sources + specifier.slice(1)
  if (importer?.startsWith('file:') && /^\.\.?\//.test(specifier)) return new URL(specifier, importer).href
  return undefined
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
