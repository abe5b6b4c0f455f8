import re,os,glob
def sub(p,*pairs):
    s=open(p).read()
    for a,b in pairs:
        if a not in s: print('MISSING',p,a); continue
        s=s.replace(a,b)
    open(p,'w').write(s)
sub('bin/lendloom.js',("'@lendloom/foundation/quick-imports.mjs'","'../packages/foundation/src/quick-imports.mjs'"),("'@lendloom/cli/main'","'../apps/cli/src/main.ts'"))
s=open('bin/compile.mjs').read()
i=s.index("import '@lendloom"); 
s=s[:i]+"import '../packages/foundation/src/quick-imports.mjs'\n\nconst modules = [\n  'platform/src/program',\n  'sandbox/src/program',\n  'partner/src/program',\n  'cli/src/start',\n  'cli/src/start/run-files',\n]\nfor (const path of modules) await import(`../apps/${path}.ts`)\nprocess.exit(0)\n"
open('bin/compile.mjs','w').write(s)
sub('tests/architecture/citations.ts',("{src,packages,test,bench,prove,examples,bin,docs}","{apps,packages,tests,tools,bench,proofs,examples,bin,docs}"))
sub('tests/architecture/packing.ts',("{src,packages,test,bench,prove,examples}","{apps,packages,tests,tools,bench,proofs,examples}"))
sub('tests/full/docs/patterns.test.ts',("'src/kit/some.ts'","'packages/foundation/src/some.ts'"))
sub('packages/foundation/src/log.test.ts',("import { logTo } from './log.ts'\n      const","import { logTo } from '@lendloom/foundation/log'\n      const"))
sub('packages/foundation/src/telemetry/open-telemetry.full.test.ts',("import { recordSpans } from './start.ts'","import { recordSpans } from '@lendloom/foundation/telemetry/start'"),("'#foundation/trace.ts'\n","'@lendloom/foundation/trace'\n"))
sub('packages/foundation/src/program.test.ts',("    import { ConfigError } from './config.ts'","    import { ConfigError } from '@lendloom/foundation/config'"),("    import { logTo } from './log.ts'","    import { logTo } from '@lendloom/foundation/log'"),("    import { runProgram } from './program.ts'","    import { runProgram } from '@lendloom/foundation/program'"))
for p in ['tests/smoke/simulation.test.ts','tests/full/failure/simulate.test.ts']:
    sub(p,("const args = ['proofs/main.ts'","const args = ['--conditions=inside', 'proofs/main.ts'"))
sub('apps/page/src/text.test.ts',("sourcesIn('packages/wire/src')","['wire', 'lending'].map((name) => sourcesIn(`packages/${name}/src`)).join('\\n')"))
sub('knip.json',("\"src/{platform,partner,sandbox}/main.ts\"","\"apps/{platform,partner,sandbox}/src/main.ts\""),("\"{src,test,packages}/**/*.test.ts\"","\"{apps,tests,packages,tools}/**/*.test.ts\""),("\"{bench,prove}/*.ts\"","\"{bench,proofs}/*.ts\""),("{src,test,bench,prove,packages,examples,deploy}","{apps,tests,bench,proofs,packages,tools,examples,deploy}"),("tools/web/{console,demo,embed}/main.tsx","apps/{console,demo,page}/src/main.tsx"),('    "packages/*.ts",\n','    "tools/{docs,packages,web}/*.ts",\n'))
s=open('package.json').read(); s=s.replace('"node -C inside examples/','"node examples/'); open('package.json','w').write(s)
s=open('tools/web/build.ts').read()
s=s.replace("'embed/","'apps/page/src/").replace("`embed/","`apps/page/src/").replace("'sdk/lendloom.ts'","'packages/browser-sdk/src/lendloom.ts'").replace("'demo/main.tsx'","'apps/demo/src/main.tsx'").replace("join(sourceFolder, 'console', 'main.tsx')","join(root, 'apps', 'console', 'src', 'main.tsx')").replace("  sourceFolder,\n","")
open('tools/web/build.ts','w').write(s)
s=open('tools/web/build-bundle.ts').read()
s=s.replace("export const sourceFolder = import.meta.dirname\nexport const root = join(sourceFolder, '..', '..')","export const root = join(import.meta.dirname, '..', '..')").replace("join(sourceFolder, 'embed', 'prerender.tsx')","join(root, 'apps', 'page', 'src', 'prerender.tsx')").replace("join(sourceFolder, ","join(root, ")
open('tools/web/build-bundle.ts','w').write(s)
sub('CHANGELOG.md',("(packages/embed/README.md)","(packages/browser-sdk/README.md)"))
s=open('tests/full/installation/recorded/README.md').read(); s=s.replace('node proofs/setup/record.ts','node -C inside proofs/setup/record.ts'); open('tests/full/installation/recorded/README.md','w').write(s)
sub('apps/cli/src/init.ts',("--max-old-space-size=1408 src/${program}/main.ts","--max-old-space-size=1408 apps/${program}/src/main.ts"))
sub('apps/cli/src/start/launch.ts',("`src/${name.replace('second-', '')}/main.ts`","`apps/${name.replace('second-', '')}/src/main.ts`"))
sub('packages/event-log/src/outbox.test.ts',("import { outboxWorker } from './outbox.ts'\nimport { sealWith }","import { outboxWorker } from '@lendloom/event-log/outbox'\nimport { sealWith }"))
# programs that tests run with --eval: their specifiers are resolved from the root
def evaluated(f):
    s=open(f).read()
    d=os.path.dirname(f)
    ws='/'.join(f.split('/')[:2])
    name=ws.split('/')[1]
    def template(m):
        t=m.group(0)
        t=re.sub(r"((?:from|import|import\()\s*\(?')\./([^']+')",lambda k:k.group(1)+'./'+d+'/'+k.group(2),t)
        t=re.sub(r"((?:from|import|import\()\s*\(?')#"+name+r"/([^']+')",lambda k:k.group(1)+'./'+ws+'/src/'+k.group(2),t)
        t=re.sub(r"((?:from|import|import\()\s*\(?')@lendloom/([a-z-]+)/src/([^']+')",lambda k:k.group(1)+'./'+('apps' if k.group(2) in('platform','partner','sandbox','cli') else 'packages')+'/'+k.group(2)+'/src/'+k.group(3),t)
        return t
    n=re.sub(r'`[^`]*`',template,s)
    if n!=s: open(f,'w').write(n)
for f in ['apps/partner/src/collection/collect.crash.test.ts','apps/partner/src/loan/day-end.crash.test.ts','apps/platform/src/application/network/apply.crash.test.ts','apps/platform/src/network/report/report.full.test.ts','apps/platform/src/webhook/bulk-replay/bulk-replay.full.test.ts','apps/platform/src/webhook/deliver.crash.test.ts','packages/event-log/src/inbox.crash.test.ts']:
    evaluated(f)
sub('packages/event-log/src/inbox.crash.test.ts',("['--input-type=module'","['--conditions=inside', '--input-type=module'"))

sub('deploy/image/lendloom',("import('/app/src/cli/main.ts')","import('/app/apps/cli/src/main.ts')"))
sub('docs/how-to/add-a-product.md',("`src/platform/product/two-wheeler-loan.ts`","`apps/platform/src/product/two-wheeler-loan.ts`"),("`src/web/embed/product/two-wheeler-loan.ts`","`apps/page/src/product/two-wheeler-loan.ts`"))
s=open('docs/how-to/release.md').read(); s=s.replace('src/web/sdk/released','packages/browser-sdk/src/released'); open('docs/how-to/release.md','w').write(s)
sub('tests/full/packages/embed.test.ts',("`src/web/sdk/released/","`packages/browser-sdk/src/released/"))
sub('tools/docs/data-model.ts',("`src/${program}/**/store.ts`","`apps/${program}/src/**/store.ts`"))
sub('.github/workflows/page.yml',("src/kit/**","packages/*/src/**"))
s=open('Containerfile').read()
s=s.replace("find src packages \\(","find apps packages \\(").replace("COPY --from=build /app/src ./src\nCOPY --from=build /app/packages/conformance ./packages/conformance\n","COPY --from=build /app/apps ./apps\nCOPY --from=build /app/packages ./packages\n").replace("COPY package.json package-lock.json .npmrc ./\n","COPY package.json package-lock.json .npmrc ./\nCOPY apps/cli/package.json apps/cli/\n") if False else s
open('Containerfile','w').write(s)
s=open('Containerfile').read()
s=s.replace("COPY package.json package-lock.json .npmrc ./\n# The image has Node 24 itself, and the pages are built below.\nRUN npm ci --ignore-scripts\nCOPY . .\n","# With their folders: npm links the workspaces.\nCOPY . .\n# The image has Node 24 itself, and the pages are built below.\nRUN npm ci --ignore-scripts\n")
s=s.replace("find src packages \\(","find apps packages \\(").replace("COPY --from=build /app/src ./src\nCOPY --from=build /app/packages/conformance ./packages/conformance\n","COPY --from=build /app/apps ./apps\nCOPY --from=build /app/packages ./packages\n")
s=s.replace("COPY --from=build /app/src ./src\n","COPY --from=build /app/apps ./apps\n").replace("COPY --from=build /app/packages/conformance ./packages/conformance\n","COPY --from=build /app/packages ./packages\n")
open('Containerfile','w').write(s)
sub('deploy/image/licences.ts',("    return folder !== '' && ((!isDev","    const isOurs = isLink || !folder.startsWith('node_modules/')\n    return !isOurs && ((!isDev"),("const { dev: isDev, optional: isOptional } = packages[folder]","const { dev: isDev, optional: isOptional, link: isLink } = packages[folder]"))
sub('.github/workflows/page.yml',("      - packages/wire/src/**\n      - packages/*/src/**\n      - apps/platform/src/**\n","      - apps/page/**\n      - apps/platform/src/**\n"),("      # The SDK's package for React.\n      - packages/**\n","      - packages/**\n"))
sub('tests/full/installation/postgres.test.ts',("['--input-type=module', '--eval', script]","['--conditions=inside', '--input-type=module', '--eval', script]"))
sub('tests/full/exactness/planted-faults.test.ts',("const args = ['--import', plant, '--test',","const args = ['--conditions=inside', '--import', plant, '--test',"))
sub('tests/full/installation/systemd-units.test.ts',("/src\\/\\S+\\.ts/","/apps\\/\\S+\\.ts/"))
sub('tools/docs/docs.full.test.ts',("  const sources = globSync('{apps,packages}/*/src/**/*.ts').filter((path) => !path.endsWith('.test.ts'))","  const isOurs = (path: string) => !path.endsWith('.test.ts') && !path.startsWith('packages/server-node/')\n  const sources = globSync('{apps,packages}/*/src/**/*.ts').filter(isOurs)"),("in `(src\\/[^`]+)`/g","in `((?:apps|packages)\\/[^`]+)`/g"))
sub('tools/docs/data-model.ts',("const [, , module = ''] = path","const [, , , module = ''] = path"),("owners.get(name) ?? 'kit'))].sort()","owners.get(name) ?? shared))].sort()"),("(owners.get(name) ?? 'kit') === module","(owners.get(name) ?? shared) === module"),("/** The module that writes each table; tables written by shared code belong to the kit. */","const shared = 'packages'\n\n/** The module that writes each table; tables that no module writes belong to the packages. */"))
sub('tests/full/installation/image.test.ts',("  for (const name of [...Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).dependencies), ...bundled])","  const dependencies = globSync('{apps,packages}/*/package.json').flatMap((path) =>\n    Object.keys(JSON.parse(readFileSync(path, 'utf8')).dependencies ?? {}).filter((name) => !name.startsWith('@lendloom/')),\n  )\n  assert.ok(dependencies.length > 30)\n  for (const name of [...dependencies, ...bundled])"),("globSync('tools/web/**/*.{ts,tsx}')","globSync('{apps/{console,demo,page}/src,packages/browser-sdk/src,tools/web}/**/*.{ts,tsx}')"))
sub('tests/architecture/patterns.ts',("platform|sandbox)|packages)\\//","platform|sandbox)|packages\\/(?!server-node|conformance|command-line)[\\w-]+)\\//"))
sub('proofs/simulate/programs.ts',("join(import.meta.dirname, '../../src', program, 'migrations')","join(import.meta.dirname, '..', '..', 'apps', program, 'src', 'migrations')"))
sub('tools/web/build-plugins.ts',("'/kit/design/tokens.css'","'/design/src/tokens.css'"))
