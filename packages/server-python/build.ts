// Prepares the package for Python servers for `python -m build`: its sources, with the version of the repository. Also
// builds its wheel, which pip installs without network access.
import { createHash } from 'node:crypto'
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import type { PackageBuild } from '../../tools/packages/build.ts'

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
  mkdirSync(join(out, 'dist'))
  writeFileSync(join(out, 'dist', `lendloom-${version}-py3-none-any.whl`), wheel(out, version))
}

/** A wheel is a zip file of the sources and their description, by the binary distribution format of PyPA. */
function wheel(out: string, version: string): Uint8Array {
  const read = (name: string) => readFileSync(join(out, name), 'utf8')
  const description = `lendloom-${version}.dist-info`
  const paths = globSync('**/*', { cwd: join(out, 'src') }).filter((path) => /\.(py|typed)$/.test(path))
  const files: Record<string, Buffer> = Object.fromEntries([
    ...paths.sort().map((path) => [path.replaceAll('\\', '/'), readFileSync(join(out, 'src', path))]),
    [`${description}/licenses/LICENSE`, readFileSync(join(out, 'LICENSE'))],
    [`${description}/METADATA`, Buffer.from(metadata(version, read('pyproject.toml'), read('README.md')))],
    [
      `${description}/WHEEL`,
      Buffer.from('Wheel-Version: 1.0\nGenerator: lendloom\nRoot-Is-Purelib: true\nTag: py3-none-any\n'),
    ],
  ])
  const record = Object.entries(files).map(
    ([path, bytes]) => `${path},sha256=${createHash('sha256').update(bytes).digest('base64url')},${bytes.length}\n`,
  )
  return zipSync({ ...files, [`${description}/RECORD`]: Buffer.from(`${record.join('')}${description}/RECORD,,\n`) })
}

/** The optional dependencies are those of the project. */
function metadata(version: string, project: string, readme: string): string {
  const [, extras = ''] = /^\[project\.optional-dependencies\]\n((?:\w.*\n)*)/m.exec(project) ?? []
  const lines = [...extras.matchAll(/^(\w+) = \["([^"]+)"\]$/gm)].flatMap(([, name, requirement]) => [
    `Provides-Extra: ${name}`,
    `Requires-Dist: ${requirement}; extra == "${name}"`,
  ])
  return `Metadata-Version: 2.4
Name: lendloom
Version: ${version}
Requires-Python: >=3.9
License-Expression: Apache-2.0
License-File: LICENSE
${lines.join('\n')}
Description-Content-Type: text/markdown

${readme}`
}
