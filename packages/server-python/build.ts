// Prepares the package for Python servers for `python -m build`: its sources, with the version of the repository.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PackageBuild } from '../build.ts'

export function buildServerPython({ root, out }: Pick<PackageBuild, 'root' | 'out'>): void {
  const from = join(root, 'packages', 'server-python')
  mkdirSync(out, { recursive: true })
  const isSource = (path: string) => !/__pycache__|\.egg-info/.test(path)
  cpSync(join(from, 'src'), join(out, 'src'), { recursive: true, filter: isSource })
  cpSync(join(from, 'README.md'), join(out, 'README.md'))
  cpSync(join(root, 'LICENSE'), join(out, 'LICENSE'))
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const project = readFileSync(join(from, 'pyproject.toml'), 'utf8')
  writeFileSync(
    join(out, 'pyproject.toml'),
    project.replace(/^# The version.*\n/m, '').replace('"0.0.0"', `"${version}"`),
  )
}
