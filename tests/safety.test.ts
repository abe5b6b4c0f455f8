// Rules of the sources that keep personal data and servers safe.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { unguardedLookUps } from './architecture/look-ups.ts'
import { openSources, sourceOf } from './architecture/sources.ts'

const read = openSources()

/** The sources of the programs that serve, and of the packages. */
const sources = globSync('{apps/{platform,partner,sandbox},packages/*}/src/**/*.ts')
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))

/** Encrypt with a new random key or initialization vector. */
const hasRandomKeys = /^packages\/wire\/src\/(aggregator\/data-encryption|registrar\/encrypted-envelope)\.ts$/

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

/** Files of the packages, the platform and the partner that compute a digest without a key, with what the digest covers. */
const plainDigests: Record<string, string> = {
  'packages/http/src/static-site.ts': 'public files',
  'packages/seal/src/content-digest.ts': 'the input of a keyed digest',
  'packages/seal/src/id.ts': 'names, of which an id or a bucket has a part',
  'packages/seal/src/token.ts': 'tokens of 32 random bytes',
  'packages/files/src/file-writer-thread.ts':
    'files: D3 §4.3 repeats the digest in each answer, and the lender compares it at each reading, so it stores it plain',
  'packages/files/src/checked-bytes.ts': 'files that are compared with that digest',
  'packages/files/src/content-pdf-key.ts': 'keys of encrypted PDFs, which are not stored',
  'packages/postgres/src/hash-chain.ts': 'links of the audit log',
  'packages/postgres/src/migrate.ts': 'migrations',
  'packages/postgres/src/statement.ts': 'the text of SQL statements',
  'packages/archive/src/archive.ts': 'encrypted content, with a random key',
  'apps/platform/src/providers/esign/cashfree.ts': 'random references and public keys',
  'apps/platform/src/lending/borrower/store.ts': 'names, for 12 bits of a bucket',
  'packages/mail/src/mail-read.ts': 'a mail, as the input of a keyed digest',
  'apps/platform/src/mail/receive-mail.ts': 'a mail, as the input of a keyed digest',
  'apps/platform/src/lenders/network/subscribe.ts': 'public keys',
  'apps/platform/src/lenders/network/registry-entry.ts': 'public keys',
  'apps/platform/src/people/audit/reason.ts': 'reasons, with a random salt that is sealed',
  'apps/platform/src/people/authenticate-command-line.ts': 'a request, as the input of a keyed digest',
  'apps/platform/src/people/command-line-sign-in.ts': 'secrets of 32 random bytes',
  'apps/platform/src/integrators/access/theme.ts': 'public logos',
  'apps/platform/src/api/console/journeys/timeline-digest-store.ts': 'the version of a journey, which is not stored',
  'apps/platform/src/lending/offer/offer.ts': 'terms, which are stored in clear',
  'apps/platform/src/lending/drawdown/drawdown.ts': 'terms, which are stored in clear',
  'apps/platform/src/api/page/hosted-page.ts': 'public styles',
  'apps/platform/src/api/page/themed-page.ts': 'public styles',
  'apps/platform/src/api/page/page-view-tag.ts': 'ids and versions, which are not stored',
  'apps/platform/src/lenders/partner/directory/lending-partner.ts': 'bearers of 32 random bytes',
  'packages/http/src/page-frame.ts': 'public styles',
  'packages/identity/src/open-id.ts': 'random steps of a sign-in',
  'packages/identity/src/passkey.ts': 'random challenges',
  'packages/identity/src/session.ts': 'device tokens of 32 random bytes',
  'packages/identity/src/cookie-token.ts': 'tokens of 32 random bytes',
  'apps/partner/src/desk/staff/password-link/page.ts': 'tokens of links',
  'apps/partner/src/desk/staff/password-link/password-link.ts': 'tokens of links',
  'apps/partner/src/desk/staff/staff-mail.ts': 'tokens of links',
  'apps/partner/src/api/platforms.ts': 'bearers, which are not stored',
  'apps/platform/src/lenders/partner/reactions/provider-file.ts': 'files, whose digest is part of D3 §4.3',
  'apps/platform/src/api/reference/openapi-files.ts': 'public files',
  'apps/partner/src/servicing/collection/statement/reconcile.ts': 'references and amounts, which are stored in clear',
  'apps/partner/src/origination/document/document.ts': 'ids and a keyed digest',
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
