import re,subprocess,json,os
def sub(p,*pairs):
    s=open(p).read()
    for a,b in pairs:
        if a not in s: print('MISSING',p,a); continue
        s=s.replace(a,b)
    open(p,'w').write(s)
# the roots of what is read by path
sub('apps/cli/src/contexts.full.test.ts',("join(root, 'src', 'cli', 'main.ts')","join(root, 'apps', 'cli', 'src', 'main.ts')"),("import.meta.dirname, '..', '..')","import.meta.dirname, '..', '..', '..')"))
sub('apps/cli/src/doctor/database.ts',("join(home, 'src', program, 'migrations')","join(home, 'apps', program, 'src', 'migrations')"))
sub('apps/cli/src/migrate.ts',("join(home, 'src', program, 'migrations')","join(home, 'apps', program, 'src', 'migrations')"))
sub('apps/cli/src/installation.ts',("resolve(import.meta.dirname, '..', '..')","resolve(import.meta.dirname, '..', '..', '..')"))
sub('apps/cli/src/migrate.test.ts',("`${import.meta.dirname}/../${program}/migrations`","`${import.meta.dirname}/../../${program}/src/migrations`"))
sub('apps/cli/src/version.ts',("import.meta.dirname, '..', '..', 'package.json'","import.meta.dirname, '..', '..', '..', 'package.json'"))
sub('apps/cli/src/start/launch.ts',("  const watcher = watchFiles(join(home, 'src'), { recursive: true }, (_event, file) => {\n    clearTimeout(timer)","  const onChange = (_event: string, file: string | null) => {\n    clearTimeout(timer)"))
sub('apps/partner/src/document/upload.crash.test.ts',("import.meta.dirname, '..', '..', '..')","import.meta.dirname, '..', '..', '..', '..')"))
sub('apps/partner/src/loan/class/asset-class.full.test.ts',("'../../../../docs/","'../../../../../docs/"))
sub('apps/platform/src/guide-pages.ts',("'..', '..', 'dist', 'guide'","'..', '..', '..', 'dist', 'guide'"))
sub('apps/platform/src/web-build.ts',("'..', '..', 'dist', 'web'","'..', '..', '..', 'dist', 'web'"))
sub('packages/event-log/src/inbox.crash.test.ts',("'..', '..', 'partner', 'migrations'","'..', '..', '..', 'apps', 'partner', 'src', 'migrations'"))
sub('bench/setup/database.ts',("'..', '..', 'src', program, 'migrations'","'..', '..', 'apps', program, 'src', 'migrations'"))
sub('bench/soak.ts',("join('src', 'platform', 'main.ts')","join('apps', 'platform', 'src', 'main.ts')"))
sub('bench/start.ts',("`src/${program}/main.ts`","`apps/${program}/src/main.ts`"))
sub('bin/prepare.mjs',("join(root, 'src', 'web', 'build.ts')","join(root, 'tools', 'web', 'build.ts')"))
sub('packages/command-line/build.ts',("join(root, 'src', 'cli', 'package-main.ts')","join(root, 'apps', 'cli', 'src', 'package-main.ts')"),("join(root, 'src', 'kit', 'crypto', name)","join(root, 'packages', 'seal', 'src', name)"),("code.includes(\"/load.ts'\")","!/\\/load(?:\\.ts)?'/.test(code)"))
sub('packages/command-line/build.ts',("|| !!/","|| !/"))
sub('packages/browser-sdk/build.ts',("['#contract/hosted/lifecycle.ts', './updates.js']","['@lendloom/wire/hosted/lifecycle', './updates.js']"),("['#contract/hosted/embed-message.ts', './messages.js']","['@lendloom/wire/hosted/embed-message', './messages.js']"),("['#contract/language.ts', './language.js']","['@lendloom/lending/language', './language.js']"),("join('src', 'web', 'sdk')","join('packages', 'browser-sdk', 'src')"),("join(compiled, 'src', 'contract', 'hosted', `embed-message.${ending}`)","join(compiled, 'packages', 'wire', 'src', 'hosted', `embed-message.${ending}`)"),("join(compiled, 'src', 'contract', `language.${ending}`)","join(compiled, 'packages', 'lending', 'src', `language.${ending}`)"),("/(from |import\\()['\"]#[^'\"]*['\"]/","/(from |import\\()['\"](?:#|@lendloom\\/)[^'\"]*['\"]/"))
sub('tools/web/sdk-files.ts',("join(import.meta.dirname, 'sdk', 'released')","join(root, 'packages', 'browser-sdk', 'src', 'released')"))
sub('proofs/upgrade.ts',("join('src', 'platform', 'migrations')","join('apps', 'platform', 'src', 'migrations')"),("join('src', 'partner', 'migrations')","join('apps', 'partner', 'src', 'migrations')"))
sub('proofs/setup/process.ts',("`src/${program}/main.ts`","`apps/${program}/src/main.ts`"))
sub('proofs/setup/programs.ts',("/../../src/${program}/migrations`","/../../apps/${program}/src/migrations`"))
sub('proofs/setup/container.ts',("'src/{kit,contract,platform,partner,sandbox,cli}/**/*.ts'","'{apps,packages}/*/src/**/*.ts'"),("app/src/platform/program.ts","app/apps/platform/src/program.ts"),("'{src,packages,test}/**/*.test.*'","'{apps,packages,tests}/**/*.test.*'"))
sub('tests/full/installation/compatibility.test.ts',("'..', '..', '..', 'src', program, 'migrations'","'..', '..', '..', 'apps', program, 'src', 'migrations'"))
sub('tests/full/installation/postgres.test.ts',("'src', 'platform', 'migrations'","'apps', 'platform', 'src', 'migrations'"))
for p in ['tests/setup/database.ts','tests/setup/distributed.ts']:
    sub(p,("'..', '..', 'src', program, 'migrations'","'..', '..', 'apps', program, 'src', 'migrations'"))
sub('tests/setup/pages.ts',("'src/{contract,kit,web}/**/*.{ts,tsx,css,svg,json}'","'{apps/{console,demo,page},packages,tools/web}/**/*.{ts,tsx,css,svg,json}'"),("join(root, 'src', 'web', 'build.ts')","join(root, 'tools', 'web', 'build.ts')"))
sub('tools/docs/main.ts',("join(home, 'src', program, 'migrations')","join(home, 'apps', program, 'src', 'migrations')"))
sub('tools/packages/webhook-vectors.ts',("join(root, 'src', 'platform', 'api-examples.json')","join(root, 'apps', 'platform', 'src', 'api-examples.json')"),("join(import.meta.dirname, '..')","join(import.meta.dirname, '..', '..')"))
for p in ['tools/packages/build.ts','tools/packages/generated.ts']:
    sub(p,("join(import.meta.dirname, '..')","join(import.meta.dirname, '..', '..')"))
for p in ['tools/packages/node-client.ts','tools/packages/python-types.ts']:
    sub(p,("join(import.meta.dirname, '..', 'package.json')","join(import.meta.dirname, '..', '..', 'package.json')"))
sub('tools/packages/python-types.ts',("join(import.meta.dirname, '..', home,","join(import.meta.dirname, '..', '..', home,"))
sub('apps/page/src/text.test.ts',("const root = join(import.meta.dirname, '..', '..')","const root = join(import.meta.dirname, '..', '..', '..')"),("sourcesIn('web/embed')","sourcesIn('apps/page/src')"),("join(root, 'web', 'document.ts')","join(root, 'tools', 'web', 'document.ts')"),("sourcesIn('contract')","sourcesIn('packages/wire/src')"))
# globs
glob="{apps,packages}/*/src/**/*.ts"
sub('tests/record-keeping.test.ts',("'src/{kit,partner,platform,cli}/**/*.{ts,sql}'","'{apps/{partner,platform,cli},packages/*}/src/**/*.{ts,sql}'"))
sub('tests/sql-statements.test.ts',("'src/{kit,platform,partner,sandbox}/**/*.ts'","'{apps/{platform,partner,sandbox},packages/*}/src/**/*.ts'"))
sub('tools/docs/docs.full.test.ts',("'src/{cli,contract,kit,partner,platform,sandbox}/**/*.ts'","'{apps,packages}/*/src/**/*.ts'"),("'src/{platform,partner,contract/exchange}/**/*.ts'","'{apps/{platform,partner}/src,packages/wire/src/exchange}/**/*.ts'"))
sub('tests/full/installation/alert-rules.test.ts',("'src/{kit,platform,partner}/**/*.ts'","'{apps/{platform,partner},packages/*}/src/**/*.ts'"),("'src/{platform,partner}/migrations/001-*.sql'","'apps/{platform,partner}/src/migrations/001-*.sql'"),("'src/**/*.ts'","'{apps,packages}/*/src/**/*.ts'"))
sub('tests/architecture/alert-rules.ts',("'src/{kit,contract,platform,partner}/**/*.ts'","'{apps/{platform,partner},packages/*}/src/**/*.ts'"))
sub('tests/architecture/gauge.ts',("`src/${program}/**/*.{ts,tsx,css,sql}`","`${program}/**/*.{ts,tsx,css,sql}`"))
sub('tests/architecture/patterns.ts',("/^src\\/(?:contract|kit|partner|platform|sandbox|web)\\//","/^(?:apps\\/(?:console|demo|page|partner|platform|sandbox)|packages)\\//"))
sub('tests/architecture/citations.ts',("/^(src\\/contract|packages\\/conformance)\\/network\\//","/^packages\\/(wire\\/src|conformance)\\/network\\//"))
sub('tests/architecture/figures.ts',("/^src\\/(platform|partner)\\//","/^apps\\/(platform|partner)\\/src\\//"))
sub('tests/architecture/sources.ts',("'{src,packages/conformance}/**/*.{ts,tsx}'","'{{apps,packages}/*/src,packages/conformance,tools/{docs,web}}/**/*.{ts,tsx}'"))
sub('tests/setup/queue.ts',("/^test\\/(smoke|page|full)\\//","/^tests\\/(smoke|page|full)\\//"),("'{src,packages,test}/**/*.test.ts'","'{apps,packages,tests,tools}/**/*.test.ts'"),("cli\\/postgres)|\\.\\.\\/prove\\/","cli\\/(?:src\\/)?postgres)|\\.\\.\\/proofs\\/"))
# scripts that look inside workspaces
s=open('package.json').read()
for name in ['tests/run.ts','tests/architecture/gauge.ts','bench/main.ts','bench/capacity/main.ts','proofs/main.ts','tools/docs/api-changes.ts','tools/packages/generated.ts','tools/docs/main.ts','tools/packages/build.ts']:
    s=s.replace('node '+name,'node -C inside '+name)
s=re.sub(r'"(example:[a-z-]+)": "node ',r'"\1": "node -C inside ',s)
s=s.replace('"tsc -p . --checkers 2 && tsc -p tools/web --checkers 2"','"tsc -p . --checkers 2 && tsc -p tools/web --checkers 2"')
open('package.json','w').write(s)
for w in subprocess.run("ls -d apps/* packages/*",shell=True,capture_output=True,text=True).stdout.split():
    p=w+'/package.json'
    if os.path.exists(p):
        s=open(p).read(); s=s.replace('node ../../tests/run.ts','node -C inside ../../tests/run.ts'); open(p,'w').write(s)
# tsconfig
d=json.load(open('tsconfig.json'))
d['compilerOptions']['customConditions']=['inside']
d['include']=["apps","packages","tests","bench","proofs","examples","tools","deploy"]
d['exclude']=["apps/page","apps/console","apps/demo","packages/browser-sdk/src","tools/web"]
json.dump(d,open('tsconfig.json','w'),indent=2); open('tsconfig.json','a').write('\n')
p='tools/web/tsconfig.json'; d=json.load(open(p))
d['compilerOptions']['customConditions']=['inside']
d['include']=['.','../../apps/page','../../apps/console','../../apps/demo','../../packages/browser-sdk/src']
json.dump(d,open(p,'w'),indent=2); open(p,'a').write('\n')
s=open('biome.json').read()
s=s.replace('"src/**",\n      "test/**",\n      "bench/**",\n      "prove/**",','"apps/**",\n      "tests/**",\n      "bench/**",\n      "proofs/**",\n      "tools/**",').replace('"!src/web/sdk/released"','"!packages/browser-sdk/src/released"')
open('biome.json','w').write(s)
s=open('biome.json').read()
s=s.replace('"includes": ["src/**", "packages/conformance/**", "!tools/web/**", "!**/*.test.ts"]','"includes": [\n        "apps/**",\n        "packages/**",\n        "!apps/{console,demo,page}/**",\n        "!packages/{browser-sdk,command-line,server-node,server-python}/**",\n        "!**/*.test.ts"\n      ]')
s=s.replace('"includes": ["tools/web/**", "!**/*.test.ts"]','"includes": ["apps/{console,demo,page}/**", "packages/browser-sdk/**", "tools/**", "!**/*.test.ts"]')
s=s.replace('"tools/web/**",\n        "!apps/page','"apps/{console,demo,page}/**",\n        "packages/browser-sdk/src/**",\n        "tools/web/**",\n        "!apps/page')
open('biome.json','w').write(s)
sub('tests/setup/worker.ts',("    '--single-threaded-gc',\n    '--max-semi","    '--conditions=inside',\n    '--single-threaded-gc',\n    '--max-semi"))
sub('tests/setup/programs.ts',("`src/${program}/main.ts`","`apps/${program}/src/main.ts`"))
sub('tests/architecture/gauge.ts',("['kit', 'contract', 'platform', 'partner', 'sandbox', 'web', 'cli', 'docs']","globSync('{apps,packages}/*/package.json').map(dirname).sort()"),("  print('packages', linesOf('packages/**/*.{ts,tsx,py}', false))\n",""),("'{src,packages,test}/**/*.test.{ts,tsx}'","'{apps,packages,tests,tools}/**/*.test.{ts,tsx}'"))
# the architecture test
p='tests/architecture.test.ts'; s=open(p).read()
i=s.index("// In a folder with layers"); j=s.index("  'apps/platform/src': [")
s=s[:i]+"// In a folder with layers each folder and file may import the layers below it, never its neighbours, never upward.\nconst layers: Record<string, string[][]> = {\n"+s[j:]
s=re.sub(r"  'tools/web': \[.*?\n  \],\n","",s,flags=re.S)
s=s.replace("/^src\\/(platform|partner)\\/settings\\.ts$/","/^apps\\/(platform|partner)\\/src\\/settings\\.ts$/")
s=s.replace("globSync('src/{kit,contract,platform,partner,sandbox}/**/*.ts')","globSync('{apps/{platform,partner,sandbox},packages/*}/src/**/*.ts')")
s=s.replace("""  const [program = '', module = ''] = path.replace(/^(src\\/|#)/, '').split('/')
  return { program, module: module.endsWith('.ts') ? null : module }""","""  const [kind = '', workspace = '', , module = ''] = path.split('/')
  return { program: kind === 'apps' ? workspace : null, module: module.endsWith('.ts') ? null : module }""")
s=s.replace("const isIn = (path: string) => folder === '.' || path.startsWith(`${folder}/`)","const isIn = (path: string) => path.startsWith(`${folder}/`)")
s=s.replace("if (gathersSettings.test(from) && folder !== '.') continue","if (gathersSettings.test(from)) continue")
s=s.replace("""test('modules are named with #, never with ../, but in the browser’s', () => {
  for (const { path, text } of sources) assert.doesNotMatch(text, /['"]\\.\\.\\//, path)
})
""","""test('modules are named with # or by a door, never with ../, but in the browser’s', () => {
  for (const { path, text } of sources)
    if (!/^packages\\/(browser-sdk|server-node)\\//.test(path)) assert.doesNotMatch(text, /['"]\\.\\.\\//, path)
})
""")
s=s.replace("/^src\\/contract\\/(aggregator\\/data|registrar\\/envelope)\\.ts$/","/^packages\\/wire\\/src\\/(aggregator\\/data|registrar\\/envelope)\\.ts$/")
s=s.replace("if (!path.startsWith('packages/wire/src/')) continue","if (!/^packages\\/(wire|lending)\\//.test(path) || path.includes('/ifsc')) continue")
s=s.replace("/#kit\\/(?:(?:db|files|messaging)\\/|http\\/(?:server|client|open-id)\\.ts)/","/@lendloom\\/(?:postgres|files|queue|event-log)\\/|@lendloom\\/http\\/(?:server|client|open-id)'/")
s=s.replace("/^src\\/(?:kit|platform|partner)\\//.test(path) && hashing","/^(?:apps\\/(?:platform|partner)\\/|packages\\/(?!wire|lending|conformance|browser-sdk|server-node))/.test(path) && hashing")
s=s.replace("test('each library is loaded by one file of kit, and pg by kit/db', () => {\n  const { dependencies }: { dependencies: object } = JSON.parse(readFileSync('package.json', 'utf8'))","test('each library is loaded by one file of one package, and pg by packages/postgres', () => {\n  const dependencies = globSync('{apps,packages}/*/package.json').flatMap((path) =>\n    Object.keys(JSON.parse(readFileSync(path, 'utf8')).dependencies ?? {}).filter((name) => !name.startsWith('@lendloom/')),\n  )")
s=s.replace("for (const library of Object.keys(dependencies)) {","for (const library of new Set(dependencies)) {")
s=s.replace("const folder = library === 'pg' ? 'packages/postgres/src/' : 'src/kit/'","const folder = library === 'pg' ? 'packages/postgres/' : 'packages/'")
s=s.replace("if (program === 'kit' || erasers","if (program === null || erasers")
s=s.replace("text.includes('#kit/http/client.ts') || (module && text.includes('#kit/http/open-id.ts'))","text.includes(\"'@lendloom/http/client'\") || (module && text.includes(\"'@lendloom/http/open-id'\"))").replace("if (program !== 'kit' && calls)","if (program !== null && calls)")
s=s.replace("/^src\\/(kit\\/design\\/|sandbox\\/lender\\/(core\\/policy|api\\/public-pages)\\.ts$|kit\\/files\\/pdf\\.ts$|cli\\/tenant\\/theme\\.ts$|contract\\/console\\/theme\\.ts$|platform\\/console\\/(themes\\.full|isolation)\\.test\\.ts$|web\\/console\\/developers\\/appearance\\.tsx$)/","/^(packages\\/design\\/|apps\\/sandbox\\/src\\/lender\\/(core\\/policy|api\\/public-pages)\\.ts$|packages\\/documents\\/src\\/pdf\\.ts$|apps\\/cli\\/src\\/tenant\\/theme\\.ts$|packages\\/wire\\/src\\/console\\/theme\\.ts$|apps\\/platform\\/src\\/console\\/(themes\\.full|isolation)\\.test\\.ts$|apps\\/console\\/src\\/developers\\/appearance\\.tsx$)/")
s=s.replace("/^(?:src\\/(?:contract|kit|partner|platform|sandbox)|packages\\/conformance\\/network)\\//","/^(?:apps\\/(?:partner|platform|sandbox)|packages\\/(?!conformance\\/exchange|browser-sdk|server-node))/").replace("!path.endsWith('kit/runtime/record.ts')","path !== 'packages/foundation/src/record.ts'")
s=s.replace("'src/kit/some.ts'","'packages/foundation/src/some.ts'").replace("['src/kit/some.ts:2']","['packages/foundation/src/some.ts:2']")
for a in ["'src/**/*.{ts,tsx}'","'src/**/*.{css,ts,tsx}'","'src/**/*.ts'","'src/**/*.css'"]:
    s=s.replace(a,a.replace('src/**','{apps,packages}/*/src/**').replace("'{apps","'{apps"))
s=s.replace("/from '#[^']+'|\\.test\\.ts/g","/from '#[^']+'|\\.test\\.ts/g")
s=s.replace("['src/kit/runtime/search-form.ts']","['packages/foundation/src/search-form.ts']")
s=s.replace("/^src\\/(kit\\/http\\/page-frame|web\\/document|contract\\/network\\/challenge)\\.ts$|\\.test\\.ts$/","/^packages\\/(http\\/src\\/page-frame|wire\\/src\\/network\\/challenge)\\.ts$|\\.test\\.ts$/")
s=s.replace("/^src\\/contract\\/network\\/(v2\\d\\d|fixtures)\\//","/^packages\\/wire\\/src\\/network\\/(v2\\d\\d|fixtures)\\//")
s=s.replace("globSync('src/{platform,contract,web}/**/*.{ts,tsx}')","globSync('{apps/{platform,console,demo,page},packages/wire}/src/**/*.{ts,tsx}')")
s=s.replace("/\\/store\\.ts$|^src\\/platform\\/(lender|lender-channels\\.ts$)/","/\\/store\\.ts$|^apps\\/platform\\/src\\/(lender|lender-channels\\.ts$)/")
s=s.replace("'src/platform/offer/","'apps/platform/src/offer/").replace("'src/partner/receiver/","'apps/partner/src/receiver/")
s=s.replace("'{src,packages,test}/**/*.test.ts'","'{apps,packages,tests,tools}/**/*.test.ts'")
open(p,'w').write(s)
p='tests/architecture/sources.ts'; s=open(p).read()
i=s.index("function fileOf(path"); 
s=s[:i]+"""const folderOf = new Map(
  globSync('{apps,packages}/*/package.json').map((path) => {
    const folder = dirname(path)
    return [basename(folder), folder === 'packages/conformance' ? folder : join(folder, 'src')]
  }),
)

/** The file that a specifier names: of the same workspace, or a door of another one; null for packages. */
function fileOf(path: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return join(dirname(path), specifier)
  const [, own, other, inside = ''] = /^(?:#([\\w-]+)|@lendloom\\/([\\w-]+))\\/(?:src\\/)?(.+)$/.exec(specifier) ?? []
  const folder = folderOf.get(own ?? other ?? '')
  if (!folder) return null
  return join(folder, /\\.\\w+$/.test(inside) ? inside : `${inside}.ts`)
}
"""
s=s.replace("import { dirname, join } from 'node:path'","import { basename, dirname, join } from 'node:path'")
open(p,'w').write(s)
import shutil
shutil.copy('codemod/quick-imports.mjs','packages/foundation/src/quick-imports.mjs')
s=open('packages/foundation/src/quick-imports.test.ts').read()
s=s.replace("await import('#kit/runtime/record.ts')","await import('@lendloom/foundation/record')").replace("'./src/kit/../kit/runtime/record.ts'","'./packages/../packages/foundation/src/record.ts'").replace("await import('#kit/runtime/no-such-file.ts')","await import('@lendloom/foundation/no-such-file')").replace("src\\/kit\\/runtime\\/no-such-file\\.ts","packages\\/foundation\\/src\\/no-such-file\\.ts")
open('packages/foundation/src/quick-imports.test.ts','w').write(s)
s=open('tests/architecture/gauge.ts').read()
s=s.replace("import { existsSync, globSync, readFileSync } from 'node:fs'","import { existsSync, globSync, readFileSync } from 'node:fs'\nimport { dirname } from 'node:path'").replace("'{src,packages,test}/**","'{apps,packages,tests,tools}/**")
open('tests/architecture/gauge.ts','w').write(s)
s=open('apps/cli/src/start/launch.ts').read()
s=s.replace("""      for (const program of programs.values()) void program.restart()
    }, 150)
  })
  return () => {
    clearTimeout(timer)""","""      for (const program of programs.values()) void program.restart()
    }, 150)
  }
  const watchers = ['apps', 'packages'].map((folder) => watchFiles(join(home, folder), { recursive: true }, onChange))
  return () => {
    clearTimeout(timer)""").replace("    watcher.close()","    for (const watcher of watchers) watcher.close()")
open('apps/cli/src/start/launch.ts','w').write(s)

s=open('packages/foundation/src/quick-imports.test.ts').read()
s=s.replace("import './quick-imports.mjs'","import './packages/foundation/src/quick-imports.mjs'").replace("await import('./record.ts'), typeof","await import('@lendloom/foundation/record'), typeof")
open('packages/foundation/src/quick-imports.test.ts','w').write(s)
s=open('tests/architecture.test.ts').read()
s=s.replace("      const owner = `${program}/${module}`","      const owner: string = `${program}/${module}`")
open('tests/architecture.test.ts','w').write(s)
sub('tests/setup/recording.ts',("'..', '..', 'src', program, 'migrations'","'..', '..', 'apps', program, 'src', 'migrations'"))
sub('tests/full/installation/upgrade-recording.test.ts',("'..', '..', '..', 'src', program, 'migrations'","'..', '..', '..', 'apps', program, 'src', 'migrations'"))
sub('proofs/setup/process.ts',("const child = spawn(process.execPath, [...options, `apps/${program}/src/main.ts`], {","const main = `apps/${program}/src/main.ts`\n  const child = spawn(process.execPath, [...options, existsSync(join(cwd, main)) ? main : `src/${program}/main.ts`], {"),("/** Starts the program. Another version runs","/** Starts the program; 0.1.0 has it in another folder. Another version runs"),("import { once } from 'node:events'","import { once } from 'node:events'\nimport { existsSync } from 'node:fs'\nimport { join } from 'node:path'"))
