// Builds the package for Node servers: compiled modules with types.
import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { PackageBuild } from '../build.ts'

export function buildServerNode({ root, out, compile }: PackageBuild): void {
  const source = join('packages', 'server-node', 'src')
  const files = readdirSync(join(root, source)).map((name) => join(source, name))
  const compiled = compile(files, ['--lib', 'es2024', '--types', 'node'])
  cpSync(join(compiled, source), join(out, 'dist'), { recursive: true })
}
