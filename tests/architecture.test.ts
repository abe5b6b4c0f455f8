// The architecture rules that can be checked automatically. To add a module, add it to a layer.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { channelConditionals, circles, productConditionals, productNames, sentences } from './architecture/figures.ts'
import { unguardedLookUps } from './architecture/look-ups.ts'
import {
  isPackable,
  literalSpreads,
  packableSources,
  packedAssertions,
  tupleDeclarations,
  tupleHelpers,
} from './architecture/packing.ts'
import { importsOf, openSources, sourceOf } from './architecture/sources.ts'

// In a folder with layers each folder and file may import the layers below it, never its neighbours, never upward.
const layers: Record<string, string[][]> = {
  'apps/platform/src': [
    ['settings.ts'],
    ['context.ts', 'sealed-columns.ts', 'web-build.ts', 'api-texts.ts', 'api-components.ts'],
    ['lending/product', 'lending/page-text', 'day-link.ts', 'api-files.ts', 'guide-text-en.ts'],
    ['guide-pages.ts'],
    ['mail', 'integrators/request-log'],
    ['integrators/access', 'people', 'lending/borrower', 'providers', 'integrators/webhook'],
    ['lending/journey', 'integrators/alert'],
    ['lending/portfolio', 'lending/lender', 'records/archive'],
    ['lenders/partner', 'lenders/network'],
    ['lender-channels.ts', 'api-pages.ts', 'outside-sandbox.ts', 'memory.ts'],
    ['lending/profile', 'lending/offer'],
    ['lending/step', 'lending/aa', 'lending/servicing', 'complaints/grievance', 'lending/fund-statement'],
    [
      'lenders/network/reactions',
      'lenders/partner/reactions',
      'complaints/complaint',
      'records/figures',
      'records/privacy',
    ],
    ['api/hosted', 'api/headless', 'api/receiver', 'api/ondc', 'api/page', 'api/demo', 'api/autopilot'],
    ['api/console'],
    ['apis.ts', 'work.ts', 'operations'],
    ['answered-requests.ts'],
    ['program.ts'],
    ['main.ts'],
  ],
  'apps/partner/src': [
    ['settings.ts', 'desk-person.ts'],
    ['context.ts', 'sealed-columns.ts', 'outside-sandbox.ts'],
    ['exchange', 'ledger', 'bank'],
    ['case', 'tax'],
    ['document', 'loan'],
    ['review'],
    ['archive', 'collection', 'paper', 'report', 'retention'],
    ['receiver', 'desk', 'autopilot'],
    ['apis.ts', 'work.ts', 'operations'],
    ['program.ts'],
    ['main.ts'],
  ],
  'apps/sandbox/src': [
    ['core', 'sealed-columns.ts'],
    ['registry', 'bank', 'bureau', 'collector', 'mailbox'],
    ['gateway', 'aggregator', 'verification'],
    ['lender', 'mfcentral'],
    ['settings.ts', 'home-page.ts', 'operations'],
    ['program.ts'],
    ['main.ts'],
  ],
  'apps/sandbox/src/lender': [
    ['core'],
    ['pages'],
    ['forms', 'documents', 'consent', 'grievance', 'servicing'],
    ['v203'],
    ['personal-loan', 'gold-loan', 'mutual-fund-loan'],
    ['products'],
    ['process'],
    ['api'],
  ],
  'apps/cli/src': [
    ['command.ts', 'nearest.ts', 'open-page.ts', 'postgres', 'progress.ts', 'terminal.ts', 'version.ts'],
    ['check.ts', 'heads.ts', 'help.ts', 'installation.ts', 'out-file.ts', 'partner', 'programs.ts', 'scenarios.ts'],
    ['installation-keys.ts'],
    ['completion', 'contexts.ts', 'incompatible-migrations.ts', 'keys', 'openapi.ts'],
    ['archive', 'backup', 'completion.ts', 'context.ts', 'database.ts'],
    ['backup.ts', 'clock', 'console', 'database', 'keys.ts', 'migrate.ts', 'network', 'restore.ts'],
    [
      'archive.ts',
      'audit.ts',
      'complaints-files.ts',
      'exchange',
      'figures',
      'journey',
      'key',
      'lenders.ts',
      'mail.ts',
      'partner.ts',
    ],
    ['clock.ts', 'desk.ts', 'login.ts', 'logs.ts', 'network.ts', 'open.ts', 'privacy.ts', 'requests.ts', 'sandbox.ts'],
    ['session.ts'],
    ['program.ts', 'start', 'status.ts', 'tenant', 'trigger.ts', 'views.ts'],
    ['complaints.ts', 'doctor', 'exchange.ts', 'figures.ts', 'init', 'journey.ts', 'key.ts', 'settings.ts', 'start.ts'],
    ['doctor.ts', 'init.ts', 'tenant.ts', 'webhook', 'webhook-alerts.ts'],
    ['people', 'webhook.ts'],
    ['people.ts'],
    ['commands.ts'],
    ['run.ts'],
    ['main.ts', 'package-main.ts'],
  ],
  'packages/conformance': [['exchange', 'network']],
  'tools/docs': [
    ['markdown.ts', 'store.ts', 'site'],
    ['browsers.ts', 'data-model.ts', 'message-places.ts', 'openapi.ts', 'page-messages.ts'],
    ['debit-rails.ts', 'retries.ts', 'state-machines.ts', 'reference.ts', 'api-changes.ts'],
    ['pages.ts'],
    ['main.ts'],
  ],
}
/** Combines the settings of a program's modules. */
const gathersSettings = /^apps\/(platform|partner)\/src\/settings\.ts$/
const clients = [
  'integrators/webhook',
  'people',
  'exchange',
  'lenders/partner',
  'lenders/network',
  'providers',
  'bank',
  'lender',
  'gateway',
  'aggregator',
  'verification',
  'api/demo',
  'api/autopilot',
]
const read = openSources()
/** Every import of our own files, including type imports. */
const imports = read.flatMap(importsOf).flatMap(({ from, to }) => (to === null ? [] : { from, to }))

/** The folders and files of a folder's layers, each with the beginning of the paths in it. */
const children = new Map(
  Object.entries(layers).map(([folder, ofFolder]) => [
    folder,
    ofFolder.flat().map((child) => ({ child, prefix: `${join(folder, child)}/` })),
  ]),
)

/** The folder or file of a folder's layers that a file is in; undefined in none. */
const childOf = (folder: string, path: string): string | undefined =>
  children
    .get(folder)!
    .filter(({ prefix }) => `${path}/`.startsWith(prefix))
    .sort((a, b) => b.prefix.length - a.prefix.length)[0]?.child

const sources = globSync('{apps/{platform,partner,sandbox},packages/*}/src/**/*.ts')
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8'), ...place(path) }))

/** The program of a file, and the module: a folder of its layers. */
function place(path: string) {
  const [kind = '', workspace = ''] = path.split('/')
  if (kind !== 'apps') return { program: null, module: null }
  const module = childOf(`apps/${workspace}/src`, path)
  return { program: workspace, module: module?.endsWith('.ts') ? null : (module ?? null) }
}

test('a folder or a file imports only from the layers below', () => {
  for (const folder of Object.keys(layers)) {
    const isIn = (path: string) => path.startsWith(`${folder}/`)
    for (const { path } of read) if (isIn(path)) assert.ok(childOf(folder, path), `${path} is in no layer`)
    const heightOf = (child: string) => layers[folder]!.findIndex((layer) => layer.includes(child))
    for (const { from, to } of imports) {
      if (!isIn(from) || !isIn(to)) continue
      const importing = childOf(folder, from)
      const imported = childOf(folder, to)
      if (!importing || !imported || importing === imported) continue
      if (gathersSettings.test(from)) continue
      assert.ok(heightOf(imported) < heightOf(importing), `${from} -> ${to} does not lead to a lower layer`)
    }
  }
})

const workspaces = globSync('{apps,packages}/*/package.json').flatMap((path) => {
  const { name, exports, dependencies = {}, private: isOurs } = JSON.parse(readFileSync(path, 'utf8'))
  return isOurs ? [{ folder: dirname(path), name: String(name), doors: Object.keys(exports), dependencies }] : []
})

/** What a source imports of other workspaces, as `@lendloom/wire/exchange/lead`. */
const doorsIn = ({ text }: { text: string }): string[] =>
  [...text.matchAll(/(?:from |import\()'(@lendloom\/[\w-]+\/[^']+)'/g)].map(([, door = '']) => door)

test('a workspace imports another one by its doors, and names it in its package.json', () => {
  assert.ok(workspaces.length > 20)
  for (const { folder, dependencies } of workspaces)
    for (const source of read.filter(({ path }) => path.startsWith(`${folder}/`)))
      for (const door of doorsIn(source)) {
        assert.ok(!door.split('/')[2]?.startsWith('src'), `${source.path} looks inside: ${door}`)
        assert.ok(door.split('/').slice(0, 2).join('/') in dependencies, `${folder}/package.json lacks ${door}`)
      }
})

test('each door is the file of its name below src, as our hook of imports expects, and somebody uses it', () => {
  const used = new Set(read.flatMap(doorsIn))
  for (const { folder, name, doors } of workspaces)
    for (const door of doors.filter((each) => !/\*|\/src\//.test(each))) {
      const file = join(folder, 'src', door)
      assert.ok(
        [file, `${file}.ts`, `${file}.tsx`].some((path) => existsSync(path)),
        `${name} has no ${door}`,
      )
      assert.ok(
        /\.(?:css|mjs|json)$/.test(door) || used.has(name + door.slice(1)),
        `nobody uses ${name}${door.slice(1)}`,
      )
    }
})

test('files with the settings of a module do not import the context of their program', () => {
  for (const { path } of read.filter(({ path }) => gathersSettings.test(path))) {
    const reached = new Set([path])
    for (const file of reached) for (const { from, to } of imports) if (from === file) reached.add(to)
    assert.equal(reached.has(path.replace('settings.ts', 'context.ts')), false, path)
  }
})

test('modules are named with # or by a door, never with ../, but in the browser’s', () => {
  for (const { path, text } of sources)
    if (!/^packages\/(browser-sdk|server-node)\//.test(path)) assert.doesNotMatch(text, /['"]\.\.\//, path)
})

/** Encrypt with a new random key or initialization vector. */
const hasRandomKeys = /^packages\/wire\/src\/(aggregator\/data|registrar\/envelope)\.ts$/

test('contracts read no files, call no other systems, load no server and are not random', () => {
  for (const { path, text } of sources) {
    if (!/^packages\/(wire|lending)\//.test(path) || path.includes('/ifsc')) continue
    for (const [, name] of text.matchAll(/from '(node:[^']+)'/g)) assert.match(name!, /^node:(crypto|util)$/, path)
    assert.doesNotMatch(
      text,
      /@lendloom\/(?:postgres|files|queue|event-log)\/|@lendloom\/http\/(?:server|client|open-id)'/,
      path,
    )
    if (!hasRandomKeys.test(path))
      assert.doesNotMatch(text, /\b(?:random\w+|uuidv\d|generateKey\w+|Math\.random)\(|new Date\(\)|Date\.now/, path)
  }
})

/** Files of kit, platform and partner that compute a digest without a key, with what the digest covers. */
const plainDigests: Record<string, string> = {
  'packages/http/src/static-site.ts': 'public files',
  'packages/seal/src/content-digest.ts': 'the input of a keyed digest',
  'packages/seal/src/id.ts': 'names, of which an id or a bucket has a part',
  'packages/seal/src/token.ts': 'tokens of 32 random bytes',
  'packages/files/src/file-writer-thread.ts':
    'files: D3 §4.3 repeats the digest in each answer, and the lender compares it at each reading, so it stores it plain',
  'packages/files/src/checked-bytes.ts': 'files that are compared with that digest',
  'packages/files/src/content-pdf-key.ts': 'keys of encrypted PDFs, which are not stored',
  'packages/postgres/src/chain.ts': 'links of the audit log',
  'packages/postgres/src/migrate.ts': 'migrations',
  'packages/postgres/src/statement.ts': 'the text of SQL statements',
  'packages/archive/src/archive.ts': 'encrypted content, with a random key',
  'apps/platform/src/providers/esign/cashfree.ts': 'random references and public keys',
  'apps/platform/src/lending/borrower/store.ts': 'names, for 12 bits of a bucket',
  'packages/mail/src/mail-read.ts': 'a mail, as the input of a keyed digest',
  'apps/platform/src/mail/receive.ts': 'a mail, as the input of a keyed digest',
  'apps/platform/src/lenders/network/subscribe.ts': 'public keys',
  'apps/platform/src/lenders/network/registry-entry.ts': 'public keys',
  'apps/platform/src/people/audit/reason.ts': 'reasons, with a random salt that is sealed',
  'apps/platform/src/people/command-line.ts': 'a request, as the input of a keyed digest',
  'apps/platform/src/people/command-line-sign-in.ts': 'secrets of 32 random bytes',
  'apps/platform/src/integrators/access/theme.ts': 'public logos',
  'apps/platform/src/api/console/journeys/live-store.ts': 'the version of a journey, which is not stored',
  'apps/platform/src/lending/offer/offer.ts': 'terms, which are stored in clear',
  'apps/platform/src/api/page/page.ts': 'public styles',
  'apps/platform/src/api/page/preview.ts': 'public styles',
  'apps/platform/src/api/page/view-tag.ts': 'ids and versions, which are not stored',
  'apps/platform/src/lenders/partner/directory/store.ts': 'bearers of 32 random bytes',
  'packages/http/src/page-frame.ts': 'public styles',
  'packages/identity/src/open-id.ts': 'random steps of a sign-in',
  'packages/identity/src/passkey.ts': 'random challenges',
  'packages/identity/src/session.ts': 'device tokens of 32 random bytes',
  'packages/identity/src/token.ts': 'tokens of 32 random bytes',
  'apps/partner/src/desk/staff/password-link/page.ts': 'tokens of links',
  'apps/partner/src/desk/staff/password-link/password-link.ts': 'tokens of links',
  'apps/partner/src/desk/staff/staff-mail.ts': 'tokens of links',
  'apps/partner/src/api/platforms.ts': 'bearers, which are not stored',
  'apps/platform/src/lenders/partner/reactions/uploading.ts': 'files, whose digest is part of D3 §4.3',
  'apps/platform/src/api-files.ts': 'public files',
  'apps/partner/src/servicing/collection/statement/reconcile.ts': 'references and amounts, which are stored in clear',
  'apps/partner/src/origination/document/store.ts': 'ids and a keyed digest',
}

test('DPDP §8(5): a stored digest of personal content is keyed, so that a reader of the database cannot try values', () => {
  const hashing = /\b(?:createHash\(|hash\('|sha256\(|md5\(|digestOf\()/
  const found = read.flatMap(({ path, text }) =>
    /^(?:apps\/(?:platform|partner)\/|packages\/(?!wire|lending|conformance|browser-sdk|server-node))/.test(path) &&
    hashing.test(text)
      ? path
      : [],
  )
  assert.deepEqual(found.toSorted(), Object.keys(plainDigests).toSorted())
})

test('each library is loaded by one file of one package, and pg by packages/postgres', () => {
  const dependencies = globSync('{apps,packages}/*/package.json').flatMap((path) =>
    Object.keys(JSON.parse(readFileSync(path, 'utf8')).dependencies ?? {}).filter(
      (name) => !name.startsWith('@lendloom/'),
    ),
  )
  const sources = read.map(({ path, text }) => ({
    path,
    text: text.replace(/(?:import type|declare module) [^']*'[^']*'/g, ''),
  }))
  for (const library of new Set(dependencies)) {
    const users = sources.filter(({ text }) => new RegExp(`'${library}(/[^']*)?'`).test(text)).map(({ path }) => path)
    const folder = library === 'pg' ? 'packages/postgres/' : 'packages/'
    assert.ok(library === 'pg' || users.length <= 1, `${library}: ${users}`)
    for (const path of users) assert.ok(path.startsWith(folder), `${path} loads ${library}`)
  }
})

test('folders of the sandbox have no circular imports, by value or by type', () => {
  const arrows = new Map<string, Set<string>>()
  for (const { from, to } of imports)
    if (from.startsWith('apps/sandbox/src/') && to.startsWith('apps/sandbox/src/'))
      arrows.set(dirname(from), (arrows.get(dirname(from)) ?? new Set()).add(dirname(to)))
  const reached = (from: string, seen = new Set<string>()): Set<string> => {
    for (const to of arrows.get(from) ?? []) if (to !== from && !seen.has(to)) reached(to, seen.add(to))
    return seen
  }
  for (const folder of arrows.keys())
    assert.ok(!reached(folder).has(folder), `${folder} is imported by what it imports`)
})

test('only its descriptor asks which product is lent in the sandbox', () => {
  for (const { path, text } of sources)
    if (path.startsWith('apps/sandbox/src/'))
      assert.doesNotMatch(text, new RegExp(`(?:===|!==|case|\\? ) ?'(?:${productNames.join('|')})'`), path)
})

/** Delete personal data from the tables of all modules. */
const erasers = ['apps/platform/src/records/privacy/erase/store.ts', 'apps/partner/src/records/retention/store.ts']

test('each table is written by one module', () => {
  const writer = new Map<string, string>()
  for (const { path, text, program, module } of sources) {
    if (program === null || erasers.includes(path)) continue
    const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    for (const [, table] of code.matchAll(
      /\b(?:insert into|update|delete from)\s+([a-z_]+)\b(?=[\s\S]{0,40}?(?:\(|set|where))/g,
    )) {
      const owner: string = `${program}/${module}`
      assert.equal(writer.get(`${program}.${table}`) ?? owner, owner, `${table} is written by two modules`)
      writer.set(`${program}.${table}`, owner)
    }
  }
})

test('only clients call other systems', () => {
  for (const { path, text, program, module } of sources) {
    const calls = text.includes("'@lendloom/http/client'") || (module && text.includes("'@lendloom/http/open-id'"))
    if (program !== null && calls) assert.ok(module !== null && clients.includes(module), `${path} is not a client`)
  }
})

/** A literal colour in a style sheet or in a script that generates one. */
const colour = /(?:oklch|oklab|lch|lab|hsla?|hwb|rgba?)\(\s*[\d.]|['" :=(]#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b/i
/** The tokens and what reads them; the marks of companies that are made up; the PDF, which is printed on paper; examples of an accent. */
const hasColours =
  /^(packages\/design\/|apps\/sandbox\/src\/lender\/(core\/policy|api\/public-pages)\.ts$|packages\/documents\/src\/pdf\.ts$|apps\/cli\/src\/tenant\/theme\.ts$|packages\/wire\/src\/console\/theme\.ts$|apps\/platform\/src\/api\/console\/(themes\.full|isolation)\.test\.ts$|apps\/console\/src\/developers\/appearance\.tsx$)/

test('records with arbitrary keys are read with ownValue, because every object has a constructor', () => {
  const guarded = /^(?:apps\/(?:partner|platform|sandbox)|packages\/(?!conformance\/exchange|browser-sdk|server-node))/
  const sources = read.filter(({ path }) => guarded.test(path) && path !== 'packages/foundation/src/record.ts')
  assert.deepEqual(unguardedLookUps(sources), [])
  const text = 'const all: Record<string, number> = {}\nexport const of = (name: string) => all[name]\n'
  assert.deepEqual(unguardedLookUps([sourceOf('packages/foundation/src/some.ts', text)]), [
    'packages/foundation/src/some.ts:2',
  ])
})

test('one file normalises text: of a long run of combining marks the time would grow with its square', () => {
  const normalises = (path: string) => /(?<!\.)\.normalize\(/.test(readFileSync(path, 'utf8'))
  const found = globSync('{apps,packages}/*/src/**/*.{ts,tsx}').filter(normalises)
  assert.deepEqual(
    found.filter((path) => !/\.test\.ts$/.test(path)),
    ['packages/foundation/src/search-form.ts'],
  )
})

test('colours are tokens: no other style sheet or page contains a literal colour', () => {
  const found = globSync('{apps,packages}/*/src/**/*.{css,ts,tsx}')
    .filter((path) => (!hasColours.test(path) || path.endsWith('.css')) && !path.endsWith('/tokens.css'))
    .filter((path) => colour.test(readFileSync(path, 'utf8').replace(/from '#[^']+'|\.test\.ts/g, '')))
  assert.deepEqual(found, [])
})

test('one frame writes the pages that servers make, with the headers that guard them', () => {
  const others = /^packages\/(http\/src\/page-frame|wire\/src\/network\/challenge)\.ts$|\.test\.ts$/
  const found = globSync('{apps,packages}/*/src/**/*.ts').filter((path) =>
    /<!doctype html/i.test(readFileSync(path, 'utf8')),
  )
  assert.deepEqual(
    found.filter((path) => !others.test(path)),
    [],
  )
})

test('style sheets use only existing tokens', () => {
  const namesOf = (path: string) => [...readFileSync(path, 'utf8').matchAll(/(--[\w-]+):/g)].map(([, name]) => name)
  const tokens = namesOf('packages/design/src/tokens.css')
  for (const path of globSync('{apps,packages}/*/src/**/*.css')) {
    const known = new Set([...tokens, ...namesOf(path), '--gap'])
    for (const [, name] of readFileSync(path, 'utf8').matchAll(/var\((--[\w-]+)/g))
      assert.ok(known.has(name), `${path}: ${name}`)
  }
})

/** The names of products: their ids, and their names in the paths of the hybrid calls. */
const productName = new RegExp(`['"\`](?:${productNames.join('|')})['"\`]`)
/** Categories of the network, as its codecs read and write them; the descriptors name the codec. */
const isCodec = (path: string) => /^packages\/wire\/src\/network\/(v2\d\d|fixtures)\//.test(path)

test('no product is named outside its descriptors and its codecs', () => {
  const found = globSync('{apps/{platform,console,demo,page},packages/wire}/src/**/*.{ts,tsx}')
    .filter((path) => !/\.test\.tsx?$|\/product\//.test(path) && !isCodec(path))
    .filter((path) => productName.test(readFileSync(path, 'utf8')))
  assert.deepEqual(found, [])
})

/** Where the channel of a lender is stored, and where each channel is implemented or made ready. */
const knowsChannels = /\/store\.ts$|^apps\/platform\/src\/(lending\/lender|lender-channels\.ts$)/

test('no code depends on the channel of a lender', () => {
  for (const { path, text, program } of sources) {
    if (program !== 'platform' || knowsChannels.test(path)) continue
    assert.doesNotMatch(text, /\bvia\b/, path)
    assert.doesNotMatch(text, /(?:[!=]==|case|[^?]\?)\s*'(?:NETWORK|PARTNER)'/, `${path} asks which channel it is`)
  }
})

test('a sentence for people is found in the domain, in a string or a template, and may stand in a catalogue', () => {
  const text = `
    const a = 'The lender is away today.'
    const b = \`<p>The lender \${name} is away. Please try again.</p>\`
    log.info({}, 'a lender is away')
    const c = \`error \${code}\`
    throw new Refusal('absent', 'there is no such offer')`
  const places = (path: string) => sentences([sourceOf(path, text)])
  assert.deepEqual(places('apps/platform/src/lending/offer/away.ts'), [
    'apps/platform/src/lending/offer/away.ts:2',
    'apps/platform/src/lending/offer/away.ts:3',
  ])
  assert.equal(places('apps/partner/src/receiver/away-page.ts').length, 2)
  assert.deepEqual(places('apps/platform/src/lending/offer/away-text-en.ts'), [])
})

test('no file imports itself in a circle, by value or by type', () => {
  const found = circles(read)
  assert.deepEqual(found, [])
})

test('only descriptors of products and channels of lenders ask which one it is', () => {
  assert.deepEqual(productConditionals(read), [])
  assert.deepEqual(channelConditionals(read), [])
})

test('sentences for people are in the catalogues of the languages', () => {
  assert.deepEqual(sentences(read), [])
})

// The linter refuses `test.only` and `describe.skip`, but not the same as options. A condition may skip a test.
test('no test file leaves out tests', () => {
  const leavesOut = /\b(?:only|skip): true\b/
  const paths = globSync('{apps,packages,tests,tools}/**/*.test.ts')
  const found = paths.filter((path) => leavesOut.test(readFileSync(path, 'utf8')))
  assert.deepEqual(found, [])
})

test('every field, declaration and comparison is on its own line', () => {
  const packed = sourceOf(
    'packed.tsx',
    `const both = { ...{ a, b }, ...(isLate && { c }) }
    const all = [...([1, 2] as const), ...(isLate ? [3] : []), ...others]
    const part = <Part {...{ a, b }} {...rest} {...(isLate && { c })} />
    const [x, y] = [1, 2]
    for (let [i, from] = [0, 0] as const; ; ) break
    const [first, ...more] = [...some, ...others]
    const [row] = await rows()
    assert.deepEqual([a, b], [1, 2])
    assert.deepStrictEqual([a, ...more], [1, 2])
    assert.deepEqual([a], [])
    assert.deepEqual(rows, [1, 2])
    t.assert.notDeepEqual([a, b], expected)
    assert.strict.partialDeepStrictEqual([a, /* and */ b], both)
    assert.deepEqual(await Promise.all([find(1), find(2)]), [1, 2])
    ;[a, b] = [1, 2]
    ;[a, b] = [b, a]
    const { id, name } = { id: 1, name: 'x' }
    const [low, high] = a < b ? [a, b] : [b, a]
    export const [e, f]: Array<() => void> = [() => {}, () => {}]
    const stateOf = async (loan) => [loan.status, await owed(loan)] as const
    function idsOf(loan) { return [loan.first, ...loan.others.map((other) => { return [other.id, other.name] })] }
    const loan = { async due() { return isLate ? [day, amount] : null } }
    const uncompared = () => [a, b]
    assert.deepEqual(await stateOf(loan), ['PAID', 0n])
    assert.deepEqual(idsOf(loan), [1, [2, 'x']])
    assert.deepEqual(await loan.due(), [1, 2])`,
  )
  const rules = { literalSpreads, tupleDeclarations, packedAssertions, tupleHelpers }
  const linesOf = (places: string[]) => places.map((place) => Number(place.split(':')[1]))
  assert.deepEqual(linesOf(literalSpreads([packed])), [1, 2, 3])
  assert.deepEqual(linesOf(tupleDeclarations([packed])), [4, 5, 15, 17, 19])
  assert.deepEqual(linesOf(packedAssertions([packed])), [8, 12, 13])
  assert.deepEqual(linesOf(tupleHelpers([packed])), [20, 22])
  const lines = packed.text.split('\n')
  for (const line of [1, 2, 3, 4, 5, 15, 17, 19, 8, 12, 13]) assert.ok(isPackable(lines[line - 1]!), `line ${line}`)
  assert.ok(isPackable(lines.slice(19).join('\n')), 'a helper is found by its comparison')
  const written = packableSources()
  const places = Object.entries(rules).flatMap(([rule, find]) => find(written).map((place) => `${place} ${rule}`))
  assert.equal(
    places.length,
    0,
    `write one thing per line, and name what a helper returns\n${places.toSorted().join('\n')}`,
  )
})
