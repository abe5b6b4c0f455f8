// Where each file of the old layout goes. First match wins; a rule is [regex, replacement].
const documents = 'pdf-font|pdf-pages|pdf-shape|pdf|csv|csv-read|xlsx-read|xml-read|zip-read|calendar-file'
export const rules = [
  [/^src\/kit\/runtime\/(mail|mail-history|mail-parse|mail-read)((\.\w+)*\.tsx?)$/, 'packages/mail/src/$1$2'],
  [/^src\/kit\/messaging\/mail-server((\.\w+)*\.ts)$/, 'packages/mail/src/mail-server$1'],
  [/^src\/kit\/http\/(refusal|schema|schema-fields)((\.\w+)*\.ts)$/, 'packages/foundation/src/$1$2'],
  [/^src\/kit\/runtime\//, 'packages/foundation/src/'],
  [/^src\/kit\/telemetry\//, 'packages/foundation/src/telemetry/'],
  [/^src\/kit\/money\//, 'packages/lending/src/'],
  [/^src\/kit\/files\/ifsc/, 'packages/lending/src/ifsc'],
  [/^src\/kit\/db\//, 'packages/postgres/src/'],
  [/^src\/kit\/messaging\/(inbox|outbox)/, 'packages/event-log/src/$1'],
  [/^src\/kit\/messaging\//, 'packages/queue/src/'],
  [/^src\/kit\/http\//, 'packages/http/src/'],
  [/^src\/kit\/staff\//, 'packages/identity/src/'],
  [/^src\/kit\/crypto\//, 'packages/seal/src/'],
  [new RegExp(`^src/kit/files/(${documents})((\\.\\w+)*\\.ts)$`), 'packages/documents/src/$1$2'],
  [/^src\/kit\/files\//, 'packages/files/src/'],
  [/^src\/kit\/archive\//, 'packages/archive/src/'],
  [/^src\/kit\/design\//, 'packages/design/src/'],
  [/^src\/contract\/language\.ts$/, 'packages/lending/src/language.ts'],
  [/^src\/contract\/product\//, 'packages/lending/src/product/'],
  [/^src\/contract\/reason\//, 'packages/lending/src/reason/'],
  [/^src\/contract\//, 'packages/wire/src/'],
  [/^src\/web\/sdk\//, 'packages/browser-sdk/src/'],
  [/^src\/web\/embed\//, 'apps/page/src/'],
  [/^src\/web\/console\//, 'apps/console/src/'],
  [/^src\/web\/demo\//, 'apps/demo/src/'],
  [/^src\/web\//, 'tools/web/'],
  [/^src\/docs\//, 'tools/docs/'],
  [/^packages\/embed\//, 'packages/browser-sdk/'],
  [/^packages\/([\w-]+\.(ts|json))$/, 'tools/packages/$1'],
  [/^src\/(platform|partner|sandbox|cli)\//, 'apps/$1/src/'],
  [/^test\//, 'tests/'],
  [/^prove\//, 'proofs/'],
]
export const target = (file) => {
  for (const [from, to] of rules) if (from.test(file)) return file.replace(from, to)
  return file
}
export const workspaceOf = (file) => /^(apps|packages)\/[^/]+/.exec(file)?.[0] ?? /^[^/]+/.exec(file)[0]
