// The npm package `lendloom`: the commands that run on any machine, as JavaScript with everything that they need.

import { chmodSync, cpSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin } from 'vite'
import type { PackageBuild } from '../../tools/packages/build.ts'

/** Bundles packages that our modules load by name at run time (`packages/foundation/src/load-package.ts`). */
const withImports: Plugin = {
  name: 'imports-of-loaded-packages',
  enforce: 'pre',
  transform(code, path) {
    if (!path.includes('/src/') || !/\/load-package(?:\.ts)?'/.test(code)) return null
    const names = [...new Set(Array.from(code.matchAll(/\bload\('([^']+)'\)/g), ([, name = '']) => name))]
    const imports = names.map((name, i) => `import * as loaded${i} from '${name}'\n`)
    const replaced = names.reduce(
      (text, name, i) => text.replaceAll(`load('${name}')`, `(Reflect.get(loaded${i}, 'default') ?? loaded${i})`),
      code,
    )
    return `${imports.join('')}${replaced}`
  },
}

export async function buildCommandLine({ root, out }: Pick<PackageBuild, 'root' | 'out'>): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    plugins: [withImports],
    build: {
      ssr: true,
      outDir: join(out, 'dist'),
      emptyOutDir: false,
      target: 'node22',
      rollupOptions: {
        input: { main: join(root, 'apps', 'cli', 'src', 'package-main.ts') },
        // Every file is three folders below package.json, from which the version is read, as in the repository.
        output: { format: 'es', entryFileNames: 'cli/lib/[name].js', chunkFileNames: 'cli/lib/[name]-[hash].js' },
      },
    },
  })
  // Sealed values of an installation are compressed with them.
  for (const name of ['dictionary-1.txt', 'dictionary-2.txt'])
    cpSync(join(root, 'packages', 'seal', 'src', name), join(out, 'dist', 'cli', 'lib', name))
  const entry = join(out, 'dist', 'cli', 'lendloom.js')
  cpSync(join(root, 'packages', 'command-line', 'lendloom.js'), entry)
  chmodSync(entry, 0o755)
}
