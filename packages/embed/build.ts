// The browser package: the SDK and the React component as modules with types, and the SDK as a plain script.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import type { PackageBuild } from '../build.ts'
import { updateTypes } from '../contract-types.ts'

/** Where the types of the contract are in the package. */
const contract: [specifier: string, file: string][] = [
  ['#contract/hosted/lifecycle.ts', './updates.js'],
  ['#contract/hosted/embed-message.ts', './messages.js'],
  ['#contract/language.ts', './language.js'],
]

export async function buildEmbed({ root, out, compile }: PackageBuild): Promise<void> {
  const sdk = join('src', 'web', 'sdk')
  const made = compile(
    ['lendloom.ts', 'react.ts', 'global.ts'].map((name) => join(sdk, name)),
    ['--lib', 'es2024,dom', '--types', 'react'],
  )
  const take = (from: string, to: string) => writeFileSync(join(out, 'dist', to), inPackage(readFileSync(from, 'utf8')))
  for (const name of ['lendloom', 'react', 'address', 'message'])
    for (const ending of ['js', 'd.ts']) take(join(made, sdk, `${name}.${ending}`), `${name}.${ending}`)
  for (const ending of ['js', 'd.ts']) {
    take(join(made, 'src', 'contract', 'hosted', `embed-message.${ending}`), `messages.${ending}`)
    take(join(made, 'src', 'contract', `language.${ending}`), `language.${ending}`)
  }
  writeFileSync(join(out, 'dist', 'updates.d.ts'), updateTypes())
  take(join(made, sdk, 'global.d.ts'), 'global.d.ts')
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir: join(out, 'dist'),
      emptyOutDir: false,
      target: 'chrome87',
      lib: {
        entry: join(root, sdk, 'lendloom.ts'),
        formats: ['iife'],
        name: 'Lendloom',
        fileName: () => 'lendloom.global.js',
      },
    },
  })
}

/** Names of the repository as those of the package. Throws when one is left that the package does not have. */
function inPackage(text: string): string {
  const named = contract.reduce((all, [specifier, file]) => all.replaceAll(`'${specifier}'`, `'${file}'`), text)
  const left = /['"]#[^'"]*['"]/.exec(named)
  if (left) throw new Error(`${left[0]} is not in the package`)
  return named
}
