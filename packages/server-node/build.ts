// Builds the package for Node servers: ES modules and CommonJS, each with types.
import { cpSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PackageBuild } from '../../tools/packages/build.ts'

export function buildServerNode({ root, out, compile }: PackageBuild): void {
  const source = join('packages', 'server-node', 'src')
  const files = readdirSync(join(root, source)).map((name) => join(source, name))
  const options = ['--lib', 'es2024', '--types', 'node']
  const formats = [
    { folder: 'dist', type: 'module', options },
    { folder: join('dist', 'cjs'), type: 'commonjs', options: [...options, '--module', 'commonjs'] },
  ]
  for (const { folder, type, options } of formats) {
    cpSync(join(compile(files, options), source), join(out, folder), { recursive: true })
    writeFileSync(join(out, folder, 'package.json'), `${JSON.stringify({ type })}\n`)
  }
}
